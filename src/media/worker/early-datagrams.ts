import type { Source } from '../rtp/remote-endpoint.ts';

/** One datagram that came before it was known how to read it. */
export interface EarlyDatagram {
  readonly datagram: Buffer;
  readonly from: Source;
  readonly atMs: number;
}

/** Of one call, what keeping them costs counted in: five seconds of G.711 in packets of 20 ms. */
export const EARLY_BYTES_MAX = 65_536;
/** What keeping one datagram costs beside its bytes. */
const OVERHEAD_BYTES = 64;

/** The latest datagrams of a call that cannot be judged yet: copies, in the order they came. */
export class EarlyDatagrams {
  readonly #waiting: EarlyDatagram[] = [];
  #bytes = 0;
  /** The oldest, for which there was no more room. */
  dropped = 0;

  hold(datagram: Buffer, from: Source, atMs: number): void {
    this.#bytes += datagram.length + OVERHEAD_BYTES;
    this.#waiting.push({ datagram: Buffer.from(datagram), from, atMs });
    while (this.#bytes > EARLY_BYTES_MAX) {
      this.#bytes -= (this.#waiting.shift()?.datagram.length ?? 0) + OVERHEAD_BYTES;
      this.dropped += 1;
    }
  }

  get waiting(): readonly EarlyDatagram[] {
    return this.#waiting;
  }
}
