import type { Clock, Timer } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import { type LinkEvent, type LinkState, nextLinkState } from './link-state.ts';

/** One attempt after another to reach the SIP server; what comes of them is told to the link by its owner. */
export interface LinkWire {
  /** Connects and says the secret. */
  open(): void;
  /** Ends the connection of the moment, whatever became of it. */
  drop(): void;
  ping(onPong: () => void): void;
}

export interface ServerLinkOptions {
  readonly wire: LinkWire;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly server: string; // host:port, for the log
  readonly onUp: () => void;
  /** It was up and is no more. */
  readonly onDown: () => void;
}

/** Connection and the answer to our secret together take a round trip or two. */
export const CONNECT_WAIT_MS = 5_000;
export const PING_EVERY_MS = 5_000;
export const PONG_WAIT_MS = 5_000;
/** First wait and longest wait before another attempt, doubling: a server that restarts, and one that refuses our secret. */
export const RETRY_MS = { first: 250, most: 5_000 } as const;
export const REFUSED_RETRY_MS = { first: 5_000, most: 60_000 } as const;

/** Keeps one connection to a SIP server: looks for it until it is met, notices its silence, and comes back. */
export class ServerLink {
  readonly counters = { attempts: 0, refused: 0, losses: 0, silences: 0 };
  #state: LinkState = 'idle';
  #waitMs = 0;
  #timer: Timer | undefined;

  constructor(private readonly options: ServerLinkOptions) {}

  get state(): LinkState {
    return this.#state;
  }

  start(): void {
    if (this.#go('start')) this.#connect();
  }

  /** The server took our secret. */
  accepted(): void {
    if (!this.#go('accepted')) return;
    this.#waitMs = 0;
    this.#pingLater();
    this.options.onUp();
  }

  /** The server did not take our secret. */
  refused(): void {
    if (!this.#go('refused')) return;
    this.counters.refused += 1;
    this.options.logger.error({ server: this.options.server }, 'the SIP server refused our secret: check sip.server');
    this.#retryLater(REFUSED_RETRY_MS);
  }

  /** The connection ended, or never came to be. */
  lost(): void {
    const wasUp = this.#state === 'up';
    if (!this.#go('lost')) return;
    if (wasUp) this.counters.losses += 1;
    this.#retryLater(RETRY_MS);
    if (wasUp) this.options.onDown();
  }

  /** For good: nothing is looked for any more. A connection that is up stays, for its owner to take leave. Idempotent. */
  close(): void {
    const isUp = this.#state === 'up';
    this.options.clock.clearTimer(this.#timer);
    if (this.#go('close') && !isUp) this.options.wire.drop();
  }

  #connect(): void {
    const { clock, wire, logger, server } = this.options;
    this.counters.attempts += 1;
    this.#arm(CONNECT_WAIT_MS, () => {
      if (!this.#go('late')) return;
      logger.warn({ server }, 'the SIP server does not answer');
      wire.drop();
      this.#retryLater(RETRY_MS);
    });
    try {
      wire.open();
    } catch (error) {
      // No descriptor for a socket, for one: there may be one later.
      logger.warn({ err: error, server }, 'no connection to the SIP server could be opened');
      clock.clearTimer(this.#timer);
      if (this.#go('lost')) this.#retryLater(RETRY_MS);
    }
  }

  #retryLater({ first, most }: { readonly first: number; readonly most: number }): void {
    this.#waitMs = Math.min(most, Math.max(first, this.#waitMs * 2));
    this.#arm(this.#waitMs, () => {
      if (this.#go('retry')) this.#connect();
    });
  }

  #pingLater(): void {
    const { wire, logger, server, onDown } = this.options;
    this.#arm(PING_EVERY_MS, () => {
      this.#arm(PONG_WAIT_MS, () => {
        if (!this.#go('silent')) return;
        this.counters.silences += 1;
        logger.error({ server }, 'the SIP server answers no ping');
        wire.drop();
        this.#retryLater(RETRY_MS);
        onDown();
      });
      wire.ping(() => {
        if (this.#state === 'up') this.#pingLater();
      });
    });
  }

  #arm(ms: number, then: () => void): void {
    this.options.clock.clearTimer(this.#timer);
    this.#timer = this.options.clock.setTimer(ms, then);
  }

  #go(event: LinkEvent): boolean {
    const next = nextLinkState(this.#state, event);
    if (next) this.#state = next;
    return next !== undefined;
  }
}
