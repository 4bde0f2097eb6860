import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

export interface OfficialTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown };
}
type ToolOutcome = Readonly<Record<string, unknown>>;

export interface OfficialOptions {
  /** Answers as JSON instead of an event stream. */
  readonly json?: boolean;
  readonly stateless?: boolean;
  readonly pageSize?: number;
  readonly tools: readonly OfficialTool[];
  readonly call: (name: string, args: Readonly<Record<string, unknown>>) => ToolOutcome | Promise<ToolOutcome>;
}

/** What came over HTTP, request by request. */
export interface McpRequest {
  readonly method: string;
  readonly rpc: string | undefined;
  readonly session: string | undefined;
  readonly version: string | undefined;
  readonly authorization: string | undefined;
}

/** The official SDK's server on the loopback. */
export class OfficialMcpServer {
  readonly requests: McpRequest[] = [];
  readonly calls: { readonly name: string; readonly args: unknown }[] = [];
  readonly #sessions = new Map<string, StreamableHTTPServerTransport>();
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const body = text === '' ? undefined : (JSON.parse(text) as { method?: string });
      const header = (name: string): string | undefined => request.headers[name] as string | undefined;
      const session = header('mcp-session-id');
      this.requests.push({
        ...{ method: request.method!, rpc: body?.method, session },
        ...{ version: header('mcp-protocol-version'), authorization: request.headers.authorization },
      });
      void this.#transport(session, body?.method).then(async (transport) => {
        if (transport) await transport.handleRequest(request, response, body);
        else response.writeHead(404).end();
      });
    });
  });

  private constructor(private readonly options: OfficialOptions) {}

  static async start(options: OfficialOptions): Promise<OfficialMcpServer> {
    const server = new OfficialMcpServer(options);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
  get url(): string {
    return `http://${this.host}/mcp`;
  }
  get sessions(): number {
    return this.#sessions.size;
  }

  /** Every session is over, as after a restart. */
  forget(): void {
    this.#sessions.clear();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #transport(session: string | undefined, method: string | undefined) {
    const { json = false, stateless = false } = this.options;
    if (session !== undefined) return this.#sessions.get(session);
    if (!stateless && method !== 'initialize') return undefined;
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      enableJsonResponse: json,
      ...(!stateless && {
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (id: string) => void this.#sessions.set(id, transport),
        onsessionclosed: (id: string) => void this.#sessions.delete(id),
      }),
    });
    await this.#made().connect(transport as Transport);
    return transport;
  }

  #made(): Server {
    const { tools, pageSize = tools.length, call } = this.options;
    const server = new Server({ name: 'shop', version: '1.0.0' }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, async ({ params }) => {
      const from = Number(params?.cursor ?? 0);
      const next = from + pageSize;
      return {
        tools: tools.slice(from, next) as never,
        ...(next < tools.length && { nextCursor: String(next) }),
      };
    });
    server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
      this.calls.push({ name: params.name, args: params.arguments });
      return (await call(params.name, params.arguments ?? {})) as never;
    });
    return server;
  }
}
