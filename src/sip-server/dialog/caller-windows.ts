import assert from 'node:assert';
import type { Clock } from '../../core/clock.ts';

export interface CallerLimits {
  /**
   * Answers of ours to one source address that wait for its ACK, to begin with. An ACK takes one round trip, so 30 are
   * plenty for 20 new calls a second, while a source that never acknowledges holds them for 64*T1 = 32 s and gets no more.
   * Together with calls that we have not answered yet there may be twice as many: those wait for us.
   */
  readonly unacknowledgedMax: number;
  /** The same for a source that keeps acknowledging: every ACK is worth one more, up to this. */
  readonly provenMax: number;
  /** Calls of all sources together that never acknowledged anything: addresses of UDP senders can be forged. */
  readonly unprovenTotalMax: number;
  /** Source addresses remembered. */
  readonly sourcesMax: number;
}

/** Limits that follow from the first one. */
export function callerLimits(unacknowledgedMax: number): CallerLimits {
  assert(unacknowledgedMax >= 1);
  return {
    unacknowledgedMax,
    provenMax: Math.max(1_000, unacknowledgedMax),
    unprovenTotalMax: 3 * unacknowledgedMax,
    sourcesMax: 10_000,
  };
}

/** Calls, answered or not, for each that may wait for its ACK. */
const OPEN_RATIO = 2;
/** A source that was heard to answer stays proven for this long after: its address may belong to somebody else later. */
const PROVEN_MS = 600_000;
/** A 2xx that was repeated for this long (T2) without an ACK is late: its source gets no more than at first. */
const LATE_MS = 4_000;
/** Looked at to find one that can be forgotten; those with open calls are bounded by the calls. */
const FORGET_TRIES = 8;

/** One call on its way from INVITE to ACK. Every end after the first means nothing. */
export interface CallerTicket {
  /** Our 2xx left. */
  answered(): void;
  /** Its ACK came: the source receives what we send to it. */
  acknowledged(): void;
  /** Nothing came for 64*T1. */
  silent(): void;
  /** It ended otherwise: refused, cancelled, hung up. */
  left(): void;
}

interface Source {
  open: number;
  window: number;
  provenAtMs: number | undefined;
  readonly answeredAtMs: Map<CallerTicket, number>; // unacknowledged 2xx, oldest first
}

/**
 * How many calls a source may have that it has not acknowledged, before anybody knows who it is. Opens like TCP's slow
 * start: a few at first, one more for each ACK, back to the few when ACKs stay out.
 */
export class CallerWindows {
  readonly counters = { refused: 0, forgotten: 0 };
  readonly #sources = new Map<string, Source>(); // in order of last use
  #unprovenOpen = 0;

  constructor(
    readonly limits: CallerLimits,
    private readonly clock: Clock,
    /** Sources by configuration, such as trunks: never limited. */
    private readonly trusted: (address: string) => boolean = () => false,
  ) {}

  get sources(): number {
    return this.#sources.size;
  }

  /** True when another call of this source may be taken. A refusal is counted. */
  admits(address: string): boolean {
    if (this.trusted(address)) return true;
    const source = this.#sources.get(address);
    const { unacknowledgedMax, unprovenTotalMax } = this.limits;
    const limit = source && !this.#isLate(source) ? source.window : unacknowledgedMax;
    const room = this.isProven(address) || this.#unprovenOpen < unprovenTotalMax;
    const unacknowledged = source?.answeredAtMs.size ?? 0;
    const admitted = unacknowledged < limit && (source?.open ?? 0) < OPEN_RATIO * limit && room;
    if (!admitted) this.counters.refused += 1;
    return admitted;
  }

  /** True when it lately sent what only a receiver of ours could: our To tag. */
  isProven(address: string): boolean {
    if (this.trusted(address)) return true;
    const atMs = this.#sources.get(address)?.provenAtMs;
    return atMs !== undefined && this.clock.nowMs() - atMs < PROVEN_MS;
  }

  /** It sent something with a tag of ours. */
  prove(address: string): void {
    this.#touch(address).provenAtMs = this.clock.nowMs();
  }

  /** A call of this source begins. */
  enter(address: string): CallerTicket {
    const unproven = !this.isProven(address);
    const source = this.#touch(address);
    source.open += 1;
    if (unproven) this.#unprovenOpen += 1;
    let over = false;
    const end = (then?: () => void): void => {
      if (over) return;
      over = true;
      source.open -= 1;
      if (unproven) this.#unprovenOpen -= 1;
      source.answeredAtMs.delete(ticket);
      then?.();
    };
    const ticket: CallerTicket = {
      answered: () => {
        if (!over) source.answeredAtMs.set(ticket, this.clock.nowMs());
      },
      acknowledged: () =>
        end(() => {
          source.window = Math.min(this.limits.provenMax, source.window + 1);
          source.provenAtMs = this.clock.nowMs();
        }),
      silent: () =>
        end(() => {
          source.window = this.limits.unacknowledgedMax;
          source.provenAtMs = undefined;
        }),
      left: () => end(),
    };
    return ticket;
  }

  #isLate(source: Source): boolean {
    for (const atMs of source.answeredAtMs.values()) return this.clock.nowMs() - atMs > LATE_MS;
    return false;
  }

  #touch(address: string): Source {
    const fresh = (): Source => ({
      ...{ open: 0, window: this.limits.unacknowledgedMax, provenAtMs: undefined },
      answeredAtMs: new Map(),
    });
    const source = this.#sources.get(address) ?? fresh();
    this.#sources.delete(address);
    if (this.#sources.size >= this.limits.sourcesMax) this.#forget();
    this.#sources.set(address, source);
    return source;
  }

  #forget(): void {
    let tries = FORGET_TRIES;
    for (const [address, source] of this.#sources) {
      if (source.open === 0) {
        this.#sources.delete(address);
        this.counters.forgotten += 1;
        return;
      }
      tries -= 1;
      if (tries === 0) return;
    }
  }
}
