import { type Clock, delay, type Timer } from '../../core/clock.ts';
import { errorText } from '../../core/errors.ts';
import { RestartBudget, type RestartPolicy } from '../../core/restart-budget.ts';
import { isShortage } from '../../core/shortage.ts';
import type { SttHints } from './contract.ts';
import { FairTurns, type Turn } from './fair-turns.ts';
import type { FromWorker, ToWorker, WorkerSetup } from './pocketsphinx-protocol.ts';
import { type RecogniserHost, startRecogniserProcess, startRecogniserThread } from './recogniser-host.ts';

/** Who has not ended by then is stuck in native code. A thread is left behind, since ending it would end the process. */
const CLOSE_MS = 3000;
/** A thread that says nothing for so long while it owes an answer is stuck. Longer than any stretch takes on a busy machine. */
const SILENT_MS_MAX = 60_000;
/** Stretches that are settled or next: the thread never waits for work, and no account for more than one of each other. */
const FINISHES_AT_ONCE = 2;

/** What crashes at once, or finds no descriptor, must not spin. */
export const RECOGNITION_RESTARTS: RestartPolicy = { delaysMs: [0, 100, 500, 2_000, 5_000], earnMs: 60_000 };
/** Who waits longer than that for its next start serves nobody until then. */
const AWAY_MS = 5_000;

/** A grammar that was made is kept far longer, unless many others are. */
const PREPARED_MS = 5_000;

/** What is wanted of one stretch of speech. */
export interface StretchRequest extends Omit<ToWorker & { readonly type: 'begin' }, 'type' | 'id' | 'list'> {
  /** What the speaker is likely to say, in free speech. */
  readonly sentences?: readonly string[] | undefined;
}

export type StretchFinal = FromWorker & { readonly type: 'final' };
/** What one stretch of speech hears back. */
export interface StretchListener {
  taken(samples: number): void;
  interim(text: string): void;
  final(said: StretchFinal): void;
  /** @param short - there was nothing left to work with: no fault of the recogniser. */
  failed(why: string, short?: boolean): void;
}
export interface ThreadEvents {
  unspeakable(words: readonly string[]): void;
  /** Interims for fewer stretches at once than configured: no further decoder can be made. */
  fewerInterims(why: string): void;
  /** Nothing can be learnt from the sentences of an agent: its callers are heard as everybody else. */
  noSentences(why: string): void;
  /** A stretch has its final, so long after its end. */
  settled(tookMs: number): void;
  /** It crashed or could not load, and starts anew in `waitMs`. */
  restarted(why: string, waitMs: number): void;
}

/**
 * One recogniser at work, in a thread or, for free speech, in a process; started when speech is first announced, and anew after a
 * crash. Its stretches then fail, later ones go on. A process that nobody spoke to for a while is let go until it is wanted again.
 */
export class RecognitionThread {
  readonly #listeners = new Map<number, StretchListener>();
  #host: RecogniserHost | undefined;
  /** By the very list of phrases: what it was last sent for. */
  #prepared = new WeakMap<readonly string[], { readonly kinds: string; readonly atMs: number }>();
  /** The lists of sentences that were sent, by the very lists. */
  #lists = new WeakMap<readonly string[], number>();
  #lastList = 0;
  #resting = true; // until it is wanted, and when it was let go since nobody spoke
  #nextId = 1;
  readonly #restarts: RestartBudget;
  #startAgain: Timer | undefined;
  readonly #turns: FairTurns;
  readonly #finishes = new Map<number, Turn>();
  #heardMs = 0;
  #watch: Timer | undefined;
  #closed = false;
  #loadWhy: string | undefined; // since it could not load, until it has
  #awayWhy: string | undefined;

  constructor(
    readonly setup: WorkerSetup,
    readonly events: ThreadEvents,
    readonly clock: Clock,
  ) {
    this.#restarts = new RestartBudget(RECOGNITION_RESTARTS, clock);
    this.#turns = new FairTurns(FINISHES_AT_ONCE, clock);
  }

  /** Stretches that have not been answered. */
  get load(): number {
    return this.#listeners.size;
  }
  /** How long an account's next stretch waits to be settled. */
  waitMs(account: string): number {
    return this.#turns.waitMs(account);
  }
  /** Why it does nothing for some time to come. */
  get unableWhy(): string | undefined {
    return this.#loadWhy ?? this.#awayWhy;
  }

  /** @returns the id of the new stretch, or undefined when the thread cannot work. */
  begin({ sentences, ...request }: StretchRequest, listener: StretchListener): number | undefined {
    this.#wake();
    if (!this.#host) return undefined;
    const id = this.#nextId;
    this.#nextId += 1;
    this.#listeners.set(id, listener);
    const list = this.#listOf(sentences); // sent before the stretch that names it
    this.#host.post({ type: 'begin', id, ...request, list });
    return id;
  }

  /** `samples` is handed over: the caller must not touch it again. */
  audio(id: number, samples: Int16Array): void {
    if (!this.#listeners.has(id)) return;
    this.#host?.post({ type: 'audio', id, samples });
  }
  /** Nothing more comes of it: settles it, when it is the account's turn. */
  finish(id: number, account: string): void {
    if (!this.#listeners.has(id) || this.#finishes.has(id)) return;
    const post = (): void => this.#host?.post({ type: 'finish', id });
    if (this.#finishes.size === 0) this.#heardMs = this.clock.nowMs();
    this.#finishes.set(id, this.#turns.ask(account, post));
    this.#watchSilence();
  }
  /** Nothing more is heard of the stretch. */
  drop(id: number): void {
    if (!this.#listeners.delete(id)) return;
    const turn = this.#finishes.get(id);
    if (turn && !this.#turns.isRunning(turn)) this.#settled(id); // one that runs is settled by its answer
    this.#host?.post({ type: 'drop', id });
  }
  prepare(hints: SttHints, sentences?: readonly string[]): void {
    this.#wake();
    if (this.#isPrepared(hints)) return;
    const list = this.#listOf(sentences);
    this.#host?.post({ type: 'prepare', hints, list });
  }

  #listOf(lines: readonly string[] | undefined): number | undefined {
    if (!lines || !this.#host) return undefined;
    const known = this.#lists.get(lines);
    if (known !== undefined) return known;
    this.#lastList += 1;
    this.#lists.set(lines, this.#lastList);
    this.#host.post({ type: 'sentences', list: this.#lastList, lines });
    return this.#lastList;
  }

  /** Many calls begin in the same state: the same hints are not sent again at once, which takes longer than it takes to compare them. */
  #isPrepared({ phrases, expect, digits = 0 }: SttHints): boolean {
    if (this.setup.free) return false;
    const nowMs = this.clock.nowMs();
    const kinds = [...expect, digits].join(' ');
    const before = this.#prepared.get(phrases);
    if (before && before.kinds === kinds && nowMs - before.atMs < PREPARED_MS) return true;
    this.#prepared.set(phrases, { kinds, atMs: nowMs });
    return false;
  }

  /** Unless it has something to answer, a process goes until it is wanted again; a thread would only give back a few MB. */
  rest(): void {
    const owes = this.#listeners.size + this.#finishes.size; // an answer that nobody waits for ends its turn, too
    if (!this.setup.free || owes > 0 || !this.#host) return;
    this.#host.dismiss();
    this.#host = undefined;
    this.#resting = true;
  }

  /** For a thread that is of no use, stuck in native code or not: another takes its place, it ends when it can. */
  restart(why: string): void {
    this.#host?.abandon();
    this.#host = undefined;
    this.#crashed(why);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.clock.clearTimer(this.#startAgain);
    this.clock.clearTimer(this.#watch);
    const host = this.#host;
    this.#host = undefined;
    this.#failAll('closed');
    if (!host) return;
    const { over, release } = host.ended();
    host.dismiss();
    const waited = new AbortController();
    const isOver = await Promise.race([over.then(() => true), delay(this.clock, CLOSE_MS, waited.signal)]);
    waited.abort();
    if (!isOver) host.abandon();
    release();
  }

  #start(): void {
    this.#prepared = new WeakMap(); // another one knows nothing
    this.#lists = new WeakMap();
    const { setup } = this;
    let host: RecogniserHost | undefined;
    const events = {
      heard: (message: FromWorker): void => {
        if (host && this.#host === host) this.#hear(message);
      },
      gone: (why: string, short: boolean): void => {
        if (!host || this.#host !== host) return;
        this.#host = undefined;
        this.#crashed(why, short);
      },
    };
    try {
      host = setup.free ? startRecogniserProcess(setup, events) : startRecogniserThread(setup, events);
    } catch (error) {
      return this.#crashed(errorText(error), isShortage(error)); // no thread or process left
    }
    this.#host = host;
    this.#awayWhy = undefined;
  }

  #wake(): void {
    if (!this.#resting || this.#closed) return;
    this.#resting = false;
    this.#start();
  }

  #crashed(why: string, short = false): void {
    this.#failAll(why, short);
    if (this.#closed) return;
    const waitMs = this.#restarts.take(short);
    this.#awayWhy =
      waitMs > AWAY_MS ? `the recogniser crashed too often (${why}) and is started again later` : undefined;
    this.events.restarted(why, waitMs);
    this.#startAgain = this.clock.setTimer(waitMs, () => this.#start());
  }

  /** The library or a model does not load. What was missing may be there later (a descriptor, memory): it is tried again. */
  #unable(why: string): void {
    this.#loadWhy = `the recogniser does not load (${why}) and is tried again`;
    this.#failAll(why, true); // nothing is wrong with what was said
    this.restart(why);
  }

  #failAll(why: string, short = false): void {
    const listeners = [...this.#listeners.values()];
    this.#listeners.clear();
    this.#finishes.clear();
    this.#turns.clear();
    for (const listener of listeners) listener.failed(why, short);
  }

  #settled(id: number): Turn | undefined {
    const turn = this.#finishes.get(id);
    this.#finishes.delete(id);
    if (turn) this.#turns.done(turn);
    return turn;
  }

  /** Whoever waits gives up long before: nobody else would notice that the thread does nothing any more. */
  #watchSilence(): void {
    if (this.#watch) return;
    this.#watch = this.clock.setTimer(SILENT_MS_MAX, () => {
      this.#watch = undefined;
      if (!this.#host || this.#finishes.size === 0) return;
      if (this.clock.nowMs() - this.#heardMs >= SILENT_MS_MAX) this.restart('it does not answer any more');
      else this.#watchSilence();
    });
  }

  #hear(message: FromWorker): void {
    this.#heardMs = this.clock.nowMs();
    if (message.type === 'ready') {
      this.#loadWhy = undefined;
      return;
    }
    if (message.type === 'idle') return this.rest();
    if (message.type === 'unable') return this.#unable(message.why);
    if (message.type === 'unspeakable') return this.events.unspeakable(message.words);
    if (message.type === 'no-sentences') return this.events.noSentences(message.why);
    if (message.type === 'fewer-interims') return this.events.fewerInterims(message.why);
    if (message.type === 'final' || message.type === 'failed') {
      const turn = this.#settled(message.id);
      if (turn && message.type === 'final') this.events.settled(this.clock.nowMs() - turn.sinceMs);
    }
    const listener = this.#listeners.get(message.id);
    if (!listener) return;
    if (message.type === 'taken') return listener.taken(message.samples);
    if (message.type === 'interim') return listener.interim(message.text);
    this.#listeners.delete(message.id);
    if (message.type === 'final') listener.final(message);
    else listener.failed(message.why);
  }
}
