import { loadAgents } from '../../config/agents.ts';
import type { Config } from '../../config/load.ts';
import { loadVoices } from '../../config/voices.ts';
import { systemClock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import { McpServers } from '../../engines/mcp/mcp-servers.ts';
import { ownVersion } from '../own-version.ts';
import { type Finding, ok, warn } from './finding.ts';

/** The MCP servers of the configuration: do they answer, and with which tools; and agents that name others. */
export async function checkTools(config: Config, logger: Logger): Promise<Finding[]> {
  const servers = new McpServers(config.engines.mcp, { clock: systemClock, logger, version: ownVersion() });
  try {
    await servers.listed();
    const found = servers.states.flatMap(({ name, url, tools, why, leftOut }): Finding[] => {
      const check = `MCP server ${name}`;
      if (why !== undefined) {
        const mend = `Start it, or correct engines.mcp.${name}: its address ends where messages are posted, often in /mcp.`;
        return [warn(check, `${url}: ${why}`, mend)];
      }
      return [
        ok(check, `${url}: ${tools.join(', ') || 'no tool'}`),
        ...leftOut.map((one) =>
          warn(check, `${one.tool} cannot be called: ${one.why}`, `Correct engines.mcp.${name}.tools.${one.tool}.`),
        ),
      ];
    });
    return [...found, ...strangers(config)];
  } finally {
    await servers.close();
  }
}

/** Agent files that name a server which there is not. */
function strangers({ engines, paths }: Config): Finding[] {
  const known = Object.keys(engines.mcp);
  try {
    return loadAgents(paths.agentsDir, loadVoices(paths.voicesFile)).flatMap(({ definition: { name, mcp = [] } }) =>
      mcp
        .filter((server) => !known.includes(server))
        .map((server) =>
          warn(`MCP server ${server}`, `${name} names it, and it is not configured`, 'Declare it under engines.mcp.'),
        ),
    );
  } catch {
    return []; // the check of the configuration says what is wrong with the files
  }
}
