import type { Timer } from '../../core/clock.ts';
import { ChatFailure } from '../openai/chat-failure.ts';
import { RemoteSocket, type SocketRequest } from './remote-socket.ts';

/** Messages that cannot be read; a few are a service's bad day. */
const GARBAGE_MAX = 20;

export interface HearingSocketRequest extends SocketRequest {
  /** How long a line may be quiet before the service is given a sign of life. */
  readonly keepAliveMs: number;
}

export interface HearingSocketEvents {
  opened(): void;
  /** @returns whether it could be read. */
  text(message: string): boolean;
  /** Nothing was written for `keepAliveMs`. */
  quiet(): void;
  ended(failure: ChatFailure): void;
}

/**
 * The connection under ears that hear while somebody speaks: kept while nobody does, and given up where the service does not answer or
 * cannot be understood.
 */
export class HearingSocket {
  readonly #socket: RemoteSocket;
  #garbage = 0;
  #keepAlive: Timer | undefined;
  #wrote = false; // since the last look
  #silent: Timer | undefined;

  constructor(
    private readonly request: HearingSocketRequest,
    private readonly events: HearingSocketEvents,
  ) {
    this.#socket = new RemoteSocket(request, {
      opened: () => {
        this.#keep();
        events.opened();
      },
      text: (message) => this.#onText(message),
      bytes: () => this.#onGarbage(),
      ended: (failure) => this.#end(failure),
    });
  }

  get isOpen(): boolean {
    return this.#socket.isOpen;
  }

  /** Audio of the speaker. */
  write(message: string | Uint8Array): void {
    this.#wrote = true;
    this.#socket.send(message);
  }

  /** All else. */
  send(message: string | Uint8Array): void {
    this.#socket.send(message);
  }

  ping(): void {
    this.#socket.ping();
  }

  /** The service has something to say within this time; any message will do. A wait that began before goes on. */
  expectMessage(withinMs: number): void {
    this.#silent ??= this.request.clock.setTimer(withinMs, () => {
      this.fail(new ChatFailure('first-token-timeout', 'no message about what was said'));
    });
  }

  fail(failure: ChatFailure): void {
    this.#socket.destroy();
    this.#end(failure);
  }

  /** Says goodbye. */
  close(): void {
    this.#stop();
    this.#socket.close();
  }

  destroy(): void {
    this.#stop();
    this.#socket.destroy();
  }

  #onText(message: string): void {
    this.#clearSilent();
    if (!this.events.text(message)) this.#onGarbage();
  }

  #onGarbage(): void {
    this.#garbage += 1;
    if (this.#garbage > GARBAGE_MAX) this.fail(new ChatFailure('garbage', 'too many messages cannot be read'));
  }

  #keep(): void {
    this.#keepAlive = this.request.clock.setTimer(this.request.keepAliveMs, () => {
      if (!this.#wrote) this.events.quiet();
      this.#wrote = false;
      this.#keep();
    });
  }

  #end(failure: ChatFailure): void {
    this.#stop();
    this.events.ended(failure);
  }

  #stop(): void {
    this.request.clock.clearTimer(this.#keepAlive);
    this.#clearSilent();
  }

  #clearSilent(): void {
    this.request.clock.clearTimer(this.#silent);
    this.#silent = undefined;
  }
}
