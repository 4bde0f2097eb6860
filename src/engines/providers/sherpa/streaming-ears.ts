import { samplesOf, WIDEBAND_RATE_HZ } from '../../../audio/pcm.ts';
import { createResampler, type Resampler } from '../../../audio/resampler.ts';
import type { Clock, Timer } from '../../../core/clock.ts';
import { errorText } from '../../../core/errors.ts';
import { floats } from './floats.ts';
import { heardFrom } from './heard-text.ts';
import type { OnlineRecognizer, OnlineStream } from './native.ts';
import type { ModelWork, Say, ToModel } from './process-protocol.ts';

/** Audio of all callers is gathered for so long, and decoded at once. */
const GATHER_MS = 20;
/** Decoded in one call of the library. */
const BATCH_MAX = 64;
const STRETCHES_MAX = 2_048;
/** What models hear after the last word before they say it. */
const TAIL_MS = 660;

interface Stretch {
  readonly stream: OnlineStream;
  readonly resampler: Resampler;
  readonly rateHz: number;
  readonly interim: boolean;
  text: string; // said so far
  given: number; // samples of all, at `rateHz`
  pending: number; // of them, not decoded
  finishing: boolean;
}

/** A recogniser that hears while people speak: one for all calls, which are decoded together. */
export class StreamingEars implements ModelWork {
  readonly #stretches = new Map<number, Stretch>();
  #next: Timer | undefined;

  constructor(
    private readonly recogniser: OnlineRecognizer,
    private readonly say: Say,
    private readonly clock: Clock,
  ) {}

  handle(message: ToModel): void {
    const stretch = this.#stretches.get(message.id);
    if (message.type === 'begin') this.#begin(message.id, message.interim, message.rateHz);
    else if (message.type === 'drop') this.#stretches.delete(message.id);
    else if (message.type === 'audio' && stretch) this.#hear(stretch, message.samples);
    else if (message.type === 'finish' && stretch) this.#finish(stretch);
  }

  #begin(id: number, interim: boolean, rateHz: number): void {
    if (this.#stretches.size >= STRETCHES_MAX) return this.say({ type: 'failed', id, why: 'too many speak at once' });
    const resampler = createResampler(rateHz, WIDEBAND_RATE_HZ);
    const stream = this.recogniser.createStream();
    this.#stretches.set(id, {
      ...{ stream, resampler, rateHz, interim },
      ...{ text: '', given: 0, pending: 0, finishing: false },
    });
  }

  #hear(stretch: Stretch, samples: Int16Array): void {
    stretch.given += samples.length;
    stretch.pending += samples.length;
    this.#accept(stretch, stretch.resampler.push(samples));
    this.#schedule(GATHER_MS);
  }

  #finish(stretch: Stretch): void {
    stretch.finishing = true;
    this.#accept(stretch, stretch.resampler.flush());
    this.#accept(stretch, new Int16Array(samplesOf(TAIL_MS, WIDEBAND_RATE_HZ)));
    stretch.stream.inputFinished();
    this.#schedule(0);
  }

  #accept({ stream }: Stretch, samples: Int16Array): void {
    if (samples.length > 0) stream.acceptWaveform({ samples: floats(samples), sampleRate: WIDEBAND_RATE_HZ });
  }

  #schedule(afterMs: number): void {
    this.#next ??= this.clock.setTimer(afterMs, () => {
      this.#next = undefined;
      this.#step();
    });
  }

  /** One batch; messages that came meanwhile are handled before the next. */
  #step(): void {
    const ready = [...this.#stretches].filter(([, { stream }]) => this.recogniser.isReady(stream)).slice(0, BATCH_MAX);
    try {
      if (ready.length > 0) this.recogniser.decodeStreams(ready.map(([, { stream }]) => stream));
    } catch (error) {
      for (const [id] of ready) this.#fail(id, error);
    }
    for (const [id, stretch] of [...this.#stretches]) {
      const isDecoded = !this.recogniser.isReady(stretch.stream);
      if (isDecoded && stretch.pending > 0) {
        this.say({ type: 'taken', id, samples: stretch.pending });
        stretch.pending = 0;
      }
      if (isDecoded && stretch.finishing) this.#answer(id, stretch);
    }
    for (const [id, stretch] of ready) {
      if (this.#stretches.get(id) !== stretch) continue; // answered, or failed
      this.#stretches.delete(id);
      this.#stretches.set(id, stretch); // behind those that were not in this batch
      if (stretch.interim) this.#tell(id, stretch);
    }
    if (ready.length > 0) this.#schedule(0);
  }

  #tell(id: number, stretch: Stretch): void {
    try {
      const { text } = heardFrom(() => this.recogniser.getResult(stretch.stream), 0);
      if (text === '' || text === stretch.text) return;
      stretch.text = text;
      this.say({ type: 'interim', id, text });
    } catch (error) {
      this.#fail(id, error);
    }
  }

  #answer(id: number, { stream, given, rateHz }: Stretch): void {
    this.#stretches.delete(id);
    try {
      this.say({ type: 'final', id, ...heardFrom(() => this.recogniser.getResult(stream), (given * 1000) / rateHz) });
    } catch (error) {
      this.#fail(id, error);
    }
  }

  #fail(id: number, error: unknown): void {
    this.#stretches.delete(id);
    this.say({ type: 'failed', id, why: errorText(error) });
  }
}
