import { createRequire } from 'node:module';

/** What only the C library knows and can do about the memory of this process. */
export interface NativeMemory {
  /** Bytes in use by everything that came from malloc: native libraries, array buffers; not V8's own heaps. */
  inUseBytes(): number;
  /** Bytes that were freed and that malloc keeps for itself. */
  freeBytes(): number;
  /** Gives what malloc keeps for itself back to the system. Takes some ms for each 100 MB, in which other threads wait to allocate. */
  trim(): void;
  /**
   * From now on a block of 128 KB or more has pages of its own, which go back when it is freed. Left to itself, malloc learns
   * from the first large block that is freed to keep all of up to 32 MB, between what stays.
   */
  setLargeBlocksApart(): void;
  /** Gives the pages of `memory` back to the system; it stays usable, with zeros or what it held. Nobody may be using it. */
  giveBackPages(memory: SharedArrayBuffer): void;
}

/** As koffi hands it over: numbers where they fit, else bigints. */
type Size = number | bigint;
interface MallInfo {
  readonly uordblks: Size;
  readonly fordblks: Size;
  readonly hblkhd: Size;
}
interface Ffi {
  struct(fields: Readonly<Record<string, string>>): unknown;
  address(memory: Uint8Array): bigint;
  load(path: string): {
    func(name: string, result: unknown, parameters: readonly unknown[]): (...args: unknown[]) => unknown;
  };
}

const LIBRARY = 'libc.so.6';
/** Fields of `struct mallinfo2` (mallinfo(3)), all size_t. */
const MALLINFO_FIELDS = 'arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost'.split(' ');
/** Parameters of mallopt(3), <malloc.h>. */
const M_MMAP_THRESHOLD = -3;
const M_TRIM_THRESHOLD = -1;
/** Not below 64 KB: Node allocates that for every datagram, and cuts it to size. */
const LARGE_BLOCK_BYTES = 128 * 1024;
/** Free memory at the end of a heap that stays there: the next call takes it. */
const KEPT_AT_END_BYTES = 4 * 1024 * 1024;
const MADV_DONTNEED = 4;
const SC_PAGESIZE = 30; // of <bits/confname.h>

let loaded: NativeMemory | undefined | 'none';

/** @returns undefined where the C library is not glibc 2.33 or newer, or koffi is not there. */
export function nativeMemory(): NativeMemory | undefined {
  if (loaded === undefined) {
    try {
      loaded = load();
    } catch {
      loaded = 'none';
    }
  }
  return loaded === 'none' ? undefined : loaded;
}

function load(): NativeMemory {
  const ffi = createRequire(import.meta.url)('koffi') as Ffi;
  const c = ffi.load(LIBRARY);
  const info = ffi.struct(Object.fromEntries(MALLINFO_FIELDS.map((name) => [name, 'size_t'])));
  const mallinfo = c.func('mallinfo2', info, []) as () => MallInfo;
  const trim = c.func('malloc_trim', 'int', ['size_t']);
  const tune = c.func('mallopt', 'int', ['int', 'int']);
  const advise = c.func('madvise', 'int', ['uintptr_t', 'size_t', 'int']);
  const pageBytes = BigInt(c.func('sysconf', 'long', ['int'])(SC_PAGESIZE) as Size);
  return {
    inUseBytes() {
      const { uordblks, hblkhd } = mallinfo();
      return Number(uordblks) + Number(hblkhd);
    },
    freeBytes: () => Number(mallinfo().fordblks),
    trim: () => void trim(0),
    setLargeBlocksApart() {
      tune(M_MMAP_THRESHOLD, LARGE_BLOCK_BYTES);
      tune(M_TRIM_THRESHOLD, KEPT_AT_END_BYTES);
    },
    giveBackPages(memory) {
      const address = ffi.address(new Uint8Array(memory));
      const start = ((address + pageBytes - 1n) / pageBytes) * pageBytes;
      const end = ((address + BigInt(memory.byteLength)) / pageBytes) * pageBytes;
      if (end > start) advise(start, Number(end - start), MADV_DONTNEED);
    },
  };
}
