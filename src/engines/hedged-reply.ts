import { delay } from '../core/clock.ts';
import type { TurnNotes } from '../core/turn-details.ts';
import { mayTryNext } from './failover.ts';
import type { HedgeOutcome, ReplyHedge } from './hedge.ts';
import { answering } from './reply/answering.ts';
import type { ReplyEngine, ReplyEvent, ReplyRequest, TurnClaim } from './reply/contract.ts';

/** Of an engine that does not claim its turns itself. */
const SPOKEN: TurnClaim = { understood: true, acts: false, byModel: true };

/**
 * The same engine; where it is late with its first words, for itself, `second` is asked too. Who has the first words, or has
 * decided what is done, answers; the other one is left at once, and has said and done nothing by then.
 *
 * A second engine answers only what it understood, and calls no tool: else the first one is waited for.
 */
export function hedgedReply(first: ReplyEngine, second: ReplyEngine, hedge: ReplyHedge): ReplyEngine {
  return answering(first, (request, signal) => new HedgedTurn(first, second, hedge, request, signal).events());
}

class HedgedTurn {
  #winner: Contestant | undefined;
  #first: Contestant | undefined;
  #second: Contestant | undefined;
  /** The first engine has failed: whatever the second one says is better than nothing. */
  #alone = false;
  /** The second engine had nothing to say that would do. */
  #declined = false;
  readonly #startedMs: number;

  constructor(
    private readonly first: ReplyEngine,
    private readonly second: ReplyEngine,
    private readonly hedge: ReplyHedge,
    private readonly request: ReplyRequest,
    private readonly signal: AbortSignal,
  ) {
    this.#startedMs = hedge.clock.nowMs();
  }

  async *events(): AsyncGenerator<ReplyEvent> {
    const { hedge, first } = this;
    hedge.budget.turn();
    const own = this.#ask(first);
    this.#first = own;
    try {
      const other = (await this.#isLate(own)) ? this.#ask(this.second) : undefined;
      this.#second = other;
      const best = other ? await this.#better(own, other) : own;
      await best.begun;
      this.#claims(best);
      if (other && !this.signal.aborted) this.request.note?.({ hedge: { late: first.name, answered: best.name } });
      if (other) hedge.count(first.name, this.#outcome(best, other));
      yield* best.events();
    } finally {
      own.leave();
      this.#second?.leave();
    }
  }

  #ask(engine: ReplyEngine): Contestant {
    const made: Contestant = new Contestant(engine, this.signal, {
      ...this.request,
      claim: (turn) => this.#claim(made, turn),
      note: (notes) => this.#note(made, notes),
    });
    made.start();
    return made;
  }

  #claim(by: Contestant, { understood, acts, byModel }: TurnClaim): boolean {
    if (this.#winner) return this.#winner === by;
    if (by.isLeft || this.signal.aborted) return false;
    const isSecond = by !== (this.#first ?? by);
    if (isSecond && !this.#alone && (acts || !understood)) {
      this.#declined = true;
      return false;
    }
    this.#winner = by;
    by.claimed.abort();
    // That of who lost is longer than this; it is not left out, or slow engines would look quick.
    if (byModel || isSecond) this.hedge.of(this.first.name).took(this.hedge.clock.nowMs() - this.#startedMs);
    (isSecond ? this.#first : this.#second)?.leave();
    return true;
  }

  #note(by: Contestant, notes: TurnNotes): void {
    if (!this.#winner || this.#winner === by) this.request.note?.(notes);
  }

  /** Whether a second engine is to be asked. */
  async #isLate(own: Contestant): Promise<boolean> {
    const { hedge, request, first, second } = this;
    const lateMs = hedge.of(first.name).lateMs;
    if (lateMs === undefined || request.input === 'silence') return false;
    const over = new AbortController();
    const begun = own.begun.then(() => over.abort());
    const waited = AbortSignal.any([over.signal, own.claimed.signal, this.signal]);
    await Promise.race([begun, delay(hedge.clock, lateMs, waited)]);
    if (waited.aborted) return false;
    over.abort();
    if (!second.available(request.agent).ok) return false;
    if (hedge.budget.take()) return true;
    hedge.count(first.name, 'over-budget');
    return false;
  }

  /** Who answers: whoever claims the turn; else the one that is left. */
  async #better(own: Contestant, other: Contestant): Promise<Contestant> {
    const [, quicker] = await Promise.race([own, other].map(async (one) => [await one.begun, one] as const));
    if (this.#claims(quicker)) return quicker;
    if (this.#winner) return this.#winner;
    if (quicker === other) {
      await own.begun;
      return this.#winner ?? own;
    }
    if (!mayTryNext(own.error)) return own;
    this.#alone = true;
    return (await other.begun) === 'failed' ? own : other;
  }

  /** Something to say, or a turn that is over without a word; a second engine that says nothing had its reasons. */
  #claims(one: Contestant): boolean {
    if (this.#winner) return this.#winner === one;
    const hasEnded = one.outcome === 'ended' && (one === this.#first || this.#alone);
    return (one.outcome === 'words' || hasEnded) && this.#claim(one, SPOKEN);
  }

  #outcome(best: Contestant, other: Contestant): HedgeOutcome {
    if (this.signal.aborted) return 'aborted';
    if (best === other) return 'won';
    if (this.#declined) return 'declined';
    return other.outcome === 'failed' ? 'failed' : 'lost';
  }
}

type Outcome = 'words' | 'ended' | 'failed';

/** One engine at work on a turn: its first event is drawn at once, the rest as it is spoken. */
class Contestant {
  /** Aborts when the turn is its own. */
  readonly claimed = new AbortController();
  /** Its first event is there, or there is none. Never rejects. */
  begun: Promise<Outcome> = Promise.resolve('ended');
  outcome: Outcome | undefined;
  error: unknown;
  readonly #abort = new AbortController();
  #events: AsyncIterator<ReplyEvent> | undefined;
  #first: ReplyEvent | undefined;

  constructor(
    private readonly engine: ReplyEngine,
    private readonly signal: AbortSignal,
    private readonly request: ReplyRequest,
  ) {}

  get name(): string {
    return this.engine.name;
  }
  get isLeft(): boolean {
    return this.#abort.signal.aborted;
  }

  start(): void {
    const signal = AbortSignal.any([this.signal, this.#abort.signal]);
    this.#events = this.engine.reply(this.request, signal)[Symbol.asyncIterator]();
    this.begun = this.#begin();
  }

  async #begin(): Promise<Outcome> {
    try {
      const next = await this.#events!.next();
      if (!next.done) this.#first = next.value;
      this.outcome = next.done ? 'ended' : 'words';
    } catch (error) {
      this.error = error;
      this.outcome = 'failed';
    }
    return this.outcome;
  }

  /** @throws what the engine throws. */
  async *events(): AsyncGenerator<ReplyEvent> {
    const outcome = await this.begun;
    if (outcome === 'failed') throw this.error;
    if (outcome === 'ended' || this.isLeft) return;
    yield this.#first!;
    while (!this.isLeft) {
      const next = await this.#events!.next();
      if (next.done) return;
      yield next.value;
    }
  }

  /** It is not heard any more. Nobody waits for what it does about that. */
  leave(): void {
    this.#abort.abort();
    Promise.resolve(this.#events?.return?.()).catch(() => {});
  }
}
