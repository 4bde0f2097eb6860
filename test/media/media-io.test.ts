import { readdirSync, readlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OperatorError } from '../../src/core/errors.ts';
import { chooseMediaIo, MEDIA_IO_KINDS } from '../../src/media/io/choose-io.ts';
import { DgramIo } from '../../src/media/io/dgram-io.ts';
import { DirectIo } from '../../src/media/io/direct-io.ts';
import { closeLeftSockets } from '../../src/media/io/left-sockets.ts';
import type { MediaSocket } from '../../src/media/io/media-io.ts';
import { loadSystemCalls, type SystemCalls } from '../../src/media/io/system-calls.ts';
import { monotonicMs } from '../../src/media/plane/monotonic.ts';
import { mediaIoConformance, openSocket } from '../conformance/media-io.ts';
import { openPlane, openPort } from '../support/media-plane-fixture.ts';
import { udpFree } from '../support/ports.ts';
import { RtpPeer } from '../support/rtp-peer.ts';
import { until } from '../support/until.ts';

mediaIoConformance('dgram', (address, now) => new DgramIo(address, now));
mediaIoConformance('direct', (address, now) => new DirectIo(loadSystemCalls(), address, now));

const calls = loadSystemCalls();
const DATAGRAM = Buffer.from('x');
/** Descriptors of sockets, epoll and the like. */
const descriptors = (): string[] =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return /^(socket|anon_inode):/.test(readlinkSync(`/proc/self/fd/${fd}`));
    } catch {
      return false; // that of the folder
    }
  });

/** A socket that sends to itself, and when what it sent came. */
async function mirror(io: DirectIo): Promise<{ socket: MediaSocket; times: number[]; say(): void }> {
  const times: number[] = [];
  const socket = await openSocket(io, 0, (_datagram, _address, _port, atMs) => times.push(atMs));
  if (typeof socket === 'string') throw new Error(socket);
  const say = (): void => socket.send(DATAGRAM, 1, { address: '127.0.0.1', port: socket.localPort });
  return { socket, times, say };
}

describe('the times of the kernel', () => {
  it('are those at which datagrams came, however late they are read', async () => {
    const io = new DirectIo(calls, '127.0.0.1', monotonicMs);
    const { times, say } = await mirror(io);
    const sent: { fromMs: number; toMs: number }[] = [];
    for (let n = 0; n < 3; n += 1) {
      const fromMs = monotonicMs();
      say();
      sent.push({ fromMs, toMs: monotonicMs() });
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    while (io.poll());
    expect(times.length).toBe(3);
    for (const [n, { fromMs, toMs }] of sent.entries()) {
      expect(times[n]).toBeGreaterThan(fromMs - 150); // as far as two clocks are looked at one after the other
      expect(times[n]).toBeLessThan(toMs + 150);
    }
    closeLeftSockets(io.epoll);
  });

  it.each([
    { name: 'forward', stepS: 3_600 },
    { name: 'back', stepS: -3_600 },
  ])('are believed as far as they can be true, where somebody set the clock $name', async ({ stepS }) => {
    const stepped: SystemCalls = {
      ...calls,
      clock_gettime: (clock, time) => {
        const result = calls.clock_gettime(clock, time);
        time[0]! += stepS;
        return result;
      },
    };
    let nowMs = 1_000;
    const io = new DirectIo(stepped, '127.0.0.1', () => nowMs);
    const { times, say } = await mirror(io);
    io.poll(); // all was read by now
    nowMs = 1_020;
    say();
    io.poll();
    expect(times).toEqual([stepS > 0 ? 1_000 : 1_020]);
    closeLeftSockets(io.epoll);
  });
});

describe('who floods one port', () => {
  it('is read at the pace of the others', async () => {
    const io = new DirectIo(calls, '127.0.0.1', monotonicMs);
    const [flooded, other] = [await mirror(io), await mirror(io)];
    for (let n = 0; n < 100; n += 1) flooded.say();
    other.say();
    io.poll();
    expect([flooded.times.length, other.times.length]).toEqual([1, 1]);
    while (io.poll());
    expect(flooded.times.length).toBe(100);
    closeLeftSockets(io.epoll);
  });
});

describe('what is heard between a look and the reading', () => {
  it('was there before any datagram that is read after it', async () => {
    const io = new DirectIo(calls, '127.0.0.1', monotonicMs);
    const [kept, closed] = [await mirror(io), await mirror(io)];
    closed.say();
    const more = io.poll(() => {
      kept.say(); // came too late for this look
      closed.socket.close();
    });
    expect([more, kept.times.length, closed.times.length]).toEqual([true, 0, 0]);
    io.poll();
    expect(kept.times.length).toBe(1);
    let heard = 0;
    expect(io.poll(() => (heard += 1))).toBe(false);
    expect(heard).toBe(1);
    closeLeftSockets(io.epoll);
  });
});

describe('what is left of a thread', () => {
  it('is closed, and nothing else', async () => {
    const before = descriptors();
    const others = new DirectIo(calls, '127.0.0.1', monotonicMs);
    const { socket: survivor } = await mirror(others);
    const io = new DirectIo(calls, '127.0.0.1', monotonicMs);
    const { socket } = await mirror(io);
    const { socket: closed } = await mirror(io);
    closed.close();
    expect(closeLeftSockets(io.epoll)).toBe(1);
    expect(await udpFree(socket.localPort)).toBe(true);
    expect(await udpFree(survivor.localPort)).toBe(false);
    closeLeftSockets(others.epoll);
    expect(descriptors()).toEqual(before);
  });
});

describe('the choice', () => {
  it('is direct where that works, and leaves nothing open', async () => {
    const before = descriptors();
    expect(await chooseMediaIo('auto', monotonicMs)).toEqual({ kind: 'direct' });
    expect(await chooseMediaIo('direct', monotonicMs)).toEqual({ kind: 'direct' });
    expect(await chooseMediaIo('dgram', monotonicMs)).toEqual({ kind: 'dgram' });
    expect(descriptors()).toEqual(before);
  });

  const failing: { name: string; load: () => SystemCalls; reason: RegExp }[] = [
    {
      name: 'there is no such library',
      load: () => {
        throw new Error('libc.so.6: not found');
      },
      reason: /not found/,
    },
    { name: 'epoll is refused', load: () => ({ ...calls, epoll_create1: () => -1 }), reason: /^epoll_create1: / },
    { name: 'sockets are refused', load: () => ({ ...calls, socket: () => -1 }), reason: /^no socket: / },
    { name: 'nothing comes', load: () => ({ ...calls, epoll_wait: () => 0 }), reason: /nothing came/ },
    {
      name: 'structures look otherwise',
      load: () => ({ ...calls, recvmsg: (...call) => calls.recvmsg(...call) - 1 }),
      reason: /not what was sent/,
    },
  ];
  it.each(failing)('is dgram where $name, and direct is an error of who asks for it', async ({ load, reason }) => {
    const before = descriptors();
    let nowMs = 0;
    const now = (): number => (nowMs += 10);
    expect(await chooseMediaIo('auto', now, load)).toEqual({ kind: 'dgram', reason: expect.stringMatching(reason) });
    await expect(chooseMediaIo('direct', now, load)).rejects.toThrow(OperatorError);
    expect(descriptors()).toEqual(before);
  });
});

describe.each(MEDIA_IO_KINDS)('a media thread, sockets: %s', (io) => {
  it('has heard what main said before it hears a datagram that came after it', async () => {
    const plane = await openPlane({ io, workers: 1 });
    const peer = await RtpPeer.open();
    for (let n = 0; n < 20; n += 1) {
      const { port } = await openPort(plane);
      await new Promise((resolve) => setTimeout(resolve, n % 4));
      port.configure(peer.media());
      peer.send(port.local.port, new Uint8Array(160));
      await until(async () => (await port.stats()).packetsReceived === 1, 'the packet');
      expect((await port.close()).packetsRejected).toBe(0);
    }
    peer.close();
    await plane.close();
  });
});
