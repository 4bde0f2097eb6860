import type { Clock, Timer } from '../../../core/clock.ts';
import type { VoiceAway, VoiceEvents, VoiceFollower, VoiceModel } from '../../vad/contract.ts';
import { ModelOf, type SherpaDeps } from './model-choice.ts';
import type { Job } from './model-process.ts';
import { type FromModel, VOICE_WINDOW } from './process-protocol.ts';
import type { SherpaSettings, VadSettings } from './settings.ts';

/** Windows of all calls are gathered for so long: calls are moved on together, and what comes of them is one message. */
const GATHER_MS = 5;
/** A window that is judged later, or not at all by then, decides nothing: the detector has. */
export const LATE_MS = 60;
/** A stream that was late is not followed for so long: there is more to judge than the process can. */
export const LATE_REST_MS = 2_000;
const FOLLOWED_MAX = 1_000;
/** Of silence before and after it, a window more or less is neither. */
const NONE_UNDER = 0.15;

type Windows = Extract<FromModel, { readonly type: 'voices' }>;

/** Whether there is a voice, by a model on this machine's disk, in one process for all calls: `engines.sherpa.vad`. */
export class SherpaVad implements VoiceModel {
  readonly name: string;
  readonly voiceFrom: number;
  readonly noneBelow: number;
  readonly #model: ModelOf<VadSettings>;
  readonly #clock: Clock;
  readonly #following = new Map<number, Following>(); // by the number of the stream in the process
  #open = 0; // followers that are not closed
  #lastStream = 0;
  #job: Job | undefined;
  #streams: number[] = []; // of the windows gathered
  #windows: Int16Array[] = [];
  #over: number[] = [];
  #timer: Timer | undefined;

  constructor(own: VadSettings, settings: SherpaSettings, deps: SherpaDeps) {
    this.name = own.model;
    this.voiceFrom = own.voice;
    this.noneBelow = Math.max(0.01, own.voice - NONE_UNDER);
    this.#model = new ModelOf(own, 'vad', settings, deps);
    this.#clock = deps.clock;
  }

  get why(): string | undefined {
    return this.#model.why;
  }

  warmUp(): void {
    this.#model.warmUp();
  }

  follow(events: VoiceEvents): VoiceFollower {
    this.warmUp();
    const isFull = this.#open >= FOLLOWED_MAX;
    if (isFull) {
      events.away('full');
      return { push: () => {}, reset: () => {}, close: () => {} };
    }
    this.#open += 1;
    const following = new Following(this.#clock, events, {
      begin: () => this.#begin(following),
      window: (stream, samples) => this.#gather(stream, samples),
      leave: (stream) => this.#leave(stream),
    });
    let closed = false;
    return {
      push: (samples) => {
        if (!closed) following.push(samples);
      },
      reset: () => following.reset(),
      close: () => {
        if (closed) return;
        closed = true;
        following.reset();
        this.#open -= 1;
        if (this.#open === 0) this.#dropJob();
      },
    };
  }

  async close(): Promise<void> {
    this.#clock.clearTimer(this.#timer);
    this.#timer = undefined;
    this.#job = undefined;
    await this.#model.close();
  }

  /** @returns its number in the process; undefined where that is not there. */
  #begin(following: Following): number | undefined {
    if (!this.#job) this.#openJob();
    if (!this.#job) return undefined;
    this.#lastStream = (this.#lastStream % 0xffff_fffe) + 1;
    this.#following.set(this.#lastStream, following);
    return this.#lastStream;
  }

  /** Nothing is given to a process that loads: it would all be late. */
  #openJob(): void {
    const process = this.#model.process();
    if (typeof process === 'string') return;
    process.warmUp();
    if (process.state !== 'ready') return;
    try {
      this.#job = process.open({
        told: (message) => {
          if (message.type === 'voices') this.#onVoices(message);
          else if (message.type === 'failed') this.#lose();
        },
        failed: () => this.#lose(),
      });
    } catch {
      // Closed, or it rests: the detector decides.
    }
  }

  #dropJob(): void {
    const job = this.#job;
    this.#lose();
    job?.drop();
  }

  /** What was under way is judged by nobody. */
  #lose(): void {
    this.#job = undefined;
    this.#clock.clearTimer(this.#timer);
    this.#timer = undefined;
    this.#streams = [];
    this.#windows = [];
    this.#over = [];
    const lost = [...this.#following.values()];
    this.#following.clear();
    for (const following of lost) following.lose('gone');
  }

  #leave(stream: number): void {
    this.#following.delete(stream);
    if (!this.#job) return;
    this.#over.push(stream);
    this.#schedule();
  }

  #gather(stream: number, samples: Int16Array): void {
    this.#streams.push(stream);
    this.#windows.push(samples);
    this.#schedule();
  }

  #schedule(): void {
    this.#timer ??= this.#clock.setTimer(GATHER_MS, () => {
      this.#timer = undefined;
      this.#send();
    });
  }

  #send(): void {
    const samples = new Int16Array(this.#windows.length * VOICE_WINDOW);
    for (const [at, window] of this.#windows.entries()) samples.set(window, at * VOICE_WINDOW);
    const streams = Uint32Array.from(this.#streams);
    const over = Uint32Array.from(this.#over);
    this.#streams = [];
    this.#windows = [];
    this.#over = [];
    this.#job?.post({ type: 'windows', streams, samples, over });
  }

  #onVoices({ streams, likely }: Windows): void {
    for (const [at, stream] of streams.entries()) this.#following.get(stream)?.judged(likely[at] ?? Number.NaN);
  }
}

interface Links {
  begin(): number | undefined;
  window(stream: number, samples: Int16Array): void;
  leave(stream: number): void;
}

/**
 * One call, as it is followed:
 *
 *   away --the process is there, and it does not rest--> followed --late--> resting --2 s--> away
 *                                                        followed --the process is gone--> resting
 *
 * Each time that it is followed anew it is another stream to the process.
 */
class Following {
  #stream: number | undefined;
  #restsUntilMs = Number.NEGATIVE_INFINITY;
  #window = new Int16Array(VOICE_WINDOW);
  #filled = 0;
  #position = 0; // samples, all of them
  /** When each window that is not judged was whole, and where it ends. */
  #due: { readonly atMs: number; readonly atSample: number }[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly events: VoiceEvents,
    private readonly links: Links,
  ) {}

  push(samples: Int16Array): void {
    const nowMs = this.clock.nowMs();
    const [oldest] = this.#due;
    if (oldest && nowMs - oldest.atMs > LATE_MS) this.#leave('late');
    if (this.#stream === undefined && nowMs >= this.#restsUntilMs) this.#stream = this.links.begin();
    if (this.#stream !== undefined) this.#fill(this.#stream, samples, nowMs);
    this.#position += samples.length;
  }

  judged(probability: number): void {
    const window = this.#due.shift();
    if (!window) return;
    if (this.clock.nowMs() - window.atMs > LATE_MS) return this.#leave('late');
    this.events.heard({ atSample: window.atSample, probability });
  }

  /** The process is gone, and with it what was known of the stream. */
  lose(why: VoiceAway): void {
    this.#stream = undefined;
    this.#forget();
    this.#restsUntilMs = this.clock.nowMs() + LATE_REST_MS;
    this.events.away(why);
  }

  /** Another sound begins, or none. */
  reset(): void {
    if (this.#stream !== undefined) this.links.leave(this.#stream);
    this.#stream = undefined;
    this.#forget();
    this.#position = 0;
  }

  #leave(why: VoiceAway): void {
    if (this.#stream !== undefined) this.links.leave(this.#stream);
    this.lose(why);
  }

  #forget(): void {
    this.#filled = 0;
    this.#due = [];
  }

  #fill(stream: number, samples: Int16Array, nowMs: number): void {
    for (let from = 0; from < samples.length; ) {
      const take = Math.min(VOICE_WINDOW - this.#filled, samples.length - from);
      this.#window.set(samples.subarray(from, from + take), this.#filled);
      this.#filled += take;
      from += take;
      if (this.#filled < VOICE_WINDOW) continue;
      this.#filled = 0;
      this.#due.push({ atMs: nowMs, atSample: this.#position + from });
      this.links.window(stream, this.#window.slice());
    }
  }
}
