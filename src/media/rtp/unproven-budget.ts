import { isIPv4 } from 'node:net';

/**
 * What may be sent to addresses that have shown nothing, over all calls of all threads: many calls whose SDP names one
 * victim are no way to flood it. The threads share one small table by hash of the address; two addresses in one place
 * share its allowance, which errs on the quiet side.
 */
export interface UnprovenTable {
  readonly places: SharedArrayBuffer;
  readonly seed: number; // nobody can choose an address to share a place with another
}

/** Packets to one address in one window, over all calls: four calls that are not answered at all. */
export const ADDRESS_PACKETS_MAX = 200;
export const ADDRESS_WINDOW_MS = 60_000;
const PLACES = 4096;
const COUNT_BITS = 16;
const COUNT_MASK = 0xffff;
const FNV_PRIME = 16_777_619;

/** @param seed - any 32 bits. */
export function allocateUnprovenTable(seed: number): UnprovenTable {
  return { places: new SharedArrayBuffer(PLACES * 4), seed };
}

/** One thread's end of the table. A place holds the window it was last used in, and the packets of that window. */
export class UnprovenBudget {
  readonly #places: Int32Array;
  readonly #seed: number;
  constructor(table: UnprovenTable) {
    this.#places = new Int32Array(table.places);
    this.#seed = table.seed;
  }

  /** Takes one packet. @returns false when the address has had its share, or another thread was quicker: next time then. */
  take(address: string, nowMs: number): boolean {
    const place = this.#placeOf(address);
    const before = Atomics.load(this.#places, place);
    const window = Math.floor(nowMs / ADDRESS_WINDOW_MS) & (COUNT_MASK >> 1);
    const count = before >> COUNT_BITS === window ? before & COUNT_MASK : 0;
    if (count >= ADDRESS_PACKETS_MAX) return false;
    const after = (window << COUNT_BITS) | (count + 1);
    return Atomics.compareExchange(this.#places, place, before, after) === before;
  }

  /** The address has sent media: what went there was wanted, and other calls may begin with it afresh. */
  proved(address: string): void {
    Atomics.store(this.#places, this.#placeOf(address), 0);
  }

  #placeOf(address: string): number {
    const text = isIPv4(address) ? address : address.split(':', 4).join(':'); // of IPv6 the network: a host has all of it
    let hash = this.#seed;
    for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
    return (hash ^ (hash >>> 16)) & (PLACES - 1);
  }
}
