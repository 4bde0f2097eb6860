import { samplesOf, TELEPHONE_RATE_HZ } from '../../audio/pcm.ts';
import { METER_CELLS } from './level-meter.ts';
import { allocatePcmRing, type PcmRingMemory, RING_CELLS, wipePcmRing } from './pcm-ring.ts';
import { WATCH_CELLS } from './quiet-watch.ts';
import { allocateCells, type SharedCells, wipeCells } from './shared-cells.ts';

/**
 * The memory that one call's two threads share: what the caller said and when, and whether that is worth a look; what the agent says, when
 * it began to sound, and how loud.
 */
export interface CallAudioMemory {
  readonly sampleRateHz: number; // of both rings, whatever the codec
  readonly capture: PcmRingMemory; // media thread -> main
  readonly playout: PcmRingMemory; // main -> media thread
  readonly talk: SharedCells;
  readonly heard: SharedCells;
  readonly levels: SharedCells;
  readonly quiet: SharedCells;
  readonly meter: SharedCells;
}

/** What a stall of the main thread may cost before audio is lost. */
const CAPTURE_MS = 2_048;

const CLOCK_CELLS = 2; // of either clock below: two words, and a time
const LEVEL_CELLS = 1;

/** @param queueMs - agent audio that may wait. */
export function allocateCallAudio(queueMs: number, sampleRateHz = TELEPHONE_RATE_HZ): CallAudioMemory {
  const [captured, heard, quiet, meter, played, talk, levels] = allocateCells([
    ...([RING_CELLS, CLOCK_CELLS, WATCH_CELLS, METER_CELLS] as const), // of what is heard
    ...([RING_CELLS, CLOCK_CELLS, LEVEL_CELLS] as const), // and of what is said
  ]);
  return {
    sampleRateHz,
    capture: allocatePcmRing(samplesOf(CAPTURE_MS, sampleRateHz), [captured]),
    playout: allocatePcmRing(samplesOf(queueMs, sampleRateHz), [played]),
    ...{ talk, heard, levels, quiet, meter },
  };
}

/** For the next call. Nobody may be using it. */
export function wipeCallAudio({ capture, playout, talk, heard, levels, quiet, meter }: CallAudioMemory): void {
  wipePcmRing(capture);
  wipePcmRing(playout);
  wipeCells(talk);
  wipeCells(heard);
  wipeCells(levels);
  wipeCells(quiet);
  wipeCells(meter);
}

const PER_DB = 100;

/** How loud the agent is, without a message between threads: it matters within a packet. */
export class PlayoutLevels {
  readonly #words: Int32Array;
  readonly #gain: number;
  constructor({ words, at }: SharedCells) {
    this.#words = words;
    this.#gain = 2 * at;
  }
  /** Of what the agent says, in hundredths of a decibel; 0: as it was written. */
  get gainDb(): number {
    return Atomics.load(this.#words, this.#gain) / PER_DB;
  }
  set gainDb(gainDb: number) {
    Atomics.store(this.#words, this.#gain, Math.round(gainDb * PER_DB));
  }
}

const TIME = 1; // of the cells, a number

/** When the first packet after the latest write into an empty queue left, without a message between threads. */
export class TalkClock {
  readonly #words: Int32Array;
  readonly #times: Float64Array;
  readonly #epoch: number; // main: counts writes into an empty queue
  readonly #started: number; // media thread: the epoch whose first packet has left
  readonly #time: number;
  constructor({ words, numbers, at }: SharedCells) {
    this.#words = words;
    this.#times = numbers;
    this.#epoch = 2 * at;
    this.#started = 2 * at + 1;
    this.#time = at + TIME;
  }

  /** Main, before the samples become visible. */
  begin(): void {
    Atomics.add(this.#words, this.#epoch, 1);
  }

  /** Media thread, before it takes samples: which write they belong to. */
  get epoch(): number {
    return Atomics.load(this.#words, this.#epoch);
  }

  /** Media thread, when a packet with samples of `epoch` leaves; all but the first are ignored. */
  sent(epoch: number, nowMs: number): void {
    if (Atomics.load(this.#words, this.#started) === epoch) return;
    this.#times[this.#time] = nowMs;
    Atomics.store(this.#words, this.#started, epoch); // publishes the time
  }

  /** Main. `monotonicMs` of that packet; undefined before it. */
  get startedAtMs(): number | undefined {
    const epoch = Atomics.load(this.#words, this.#epoch);
    return epoch !== 0 && Atomics.load(this.#words, this.#started) === epoch ? this.#times[this.#time] : undefined;
  }
}

/** The writer takes a microsecond: a reader that meets it so often in a row has been unlucky beyond belief. */
const READINGS_MAX = 1_000;

/** When the newest captured sample came over the wire: one pair with what waits in the ring, so that both mean the same moment. */
export class CaptureClock {
  readonly #words: Int32Array;
  readonly #times: Float64Array;
  readonly #changes: number; // odd while the writer is at it
  readonly #time: number;
  constructor({ words, numbers, at }: SharedCells) {
    this.#words = words;
    this.#times = numbers;
    this.#changes = 2 * at;
    this.#time = at + TIME;
  }

  /** Media thread: `write` puts a frame into the ring whose last sample came at `atMs`. */
  captured(atMs: number, write: () => void): void {
    Atomics.add(this.#words, this.#changes, 1);
    write();
    this.#times[this.#time] = atMs;
    Atomics.add(this.#words, this.#changes, 1);
  }

  /** Main. @param queuedMs - of what waits in the ring. @returns when the last sample before that came; undefined before any. */
  readAtMs(queuedMs: () => number): number | undefined {
    for (let readings = 0; readings < READINGS_MAX; readings += 1) {
      const before = Atomics.load(this.#words, this.#changes);
      const atMs = (this.#times[this.#time] as number) - queuedMs();
      if (before === 0) return undefined;
      if (before % 2 === 0 && Atomics.load(this.#words, this.#changes) === before) return atMs;
    }
    return undefined;
  }
}
