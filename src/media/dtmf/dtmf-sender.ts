import { TICKS_PER_MS } from '../codec/codec.ts';
import { type DtmfEventPacket, dtmfEventOf } from './dtmf-event.ts';

const KEY_MS = 160;
/** Length of a tone, and of the pause between two keys. */
export const KEY_TICKS = KEY_MS * TICKS_PER_MS;
export const KEY_GAP_TICKS = 100 * TICKS_PER_MS;
/** The end packet goes out three times, so that two may be lost (RFC 4733 §2.5.1.4). */
const END_PACKETS = 3;
const VOLUME = 10; // -10 dBm0
export const MAX_QUEUED_KEYS = 64;

/** What to send in one packet slot. `offset`: ticks between the event's start and this slot, for the timestamp. */
export interface DtmfSlot {
  readonly packet: DtmfEventPacket;
  readonly marker: boolean;
  readonly offset: number;
}

/** Paces queued keys into packet slots. Pure: one call of `next` a slot. */
export class DtmfSender {
  readonly #keys: number[] = [];
  #elapsed = 0; // ticks since the current key began
  #ends = 0;
  #endDuration = 0;
  #gapLeft = 0;
  #busy = false;

  /** True while slots belong to keys (tone or gap): audio waits. */
  get busy(): boolean {
    return this.#busy;
  }
  get idle(): boolean {
    return !this.#busy;
  }

  /** Characters that are no keys are skipped. @returns keys taken; fewer when `MAX_QUEUED_KEYS` are waiting. */
  enqueue(digits: string): number {
    let taken = 0;
    for (const key of digits) {
      const event = dtmfEventOf(key);
      if (event < 0 || this.#keys.length >= MAX_QUEUED_KEYS) continue;
      this.#keys.push(event);
      taken += 1;
      this.#busy = true;
    }
    return taken;
  }

  /** Advances by one slot of `ticks`. @returns the event packet of the slot; undefined in a gap or with nothing to send. */
  next(ticks: number): DtmfSlot | undefined {
    const slot = this.#advance(ticks);
    if (!slot) return undefined;
    const { event, offset } = slot;
    const duration = this.#ends > 0 ? this.#endDuration : this.#elapsed;
    const end = duration >= KEY_TICKS;
    if (end) {
      this.#endDuration = duration;
      this.#ends += 1;
      if (this.#ends === END_PACKETS) this.#finishKey();
    }
    return { packet: { event, end, volume: VOLUME, duration }, marker: offset === 0, offset };
  }

  /** The key of the current slot for in-band sending: event number, or undefined in a gap. Advances like `next`. */
  nextTone(ticks: number): { readonly event: number; readonly offset: number } | undefined {
    const slot = this.#advance(ticks);
    if (this.#elapsed >= KEY_TICKS) this.#finishKey();
    return slot;
  }

  #advance(ticks: number): { readonly event: number; readonly offset: number } | undefined {
    if (this.#gapLeft > 0) {
      this.#gapLeft = Math.max(0, this.#gapLeft - ticks);
      this.#busy = this.#gapLeft > 0 || this.#keys.length > 0;
      return undefined;
    }
    const event = this.#keys[0];
    if (event === undefined) return undefined;
    const offset = this.#elapsed;
    this.#elapsed += ticks;
    return { event, offset };
  }

  #finishKey(): void {
    this.#keys.shift();
    this.#elapsed = 0;
    this.#ends = 0;
    this.#gapLeft = KEY_GAP_TICKS;
  }
}
