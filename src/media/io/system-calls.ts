import { createRequire } from 'node:module';
import { getSystemErrorName } from 'node:util';

/**
 * What is used of the C library, as section 2 of the manual has it: below 0 is a failure, and `errorName` says which. Structures
 * are plain memory. A socket of `SOCK_NONBLOCK` never waits, and nothing here calls back.
 */
export interface SystemCalls {
  socket(family: number, type: number, protocol: number): number;
  bind(socket: number, address: Uint8Array, bytes: number): number;
  connect(socket: number, address: Uint8Array, bytes: number): number;
  getsockname(socket: number, address: Uint8Array, bytes: Uint32Array): number;
  setsockopt(socket: number, level: number, name: number, value: Uint32Array, bytes: number): number;
  send(socket: number, datagram: Uint8Array, bytes: number, flags: number): number;
  sendto(socket: number, datagram: Uint8Array, bytes: number, flags: number, to: Uint8Array, toBytes: number): number;
  recvmsg(socket: number, header: Uint32Array, flags: number): number;
  close(descriptor: number): number;
  epoll_create1(flags: number): number;
  epoll_ctl(epoll: number, operation: number, descriptor: number, event: Uint32Array): number;
  epoll_wait(epoll: number, events: Uint32Array, count: number, timeoutMs: number): number;
  clock_gettime(clock: number, time: Uint32Array): number;
  /** inet_pton(3). @returns 1, or 0 where `text` is no address of the family. */
  inet_pton(family: number, text: string, into: Uint8Array): number;
  /** inet_ntop(3). */
  inet_ntop(family: number, address: Uint8Array, into: Uint8Array, bytes: number): string;
  /** Where `memory` lies, for structures that point to others. It has to be kept as long as they are used. */
  addressOf(memory: Uint8Array | Uint32Array): bigint;
  /** Why the call just made failed, like EMFILE. */
  errorName(): string;
}

const PROTOTYPES: Readonly<Record<Exclude<keyof SystemCalls, 'addressOf' | 'errorName'>, string>> = {
  socket: 'int socket(int, int, int)',
  bind: 'int bind(int, const void*, uint32_t)',
  connect: 'int connect(int, const void*, uint32_t)',
  getsockname: 'int getsockname(int, void*, void*)',
  setsockopt: 'int setsockopt(int, int, int, const void*, uint32_t)',
  send: 'long send(int, const void*, size_t, int)',
  sendto: 'long sendto(int, const void*, size_t, int, const void*, uint32_t)',
  recvmsg: 'long recvmsg(int, void*, int)',
  close: 'int close(int)',
  epoll_create1: 'int epoll_create1(int)',
  epoll_ctl: 'int epoll_ctl(int, int, int, void*)',
  epoll_wait: 'int epoll_wait(int, void*, int, int)',
  clock_gettime: 'int clock_gettime(int, void*)',
  inet_pton: 'int inet_pton(int, const char*, void*)',
  inet_ntop: 'const char* inet_ntop(int, const void*, void*, uint32_t)',
};

interface Ffi {
  load(path: string): { func(prototype: string): unknown };
  address(memory: Uint8Array | Uint32Array): bigint;
  errno(): number;
}

const LIBRARY = 'libc.so.6';

/** Values of <sys/socket.h>, <sys/epoll.h> and <time.h> that are the same on both processors below. */
export const AF_INET = 2;
export const AF_INET6 = 10;
export const SOCK_DGRAM = 2;
export const SOCK_NONBLOCK = 0o4000;
export const SOCK_CLOEXEC = 0o2000000;
export const SOL_SOCKET = 1;
export const SO_TIMESTAMPNS = 35; // and of the message that brings the time
export const EPOLL_CLOEXEC = SOCK_CLOEXEC;
export const EPOLL_CTL_ADD = 1;
export const EPOLL_CTL_DEL = 2;
export const EPOLLIN = 1;
export const CLOCK_REALTIME = 0;

/** `struct epoll_event` in words of 32 bits: events, then 64 bits of our own, packed on one of the processors. */
const EPOLL_EVENTS: Readonly<Record<string, { readonly words: number; readonly own: number }>> = {
  x64: { words: 3, own: 1 },
  arm64: { words: 4, own: 2 },
};

export const epollEvent = EPOLL_EVENTS[process.arch] ?? { words: 0, own: 0 };

/** @throws Error where structures are not known to look as they are written here, or koffi or glibc is not there. */
export function loadSystemCalls(): SystemCalls {
  if (process.platform !== 'linux' || epollEvent.words === 0) {
    throw new Error(`nothing is known of system calls on ${process.platform} ${process.arch}`);
  }
  const ffi = createRequire(import.meta.url)('koffi') as Ffi;
  const c = ffi.load(LIBRARY);
  const calls = Object.entries(PROTOTYPES).map(([name, prototype]) => [name, c.func(prototype)]);
  return {
    ...(Object.fromEntries(calls) as Omit<SystemCalls, 'addressOf' | 'errorName'>),
    addressOf: (memory) => ffi.address(memory),
    errorName() {
      const errno = ffi.errno();
      return errno > 0 ? getSystemErrorName(-errno) : 'unknown';
    },
  };
}
