import type { CallTicker } from '../call/call-ticker.ts';
import type { Reception } from '../call/reception.ts';
import type { Agent } from '../core/agent.ts';
import { type Clock, delay } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { Logger } from '../core/logger.ts';
import type { SealKey } from '../core/sealed-pieces.ts';
import { StreamConnection, type StreamEnds, type StreamSocket } from './stream-connection.ts';
import type { StreamFault } from './stream-fault.ts';
import type { StreamProtocol } from './stream-protocol.ts';
import { StreamRecorder } from './stream-recorder.ts';

/** When the gateway closes, far ends may take their leave this long. */
const CLOSE_MS_MAX = 1_000;

/** A `ws` WebSocket, as the route hands it over. */
export interface AcceptedSocket extends StreamSocket {
  on(event: 'message', listener: (data: unknown, isBinary: boolean) => void): unknown;
  on(event: 'pong', listener: () => void): unknown;
  once(event: 'close', listener: () => void): unknown;
}

export interface StreamsDeps {
  readonly reception: Pick<Reception, 'receive'>;
  /** One timer moves every stream on. */
  readonly ticker: CallTicker;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly queueMs: number;
  readonly timeoutMs: number; // without audio
  readonly connectionsMax: number;
  /** What recordings are encrypted with from their first byte on; in clear where it is absent. */
  readonly recordingSeal?: SealKey;
  readonly onChange?: (connections: number) => void;
}

/** Who may call and whom, or why not. */
export type Admission = { readonly agent?: Agent } | StreamFault;

/** Calls that come over WebSockets: every connection of this process, from its upgrade to its last frame. */
export class Streams {
  readonly #connections = new Map<StreamConnection, AcceptedSocket>();
  readonly #recorder: StreamRecorder;
  #closing = false;
  #onEmpty: () => void = () => {};

  constructor(private readonly deps: StreamsDeps) {
    this.#recorder = new StreamRecorder(deps.clock, deps.recordingSeal);
  }

  /**
   * Takes a connection over. What it sends waits until `admission` is there.
   * @param protocol - given the id of the connection.
   */
  accept(
    socket: AcceptedSocket,
    ends: StreamEnds,
    protocol: (id: string) => StreamProtocol,
    admission: Promise<Admission>,
  ): void {
    const { connectionsMax, ticker, reception, clock, logger, queueMs, timeoutMs } = this.deps;
    if (this.#connections.size >= connectionsMax) return socket.terminate();
    const id = newId('str');
    const connection = new StreamConnection(id, socket, protocol(id), ends, {
      ...{ recorder: this.#recorder, clock, logger, queueMs, timeoutMs },
      receive: (leg, agent) => reception.receive(leg, agent),
    });
    this.#connections.set(connection, socket);
    this.deps.onChange?.(this.#connections.size);
    ticker.add(connection);
    socket.on('message', (data, isBinary) => connection.receive(data as Buffer, isBinary));
    socket.on('pong', () => connection.answeredPing());
    socket.once('close', () => {
      connection.gone();
      this.#leave(connection);
    });
    void this.#admit(connection, admission);
  }

  /** Ends every connection. Calls that are up were ended before. Idempotent. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const connection of this.#connections.keys()) connection.close();
    await this.#emptied();
    for (const socket of this.#connections.values()) socket.terminate();
  }

  /** After the last call: finishes what is still being recorded. */
  closeRecorder(): Promise<void> {
    return this.#recorder.close();
  }

  async #admit(connection: StreamConnection, admission: Promise<Admission>): Promise<void> {
    try {
      const admitted = await admission;
      if (this.#closing) connection.close();
      else if ('code' in admitted) connection.fault(admitted);
      else connection.admit(admitted.agent);
    } catch (error) {
      this.deps.logger.warn({ stream: connection.id, error: errorText(error) }, 'a stream was not admitted');
      connection.fault({ code: 'unavailable' });
    }
  }

  #leave(connection: StreamConnection): void {
    this.deps.ticker.remove(connection);
    this.#connections.delete(connection);
    this.deps.onChange?.(this.#connections.size);
    if (this.#connections.size === 0) this.#onEmpty();
  }

  /** Resolves when none is left, or after a while. */
  async #emptied(): Promise<void> {
    if (this.#connections.size === 0) return;
    const empty = new AbortController();
    this.#onEmpty = () => empty.abort();
    await delay(this.deps.clock, CLOSE_MS_MAX, empty.signal);
  }
}
