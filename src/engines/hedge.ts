import type { Clock } from '../core/clock.ts';
import type { Metrics } from '../core/metrics.ts';

/** When a second engine is asked for the answer that the first one has not begun. */
export const HEDGE_RULES = {
  /** Sooner nobody is asked: so long a silence is none yet. */
  floorMs: 700,
  /** Of an engine's own times to the first of its words: slower than this is slow for it. */
  quantile: 0.95,
  /** Times that are remembered of each engine, and those without which nothing is known of it. */
  times: 100,
  timesMin: 20,
  /** Turns over which second requests are counted, and their share at most: both may be charged for. */
  turns: 100,
  share: 0.05,
} as const;

/** What came of a late turn: label of `nidaa_reply_hedges_total`. */
export type HedgeOutcome = 'won' | 'lost' | 'declined' | 'failed' | 'aborted' | 'over-budget';

/** How long the first words of one engine took, the last times. */
export class FirstWords {
  readonly #timesMs: number[] = []; // the oldest first

  took(ms: number): void {
    this.#timesMs.push(ms);
    if (this.#timesMs.length > HEDGE_RULES.times) this.#timesMs.shift();
  }

  /** Longer than this is late; undefined while too little is known. */
  get lateMs(): number | undefined {
    const { timesMin, quantile, floorMs } = HEDGE_RULES;
    if (this.#timesMs.length < timesMin) return undefined;
    const sorted = [...this.#timesMs].sort((a, b) => a - b);
    return Math.max(floorMs, sorted[Math.ceil(sorted.length * quantile) - 1]!);
  }
}

/** At most five of any hundred turns in a row have a second request, and of the first turns as many of a hundred. */
export class HedgeBudget {
  readonly #turns: boolean[] = []; // whether a second engine was asked; the oldest first

  turn(): void {
    this.#turns.push(false);
    if (this.#turns.length > HEDGE_RULES.turns) this.#turns.shift();
  }

  /** Whether one may be asked in the place of one of the last turns. */
  take(): boolean {
    const taken = this.#turns.filter(Boolean).length;
    const free = this.#turns.lastIndexOf(false);
    if (free < 0 || taken + 1 > this.#turns.length * HEDGE_RULES.share) return false;
    this.#turns[free] = true;
    return true;
  }
}

/** What is known of engines that answer, for all calls together. */
export class ReplyHedge {
  readonly budget = new HedgeBudget();
  readonly #words = new Map<string, FirstWords>(); // bounded by the names there are

  constructor(
    readonly clock: Clock,
    private readonly metrics: Pick<Metrics, 'replyHedges'>,
  ) {}

  of(engine: string): FirstWords {
    const known = this.#words.get(engine) ?? new FirstWords();
    this.#words.set(engine, known);
    return known;
  }

  count(engine: string, outcome: HedgeOutcome): void {
    this.metrics.replyHedges.inc({ engine, outcome });
  }
}
