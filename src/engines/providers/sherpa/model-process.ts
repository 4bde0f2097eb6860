import type { Clock, Timer } from '../../../core/clock.ts';
import { type ErrorCode, errorText, ServiceError } from '../../../core/errors.ts';
import type { Logger } from '../../../core/logger.ts';
import { isShortage } from '../../../core/shortage.ts';
import { type ModelHost, type StartModel, startModelProcess } from './model-host.ts';
import type { FromModel, ModelSetup, ToModel } from './process-protocol.ts';

/**
 * How long a model that failed is left alone, by failures in a row: one that worked is loaded again at once, for the sentence that is being
 * said; a damaged one a dozen times an hour at most.
 */
const RESTS_MS = [0, 1_000, 5_000, 30_000, 300_000] as const;
/** A large model from a slow disk. */
const LOAD_MS_MAX = 180_000;
/** Nothing was said of anything for so long, though answers are due. Files may take their time. */
const STUCK_MS = { ears: 60_000, voice: 15_000, 'turn-end': 5_000, vad: 5_000 } as const;
const WATCH_MS = 5_000;
/** A process that was asked to end and did not. */
const END_MS = 5_000;
const JOBS_MAX = 4_096;
const FAILURES = {
  ears: 'transcription_failed',
  voice: 'synthesis_failed',
  'turn-end': 'unavailable',
  vad: 'unavailable',
} as const satisfies Record<ModelSetup['use'], ErrorCode>;
/** What asks for an answer, and what is one. */
const ASKS: ReadonlySet<ToModel['type']> = new Set(['finish', 'speak', 'judge', 'windows']);
const ANSWERS: ReadonlySet<FromModel['type']> = new Set(['final', 'done', 'judged']);
/** Answers after which more is asked for. */
const PARTS: ReadonlySet<FromModel['type']> = new Set(['voices']);

type State = 'away' | 'loading' | 'ready';
type Told = Extract<FromModel, { readonly id: number }>;
/** A stretch to be heard, a sentence to be spoken, a turn to be judged, or the streams that are followed, from its first message to its last. */
export interface JobEvents {
  told(message: Told): void;
  failed(error: ServiceError): void;
}
/** A message without its id. */
type Ordered<M> = M extends unknown ? Omit<M, 'id'> : never;
export interface Job {
  post(message: Ordered<ToModel>): void;
  /** Nobody waits for more of it. Idempotent. */
  drop(): void;
}
export interface ModelProcessDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Without a job for so long the process ends and its memory is given back; 0 keeps it. */
  readonly idleMs: number;
  readonly start?: StartModel;
}

/** A model in a process of its own, started when it is first needed and again, after a rest, when it fails. */
export class ModelProcess {
  #host: ModelHost | undefined;
  #state: State = 'away';
  readonly #jobs = new Map<number, JobEvents>();
  readonly #due = new Set<number>(); // jobs whose answer is waited for
  #nextId = 1;
  #failures = 0; // in a row
  #restUntilMs = Number.NEGATIVE_INFINITY;
  #failure = '';
  #startedMs = 0;
  #heardMs = 0;
  #idle: Timer | undefined;
  #watch: Timer | undefined;
  #closed = false;
  /** Of its process once the model was loaded. */
  memoryMb: number | undefined;

  constructor(
    readonly name: string,
    private readonly setup: ModelSetup,
    private readonly deps: ModelProcessDeps,
  ) {}

  get state(): State {
    return this.#state;
  }

  /** Its process id, while it runs. */
  get pid(): number | undefined {
    return this.#host?.pid;
  }

  /** Why it cannot be used now; undefined where it can, after loading if need be. */
  get why(): string | undefined {
    if (this.#state !== 'away' || this.deps.clock.nowMs() >= this.#restUntilMs) return undefined;
    return `the model ${this.name} failed and rests: ${this.#failure}`;
  }

  /** Loads it, where it is not there. Never throws. */
  warmUp(): void {
    if (this.#closed || this.#state !== 'away' || this.why !== undefined) return;
    const { clock, start = startModelProcess } = this.deps;
    this.#startedMs = clock.nowMs();
    this.#heardMs = this.#startedMs;
    try {
      const host: ModelHost = start(this.setup, {
        heard: (message) => {
          if (this.#host === host) this.#heard(message);
        },
        gone: (why, told) => {
          if (this.#host === host) this.#failed(told === '' ? why : `${why}: ${told}`);
        },
      });
      this.#host = host;
      this.#state = 'loading';
      this.#watchIt();
      this.#rest();
    } catch (error) {
      this.#failed(errorText(error), isShortage(error));
    }
  }

  /** @throws ServiceError `unavailable` where it cannot be used now. */
  open(events: JobEvents): Job {
    this.warmUp();
    const host = this.#host;
    if (!host || this.#jobs.size >= JOBS_MAX) {
      const why = this.why ?? (this.#closed ? 'it is closed' : 'too much waits for it');
      throw new ServiceError('unavailable', '', { cause: new Error(why) });
    }
    const id = this.#nextId;
    this.#nextId += 1;
    this.#jobs.set(id, events);
    this.#rest();
    return {
      post: (message) => {
        if (!this.#jobs.has(id)) return;
        if (ASKS.has(message.type)) this.#expect(id);
        host.post({ ...message, id } as ToModel);
      },
      drop: () => {
        if (this.#settled(id)) host.post({ type: 'drop', id });
      },
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    const host = this.#host;
    this.#leave(new ServiceError('unavailable'));
    if (!host) return;
    host.dismiss();
    const late = this.deps.clock.setTimer(END_MS, () => host.kill());
    const letGo = host.hold();
    await host.over;
    letGo();
    this.deps.clock.clearTimer(late);
  }

  #heard(message: FromModel): void {
    this.#heardMs = this.deps.clock.nowMs();
    if (message.type === 'unable') return this.#failed(message.why);
    if (message.type === 'ready') return this.#ready(message.memoryMb);
    const job = this.#jobs.get(message.id);
    if (ANSWERS.has(message.type) || PARTS.has(message.type)) this.#failures = 0;
    if (PARTS.has(message.type)) this.#answered(message.id);
    if (ANSWERS.has(message.type) || message.type === 'failed') this.#settled(message.id);
    job?.told(message);
  }

  #ready(memoryMb: number): void {
    this.#state = 'ready';
    this.#unwatch();
    this.memoryMb = memoryMb;
    const loadMs = Math.round(this.deps.clock.nowMs() - this.#startedMs);
    const { kind } = this.setup.model;
    this.deps.logger.info({ model: this.name, kind, pid: this.pid, memoryMb, loadMs }, 'model loaded');
  }

  /** It is of no use: whoever waits for it is told, and it is left alone for a while. */
  #failed(why: string, short = false): void {
    const host = this.#host;
    const failures = Math.max(this.#failures, this.#state === 'ready' ? 0 : 1);
    const rest = RESTS_MS[Math.min(failures, RESTS_MS.length - 1)]!;
    this.#failures = failures + 1;
    this.#failure = why;
    this.#restUntilMs = this.deps.clock.nowMs() + rest;
    this.deps.logger.warn({ model: this.name, why, restMs: rest }, 'model failed');
    const cause = new Error(`the model ${this.name}: ${why}`);
    this.#leave(new ServiceError(short ? 'unavailable' : FAILURES[this.setup.use], '', { cause }));
    host?.kill();
  }

  #leave(error: ServiceError): void {
    this.#host = undefined;
    this.#state = 'away';
    for (const timer of [this.#idle, this.#watch]) this.deps.clock.clearTimer(timer);
    this.#watch = undefined;
    const jobs = [...this.#jobs.values()];
    this.#jobs.clear();
    this.#due.clear();
    for (const job of jobs) job.failed(error);
  }

  #answered(id: number): void {
    this.#due.delete(id);
    this.#unwatch();
  }

  /** @returns whether there was such a job. */
  #settled(id: number): boolean {
    this.#answered(id);
    const known = this.#jobs.delete(id);
    if (known) this.#rest();
    return known;
  }

  #expect(id: number): void {
    if (this.#due.size === 0) this.#heardMs = this.deps.clock.nowMs();
    this.#due.add(id);
    this.#watchIt();
  }

  #unwatch(): void {
    if (this.#state === 'loading' || this.#due.size > 0) return;
    this.deps.clock.clearTimer(this.#watch);
    this.#watch = undefined;
  }

  /** While it loads, or an answer is due. */
  #watchIt(): void {
    if (this.#watch !== undefined) return;
    const { clock } = this.deps;
    this.#watch = clock.setTimer(WATCH_MS, () => {
      this.#watch = undefined;
      const limitMs = this.#state === 'loading' ? LOAD_MS_MAX : STUCK_MS[this.setup.use];
      if (clock.nowMs() - this.#heardMs >= limitMs) this.#failed(`nothing was heard of it for ${limitMs / 1000} s`);
      else this.#watchIt();
    });
  }

  /** Without work for long enough it goes. */
  #rest(): void {
    const { clock, idleMs } = this.deps;
    clock.clearTimer(this.#idle);
    this.#idle = undefined;
    if (idleMs === 0 || this.#jobs.size > 0 || !this.#host) return;
    this.#idle = clock.setTimer(idleMs, () => {
      const host = this.#host;
      this.#leave(new ServiceError('unavailable')); // no job is open
      host?.dismiss();
      this.deps.logger.info({ model: this.name }, 'model put away');
    });
  }
}
