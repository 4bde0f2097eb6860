import { createRequire } from 'node:module';

/** What only the C library knows and can do about the memory of this process. */
export interface NativeMemory {
  /** Bytes in use by everything that came from malloc: native libraries, array buffers; not V8's own heaps. */
  inUseBytes(): number;
  /** Bytes that were freed and that malloc keeps for itself. */
  freeBytes(): number;
  /** Gives what malloc keeps for itself back to the system. Takes some ms for each 100 MB, in which other threads wait to allocate. */
  trim(): void;
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
  const advise = c.func('madvise', 'int', ['uintptr_t', 'size_t', 'int']);
  const pageBytes = BigInt(c.func('sysconf', 'long', ['int'])(SC_PAGESIZE) as Size);
  return {
    inUseBytes() {
      const { uordblks, hblkhd } = mallinfo();
      return Number(uordblks) + Number(hblkhd);
    },
    freeBytes: () => Number(mallinfo().fordblks),
    trim: () => void trim(0),
    giveBackPages(memory) {
      const address = ffi.address(new Uint8Array(memory));
      const start = ((address + pageBytes - 1n) / pageBytes) * pageBytes;
      const end = ((address + BigInt(memory.byteLength)) / pageBytes) * pageBytes;
      if (end > start) advise(start, Number(end - start), MADV_DONTNEED);
    },
  };
}
