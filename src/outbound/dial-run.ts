import { type CallEnd, callEnd } from '../call/call-end.ts';
import type { CallRoute } from '../call/call-router.ts';
import type { OutgoingCallWatch } from '../call/outgoing-calls.ts';
import { type Clock, delay } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
import type { DialOrderRow, DialOrderRows } from '../store/dial-order-rows.ts';
import { afterAttempt, type RetrySeconds } from './attempt-outcome.ts';
import type { OrderEvents } from './order-events.ts';
import { nextOrderState, type OrderEvent, type OrderState } from './order-state.ts';

export interface DialRunDeps {
  readonly rows: Pick<DialOrderRows, 'sent' | 'ringing' | 'answered' | 'finish' | 'hold'>;
  readonly events: OrderEvents;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Waits until the next INVITE of this trunk and account may leave. Never rejects. */
  readonly pace: () => Promise<void>;
  /** Ends the call. */
  readonly hangUp: (callId: string, end: CallEnd) => void;
  /** Everything is written down and the line is free. */
  readonly over: () => void;
}

const CANCELLED = callEnd('gateway', 'cancelled');
/** A database that is away is asked again, and so often; then the next start of a gateway finds the order. */
const WRITE_PAUSE_MS = 1_000;
const WRITE_TRIES_MAX = 3_600;

/** One attempt of an order, from the moment it is taken: keeps the row up to date with the call, in order. */
export class DialRun implements OutgoingCallWatch {
  #state: OrderState = 'dialling';
  #left = false;
  #answered = false;
  #cancelled = false;
  #ended = false;
  #callId: string | undefined;
  #writing: Promise<unknown> = Promise.resolve();

  /** @param attempt - number of this one; 1 is the first. */
  constructor(
    private readonly deps: DialRunDeps,
    private readonly order: DialOrderRow,
    private readonly attempt: number,
    private readonly route: CallRoute,
  ) {
    this.#tell('dial');
  }

  /** The row says that the INVITE leaves before it does. */
  async mayLeave(callId: string): Promise<CallEnd | undefined> {
    const { deps, order, attempt } = this;
    this.#callId = callId;
    if (this.#cancelled) return CANCELLED;
    try {
      if (!(await deps.rows.sent(order.id, attempt, callId))) return CANCELLED;
    } catch (error) {
      return callEnd('gateway', 'store-unavailable', errorText(error));
    }
    await deps.pace(); // Last of all: nothing that takes its time comes between this and the wire.
    if (this.#cancelled || this.#ended) return CANCELLED;
    this.#left = true;
    return undefined;
  }

  /** A provisional response. */
  onProgress(status: number): void {
    if (status < 180 || this.#state !== 'dialling') return;
    this.#go('ring');
    void this.#write(() => this.deps.rows.ringing(this.order.id, this.attempt));
  }

  onAnswered(): void {
    this.#answered = true;
    this.#go('answer');
    void this.#write(() => this.deps.rows.answered(this.order.id, this.attempt));
  }

  /** Somebody wants the order cancelled. */
  cancel(): void {
    if (this.#cancelled || this.#ended) return;
    this.#cancelled = true;
    if (this.#callId !== undefined) this.deps.hangUp(this.#callId, CANCELLED);
  }

  /** The line is free before the row says what came of the call; the order itself is through after that. */
  async onEnd(end: CallEnd): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.route.release();
    const { order, attempt, deps } = this;
    const { event, waitSeconds } = afterAttempt(
      { end, left: this.#left, answered: this.#answered, cancelled: this.#cancelled, number: attempt },
      retrySecondsOf(order),
    );
    this.#go(event, end.reason);
    const state = await this.#write(() =>
      event === 'hold'
        ? deps.rows.hold(order.id, attempt, waitSeconds ?? 0)
        : deps.rows.finish(order.id, attempt, end, waitSeconds),
    );
    if (state === 'ended' && this.#state === 'queued') this.#go('cancel', 'cancelled'); // Nobody had told us of that wish yet.
    deps.over();
  }

  #go(event: OrderEvent, reason?: string): void {
    const next = nextOrderState(this.#state, event);
    if (next === undefined) return;
    this.#state = next;
    this.#tell(event, reason);
  }

  #tell(event: OrderEvent, reason?: string): void {
    const { order, attempt, deps } = this;
    deps.metrics.dialOrders.inc({ event, reason: reason ?? '' });
    deps.events.tell({
      ...{ orderId: order.id, accountId: order.accountId, event, state: this.#state, attempt },
      ...(this.#callId !== undefined && { callId: this.#callId }),
      ...(reason !== undefined && { reason }),
      at: deps.clock.utc(),
    });
  }

  /** One after the other, each until the database has taken it. */
  #write<T>(write: () => Promise<T>): Promise<T | undefined> {
    const writing = this.#writing.then(() => this.#persist(write));
    this.#writing = writing;
    return writing;
  }

  async #persist<T>(write: () => Promise<T>): Promise<T | undefined> {
    const { clock, logger } = this.deps;
    for (let tries = 1; tries <= WRITE_TRIES_MAX; tries += 1) {
      try {
        return await write();
      } catch (error) {
        if (tries === 1)
          logger.warn(
            { order: this.order.id, error: errorText(error) },
            'an order could not be written, it is tried again',
          );
        await delay(clock, WRITE_PAUSE_MS);
      }
    }
    return undefined;
  }
}

function retrySecondsOf({ retrySeconds }: DialOrderRow): RetrySeconds {
  const { busy = [], noAnswer = [], failed = [] } = retrySeconds;
  return { busy, noAnswer, failed };
}
