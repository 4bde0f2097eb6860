import type { Clock } from '../../src/core/clock.ts';
import { FakeMediaPort } from './fake-media-port.ts';
import { readClip } from './speech-clips.ts';

const FRAME_SAMPLES = 160;

/** A port whose telephone brings back what is played, later and softer, beside what the caller says. */
export class EchoingPort extends FakeMediaPort {
  /** From the start of the call. */
  caller = new Int16Array(0);
  readonly #sent = new Int16Array(8000 * 60); // by time, 20 ms after 20 ms
  #written: number[] = [];
  #frames = 0;
  #playedBefore = 0;

  constructor(
    readonly line: Clock,
    readonly echo: { readonly delayMs: number; readonly lossDb: number },
  ) {
    super(line);
  }

  override write(samples: Int16Array): number {
    const taken = super.write(samples);
    this.#written.push(...samples.subarray(0, taken));
    return taken;
  }
  override clear(): number {
    const dropped = super.clear();
    this.#written.length = this.writtenSamples;
    return dropped;
  }

  /** The next 20 ms of the line, when they have passed. */
  override read(into: Int16Array): number {
    if (into.length < FRAME_SAMPLES) return 0;
    if (this.#frames * 20 > this.line.nowMs()) return 0;
    const from = this.#frames * FRAME_SAMPLES;
    const played = this.playedSamples;
    this.#sent.set(this.#written.slice(this.#playedBefore, played).slice(0, FRAME_SAMPLES), from);
    this.#playedBefore = played;
    const gain = 10 ** (-this.echo.lossDb / 20);
    for (let i = 0; i < FRAME_SAMPLES; i += 1) {
      const back = this.#sent[from + i - this.echo.delayMs * 8] ?? 0;
      into[i] = Math.round((this.caller[from + i] ?? 0) + gain * back);
    }
    this.#frames += 1;
    return FRAME_SAMPLES;
  }
}

const AGENT_CLIPS = ['read/LJ006-0161.wav', 'read/LJ011-0202.wav'];
/** One person reading. */
export const reading = (): Int16Array[] => AGENT_CLIPS.map(readClip);
