import { distance16, distance32, uint16, uint32 } from '../../core/uint.ts';
import { RTP_CLOCK_HZ } from '../codec/codec.ts';
import { writeRtpHeader } from './rtp-packet.ts';

/** RFC 3550 A.1: a jump forward beyond this is a restart, not a gap. */
const MAX_DROPOUT = 3_000;
/** And a packet this far behind is old, not a restart. */
const MAX_MISORDER = 100;
/** Sequences remembered to tell a duplicate from a reordered packet. */
const SEEN_WINDOW = 128;

/** What a sequence number means for the stream. `restart`: the sender began anew, forget what was buffered. */
export type Arrival = 'next' | 'gap' | 'reordered' | 'duplicate' | 'restart' | 'stray';

export interface ReceptionReport {
  readonly extendedHighest: number; // uint32: cycles and sequence
  readonly cumulativeLost: number; // signed 24-bit on the wire; here clamped at 0
  readonly fractionLost: number; // 0..255 since the previous report
  readonly jitter: number; // timestamp units
}

/** Sequence bookkeeping and statistics of one received stream, RFC 3550 A.1 (validity), A.3 (loss), A.8 (jitter). */
export class RtpReceiveStream {
  /** Of the codec that is received. */
  clockRateHz = RTP_CLOCK_HZ;
  #ssrc: number | undefined;
  #base = 0;
  #highest = 0; // extended: cycles * 65536 + sequence
  #bad: number | undefined; // the sequence that would confirm a restart
  #received = 0;
  #lostBefore = 0; // of streams that ended in a restart
  #receivedBefore = 0;
  #expectedPrior = 0;
  #receivedPrior = 0;
  #transit: number | undefined;
  #jitter = 0;
  #duplicates = 0;
  // A bit for each of the newest sequences that came, the newest in the lowest. Fields, for a table lies elsewhere in memory: with
  // hundreds of calls each place that is looked at for a packet is waited for.
  #seen0 = 0;
  #seen1 = 0;
  #seen2 = 0;
  #seen3 = 0;

  get ssrc(): number | undefined {
    return this.#ssrc;
  }
  get received(): number {
    return this.#receivedBefore + this.#received;
  }
  get duplicates(): number {
    return this.#duplicates;
  }
  /** By sequence numbers; late and out-of-order packets are not lost. Never negative. */
  get lost(): number {
    return this.#lostBefore + this.#lostNow();
  }
  get expected(): number {
    return this.received + this.lost;
  }
  get jitterMs(): number {
    return (this.#jitter * 1000) / this.clockRateHz;
  }

  /** Counts one packet of the latched source. */
  update(sequence: number, ssrc: number): Arrival {
    if (this.#ssrc === undefined) return this.#start(sequence, ssrc, 'next');
    if (ssrc !== this.#ssrc) return this.#start(sequence, ssrc, 'restart');
    const delta = distance16(uint16(this.#highest), sequence);
    if (delta > 0 && delta < MAX_DROPOUT) {
      this.#highest += delta;
      this.#bad = undefined;
      this.#move(delta);
      this.#count(0);
      return delta === 1 ? 'next' : 'gap';
    }
    if (delta <= 0 && delta > -MAX_MISORDER) {
      const extended = this.#highest + delta;
      if (this.#wasSeen(-delta)) {
        this.#duplicates += 1;
        return 'duplicate';
      }
      this.#base = Math.min(this.#base, extended); // reordered at the very start
      this.#count(-delta);
      return 'reordered';
    }
    if (sequence === this.#bad) return this.#start(sequence, ssrc, 'restart');
    this.#bad = uint16(sequence + 1);
    return 'stray';
  }

  /**
   * Interarrival jitter (A.8). Call for audio packets only: the packets of one DTMF event share a timestamp.
   *
   * @param arrivalMs - monotonic, fractional.
   */
  measureJitter(timestamp: number, arrivalMs: number): void {
    const transit = uint32(Math.round((arrivalMs * this.clockRateHz) / 1000) - timestamp);
    if (this.#transit !== undefined) {
      const change = Math.abs(distance32(this.#transit, transit));
      // A new talk spurt with a new timestamp base is not jitter.
      if (change < this.clockRateHz) this.#jitter += (change - this.#jitter) / 16;
    }
    this.#transit = transit;
  }

  /** The figures of the next RTCP report block; starts a new interval. */
  report(): ReceptionReport {
    const expected = this.#highest - this.#base + 1;
    const expectedInterval = expected - this.#expectedPrior;
    const lostInterval = expectedInterval - (this.#received - this.#receivedPrior);
    this.#expectedPrior = expected;
    this.#receivedPrior = this.#received;
    const fraction =
      expectedInterval <= 0 || lostInterval <= 0 ? 0 : Math.floor((lostInterval * 256) / expectedInterval);
    return {
      extendedHighest: uint32(this.#highest),
      cumulativeLost: Math.min(this.#lostNow(), 0x7f_ffff),
      fractionLost: Math.min(255, fraction),
      jitter: uint32(Math.round(this.#jitter)),
    };
  }

  #lostNow(): number {
    return this.#ssrc === undefined ? 0 : Math.max(0, this.#highest - this.#base + 1 - this.#received);
  }

  /** @param age - how many sequences there are after it. */
  #count(age: number): void {
    this.#received += 1;
    const bit = 1 << (age & 31);
    if (age < 32) this.#seen0 |= bit;
    else if (age < 64) this.#seen1 |= bit;
    else if (age < 96) this.#seen2 |= bit;
    else this.#seen3 |= bit;
  }

  #wasSeen(age: number): boolean {
    const word = age < 32 ? this.#seen0 : age < 64 ? this.#seen1 : age < 96 ? this.#seen2 : this.#seen3;
    return ((word >>> (age & 31)) & 1) === 1;
  }

  #move(sequences: number): void {
    for (let left = Math.min(sequences, SEEN_WINDOW); left > 0; left -= 31) {
      const by = Math.min(left, 31);
      this.#seen3 = (this.#seen3 << by) | (this.#seen2 >>> (32 - by));
      this.#seen2 = (this.#seen2 << by) | (this.#seen1 >>> (32 - by));
      this.#seen1 = (this.#seen1 << by) | (this.#seen0 >>> (32 - by));
      this.#seen0 <<= by;
    }
  }

  #start(sequence: number, ssrc: number, arrival: 'next' | 'restart'): Arrival {
    this.#lostBefore += this.#lostNow();
    this.#receivedBefore += this.#received;
    this.#ssrc = ssrc;
    // One cycle up, so that packets reordered before the first one stay positive.
    this.#base = 65_536 + sequence;
    this.#highest = this.#base;
    this.#bad = undefined;
    this.#received = 0;
    this.#expectedPrior = 0;
    this.#receivedPrior = 0;
    this.#transit = undefined;
    this.#seen0 = 0;
    this.#seen1 = 0;
    this.#seen2 = 0;
    this.#seen3 = 0;
    this.#count(0);
    return arrival;
  }
}

/** Sequence, timestamp and counters of the stream we send. The three start values are random (RFC 3550 §5.1). */
export class RtpSendStream {
  /** Of the codec that is sent. */
  clockRateHz = RTP_CLOCK_HZ;
  packets = 0;
  octets = 0; // payload only, as RTCP wants it
  constructor(
    private ssrcNow: number,
    private sequence: number,
    private timestampNow: number,
  ) {}

  get ssrc(): number {
    return this.ssrcNow;
  }

  /** Another stream begins; media time goes on. */
  renew(ssrc: number, sequence: number): void {
    this.ssrcNow = ssrc;
    this.sequence = sequence;
  }

  /** Timestamp of the next packet. */
  get timestamp(): number {
    return this.timestampNow;
  }

  /** Moves the media time on, whether or not a packet leaves: gaps in sending are silence, never a stopped clock. */
  advance(ticks: number): void {
    this.timestampNow = uint32(this.timestampNow + ticks);
  }

  /** Writes the header of the next packet into `into`; `timestamp` differs from ours for DTMF events only. */
  writeHeader(into: Uint8Array, payloadType: number, marker: boolean, payloadBytes: number, timestamp: number): void {
    writeRtpHeader(into, payloadType, marker, this.sequence, timestamp, this.ssrc);
    this.sequence = uint16(this.sequence + 1);
    this.packets += 1;
    this.octets += payloadBytes;
  }
}
