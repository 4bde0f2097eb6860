import type { Clock } from '../../src/core/clock.ts';
import { FakeMediaPort } from './fake-media-port.ts';
import { readClip } from './speech-clips.ts';

const FRAME_SAMPLES = 160;
const FRAME_MS = 20;

/** A port whose telephone brings back what is played, later and softer, beside what the caller says; read whenever that may be. */
export class EchoingPort extends FakeMediaPort {
  /** From the start of the call. */
  caller = new Int16Array(0);
  /** How often it was read while something waited. */
  reads = 0;
  readonly #sent = new Int16Array(8000 * 60); // by time, 20 ms after 20 ms
  #written: number[] = [];
  #frames = 0;
  #playedBefore = 0;
  readonly #waiting: { readonly frame: Int16Array; readonly atMs: number }[] = [];
  #heardAtMs = 0;

  /** @param measures - whether it says what may wait. */
  constructor(
    readonly line: Clock,
    readonly echo: { readonly delayMs: number; readonly lossDb: number },
    readonly measures = true,
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

  override get stirred(): boolean {
    this.#pass();
    return !this.measures || super.stirred;
  }
  override get heardAtMs(): number {
    return this.#heardAtMs;
  }
  override read(into: Int16Array): number {
    this.#pass();
    this.stirsSeen = this.watch.stirs;
    const next = into.length < FRAME_SAMPLES ? undefined : this.#waiting.shift();
    if (!next) return 0;
    if (this.#heardAtMs !== next.atMs - FRAME_MS || this.#waiting.length === 0) this.reads += 1;
    this.#heardAtMs = next.atMs;
    into.set(next.frame);
    return FRAME_SAMPLES;
  }

  /** What the line brought until now. To be asked every 20 ms. */
  #pass(): void {
    for (; this.#frames * FRAME_MS <= this.line.nowMs(); this.#frames += 1) this.#bring();
  }

  #bring(): void {
    const from = this.#frames * FRAME_SAMPLES;
    const played = this.playedSamples;
    this.#sent.set(this.#written.slice(this.#playedBefore, played).slice(0, FRAME_SAMPLES), from);
    this.#playedBefore = played;
    const gain = 10 ** (-this.echo.lossDb / 20);
    const frame = new Int16Array(FRAME_SAMPLES);
    for (let i = 0; i < FRAME_SAMPLES; i += 1) {
      const back = this.#sent[from + i - this.echo.delayMs * 8] ?? 0;
      frame[i] = Math.round((this.caller[from + i] ?? 0) + gain * back);
    }
    this.#waiting.push({ frame, atMs: this.#frames * FRAME_MS });
    this.watch.heard(frame);
  }
}

const AGENT_CLIPS = ['read/LJ006-0161.wav', 'read/LJ011-0202.wav'];
/** One person reading. */
export const reading = (): Int16Array[] => AGENT_CLIPS.map(readClip);
