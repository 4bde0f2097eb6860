import { FRAME_MS, samplesOf } from '../../audio/pcm.ts';
import { Concealment } from '../codec/concealment.ts';
import { type RateConverter, rateConverter } from '../codec/rate-converter.ts';
import { DTMF_DIGITS, dtmfEventOf } from '../dtmf/dtmf-event.ts';
import { allocatePcmRing, PcmRing, type PcmRingMemory, wipePcmRing } from './pcm-ring.ts';

/** One direction of a bridge: from the media thread of the caller who speaks to the thread of the one who listens. */
export interface LaneMemory {
  readonly sampleRateHz: number; // of the port of the one who speaks
  readonly audio: PcmRingMemory;
  readonly keys: PcmRingMemory; // event numbers (RFC 4733) in the place of samples
}

/** What one port of a bridge is given. */
export interface LaneEnds {
  readonly to: LaneMemory; // what its own caller says
  readonly from: LaneMemory; // what the other caller says
}

/** The longest packet, and what may lie beside it. */
const LANE_MS = 120;
/** Keys that may wait for the one before them, which takes a quarter of a second. */
export const LANE_KEYS_MAX = 16;
/** More than this besides the packet of the moment is delay that nobody needs: the oldest is left out. */
const SPARE_FRAMES_MAX = 2;
/** What stays then: whoever was late once may be late again. */
const SPARE_FRAMES = 1;
/** After so long without audio there is nothing left to invent. */
const DRY_MS_MAX = 60;

export function allocateLane(sampleRateHz: number): LaneMemory {
  return {
    sampleRateHz,
    audio: allocatePcmRing(samplesOf(LANE_MS, sampleRateHz)),
    keys: allocatePcmRing(LANE_KEYS_MAX),
  };
}

/** For the next bridge. Nobody may be using it. */
export function wipeLane({ audio, keys }: LaneMemory): void {
  wipePcmRing(audio);
  wipePcmRing(keys);
}

/** The end of the caller who speaks. */
export class LaneWriter {
  readonly #audio: PcmRing;
  readonly #keys: PcmRing;
  readonly #key = new Int16Array(1);

  constructor(memory: LaneMemory) {
    this.#audio = new PcmRing(memory.audio);
    this.#keys = new PcmRing(memory.keys);
  }

  /** What the caller said in 20 ms. While nobody listens (a call on hold takes nothing) only the newest waits. */
  say(frame: Int16Array): void {
    if (this.#audio.free < frame.length) this.#audio.clear();
    this.#audio.write(frame);
  }

  /** A key that the caller pressed; one too many is lost. */
  press(digit: string): void {
    this.#key[0] = dtmfEventOf(digit);
    this.#keys.write(this.#key);
  }
}

/**
 * The end of the one who listens. The two threads tick by one clock and 0..20 ms apart, so a lane adds that much, and a frame
 * or two more where one of them was late: what is missing for a moment is concealed, what is too much is left out.
 */
export class LaneReader {
  readonly counters = { concealed: 0, trimmed: 0 }; // samples of the lane
  readonly #audio: PcmRing;
  readonly #keys: PcmRing;
  readonly #key = new Int16Array(1);
  readonly #concealment: Concealment;
  readonly #converter: RateConverter | undefined;
  readonly #laneShare: number; // samples of the lane for one of the listener
  readonly #frameSamples: number;
  readonly #dryMax: number;
  #packet = new Int16Array(0); // at the rate of the lane, where it is not that of the listener
  #dry: number; // samples missing in a row

  /** @param sampleRateHz - of the port of the one who listens. */
  constructor(memory: LaneMemory, sampleRateHz: number) {
    this.#audio = new PcmRing(memory.audio);
    this.#keys = new PcmRing(memory.keys);
    this.#concealment = new Concealment(memory.sampleRateHz);
    this.#converter = rateConverter(memory.sampleRateHz, sampleRateHz);
    this.#laneShare = memory.sampleRateHz / sampleRateHz;
    this.#frameSamples = samplesOf(FRAME_MS, memory.sampleRateHz);
    this.#dryMax = samplesOf(DRY_MS_MAX, memory.sampleRateHz);
    this.#dry = this.#dryMax;
  }

  /** Fills `into` with what comes next. @returns false when there is nothing to be heard, and has not been for a while. */
  hear(into: Int16Array): boolean {
    const packet = this.#converter ? this.#sized(into.length * this.#laneShare) : into;
    this.#trim(packet);
    this.#take(packet);
    this.#converter?.convert(packet, into);
    return this.#dry < this.#dryMax;
  }

  /** The next key that the other caller pressed. */
  key(): string | undefined {
    return this.#keys.read(this.#key) === 1 ? DTMF_DIGITS[this.#key[0] as number] : undefined;
  }

  /** Leaves out whole frames. The join to what was heard before makes no click. */
  #trim(packet: Int16Array): void {
    const spare = this.#audio.queued - packet.length;
    const frame = this.#frameSamples;
    const silent = this.#dry >= this.#dryMax; // who has heard nothing so far begins with the present
    if (spare <= (silent ? frame - 1 : SPARE_FRAMES_MAX * frame)) return;
    const kept = (silent ? 0 : SPARE_FRAMES * frame) + (spare % frame);
    this.counters.trimmed += this.#audio.skip(spare - kept);
    this.#concealment.conceal(packet, 0, 1); // the sample that the join starts from
  }

  #take(packet: Int16Array): void {
    const taken = this.#audio.read(packet);
    const missing = packet.length - taken;
    if (taken > 0) this.#concealment.good(packet, 0, taken);
    if (missing > 0) this.#concealment.conceal(packet, taken, missing);
    this.#dry = (taken > 0 ? 0 : this.#dry) + missing;
    this.counters.concealed += missing;
  }

  #sized(samples: number): Int16Array {
    if (this.#packet.length !== samples) this.#packet = new Int16Array(samples); // another packet time
    return this.#packet;
  }
}
