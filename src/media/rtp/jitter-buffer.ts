import { FRAME_MS } from '../../audio/pcm.ts';
import { distance32, uint32 } from '../../core/uint.ts';
import type { Decoder } from '../codec/codec.ts';
import { checkJitterLimits, JitterEstimate, type JitterLimits } from './jitter-estimate.ts';
import { PACKET_MS_MAX, PacketPlayer, type StreamRate } from './packet-player.ts';

export type JitterState = 'buffering' | 'playing';
export type JitterEvent = 'filled' | 'drained' | 'restart';

/** What is absent does nothing: a restart while buffering is buffering still. */
export const JITTER_TRANSITIONS: Readonly<Record<JitterState, Partial<Record<JitterEvent, JitterState>>>> = {
  buffering: { filled: 'playing' },
  playing: { drained: 'buffering', restart: 'buffering' },
};

/** What a frame is made of: audio (perhaps with a concealed part), nothing but concealment, or nothing at all. */
export type PopResult = 'audio' | 'concealed' | 'silence';

/** How far packets may be apart. */
const WINDOW_MS = 1024;
/** Nothing came for this long: the next packet starts afresh. */
const DRAIN_MS = 200;
/** More delay than needed by this much is worth shortening. */
const EXCESS_MS = 30;
const SHORTEN_EVERY_FRAMES = 10;
const SHORTEN_FAST_FRAMES = 3;
const FAST_EXCESS_MS = 80;
/** A burst after an outage is played, faster than real time, up to this much; the oldest beyond it is dropped. */
const QUEUE_LIMIT_MS = 600;

/** Packets, except for what is concealed and shortened: frames of 20 ms. `trimmed`: ticks. */
export interface JitterCounters {
  late: number;
  duplicate: number;
  stray: number;
  restarts: number;
  concealed: number;
  trimmed: number;
  shortened: number;
}

/**
 * Turns packets that arrive when they like into one frame of 20 ms each time it is asked. Packets wait as they came, in the
 * order of their timestamps, so any ptime, reordering, duplicates and pauses (DTX) are the same case, and a codec with a
 * memory decodes them in the order they were sent.
 *
 * Delay adapts: playout that ran dry waits for the late packet (delay grows), and while there is more delay than the last
 * seconds needed, two frames are cross-faded into one now and then (delay shrinks). All times are ticks of the RTP clock.
 */
export class JitterBuffer {
  readonly #player: PacketPlayer;
  readonly #estimate: JitterEstimate;
  readonly #ticksPerMs: number;
  readonly #frameTicks: number;
  readonly #spare: Int16Array;
  #state: JitterState = 'buffering';
  #queuedAny = false; // whether the player's times mean anything
  #anchoredAt = 0; // local time at which buffering began
  #dryTicks = 0; // invented since the queue ran dry
  #paused = false; // the sender announced silence (comfort noise)
  #strayNext: number | undefined;
  #sinceShortened = 0;
  #packetTicks: number; // of the packets that came last
  #waitedTicks = 0;
  #invented = false;

  /** @param counters - go on where another buffer of the same call left them. */
  constructor(
    limits: JitterLimits,
    readonly rate: StreamRate,
    readonly counters: JitterCounters = noCounts(),
  ) {
    checkJitterLimits(limits);
    this.#ticksPerMs = rate.clockRateHz / 1000;
    this.#frameTicks = FRAME_MS * this.#ticksPerMs;
    this.#packetTicks = this.#frameTicks;
    this.#spare = new Int16Array(this.frameSamples);
    this.#player = new PacketPlayer(rate);
    this.#estimate = new JitterEstimate(limits, this.#ticksPerMs);
  }

  /** Samples of the frame that `pop` fills. */
  get frameSamples(): number {
    return (FRAME_MS * this.rate.sampleRateHz) / 1000;
  }
  get state(): JitterState {
    return this.#state;
  }
  /** Delay aimed at, in ms. */
  get targetMs(): number {
    return this.#estimate.targetTicks / this.#ticksPerMs;
  }
  /** How long the end of the frame that `pop` gave last had been here; of a silent frame, that of the last audio. */
  get waitedMs(): number {
    return this.#waitedTicks / this.#ticksPerMs;
  }
  /** Some of the frame that `pop` gave last was invented for lost packets. */
  get invented(): boolean {
    return this.#invented;
  }
  get queuedMs(): number {
    return this.#queuedTicks / this.#ticksPerMs;
  }
  get #queuedTicks(): number {
    return this.#queuedAny ? this.#player.queuedTicks : 0;
  }

  /**
   * @param decoder - of the packet's codec, which has the rates of this buffer.
   * @param contiguous - the packet follows the previous one by sequence: a jump of its timestamp is silence, not loss.
   * @param now - local time in ticks (uint32).
   */
  push(timestamp: number, payload: Uint8Array, decoder: Decoder, contiguous: boolean, now: number): void {
    const ticks = decoder.codec.ticksOf(payload.length);
    const player = this.#player;
    if (ticks === 0 || ticks > PACKET_MS_MAX * this.#ticksPerMs || player.queue.full) {
      this.counters.stray += 1;
      return;
    }
    if (!this.#admit(timestamp, ticks, now)) return;
    this.#estimate.add(uint32(now - timestamp));
    this.#packetTicks = ticks;
    this.#paused = false;
    this.#dryTicks = 0;
    const gap = distance32(player.end, timestamp);
    player.queue.push(timestamp, payload, ticks, contiguous ? Math.max(0, gap) : 0, decoder);
    if (gap + ticks > 0) player.end = uint32(timestamp + ticks);
    this.#trim();
  }

  /** The sender says that it is silent from here on: what is missing now is not lost. */
  pause(): void {
    this.#paused = true;
  }

  /** Fills `into` (`frameSamples`) with the next 20 ms. @param now - local time in ticks (uint32). */
  pop(into: Int16Array, now: number): PopResult {
    this.#invented = false;
    if (this.#state === 'buffering') {
      if (!this.#ready(now)) {
        into.fill(0);
        return 'silence';
      }
      this.#become('filled');
    }
    if (this.#queuedTicks === 0) return this.#popDry(into);
    this.#sinceShortened += 1;
    const result = this.#popFrame(into);
    if (this.#shouldShorten(now)) this.#shorten(into);
    // A packet comes when its last sample was spoken: of several frames in it the first ones had been over by then.
    const early = this.#packetTicks - this.#frameTicks;
    this.#waitedTicks = Math.max(0, this.#delay(now) + early);
    return result;
  }

  /** Forgets the stream: another sender, or the same one begun anew. */
  reset(): void {
    this.counters.restarts += 1;
    this.#become('restart');
    this.#forget();
    this.#player.reset();
    this.#estimate.reset();
  }

  /** Whether the packet may be stored; moves the playout point where that is the answer. */
  #admit(timestamp: number, ticks: number, now: number): boolean {
    const player = this.#player;
    const { heardEnd } = player;
    const window = WINDOW_MS * this.#ticksPerMs;
    if (!this.#queuedAny) {
      if (heardEnd !== undefined) {
        const sinceHeard = distance32(heardEnd, timestamp);
        if (sinceHeard < 0 && sinceHeard > -window) return this.#drop('late');
      }
      this.#queuedAny = true;
      player.begin(timestamp);
      this.#anchoredAt = now;
      return true;
    }
    const ahead = distance32(player.play, timestamp);
    if (ahead + ticks > window || ahead <= -window) return this.#outsideWindow(timestamp, ticks, now);
    this.#strayNext = undefined;
    if (ahead < 0) {
      const unheard = heardEnd === undefined || distance32(heardEnd, timestamp) >= 0;
      if (!unheard || (this.#state === 'playing' && this.#queuedTicks > 0)) return this.#drop('late');
      if (distance32(timestamp, player.end) + this.#frameTicks > window) return this.#drop('late');
      // Ran dry, or still buffering: playing it now costs delay and saves the words.
      if (this.#queuedTicks === 0) player.begin(timestamp);
      else player.play = timestamp;
      return true;
    }
    return player.queue.has(timestamp) ? this.#drop('duplicate') : true;
  }

  #drop(reason: 'late' | 'duplicate' | 'stray'): false {
    this.counters[reason] += 1;
    return false;
  }

  /** One packet far away is a stray; a second that follows it is a sender with a new clock (RFC 3550 A.1). */
  #outsideWindow(timestamp: number, ticks: number, now: number): boolean {
    const window = WINDOW_MS * this.#ticksPerMs;
    const follows = this.#strayNext !== undefined && Math.abs(distance32(this.#strayNext, timestamp)) < window;
    this.#strayNext = uint32(timestamp + ticks);
    if (!follows) return this.#drop('stray');
    this.reset();
    return this.#admit(timestamp, ticks, now);
  }

  #ready(now: number): boolean {
    if (!this.#queuedAny) return false;
    const target = this.#estimate.targetTicks;
    return this.#queuedTicks >= target || distance32(this.#anchoredAt, now) >= target;
  }

  #popDry(into: Int16Array): PopResult {
    this.#dryTicks += this.#frameTicks;
    if (this.#paused || this.#dryTicks > DRAIN_MS * this.#ticksPerMs) {
      this.#become('drained');
      this.#forget();
      into.fill(0);
      return 'silence';
    }
    this.#player.invent(into);
    this.#invented = true;
    this.counters.concealed += 1;
    return 'concealed';
  }

  #popFrame(into: Int16Array): PopResult {
    const invented = this.#player.fill(into);
    if (invented > 0) {
      this.counters.concealed += 1;
      this.#invented = true;
    }
    return invented === into.length ? 'concealed' : 'audio';
  }

  #shouldShorten(now: number): boolean {
    if (this.#queuedTicks < this.#frameTicks) return false;
    const excess = this.#delay(now) - this.#estimate.targetTicks;
    if (excess < EXCESS_MS * this.#ticksPerMs) return false;
    const fast = excess > FAST_EXCESS_MS * this.#ticksPerMs;
    return this.#sinceShortened >= (fast ? SHORTEN_FAST_FRAMES : SHORTEN_EVERY_FRAMES);
  }

  /** Of the frame just taken, over the fastest packet. */
  #delay(now: number): number {
    return this.#estimate.delayOf(uint32(now - this.#player.play + this.#frameTicks));
  }

  /** Cross-fades `into` with the frame after it: 20 ms less delay, no click. */
  #shorten(into: Int16Array): void {
    this.#popFrame(this.#spare);
    const count = into.length;
    for (let i = 0; i < count; i += 1) {
      const weight = (i + 1) / (count + 1);
      into[i] = Math.round((1 - weight) * (into[i] as number) + weight * (this.#spare[i] as number));
    }
    this.counters.shortened += 1;
    this.#sinceShortened = 0;
  }

  #trim(): void {
    const excess = this.#queuedTicks - QUEUE_LIMIT_MS * this.#ticksPerMs;
    if (excess <= 0) return;
    this.#player.skip(excess);
    this.counters.trimmed += excess;
  }

  #forget(): void {
    this.#queuedAny = false;
    this.#player.clear();
    this.#dryTicks = 0;
    this.#paused = false;
    this.#strayNext = undefined;
  }

  #become(event: JitterEvent): void {
    this.#state = JITTER_TRANSITIONS[this.#state][event] ?? this.#state;
  }
}

function noCounts(): JitterCounters {
  return { late: 0, duplicate: 0, stray: 0, restarts: 0, concealed: 0, trimmed: 0, shortened: 0 };
}
