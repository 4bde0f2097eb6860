import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ToolRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
export type ToolAnswer = (response: ServerResponse, request: ToolRequest) => void;

export const answers =
  (body: unknown, status = 200): ToolAnswer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

const ON_ITS_WAY = answers({ status: 'on its way' });

/** A service on the loopback that agents' tools ask; it keeps what it was asked. */
export class ToolService {
  readonly requests: ToolRequest[] = [];
  /** Connections that ended before the answer did. */
  hungUp = 0;
  answer: ToolAnswer;
  #life = 0;
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  private constructor(answer: ToolAnswer) {
    this.answer = answer;
  }

  static async start(answer: ToolAnswer = ON_ITS_WAY): Promise<ToolService> {
    const service = new ToolService(answer);
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** As if it had just been started, at the same address: agents that name it are the same to whoever made them ready. */
  forget(answer: ToolAnswer = ON_ITS_WAY): void {
    this.#life += 1;
    this.#server.closeAllConnections();
    this.requests.length = 0;
    this.hungUp = 0;
    this.answer = answer;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const life = this.#life;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (life !== this.#life) return;
    response.on('error', () => {});
    response.on('close', () => {
      if (life === this.#life && !response.writableFinished) this.hungUp += 1;
    });
    const { method = '', url = '', headers } = request;
    const received = { method, path: url, headers, body: Buffer.concat(chunks).toString('utf8') };
    this.requests.push(received);
    this.answer(response, received);
  }
}
