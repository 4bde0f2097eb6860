import type { Source } from '../rtp/remote-endpoint.ts';
import type { SocketAddresses } from './socket-address.ts';
import { CLOCK_REALTIME, SO_TIMESTAMPNS, SOL_SOCKET, type SystemCalls } from './system-calls.ts';

/** The largest there is. */
const DATAGRAM_BYTES_MAX = 65_535;
/** `struct msghdr` (recvmsg(2)) in words of 32 bits: four pointers or sizes of 64 bits, two numbers, each padded to 64. */
const HEADER_WORDS = 14;
const NAME = 0;
const NAME_BYTES = 2;
const VECTOR = 4;
const VECTOR_COUNT = 6;
const CONTROL = 8;
const CONTROL_BYTES = 10;
/** `struct cmsghdr` (cmsg(3)): length, level, type, and a `struct timespec`. */
const CONTROL_WORDS = 16;
const LEVEL = 2;
const TYPE = 3;
const SECONDS = 4;
const TIME_BYTES = 32;

const WORD = 2 ** 32;
/** `struct timespec` whose seconds stand in `words[at]`. */
const milliseconds = (words: Uint32Array, at: number): number =>
  ((words[at + 1] as number) * WORD + (words[at] as number)) * 1000 + (words[at + 2] as number) / 1e6;

/** Who sent the last datagram of a socket: its address is made into text only when that is somebody else. */
export class LastSource {
  source: Source = { address: '', port: 0 };
  readonly words: Uint32Array;
  constructor(addresses: Pick<SocketAddresses, 'bytes'>) {
    this.words = new Uint32Array(addresses.bytes / Uint32Array.BYTES_PER_ELEMENT);
  }
}

/** Memory for one datagram at a time, of whatever socket, and what the kernel says of it. */
export class ReceivedDatagram {
  /** When it came, in the monotonic ms of `setClock`. */
  atMs = 0;
  readonly #memory = Buffer.allocUnsafeSlow(DATAGRAM_BYTES_MAX);
  #view = this.#memory;
  readonly #name: Uint32Array;
  readonly #nameBytes: Uint8Array;
  readonly #control = memory(CONTROL_WORDS);
  readonly #vector = memory(4); // `struct iovec`: pointer, size
  readonly #header = memory(HEADER_WORDS);
  readonly #utc = memory(4);
  #utcMs = 0;
  #nowMs = 0;
  #sinceMs = 0;

  constructor(
    readonly calls: SystemCalls,
    readonly addresses: SocketAddresses,
  ) {
    this.#name = memory(addresses.bytes / Uint32Array.BYTES_PER_ELEMENT);
    this.#nameBytes = new Uint8Array(this.#name.buffer);
    point(this.#vector, 0, calls.addressOf(this.#memory));
    this.#vector[2] = DATAGRAM_BYTES_MAX;
    point(this.#header, NAME, calls.addressOf(this.#name));
    point(this.#header, VECTOR, calls.addressOf(this.#vector));
    this.#header[VECTOR_COUNT] = 1;
    point(this.#header, CONTROL, calls.addressOf(this.#control));
  }

  /**
   * The kernel tells times of day: they are believed as far as they fit.
   *
   * @param sinceMs - everything that came before this has been read.
   */
  setClock(nowMs: number, sinceMs: number): void {
    this.calls.clock_gettime(CLOCK_REALTIME, this.#utc);
    this.#utcMs = milliseconds(this.#utc, 0);
    this.#nowMs = nowMs;
    this.#sinceMs = sinceMs;
  }

  /** The next datagram of `socket`, until the one after it; undefined where there is none. */
  take(socket: number): Buffer | undefined {
    const header = this.#header;
    header[NAME_BYTES] = this.addresses.bytes;
    header[CONTROL_BYTES] = CONTROL_WORDS * Uint32Array.BYTES_PER_ELEMENT;
    const bytes = this.calls.recvmsg(socket, header, 0);
    if (bytes < 0) return undefined;
    this.atMs = this.#arrival();
    if (this.#view.length !== bytes) this.#view = this.#memory.subarray(0, bytes);
    return this.#view;
  }

  /** Who sent it. @param last - who sent the one before; brought up to date. */
  source(last: LastSource): Source {
    const { words } = last;
    for (let i = 0; i < words.length; i += 1) {
      if (words[i] === this.#name[i]) continue;
      words.set(this.#name);
      last.source = this.addresses.read(this.#nameBytes);
    }
    return last.source;
  }

  #arrival(): number {
    const control = this.#control;
    const told = (this.#header[CONTROL_BYTES] as number) >= TIME_BYTES;
    if (!told || control[LEVEL] !== SOL_SOCKET || control[TYPE] !== SO_TIMESTAMPNS) return this.#nowMs;
    const atMs = this.#nowMs - (this.#utcMs - milliseconds(control, SECONDS));
    return Math.min(this.#nowMs, Math.max(this.#sinceMs, atMs));
  }
}

/** Words that stay where they are: the engine moves what is small and has no buffer of its own. */
function memory(words: number): Uint32Array {
  return new Uint32Array(new ArrayBuffer(words * Uint32Array.BYTES_PER_ELEMENT));
}

function point(words: Uint32Array, at: number, address: bigint): void {
  words[at] = Number(address & 0xffff_ffffn);
  words[at + 1] = Number(address >> 32n);
}
