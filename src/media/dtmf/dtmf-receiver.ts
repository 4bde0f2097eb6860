import { distance32, uint32 } from '../../core/uint.ts';
import { TICKS_PER_MS } from '../codec/codec.ts';
import { DTMF_DIGITS, type DtmfEventPacket } from './dtmf-event.ts';

export interface DtmfKey {
  readonly digit: string;
  readonly durationMs: number;
}

/** An event of which nothing was heard for this long has ended: all three end packets were lost. */
export const DTMF_LOST_END_MS = 200;
/** Senders that give every packet its own timestamp stay within this of the previous one. */
const SAME_EVENT_TICKS = 100 * TICKS_PER_MS;
/** A long event goes on in a new segment when its 16-bit duration is nearly full (§2.5.1.3). */
const SEGMENT_FULL = 0xf000;

interface OpenEvent {
  readonly event: number;
  startTimestamp: number; // of the current segment
  baseTicks: number; // of earlier segments
  duration: number;
  reported: boolean;
  lastHeardMs: number;
}

/**
 * Turns RFC 4733 packets into key presses, each reported once: at its first end packet, or when the next key starts, or
 * when nothing more is heard. The start may be lost, the marker missing, the end repeated any number of times.
 */
export class DtmfReceiver {
  #open: OpenEvent | undefined;
  ignored = 0; // not a digit (flash, fax tones) or older than the current event

  /** @returns keys that this packet completed: none, one, or the one before it and its own. */
  push(packet: DtmfEventPacket, timestamp: number, marker: boolean, nowMs: number): readonly DtmfKey[] {
    if (packet.event >= DTMF_DIGITS.length) {
      this.ignored += 1;
      return [];
    }
    const open = this.#open;
    if (open && this.#continues(open, packet, timestamp, marker)) {
      open.duration = Math.max(open.duration, packet.duration);
      open.lastHeardMs = nowMs;
      return packet.end ? this.#report(open) : [];
    }
    if (open && distance32(open.startTimestamp, timestamp) <= 0 && nowMs - open.lastHeardMs < 2_000) {
      this.ignored += 1; // a packet of an earlier event, overtaken on the way
      return [];
    }
    const before = open ? this.#report(open) : [];
    const started: OpenEvent = {
      event: packet.event,
      startTimestamp: timestamp,
      baseTicks: 0,
      duration: packet.duration,
      reported: false,
      lastHeardMs: nowMs,
    };
    this.#open = started;
    return packet.end ? [...before, ...this.#report(started)] : before;
  }

  /** Call now and then (every tick will do). @returns the key whose end was lost, once. */
  expire(nowMs: number): DtmfKey | undefined {
    const open = this.#open;
    if (!open || open.reported || nowMs - open.lastHeardMs < DTMF_LOST_END_MS) return undefined;
    return this.#report(open)[0];
  }

  /** Another stream begins, whose timestamps have nothing to do with those so far. @returns the key that it cut off. */
  restart(): DtmfKey | undefined {
    const key = this.#open && this.#report(this.#open)[0];
    this.#open = undefined;
    return key;
  }

  #continues(open: OpenEvent, packet: DtmfEventPacket, timestamp: number, marker: boolean): boolean {
    if (packet.event !== open.event) return false;
    if (timestamp === open.startTimestamp) return true;
    const later = distance32(open.startTimestamp, timestamp);
    if (later <= 0 || marker) return false;
    if (!open.reported && open.duration >= SEGMENT_FULL && later <= 0x1_0000) {
      open.baseTicks += later;
      open.startTimestamp = uint32(timestamp);
      open.duration = 0;
      return true;
    }
    // A sender that moves the timestamp with every packet: the duration tells that it is still the same press.
    const grows = packet.duration > open.duration || (open.reported && packet.end && packet.duration === open.duration);
    if (later > SAME_EVENT_TICKS || !grows || (open.reported && !packet.end)) return false;
    open.startTimestamp = uint32(timestamp);
    return true;
  }

  #report(open: OpenEvent): readonly DtmfKey[] {
    if (open.reported) return [];
    open.reported = true;
    return [
      {
        digit: DTMF_DIGITS[open.event] as string,
        durationMs: Math.round((open.baseTicks + open.duration) / TICKS_PER_MS),
      },
    ];
  }
}
