import { once } from 'node:events';
import type { Socket } from 'node:net';
import type pg from 'pg';

/** What we use of the driver's connection for COPY (PostgreSQL's protocol, 54.2.6), for which the driver itself has nothing. */
interface CopyConnection {
  readonly stream: Socket;
  query(text: string): void;
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

const QUEUED_BYTES_MAX = 4 * 1024 * 1024;

/** A statement of COPY under way. The driver calls these methods by name. */
abstract class Copying {
  readonly done: Promise<number>; // rows
  #rows = 0;
  #resolve: (rows: number) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;
  #error: unknown;
  constructor(private readonly sql: string) {
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.done.catch(() => undefined); // whoever waits for it gets it
  }
  get failed(): boolean {
    return this.#error !== undefined;
  }
  submit(connection: pg.Connection): void {
    (connection as unknown as CopyConnection).query(this.sql);
  }
  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#rows = Number(/^COPY (\d+)/.exec(text)?.[1] ?? 0);
  }
  handleError(error: unknown): void {
    this.#error ??= error;
    this.settled();
    this.#reject(this.#error);
  }
  handleReadyForQuery(): void {
    this.settled();
    this.#resolve(this.#rows);
  }
  /** There is nothing more to come. */
  protected settled(): void {}
}

class CopyOut extends Copying {
  readonly #queue: Buffer[] = [];
  #queuedBytes = 0;
  #isOver = false;
  #wake: () => void = () => undefined;
  #stream: Socket | undefined;

  handleCopyData({ chunk }: { readonly chunk: Buffer }, { stream }: CopyConnection): void {
    this.#stream = stream;
    this.#queue.push(Buffer.from(chunk)); // the driver reads the next message into the same memory
    this.#queuedBytes += chunk.length;
    if (this.#queuedBytes > QUEUED_BYTES_MAX) stream.pause();
    this.#wake();
  }
  protected override settled(): void {
    this.#isOver = true;
    this.#wake();
  }

  async *pieces(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        if (this.#queue.length > 0) {
          const piece = Buffer.concat(this.#queue.splice(0));
          this.#queuedBytes = 0;
          this.#stream?.resume();
          yield piece;
        } else if (this.#isOver) break;
        else
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
      }
      await this.done;
    } finally {
      this.#stream?.resume(); // a reader that stopped early must not keep the connection from being closed
    }
  }
}

class CopyIn extends Copying {
  constructor(
    sql: string,
    private readonly pieces: AsyncIterable<Uint8Array>,
  ) {
    super(sql);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    void this.#send(connection).then(
      () => connection.endCopyFrom(),
      // The server ends the statement with an error then.
      (error: unknown) => {
        this.handleError(error);
        connection.sendCopyFail('its source failed');
      },
    );
  }

  async #send(connection: CopyConnection): Promise<void> {
    const { stream } = connection;
    for await (const piece of this.pieces) {
      if (this.failed || stream.destroyed) return;
      connection.sendCopyFromChunk(piece);
      if (stream.writableNeedDrain) await Promise.race([once(stream, 'drain'), once(stream, 'close')]);
    }
  }
}

/** What `COPY ... TO STDOUT` gives, piece by piece; whoever reads slowly slows the server down. @throws what it fails with. */
export function copyOut(client: pg.Client, sql: string): AsyncGenerator<Buffer> {
  return client.query(new CopyOut(sql)).pieces();
}

/** Feeds `COPY ... FROM STDIN`. @returns how many rows it has taken. @throws what it, or `pieces`, fails with. */
export function copyIn(client: pg.Client, sql: string, pieces: AsyncIterable<Uint8Array>): Promise<number> {
  return client.query(new CopyIn(sql, pieces)).done;
}
