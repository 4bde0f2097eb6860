import { samplesOf, TELEPHONE_RATE_HZ } from '../../audio/pcm.ts';
import { allocateMeter } from './level-meter.ts';
import { allocatePcmRing, type PcmRingMemory, wipePcmRing } from './pcm-ring.ts';
import { allocateQuietWatch } from './quiet-watch.ts';

/**
 * The memory that one call's two threads share: what the caller said and when, and whether that is worth a look; what the agent says, when
 * it began to sound, and how loud.
 */
export interface CallAudioMemory {
  readonly sampleRateHz: number; // of both rings, whatever the codec
  readonly capture: PcmRingMemory; // media thread -> main
  readonly playout: PcmRingMemory; // main -> media thread
  readonly talk: SharedArrayBuffer;
  readonly heard: SharedArrayBuffer;
  readonly levels: SharedArrayBuffer;
  readonly quiet: SharedArrayBuffer;
  readonly meter: SharedArrayBuffer;
}

/** What a stall of the main thread may cost before audio is lost. */
const CAPTURE_MS = 2_048;

/** @param queueMs - agent audio that may wait. */
export function allocateCallAudio(queueMs: number, sampleRateHz = TELEPHONE_RATE_HZ): CallAudioMemory {
  return {
    sampleRateHz,
    capture: allocatePcmRing(samplesOf(CAPTURE_MS, sampleRateHz)),
    playout: allocatePcmRing(samplesOf(queueMs, sampleRateHz)),
    talk: new SharedArrayBuffer(16),
    heard: new SharedArrayBuffer(16),
    levels: new SharedArrayBuffer(4),
    quiet: allocateQuietWatch(),
    meter: allocateMeter(),
  };
}

/** For the next call. Nobody may be using it. */
export function wipeCallAudio({ capture, playout, talk, heard, levels, quiet, meter }: CallAudioMemory): void {
  wipePcmRing(capture);
  wipePcmRing(playout);
  new Int32Array(talk).fill(0);
  new Int32Array(heard).fill(0);
  new Int32Array(levels).fill(0);
  new Int32Array(quiet).fill(0);
  new Int32Array(meter).fill(0);
}

const GAIN = 0;
const PER_DB = 100;

/** How loud the agent is, without a message between threads: it matters within a packet. */
export class PlayoutLevels {
  readonly #words: Int32Array;
  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory);
  }
  /** Of what the agent says, in hundredths of a decibel; 0: as it was written. */
  get gainDb(): number {
    return Atomics.load(this.#words, GAIN) / PER_DB;
  }
  set gainDb(gainDb: number) {
    Atomics.store(this.#words, GAIN, Math.round(gainDb * PER_DB));
  }
}

const EPOCH = 0; // main: counts writes into an empty queue
const STARTED = 1; // media thread: the epoch whose first packet has left
const TIME = 1; // as a float64

/** When the first packet after the latest write into an empty queue left, without a message between threads. */
export class TalkClock {
  readonly #words: Int32Array;
  readonly #times: Float64Array;
  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory);
    this.#times = new Float64Array(memory);
  }

  /** Main, before the samples become visible. */
  begin(): void {
    Atomics.add(this.#words, EPOCH, 1);
  }

  /** Media thread, before it takes samples: which write they belong to. */
  get epoch(): number {
    return Atomics.load(this.#words, EPOCH);
  }

  /** Media thread, when a packet with samples of `epoch` leaves; all but the first are ignored. */
  sent(epoch: number, nowMs: number): void {
    if (Atomics.load(this.#words, STARTED) === epoch) return;
    this.#times[TIME] = nowMs;
    Atomics.store(this.#words, STARTED, epoch); // publishes the time
  }

  /** Main. `monotonicMs` of that packet; undefined before it. */
  get startedAtMs(): number | undefined {
    const epoch = Atomics.load(this.#words, EPOCH);
    return epoch !== 0 && Atomics.load(this.#words, STARTED) === epoch ? this.#times[TIME] : undefined;
  }
}

const CHANGES = 0; // odd while the writer is at it
/** The writer takes a microsecond: a reader that meets it so often in a row has been unlucky beyond belief. */
const READINGS_MAX = 1_000;

/** When the newest captured sample came over the wire: one pair with what waits in the ring, so that both mean the same moment. */
export class CaptureClock {
  readonly #words: Int32Array;
  readonly #times: Float64Array;
  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory);
    this.#times = new Float64Array(memory);
  }

  /** Media thread: `write` puts a frame into the ring whose last sample came at `atMs`. */
  captured(atMs: number, write: () => void): void {
    Atomics.add(this.#words, CHANGES, 1);
    write();
    this.#times[TIME] = atMs;
    Atomics.add(this.#words, CHANGES, 1);
  }

  /** Main. @param queuedMs - of what waits in the ring. @returns when the last sample before that came; undefined before any. */
  readAtMs(queuedMs: () => number): number | undefined {
    for (let readings = 0; readings < READINGS_MAX; readings += 1) {
      const before = Atomics.load(this.#words, CHANGES);
      const atMs = (this.#times[TIME] as number) - queuedMs();
      if (before === 0) return undefined;
      if (before % 2 === 0 && Atomics.load(this.#words, CHANGES) === before) return atMs;
    }
    return undefined;
  }
}
