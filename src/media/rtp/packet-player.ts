import { distance32, uint32 } from '../../core/uint.ts';
import type { Codec } from '../codec/codec.ts';
import { Concealment } from '../codec/concealment.ts';
import { PacketQueue, type QueuedPacket } from './packet-queue.ts';

/** Longest packet that is believed: 256 ms. */
export const PACKET_MS_MAX = 256;
/** More than a second of packets of 10 ms. */
const PACKETS_MAX = 128;

/** The two rates that a jitter buffer counts in. */
export type StreamRate = Pick<Codec, 'sampleRateHz' | 'clockRateHz'>;

/**
 * Plays queued packets one after the other, whatever their lengths: decodes each when its time has come, and invents what
 * never came. Time is the sender's, in ticks of the RTP clock; audio is in samples of the codec.
 */
export class PacketPlayer {
  readonly queue = new PacketQueue(PACKETS_MAX);
  /** Timestamp of the next tick to play. */
  play = 0;
  /** Timestamp after the newest tick queued. */
  end = 0;
  /** Timestamp after the last real tick played: older packets are late. */
  heardEnd: number | undefined;
  readonly #concealment: Concealment;
  readonly #samplesPerTick: number;
  #decoded: Int16Array; // of a packet that reaches beyond its frame: from..to wait for the next one
  #from = 0;
  #to = 0;

  constructor({ sampleRateHz, clockRateHz }: StreamRate) {
    this.#samplesPerTick = sampleRateHz / clockRateHz;
    this.#concealment = new Concealment(sampleRateHz);
    this.#decoded = new Int16Array(0);
  }

  get queuedTicks(): number {
    return Math.max(0, distance32(this.play, this.end));
  }

  /** Begins to play at `timestamp`; nothing is queued. */
  begin(timestamp: number): void {
    this.play = timestamp;
    this.end = timestamp;
  }

  /** Fills `into` with what comes next. @returns samples that had to be invented. */
  fill(into: Int16Array): number {
    let invented = 0;
    for (let at = 0; at < into.length; ) {
      const taken = this.#take(into, at);
      if (taken > 0) {
        this.#concealment.good(into, at, taken);
        this.#advance(taken);
        this.heardEnd = this.play;
        at += taken;
      } else {
        const missing = this.#missing(into.length - at);
        this.#concealment.conceal(into, at, missing);
        this.#advance(missing);
        invented += missing;
        at += missing;
      }
    }
    return invented;
  }

  /** Invents all of `into`: nothing is queued, and the sender is not known to have stopped. */
  invent(into: Int16Array): void {
    this.#concealment.conceal(into, 0, into.length);
    this.#advance(into.length);
    this.end = this.play;
  }

  /** Leaves out what is next. */
  skip(ticks: number): void {
    this.play = uint32(this.play + ticks);
    this.#from = Math.min(this.#to, this.#from + ticks * this.#samplesPerTick);
    this.queue.dropBefore(this.play);
  }

  /** Forgets what is queued. */
  clear(): void {
    this.queue.clear();
    this.#from = 0;
    this.#to = 0;
  }

  /** Forgets the stream, too. */
  reset(): void {
    this.clear();
    this.heardEnd = undefined;
    this.#concealment.reset();
  }

  #advance(samples: number): void {
    this.play = uint32(this.play + samples / this.#samplesPerTick);
  }

  /** Real samples for `into` from `at` on: the rest of a packet, silence that was meant, or the next packet. */
  #take(into: Int16Array, at: number): number {
    if (this.#from < this.#to) return this.#takeDecoded(into, at);
    for (let head = this.queue.head; head; head = this.queue.head) {
      const ahead = distance32(this.play, head.timestamp);
      if (ahead > 0) return this.#takeSilence(into, at, ahead, head);
      this.queue.shift();
      if (ahead + head.ticks <= 0) continue; // played already, as part of another packet
      if (ahead === 0 && head.ticks * this.#samplesPerTick <= into.length - at) {
        return head.decoder.decode(head.bytes, head.length, into, at);
      }
      this.#decode(head);
      this.#from = -ahead * this.#samplesPerTick;
      return this.#takeDecoded(into, at);
    }
    return 0;
  }

  #takeDecoded(into: Int16Array, at: number): number {
    const count = Math.min(into.length - at, this.#to - this.#from);
    for (let i = 0; i < count; i += 1) into[at + i] = this.#decoded[this.#from + i] as number;
    this.#from += count;
    return count;
  }

  #takeSilence(into: Int16Array, at: number, ahead: number, head: QueuedPacket): number {
    if (ahead > head.silentTicks) return 0;
    const count = Math.min(into.length - at, ahead * this.#samplesPerTick);
    into.fill(0, at, at + count);
    return count;
  }

  #decode({ decoder, bytes, length, ticks }: QueuedPacket): void {
    const samples = ticks * this.#samplesPerTick;
    if (this.#decoded.length < samples) this.#decoded = new Int16Array(samples);
    this.#to = decoder.decode(bytes, length, this.#decoded, 0);
  }

  /** How much of `room` samples lies before anything real. */
  #missing(room: number): number {
    const { head } = this.queue;
    if (!head) return room;
    const lost = distance32(this.play, head.timestamp) - head.silentTicks;
    return Math.min(room, lost * this.#samplesPerTick);
  }
}
