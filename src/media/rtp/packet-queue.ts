import { distance32, uint32 } from '../../core/uint.ts';
import type { Decoder } from '../codec/codec.ts';

/** A packet that waits to be decoded. The object is used again for later packets: look at it before the next `push`. */
export interface QueuedPacket {
  readonly timestamp: number; // uint32
  readonly ticks: number;
  /** The sender was silent for so long before it: no loss, although nothing came. */
  readonly silentTicks: number;
  readonly decoder: Decoder;
  readonly bytes: Uint8Array; // the payload is its first `length` bytes
  readonly length: number;
}

type Place = { -readonly [K in keyof QueuedPacket]: QueuedPacket[K] };

/** Packets in the order of their timestamps, a bounded number of them. Payloads are copied. */
export class PacketQueue {
  readonly #places: Place[] = []; // the first `#size` are in use
  #size = 0;
  constructor(readonly maxPackets: number) {}

  get size(): number {
    return this.#size;
  }
  get head(): QueuedPacket | undefined {
    return this.#size > 0 ? this.#places[0] : undefined;
  }
  get full(): boolean {
    return this.#size >= this.maxPackets;
  }

  has(timestamp: number): boolean {
    for (let i = this.#size - 1; i >= 0; i -= 1) if (this.#places[i]?.timestamp === timestamp) return true;
    return false;
  }

  /** The caller has looked at `full`. */
  push(timestamp: number, payload: Uint8Array, ticks: number, silentTicks: number, decoder: Decoder): void {
    const place = this.#makePlace(timestamp, payload.length, decoder);
    place.timestamp = timestamp;
    place.ticks = ticks;
    place.silentTicks = silentTicks;
    place.decoder = decoder;
    place.length = payload.length;
    place.bytes.set(payload);
  }

  /** Takes the head. It stays as it is until the next `push`. */
  shift(): void {
    const places = this.#places;
    const head = places[0];
    if (this.#size === 0 || !head) return;
    this.#size -= 1;
    for (let i = 0; i < this.#size; i += 1) places[i] = places[i + 1] as Place;
    places[this.#size] = head;
  }

  /** Drops what ends at `timestamp` or before. */
  dropBefore(timestamp: number): void {
    for (let head = this.head; head; head = this.head) {
      if (distance32(timestamp, uint32(head.timestamp + head.ticks)) > 0) return;
      this.shift();
    }
  }

  clear(): void {
    this.#size = 0;
  }

  #makePlace(timestamp: number, length: number, decoder: Decoder): Place {
    const places = this.#places;
    let place = places[this.#size];
    if (!place) {
      place = { timestamp: 0, ticks: 0, silentTicks: 0, decoder, bytes: new Uint8Array(length), length };
      places.push(place);
    } else if (place.bytes.length < length) place.bytes = new Uint8Array(length);
    let at = this.#size;
    for (; at > 0; at -= 1) {
      const before = places[at - 1] as Place;
      if (distance32(before.timestamp, timestamp) >= 0) break;
      places[at] = before;
    }
    places[at] = place;
    this.#size += 1;
    return place;
  }
}
