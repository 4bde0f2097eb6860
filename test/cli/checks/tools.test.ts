import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkTools } from '../../../src/cli/checks/tools.ts';
import { toolNotes } from '../../../src/compose/tool-notes.ts';
import { type Config, loadConfig } from '../../../src/config/load.ts';
import { silentLogger } from '../../../src/core/logger.ts';
import { OfficialMcpServer } from '../../sdk-clients/mcp-official.ts';
import { configFolder } from '../../support/config-folder.ts';
import { freeTcpPort } from '../../support/ports.ts';

let server: OfficialMcpServer;
let folder: ReturnType<typeof configFolder> | undefined;
beforeEach(async () => {
  server = await OfficialMcpServer.start({
    tools: [{ name: 'find', description: 'Finds.', inputSchema: { type: 'object' } }],
    call: () => ({ content: [] }),
  });
});
afterEach(async () => {
  folder?.remove();
  await server.close();
});

function configWith(url: string): Config {
  folder = configFolder({
    'nidaa.yaml': `engines:
  mcp:
    crm:
      url: ${url}
      tools: { find: { changes: false }, open: { confirm: { en: Shall I? } } }
`,
    'agents/desk.yaml': `number: "1"
name: Desk
language: en-US
voice: emma
model: sada-1
greeting: { en: Hello. }
mcp: [crm, stranger]
`,
  });
  return loadConfig({ env: {}, cwd: folder.dir, configDir: folder.dir });
}

describe('MCP servers', () => {
  it('are named by doctor, with what models may call, what they may not, and who names others', async () => {
    const found = await checkTools(configWith(server.url), silentLogger);
    expect(found.map(({ check, state, detail }) => `${check} ${state}: ${detail}`)).toEqual([
      `MCP server crm ok: ${server.url}: crm_find`,
      'MCP server crm warn: open cannot be called: the server has no such tool',
      'MCP server stranger warn: Desk names it, and it is not configured',
    ]);
    expect(server.sessions).toBe(0); // it said goodbye
  });

  it('that are away are a warning, and no more', async () => {
    const url = `http://127.0.0.1:${await freeTcpPort()}/mcp`;
    const [found] = await checkTools(configWith(url), silentLogger);
    expect(found).toMatchObject({ check: 'MCP server crm', state: 'warn', detail: `${url}: network` });
  });

  it('stand in the start report', () => {
    expect(toolNotes(configWith('https://crm.example.com/mcp').engines)).toEqual([
      'Agents that name crm may call find, open (after a yes) at crm.example.com.',
    ]);
  });
});
