import { createRequire } from 'node:module';

/**
 * What is used of libsrtp 2, as <srtp2/srtp.h> has it: 0 is success. Structures are plain memory, a session is the address of one.
 * Packets are changed where they are, and `bytes[0]` says how long they are, before and after.
 */
export interface LibsrtpCalls {
  srtp_init(): number;
  srtp_get_version(): number;
  srtp_get_version_string(): string;
  srtp_create(session: BigUint64Array, policy: Uint8Array): number;
  srtp_dealloc(session: number): number;
  srtp_protect(session: number, packet: Uint8Array, bytes: Int32Array): number;
  srtp_protect_rtcp(session: number, packet: Uint8Array, bytes: Int32Array): number;
  srtp_unprotect(session: number, packet: Uint8Array, bytes: Int32Array): number;
  srtp_unprotect_mki(session: number, packet: Uint8Array, bytes: Int32Array, useMki: number): number;
  srtp_unprotect_rtcp(session: number, packet: Uint8Array, bytes: Int32Array): number;
  srtp_unprotect_rtcp_mki(session: number, packet: Uint8Array, bytes: Int32Array, useMki: number): number;
  /** Where `memory` lies. It has to be kept as long as that is used. */
  addressOf(memory: Uint8Array): bigint;
}

const PROTOTYPES: Readonly<Record<Exclude<keyof LibsrtpCalls, 'addressOf'>, string>> = {
  srtp_init: 'int srtp_init()',
  srtp_get_version: 'uint32_t srtp_get_version()',
  srtp_get_version_string: 'const char* srtp_get_version_string()',
  srtp_create: 'int srtp_create(void*, const void*)',
  srtp_dealloc: 'int srtp_dealloc(uintptr_t)',
  srtp_protect: 'int srtp_protect(uintptr_t, void*, void*)',
  srtp_protect_rtcp: 'int srtp_protect_rtcp(uintptr_t, void*, void*)',
  srtp_unprotect: 'int srtp_unprotect(uintptr_t, void*, void*)',
  srtp_unprotect_mki: 'int srtp_unprotect_mki(uintptr_t, void*, void*, unsigned int)',
  srtp_unprotect_rtcp: 'int srtp_unprotect_rtcp(uintptr_t, void*, void*)',
  srtp_unprotect_rtcp_mki: 'int srtp_unprotect_rtcp_mki(uintptr_t, void*, void*, unsigned int)',
};

const LIBRARY = 'libsrtp2.so.1';
/** The processors on which its structures are known to look as they are written here. */
const PROCESSORS = ['x64', 'arm64'];
/** `major << 24 | minor << 16 | patch << 8`: several master keys came with 2.1, and 3 has other structures. */
const VERSION_MIN = 0x0201_0000;
const VERSION_END = 0x0300_0000;

interface Ffi {
  load(path: string): { func(prototype: string): unknown };
  address(memory: Uint8Array): bigint;
}

/** Kept as long as this thread lives: the library is unloaded with the last one who has it, and forgets that it was initialised. */
let kept: LibsrtpCalls | undefined;

/** @throws Error where the library is not there, or is one that nothing is known of. */
export function loadLibsrtp(): LibsrtpCalls {
  kept ??= load();
  return kept;
}

function load(): LibsrtpCalls {
  if (process.platform !== 'linux' || !PROCESSORS.includes(process.arch)) {
    throw new Error(`nothing is known of libsrtp2 on ${process.platform} ${process.arch}`);
  }
  const ffi = createRequire(import.meta.url)('koffi') as Ffi;
  const library = ffi.load(LIBRARY);
  const calls = Object.entries(PROTOTYPES).map(([name, prototype]) => [name, library.func(prototype)]);
  const loaded: LibsrtpCalls = {
    ...(Object.fromEntries(calls) as Omit<LibsrtpCalls, 'addressOf'>),
    addressOf: (memory) => ffi.address(memory),
  };
  const version = loaded.srtp_get_version();
  if (version < VERSION_MIN || version >= VERSION_END) {
    throw new Error(`${loaded.srtp_get_version_string()} is not a version that is known`);
  }
  return loaded;
}
