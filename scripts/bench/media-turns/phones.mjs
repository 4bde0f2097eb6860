import koffi from 'koffi';

/** Phones of the bench: plain sockets of the C library, and a clock of the thread's processor time. */

const c = koffi.load('libc.so.6');
const call = {
  socket: c.func('int socket(int, int, int)'),
  bind: c.func('int bind(int, const void*, uint32_t)'),
  connect: c.func('int connect(int, const void*, uint32_t)'),
  getsockname: c.func('int getsockname(int, void*, void*)'),
  send: c.func('long send(int, const void*, size_t, int)'),
  recv: c.func('long recv(int, void*, size_t, int)'),
  clock_gettime: c.func('int clock_gettime(int, void*)'),
};
const AF_INET = 2;
const SOCK_DGRAM_NONBLOCK = 2 | 0o4000;
const CLOCK_THREAD_CPUTIME_ID = 3;
const ADDRESS_BYTES = 16;
const HEADER = 12;
const FRAME = 160;
export const SLOTS = 20;
/** What else a thread's core does in a millisecond: so much of the nearer caches is somebody else's by then. */
const FOREIGN_BYTES = 2 ** 20;
const LINE_WORDS = 16;

const time = new BigInt64Array(new ArrayBuffer(16));
/** Processor time of this thread in ns. */
export function usedNs() {
  call.clock_gettime(CLOCK_THREAD_CPUTIME_ID, time);
  return Number(time[0]) * 1e9 + Number(time[1]);
}

function addressOf(port) {
  const address = Buffer.alloc(ADDRESS_BYTES);
  address.writeUInt16LE(AF_INET, 0);
  address.writeUInt16BE(port, 2);
  address.set([127, 0, 0, 1], 4);
  return address;
}

/** @returns a socket on a port of the system's choice. */
export function openSocket() {
  const fd = call.socket(AF_INET, SOCK_DGRAM_NONBLOCK, 0);
  if (fd < 0) throw new Error('no socket: ulimit -n');
  call.bind(fd, addressOf(0), ADDRESS_BYTES);
  const own = Buffer.alloc(ADDRESS_BYTES);
  call.getsockname(fd, own, Uint32Array.of(ADDRESS_BYTES));
  return { fd, port: own.readUInt16BE(2) };
}
export const connect = (fd, port) => call.connect(fd, addressOf(port), ADDRESS_BYTES);

/** Phones that each send a packet a frame, spread over its milliseconds, and hear what comes back. */
export function openPhones(calls) {
  const phones = Array.from({ length: calls }, (_, n) => {
    const packet = Buffer.alloc(
      HEADER + FRAME,
      Uint8Array.from({ length: 32 }, (_, i) => 0x90 + i),
    ); // loud
    packet.writeUInt16BE(0x8000, 0);
    packet.writeUInt32BE(1_000 + n, 8);
    return { ...openSocket(), packet };
  });
  const foreign = new Int32Array(FOREIGN_BYTES / 4);
  const heardInto = Buffer.alloc(2_048);
  const MSG_DONTWAIT = 0x40;
  let [sequence, heard, seen] = [0, 0, 0];
  return {
    ports: phones.map(({ port }) => port),
    connect: (n, port) => connect(phones[n].fd, port),
    heard: () => heard,
    /** Those whose turn it is in millisecond `slot` of the frame speak: not the ones that are spoken to in it. */
    speak(slot) {
      const end = ((slot + 1) * calls) / SLOTS;
      for (let n = Math.ceil((slot * calls) / SLOTS); n < end; n += 1) {
        const { fd, packet } = phones[n];
        packet.writeUInt16BE(sequence & 0xffff, 2);
        packet.writeUInt32BE((sequence * FRAME + n * 0x9e37_79b1) % 2 ** 32, 4);
        call.send(fd, packet, packet.length, 0);
      }
      for (let i = 0; i < foreign.length; i += LINE_WORDS) seen += foreign[i];
      return seen;
    },
    /** At the end of a frame. */
    hear() {
      for (const { fd } of phones) while (call.recv(fd, heardInto, heardInto.length, MSG_DONTWAIT) > 0) heard += 1;
      sequence += 1;
    },
  };
}
