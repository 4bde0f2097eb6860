import type { SessionBook } from '../../billing/session-book.ts';
import { type Clock, delay } from '../../core/clock.ts';

export type SessionMoney = Pick<SessionBook, 'begin' | 'checkpoint' | 'end'>;

const MINUTE_MS = 60_000;
/** A crash loses at most this much of what was heard; that a session has begun, and each new minute, is noted at once. */
const CHECKPOINT_MS = 10_000;
/** A database that does not answer holds nobody's audio up for longer; the session is booked at its end all the same. */
const HOLD_MS_MAX = 2_000;

interface Ending {
  readonly audioMs: number;
  readonly reason: string;
  readonly fault: boolean;
}

/** Money of one session: a minute is held before it is heard, and everything is booked once. */
export class SessionMeter {
  #minutesHeld = 1;
  #notedMs = 0;
  #record: 'none' | 'being-made' | 'made' = 'none';
  #cents: number | undefined;
  #waiting: Ending | undefined; // came while the record was being made

  constructor(
    private readonly book: SessionMoney,
    private readonly id: string,
    private readonly clock: Clock,
  ) {}

  /** Opens the record and holds the first minute. @throws ServiceError `unavailable` when the database is away. */
  async begin(accountId: string): Promise<'ok' | 'insufficient-credit'> {
    this.#record = 'being-made';
    let outcome: 'ok' | 'insufficient-credit' | undefined;
    try {
      outcome = await this.book.begin(this.id, accountId);
      return outcome;
    } finally {
      // What failed may have been written all the same; to end what is not there does no harm.
      this.#record = outcome === 'insufficient-credit' ? 'none' : 'made';
      if (this.#waiting) this.#book(this.#waiting);
    }
  }

  /** Whether audio up to `audioMs` lies within the minutes that are held. */
  covers(audioMs: number): boolean {
    return audioMs <= this.#minutesHeld * MINUTE_MS;
  }

  /** Holds the minute that `audioMs` begins. `late` is told of a refusal that came after it was no longer waited for. */
  async hold(audioMs: number, late: () => void): Promise<'ok' | 'insufficient-credit'> {
    const abort = new AbortController();
    let isWaited = true;
    const answer = this.book.checkpoint(this.id, audioMs).then(
      (outcome) => {
        if (!isWaited && outcome === 'insufficient-credit') late();
        return outcome;
      },
      () => 'ok' as const, // the end books it without
    );
    const limit = delay(this.clock, HOLD_MS_MAX, abort.signal).then(() => 'ok' as const);
    const outcome = await Promise.race([answer, limit]);
    isWaited = false;
    abort.abort();
    if (outcome === 'ok') this.#minutesHeld += 1;
    this.#notedMs = audioMs;
    return outcome;
  }

  /** Notes how far the session is: with the first audio, and when it is ten seconds more than last time. */
  note(audioMs: number): void {
    const isFirst = this.#notedMs === 0 && audioMs > 0;
    if (!isFirst && audioMs - this.#notedMs < CHECKPOINT_MS) return;
    this.#notedMs = audioMs;
    void this.book.checkpoint(this.id, audioMs).catch(() => {}); // the end books it without
  }

  /** Books the session: once, the first call counts. @returns its price in cents. */
  end(audioMs: number, reason: string, fault: boolean): number {
    if (this.#cents !== undefined) return this.#cents;
    this.#cents = 0;
    const ending = { audioMs: Math.round(audioMs), reason, fault };
    if (this.#record === 'made') this.#cents = this.#book(ending);
    else if (this.#record === 'being-made') this.#waiting = ending;
    return this.#cents;
  }

  #book({ audioMs, reason, fault }: Ending): number {
    return this.#record === 'made' ? this.book.end(this.id, audioMs, reason, fault) : 0;
  }
}
