import { HalfBandDownsampler } from '../audio/half-band.ts';
import { FRAME_MS, FRAME_SAMPLES, TELEPHONE_RATE_HZ, WIDEBAND_RATE_HZ } from '../audio/pcm.ts';
import { SampleRing } from './sample-ring.ts';

/** Audio that waits before the first of it is taken, at least: what networks delay. */
const PREFILL_MS_MIN = 40;
const PREFILL_MS_MAX = 200;
/** More than this above the prefill is late audio: it is taken a quarter faster than it was spoken. */
const LATE_MS = 100;
const CATCH_UP_EVERY_SLOTS = 4;
/** From here the sender is not read any more, until half of it is gone. */
export const WAITING_MS_MAX = 2_000;
/** Taken and not yet read: what a stall of the reader may cost before audio is lost. */
const UNREAD_SAMPLES_MAX = 2 * TELEPHONE_RATE_HZ;

interface Chunk {
  readonly samples: Int16Array;
  readonly atMs: number; // when it came
}

/**
 * What the caller says, from chunks of any size that come whenever the network likes, to one frame every 20 ms. Where
 * nothing came in time there is silence, so that whoever listens hears the pause; what comes late is caught up with. What comes in
 * wideband is halved frame by frame, and both are kept: to each frame belongs the one that it was made of.
 */
export class CallerAudio {
  #chunks: Chunk[] = [];
  #offset = 0; // samples taken of the first chunk
  #waiting = 0;
  #prefillMs = PREFILL_MS_MIN;
  #filling = true;
  #begun = false;
  #slots = 0;
  readonly #frame = new Int16Array(FRAME_SAMPLES);
  readonly #unread = new SampleRing(UNREAD_SAMPLES_MAX);
  readonly #wide: Wideband | undefined;
  /** As it came: `#frame`, or what that is made of. */
  readonly #came: Int16Array;
  /** When the last sample of each frame in `#unread` came. */
  #arrivals: number[] = [];
  #readSamples = 0;
  /** When the sample that was read last came over the wire. */
  heardAtMs: number | undefined;
  readonly counters = { chunks: 0, silentFrames: 0, lostFrames: 0 };
  #jitterMs = 0;
  #lastTransitMs: number | undefined;
  #cameMs = 0; // of audio

  /** @param rateHz - of what comes: the telephone's, or wideband. */
  constructor(readonly rateHz: number) {
    if (rateHz === WIDEBAND_RATE_HZ) this.#wide = new Wideband();
    this.#came = this.#wide?.frame ?? this.#frame;
  }

  /** Audio that came and was not taken yet. */
  get waitingMs(): number {
    return this.#msOf(this.#waiting);
  }
  /** Of the chunks' arrival against their audio, as RFC 3550 §6.4.1 has it. */
  get jitterMs(): number {
    return this.#jitterMs;
  }

  /** @param samples - kept until they are taken. */
  push(samples: Int16Array, nowMs: number): void {
    if (samples.length === 0) return;
    this.#begun = true;
    this.counters.chunks += 1;
    this.#chunks.push({ samples, atMs: nowMs });
    this.#waiting += samples.length;
    const chunkMs = this.#msOf(samples.length);
    this.#prefillMs = Math.min(PREFILL_MS_MAX, Math.max(this.#prefillMs, chunkMs + FRAME_MS));
    this.#cameMs += chunkMs;
    const transitMs = nowMs - this.#cameMs;
    if (this.#lastTransitMs !== undefined) {
      this.#jitterMs += (Math.abs(transitMs - this.#lastTransitMs) - this.#jitterMs) / 16;
    }
    this.#lastTransitMs = transitMs;
  }

  /**
   * The next 20 ms have passed. @param take - is given each frame that belongs to them: one, or two while late audio is caught
   * up with; a view, used again. Nothing before the first audio.
   */
  slot(nowMs: number, take: (frame: Int16Array) => void): void {
    if (!this.#begun) return;
    this.#slots += 1;
    if (this.#filling && this.waitingMs < this.#prefillMs) return this.#silence(nowMs, take);
    this.#filling = false;
    if (!this.#takeFrame(take)) {
      this.#filling = true;
      return this.#silence(nowMs, take);
    }
    const late = this.waitingMs > this.#prefillMs + LATE_MS;
    if (late && this.#slots % CATCH_UP_EVERY_SLOTS === 0) this.#takeFrame(take);
  }

  /** @param wide - gets the same in wideband, where it came so. @returns samples copied into `into`, 0 when nothing waits. */
  read(into: Int16Array, wide?: Int16Array): number {
    const count = this.#unread.read(into);
    this.#wide?.read(count, wide);
    this.#readSamples += count;
    while (this.#readSamples >= FRAME_SAMPLES) {
      this.#readSamples -= FRAME_SAMPLES;
      this.heardAtMs = this.#arrivals.shift() ?? this.heardAtMs;
    }
    return count;
  }

  #silence(nowMs: number, take: (frame: Int16Array) => void): void {
    this.counters.silentFrames += 1;
    this.#came.fill(0);
    this.#frame.fill(0);
    this.#keep(nowMs);
    take(this.#frame);
  }

  #takeFrame(take: (frame: Int16Array) => void): boolean {
    const { length } = this.#came;
    if (this.#waiting < length) return false;
    let filled = 0;
    let atMs = 0;
    while (filled < length) {
      const chunk = this.#chunks[0] as Chunk;
      const part = chunk.samples.subarray(this.#offset, this.#offset + length - filled);
      this.#came.set(part, filled);
      filled += part.length;
      atMs = chunk.atMs;
      this.#offset += part.length;
      if (this.#offset < chunk.samples.length) continue;
      this.#chunks.shift();
      this.#offset = 0;
    }
    this.#waiting -= length;
    this.#wide?.halve(this.#frame);
    this.#keep(atMs);
    take(this.#frame);
    return true;
  }

  /** Of what nobody reads the last two seconds stay. */
  #keep(atMs: number): void {
    if (this.#unread.queued + FRAME_SAMPLES > UNREAD_SAMPLES_MAX) {
      this.#unread.skip(FRAME_SAMPLES);
      this.#arrivals.shift();
      this.#wide?.read(FRAME_SAMPLES);
      this.counters.lostFrames += 1;
    }
    this.#unread.write(this.#frame);
    this.#wide?.keep();
    this.#arrivals.push(atMs);
  }

  #msOf(samples: number): number {
    return (samples * 1000) / this.rateHz;
  }
}

/** The wideband beside what is not read yet: two samples for each of those. */
class Wideband {
  readonly frame = new Int16Array(2 * FRAME_SAMPLES);
  readonly #half = new HalfBandDownsampler(2 * FRAME_SAMPLES);
  readonly #unread = new SampleRing(2 * UNREAD_SAMPLES_MAX);

  halve(into: Int16Array): void {
    this.#half.push(this.frame, into);
  }
  keep(): void {
    this.#unread.write(this.frame);
  }
  /** @param count - samples that were taken of the others. */
  read(count: number, into?: Int16Array): void {
    if (into) this.#unread.read(into.subarray(0, 2 * count));
    else this.#unread.skip(2 * count);
  }
}
