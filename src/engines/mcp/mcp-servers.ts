import type { Agent } from '../../core/agent.ts';
import type { Clock, Timer } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { AgentTool, ToolSource } from '../tools/contract.ts';
import { McpClient } from './mcp-client.ts';
import { McpFailure } from './mcp-messages.ts';
import { type McpToolRule, mcpModelTool } from './mcp-model-tool.ts';

/** A server as the operator declares it; secrets are filled in. */
export interface McpServerSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The tools that may be called; no others are. */
  readonly tools: Readonly<Record<string, McpToolRule>>;
  readonly timeoutMs: number;
  /** Whose agents may name it; everybody's where it is left out. */
  readonly accounts?: readonly string[];
}
export interface McpServersDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly version: string;
}

/** What is known of a server, for people. */
export interface McpServerState {
  readonly name: string;
  readonly url: string;
  /** Names as models have them. */
  readonly tools: readonly string[];
  /** Why its list could not be had; what is known of an earlier one still counts. */
  readonly why?: string;
  /** Tools that may be called and cannot, and why. */
  readonly leftOut: readonly { readonly tool: string; readonly why: string }[];
}

const REFRESH_MS = 300_000;
const RETRY_MS = 5_000;
const RETRY_MS_MAX = 80_000;
const LIST_MS = 10_000;

/**
 * The MCP servers of the configuration. Their lists are read when the gateway starts and every five minutes, never while somebody
 * waits: an agent has the tools that are known by then. A server that is away is asked again after 5 s, 10 s, up to 80 s.
 */
export class McpServers implements ToolSource {
  readonly #servers: ReadonlyMap<string, ListedServer>;

  constructor(settings: Readonly<Record<string, McpServerSettings>>, deps: McpServersDeps) {
    this.#servers = new Map(Object.entries(settings).map(([name, one]) => [name, new ListedServer(name, one, deps)]));
  }

  toolsOf({ accountId, definition }: Agent): readonly AgentTool[] {
    return (definition.mcp ?? []).flatMap((name) => {
      const server = this.#servers.get(name);
      return server?.serves(accountId) ? server.tools : [];
    });
  }

  get states(): readonly McpServerState[] {
    return [...this.#servers.values()].map((server) => server.state);
  }

  /** When every server was asked once: for those who wait for that, as no call does. Never rejects. */
  async listed(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.first));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.close()));
  }
}

class ListedServer {
  tools: readonly AgentTool[] = [];
  readonly first: Promise<void>;
  readonly #client: McpClient;
  #why: string | undefined = 'it was not asked yet';
  #leftOut: McpServerState['leftOut'] = [];
  #failures = 0;
  #timer: Timer | undefined;
  #closed = false;

  constructor(
    private readonly name: string,
    private readonly settings: McpServerSettings,
    private readonly deps: McpServersDeps,
  ) {
    const { url, headers } = settings;
    this.#client = new McpClient({ url, headers }, deps);
    this.first = this.#refresh();
  }

  serves(accountId: string): boolean {
    return this.settings.accounts?.includes(accountId) ?? true;
  }

  get state(): McpServerState {
    const { name, settings, tools } = this;
    const why = this.#why;
    return {
      ...{ name, url: settings.url, tools: tools.map((tool) => tool.name), leftOut: this.#leftOut },
      ...(why !== undefined && { why }),
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.deps.clock.clearTimer(this.#timer);
    await this.#client.close();
  }

  async #refresh(): Promise<void> {
    const { logger, clock } = this.deps;
    try {
      this.#take(await this.#client.tools(LIST_MS));
      if (this.#why !== undefined) logger.info({ server: this.name, tools: this.tools.length }, 'MCP server is listed');
      this.#why = undefined;
      this.#failures = 0;
    } catch (error) {
      const kind = error instanceof McpFailure ? error.kind : 'garbage';
      if (this.#closed) return;
      if (this.#why !== kind) logger.warn({ server: this.name, kind }, 'MCP server gave no list of tools');
      this.#why = kind;
      this.#failures += 1;
    }
    if (this.#closed) return;
    const againMs = this.#failures > 0 ? Math.min(RETRY_MS * 2 ** (this.#failures - 1), RETRY_MS_MAX) : REFRESH_MS;
    this.#timer = clock.setTimer(againMs, () => void this.#refresh());
  }

  /** Those that may be called; the same list keeps its identity, so that nothing is made anew of it. */
  #take(listed: Awaited<ReturnType<McpClient['tools']>>): void {
    const parts = { server: this.name, client: this.#client, timeoutMs: this.settings.timeoutMs };
    const tools: AgentTool[] = [];
    const leftOut: { tool: string; why: string }[] = [];
    for (const [name, rule] of Object.entries(this.settings.tools)) {
      const tool = listed.find((one) => one.name === name);
      const made = tool ? mcpModelTool(tool, rule, parts) : { why: 'the server has no such tool' };
      if ('why' in made) leftOut.push({ tool: name, why: made.why });
      else tools.push(made);
    }
    this.tools = tools;
    this.#leftOut = leftOut;
  }
}
