import { JITTER_MS } from '../../core/media-limits.ts';
import { distance32, uint32 } from '../../core/uint.ts';
import { Concealment } from '../codec/concealment.ts';
import { JitterEstimate } from './jitter-estimate.ts';

export type JitterState = 'buffering' | 'playing';
export type JitterEvent = 'filled' | 'drained' | 'restart';

/** What is absent does nothing: a restart while buffering is buffering still. */
export const JITTER_TRANSITIONS: Readonly<Record<JitterState, Partial<Record<JitterEvent, JitterState>>>> = {
  buffering: { filled: 'playing' },
  playing: { drained: 'buffering', restart: 'buffering' },
};

/** What a frame is made of: audio (perhaps with a concealed part), nothing but concealment, or nothing at all. */
export type PopResult = 'audio' | 'concealed' | 'silence';

export interface JitterLimits {
  readonly minMs: number;
  readonly maxMs: number;
}

/** @throws RangeError outside of `JITTER_MS`, or with the least above the most. */
export function checkJitterLimits({ minMs, maxMs }: JitterLimits): void {
  if (minMs >= JITTER_MS.min && minMs <= maxMs && maxMs <= JITTER_MS.max) return;
  throw new RangeError(`jitter limits ${minMs}..${maxMs} ms lie outside of ${JITTER_MS.min}..${JITTER_MS.max} ms`);
}

/** One second of 8 kHz audio bounds memory and how far packets may be apart. Divides 2^32, so slots survive the wrap. */
const CAPACITY = 8192;
const MASK = CAPACITY - 1;
const FRAME = 160;
const BLOCK = 80; // loss is concealed in pieces of 10 ms, the shortest ptime
/** Nothing came for this long: the next packet starts afresh. */
const DRAIN_SAMPLES = 1600;
/** More delay than needed by this much is worth shortening. */
const EXCESS_SAMPLES = 240;
const SHORTEN_EVERY_FRAMES = 10;
const SHORTEN_FAST_FRAMES = 3;
const FAST_EXCESS_SAMPLES = 640;
/** A burst after an outage is played, faster than real time, up to this much; the oldest beyond it is dropped. */
const QUEUE_LIMIT_SAMPLES = 4800;

/**
 * Turns packets that arrive when they like into one frame of 20 ms each time it is asked. Samples lie in a ring indexed by
 * RTP timestamp, so any ptime, reordering, duplicates and pauses (DTX) are the same case.
 *
 * Delay adapts: playout that ran dry waits for the late packet (delay grows), and while there is more delay than the last
 * seconds needed, two frames are cross-faded into one now and then (delay shrinks).
 */
export class JitterBuffer {
  readonly counters = { late: 0, duplicate: 0, stray: 0, restarts: 0, concealed: 0, trimmed: 0, shortened: 0 };
  readonly #estimate: JitterEstimate;
  readonly #concealment = new Concealment();
  readonly #ring = new Int16Array(CAPACITY);
  readonly #present = new Uint8Array(CAPACITY);
  readonly #spare = new Int16Array(FRAME);
  #state: JitterState = 'buffering';
  #queuedAny = false; // whether #play and #end mean anything
  #play = 0; // timestamp of the next sample to play
  #end = 0; // timestamp after the newest sample queued
  #heardEnd: number | undefined; // timestamp after the last real sample played: older packets are late
  #anchoredAt = 0; // local time at which buffering began
  #dry = 0; // samples invented since the queue ran dry
  #paused = false; // the sender announced silence (comfort noise)
  #strayNext: number | undefined;
  #sinceShortened = 0;

  constructor(limits: JitterLimits) {
    checkJitterLimits(limits);
    this.#estimate = new JitterEstimate(limits.minMs * 8, limits.maxMs * 8);
  }

  get state(): JitterState {
    return this.#state;
  }
  /** Delay aimed at, in ms. */
  get targetMs(): number {
    return this.#estimate.targetSamples / 8;
  }
  get queuedSamples(): number {
    return this.#queuedAny ? Math.max(0, distance32(this.#play, this.#end)) : 0;
  }

  /**
   * @param decode - table from payload byte to sample.
   * @param contiguous - the packet follows the previous one by sequence: a jump of its timestamp is silence, not loss.
   * @param now - local time in samples (uint32).
   */
  push(timestamp: number, payload: Uint8Array, decode: Int16Array, contiguous: boolean, now: number): void {
    const count = payload.length;
    if (count === 0 || count > CAPACITY / 4) {
      this.counters.stray += 1;
      return;
    }
    if (!this.#admit(timestamp, count, now)) return;
    this.#estimate.add(uint32(now - timestamp));
    this.#paused = false;
    this.#dry = 0;
    const gap = distance32(this.#end, timestamp);
    if (contiguous && gap > 0) this.#fillSilence(this.#end, gap);
    for (let i = 0; i < count; i += 1) {
      const slot = (timestamp + i) & MASK;
      this.#ring[slot] = decode[payload[i] as number] as number;
      this.#present[slot] = 1;
    }
    if (gap + count > 0) this.#end = uint32(timestamp + count);
    this.#trim();
  }

  /** The sender says that it is silent from here on: what is missing now is not lost. */
  pause(): void {
    this.#paused = true;
  }

  /** Fills `into` (160 samples) with the next 20 ms. @param now - local time in samples (uint32). */
  pop(into: Int16Array, now: number): PopResult {
    if (this.#state === 'buffering') {
      if (!this.#ready(now)) {
        into.fill(0);
        return 'silence';
      }
      this.#become('filled');
    }
    if (this.queuedSamples === 0) return this.#popDry(into);
    this.#sinceShortened += 1;
    const result = this.#popFrame(into);
    if (this.#shouldShorten(now)) this.#shorten(into);
    return result;
  }

  /** Forgets the stream: another sender, or the same one begun anew. */
  reset(): void {
    this.counters.restarts += 1;
    this.#become('restart');
    this.#forget();
    this.#heardEnd = undefined;
    this.#estimate.reset();
    this.#concealment.reset();
  }

  /** Whether the packet may be stored; moves the playout point where that is the answer. */
  #admit(timestamp: number, count: number, now: number): boolean {
    if (!this.#queuedAny) {
      if (this.#heardEnd !== undefined) {
        const sinceHeard = distance32(this.#heardEnd, timestamp);
        if (sinceHeard < 0 && sinceHeard > -CAPACITY) return this.#drop('late');
      }
      this.#queuedAny = true;
      this.#play = timestamp;
      this.#end = timestamp;
      this.#anchoredAt = now;
      return true;
    }
    const ahead = distance32(this.#play, timestamp);
    if (ahead + count > CAPACITY || ahead <= -CAPACITY) return this.#outsideWindow(timestamp, count, now);
    this.#strayNext = undefined;
    if (ahead < 0) {
      const unheard = this.#heardEnd === undefined || distance32(this.#heardEnd, timestamp) >= 0;
      if (!unheard || (this.#state === 'playing' && this.queuedSamples > 0)) return this.#drop('late');
      if (distance32(timestamp, this.#end) + FRAME > CAPACITY) return this.#drop('late');
      // Ran dry, or still buffering: playing it now costs delay and saves the words.
      const dry = this.queuedSamples === 0;
      this.#play = timestamp;
      if (dry) this.#end = timestamp;
      return true;
    }
    const last = (timestamp + count - 1) & MASK;
    if (this.#present[timestamp & MASK] && this.#present[last]) return this.#drop('duplicate');
    return true;
  }

  #drop(reason: 'late' | 'duplicate' | 'stray'): false {
    this.counters[reason] += 1;
    return false;
  }

  /** One packet far away is a stray; a second that follows it is a sender with a new clock (RFC 3550 A.1). */
  #outsideWindow(timestamp: number, count: number, now: number): boolean {
    const follows = this.#strayNext !== undefined && Math.abs(distance32(this.#strayNext, timestamp)) < CAPACITY;
    this.#strayNext = uint32(timestamp + count);
    if (!follows) return this.#drop('stray');
    this.reset();
    return this.#admit(timestamp, count, now);
  }

  #ready(now: number): boolean {
    if (!this.#queuedAny) return false;
    const target = this.#estimate.targetSamples;
    return this.queuedSamples >= target || distance32(this.#anchoredAt, now) >= target;
  }

  #popDry(into: Int16Array): PopResult {
    this.#dry += FRAME;
    if (this.#paused || this.#dry > DRAIN_SAMPLES) {
      this.#become('drained');
      this.#forget();
      into.fill(0);
      return 'silence';
    }
    this.#concealment.conceal(into, 0, FRAME);
    this.counters.concealed += 1;
    this.#play = uint32(this.#play + FRAME);
    this.#end = this.#play;
    return 'concealed';
  }

  #popFrame(into: Int16Array): PopResult {
    let missing = 0;
    for (let from = 0; from < FRAME; from += BLOCK) {
      if (this.#takeBlock(into, from)) {
        this.#concealment.good(into, from, BLOCK);
      } else {
        this.#concealment.conceal(into, from, BLOCK);
        missing += BLOCK;
      }
    }
    if (missing > 0) this.counters.concealed += 1;
    return missing === FRAME ? 'concealed' : 'audio';
  }

  /** Moves 10 ms from the ring into `into`. @returns false when any of it never came. */
  #takeBlock(into: Int16Array, from: number): boolean {
    let whole = true;
    for (let i = 0; i < BLOCK; i += 1) {
      const slot = (this.#play + i) & MASK;
      into[from + i] = this.#ring[slot] as number;
      if (this.#present[slot] === 0) whole = false;
      this.#present[slot] = 0;
    }
    this.#play = uint32(this.#play + BLOCK);
    if (whole) this.#heardEnd = this.#play;
    return whole;
  }

  #shouldShorten(now: number): boolean {
    if (this.queuedSamples < FRAME) return false;
    const delay = this.#estimate.delayOf(uint32(now - this.#play + FRAME)); // of the frame just taken
    const excess = delay - this.#estimate.targetSamples;
    if (excess < EXCESS_SAMPLES) return false;
    return this.#sinceShortened >= (excess > FAST_EXCESS_SAMPLES ? SHORTEN_FAST_FRAMES : SHORTEN_EVERY_FRAMES);
  }

  /** Cross-fades `into` with the frame after it: 20 ms less delay, no click. */
  #shorten(into: Int16Array): void {
    this.#popFrame(this.#spare);
    for (let i = 0; i < FRAME; i += 1) {
      const weight = (i + 1) / (FRAME + 1);
      into[i] = Math.round((1 - weight) * (into[i] as number) + weight * (this.#spare[i] as number));
    }
    this.counters.shortened += 1;
    this.#sinceShortened = 0;
  }

  #trim(): void {
    const excess = this.queuedSamples - QUEUE_LIMIT_SAMPLES;
    if (excess <= 0) return;
    for (let i = 0; i < excess; i += 1) this.#present[(this.#play + i) & MASK] = 0;
    this.#play = uint32(this.#play + excess);
    this.counters.trimmed += excess;
  }

  #fillSilence(from: number, count: number): void {
    for (let i = 0; i < count; i += 1) {
      this.#ring[(from + i) & MASK] = 0;
      this.#present[(from + i) & MASK] = 1;
    }
  }

  #forget(): void {
    this.#queuedAny = false;
    this.#present.fill(0);
    this.#dry = 0;
    this.#paused = false;
    this.#strayNext = undefined;
  }

  #become(event: JitterEvent): void {
    this.#state = JITTER_TRANSITIONS[this.#state][event] ?? this.#state;
  }
}
