import { isIPv4 } from 'node:net';
import type { Source } from '../rtp/remote-endpoint.ts';
import { AF_INET, AF_INET6, type SystemCalls } from './system-calls.ts';

/**
 * `struct sockaddr_in` and `sockaddr_in6` (ip(7), ipv6(7)) in bytes: the family in the order of the machine, then the port in that
 * of the network. An IPv6 address has its flow label in front, and its scope behind it.
 */
const PORT_AT = 2;
const LAYOUTS = {
  [AF_INET]: { bytes: 16, addressAt: 4, addressBytes: 4 },
  [AF_INET6]: { bytes: 28, addressAt: 8, addressBytes: 16 },
} as const;
export type AddressFamily = keyof typeof LAYOUTS;

/** Of an address as text, with the zero at its end (INET6_ADDRSTRLEN). */
const TEXT_BYTES = 46;

/** Addresses of one family as the system has them, made and read. */
export class SocketAddresses {
  /** Of every address. */
  readonly bytes: number;
  readonly #bare: Uint8Array; // without family and port
  readonly #text = new Uint8Array(TEXT_BYTES);

  constructor(
    readonly calls: Pick<SystemCalls, 'inet_pton' | 'inet_ntop'>,
    readonly family: AddressFamily,
  ) {
    this.bytes = LAYOUTS[family].bytes;
    this.#bare = new Uint8Array(LAYOUTS[family].addressBytes);
  }

  /** Writes `source` to `into`; IPv4 among IPv6 in its mapped spelling. @returns false where it is no address of the family. */
  write(source: Source, into: Uint8Array): boolean {
    const { address, port } = source;
    const text = this.family === AF_INET6 && isIPv4(address) ? `::ffff:${address}` : address;
    if (this.calls.inet_pton(this.family, text, this.#bare) !== 1) return false;
    into.fill(0);
    into[0] = this.family;
    into[PORT_AT] = port >>> 8;
    into[PORT_AT + 1] = port;
    into.set(this.#bare, LAYOUTS[this.family].addressAt);
    return true;
  }

  /** What `write` would make of it. */
  read(from: Uint8Array): Source {
    const { addressAt, addressBytes } = LAYOUTS[this.family];
    this.#bare.set(from.subarray(addressAt, addressAt + addressBytes));
    return {
      address: this.calls.inet_ntop(this.family, this.#bare, this.#text, TEXT_BYTES),
      port: ((from[PORT_AT] as number) << 8) | (from[PORT_AT + 1] as number),
    };
  }
}
