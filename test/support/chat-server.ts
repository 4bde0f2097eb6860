import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a chat server was sent: every byte of it. */
export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
export interface SentMessage {
  readonly role: string;
  readonly content: string;
}

export type Answer = (response: ServerResponse, request: ReceivedRequest) => void;

/** A server on the loopback that speaks as much of the chat API as a test wants, well or badly. */
export class ChatTestServer {
  readonly requests: ReceivedRequest[] = [];
  /** Connections that ended before the answer did. */
  hungUp = 0;
  answer: Answer;
  models: readonly string[] = ['test-model'];
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  #port = 0;

  private constructor(answer: Answer) {
    this.answer = answer;
  }

  static async start(answer: Answer = says('Hello.')): Promise<ChatTestServer> {
    const server = new ChatTestServer(answer);
    server.#server.keepAliveTimeout = 600_000; // else a slow machine sends on a connection that is just being closed
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    server.#port = (server.#server.address() as AddressInfo).port;
    return server;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}/v1`;
  }
  /** Every body that arrived, in one string. */
  get received(): string {
    return this.requests.map(({ body }) => body).join('\n');
  }
  /** The messages of the last request. */
  get messages(): readonly SentMessage[] {
    return (JSON.parse(this.requests.at(-1)!.body) as { messages: SentMessage[] }).messages;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    response.on('error', () => {});
    response.on('close', () => {
      if (!response.writableFinished) this.hungUp += 1;
    });
    const received = { path: request.url!, headers: request.headers, body: Buffer.concat(chunks).toString('utf8') };
    if (received.path === '/v1/models') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ object: 'list', data: this.models.map((id) => ({ id, object: 'model' })) }));
      return;
    }
    this.requests.push(received);
    this.answer(response, received);
  }
}

/** One line of the stream. */
export function chunk(delta: object, finish: string | null = null): string {
  return `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
}

export function streaming(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream' });
}

/** What an answer took of the server, as it says at the end where it is asked to. */
export const usage = (prompt_tokens: unknown, completion_tokens: unknown): string =>
  `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens, completion_tokens } })}\n\n`;

/** An answer in pieces of a few characters, with all that belongs to it. @param counted - what it says of its tokens. */
export function says(text: string, pieceChars = 5, counted = ''): Answer {
  return (response) => {
    streaming(response).write(chunk({ role: 'assistant', content: '' }));
    for (let at = 0; at < text.length; at += pieceChars)
      response.write(chunk({ content: text.slice(at, at + pieceChars) }));
    response.end(`${chunk({}, 'stop')}${counted}data: [DONE]\n\n`);
  };
}

/** A word and a tool call, its arguments in two pieces. */
export function calls(text: string, name: string, args: object): Answer {
  const written = JSON.stringify(args);
  const piece = (fields: object): string => chunk({ tool_calls: [{ index: 0, ...fields }] });
  return (response) => {
    streaming(response).write(chunk({ role: 'assistant', content: text }));
    response.write(piece({ id: 'call_1', type: 'function', function: { name, arguments: written.slice(0, 3) } }));
    response.write(piece({ function: { arguments: written.slice(3) } }));
    response.end(`${chunk({}, 'tool_calls')}data: [DONE]\n\n`);
  };
}

/** A refusal as the servers word it, repeating the request as the worst of them do. */
export function refuses(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response, { body }) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(
      JSON.stringify({ error: { message: `refused: ${body}`, type: 'some_error', code: `code_${status}` } }),
    );
  };
}
