import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between a client and a server: cuts what is connected, or lets nothing through while everything looks well. */
export class TcpRelay {
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #silent = false;
  #closed = false;

  private constructor(
    private readonly server: Server,
    private readonly target: number | string,
  ) {
    server.on('connection', (client) => this.#onClient(client));
  }

  /** @param target - a port of this machine, or the path of a Unix socket. */
  static async open(target: number | string): Promise<TcpRelay> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TcpRelay(server, target);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Ends every connection; new ones are taken. */
  cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  /** Connections stay and are taken, and nothing is passed on in either direction. */
  set silent(silent: boolean) {
    this.#silent = silent;
    for (const pair of this.#pairs) for (const socket of pair) silent ? socket.pause() : socket.resume();
  }

  close(): void {
    this.#closed = true;
    this.server.close();
    this.cut();
  }

  #onClient(client: Socket): void {
    if (this.#closed) return void client.destroy();
    const { target } = this;
    const server = typeof target === 'string' ? connect(target) : connect(target, '127.0.0.1');
    const pair = [client, server] as const;
    this.#pairs.add(pair);
    for (const [from, to] of [pair, [server, client] as const]) {
      from.setNoDelay(true);
      from.on('data', (data) => to.write(data));
      from.on('error', () => undefined);
      from.on('close', () => {
        to.destroy();
        this.#pairs.delete(pair);
      });
      if (this.#silent) from.pause();
    }
  }
}
