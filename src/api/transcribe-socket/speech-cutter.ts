import { FRAME_MS, TELEPHONE_RATE_HZ } from '../../audio/pcm.ts';
import { createResampler, type Resampler } from '../../audio/resampler.ts';
import type { SttStream } from '../../engines/stt/contract.ts';
import type { VadDetector } from '../../engines/vad/contract.ts';

/** Audio before the detected onset that is given to the recogniser too: first consonants are quiet. */
const PRE_ROLL_FRAMES = 15;
/** Somebody who does not pause gets a final all the same: a recogniser's memory grows with the stretch. */
const STRETCH_MS_MAX = 30_000;
const SAMPLES_PER_MS = TELEPHONE_RATE_HZ / 1000;

export interface Stretch {
  readonly startMs: number; // in the audio heard
  readonly endMs: number;
}

/**
 * Gives the recogniser the speech of a stream (all of it where it wants that), stretch by stretch, and keeps where each one lay: voice activity opens a
 * stretch with its lead-in, a pause closes it, and its final follows.
 */
export class SpeechCutter {
  #preRoll: Int16Array[] = [];
  #open: { startMs: number } | undefined;
  #heardMs = 0;
  readonly #toVadRate: Resampler | undefined;
  /** Stretches whose final has not come, oldest first. */
  readonly #pending: Stretch[] = [];

  constructor(
    private readonly vad: VadDetector,
    private readonly stt: SttStream,
    private readonly sampleRateHz: number,
  ) {
    if (sampleRateHz !== TELEPHONE_RATE_HZ) this.#toVadRate = createResampler(sampleRateHz, TELEPHONE_RATE_HZ);
  }

  /** Audio heard so far. */
  get heardMs(): number {
    return this.#heardMs;
  }

  /** One frame of 20 ms. */
  push(samples: Int16Array): void {
    const forVad = this.#toVadRate?.push(samples) ?? samples;
    const change = this.vad.push({ samples: forVad, sampleRateHz: TELEPHONE_RATE_HZ });
    this.#heardMs += FRAME_MS;
    if (change?.type === 'start' && !this.#open) this.#begin(change.atSample / SAMPLES_PER_MS);
    if (this.#open || this.#hearsAll) this.#write(samples);
    else this.#remember(samples);
    if (change?.type === 'end') this.#settle(change.atSample / SAMPLES_PER_MS);
    if (this.#open && this.#heardMs - this.#open.startMs >= STRETCH_MS_MAX) {
      this.#settle(this.#heardMs);
      this.#open = { startMs: this.#heardMs };
    }
  }

  /** No more audio: the recogniser says its last and its iterator ends. */
  end(): void {
    this.#settle(this.#heardMs);
    this.stt.end();
  }

  /** Where the stretch lay that a final is about; finals come in order. */
  settled(): Stretch {
    const whole = { startMs: this.#open?.startMs ?? this.#heardMs, endMs: this.#heardMs };
    return this.#pending.shift() ?? whole; // a recogniser may settle by itself what is still being said
  }

  close(): void {
    this.vad.close();
    this.#preRoll = [];
  }

  #begin(startMs: number): void {
    this.#open = { startMs };
    for (const earlier of this.#preRoll) this.#write(earlier);
    this.#preRoll = [];
  }

  #settle(endMs: number): void {
    if (!this.#open) return;
    this.#pending.push({ startMs: this.#open.startMs, endMs: Math.max(endMs, this.#open.startMs) });
    this.#open = undefined;
    this.stt.flush();
  }

  get #hearsAll(): boolean {
    return this.stt.feed === 'everything';
  }

  #write(samples: Int16Array): void {
    this.stt.write({ samples, sampleRateHz: this.sampleRateHz });
  }

  #remember(samples: Int16Array): void {
    this.#preRoll.push(samples);
    if (this.#preRoll.length > PRE_ROLL_FRAMES) this.#preRoll.shift();
  }
}
