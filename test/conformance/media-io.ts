import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DatagramHandler, MediaIo, MediaSocket, SocketRefusal } from '../../src/media/io/media-io.ts';
import { monotonicMs } from '../../src/media/plane/monotonic.ts';
import type { Source } from '../../src/media/rtp/remote-endpoint.ts';
import { freeUdpRange } from '../support/ports.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { until } from '../support/until.ts';

/** An arrival is reckoned from two clocks. A busy machine may do something else between the looks at them. */
const BETWEEN_CLOCKS_MS = 100;

/** A port, or why there is none. */
export const openSocket = (
  io: MediaIo,
  port: number,
  onDatagram: DatagramHandler,
): Promise<MediaSocket | SocketRefusal> => new Promise((resolve) => io.open(port, onDatagram, resolve));

interface Heard {
  readonly text: string;
  readonly address: string;
  readonly port: number;
  readonly atMs: number;
}

/** The other end: a plain socket that keeps what it hears. */
class Peer {
  readonly heard: string[] = [];
  private constructor(readonly socket: Socket) {
    socket.on('error', () => {}); // nobody is there any more
    socket.on('message', (datagram) => this.heard.push(datagram.toString()));
  }

  static async open(address = '127.0.0.1', port = 0): Promise<Peer> {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
    socket.bind(port, address);
    await once(socket, 'listening');
    return new Peer(socket);
  }

  get source(): Source {
    return { address: this.socket.address().address, port: this.socket.address().port };
  }
  say(text: string, to: MediaSocket, address = '127.0.0.1'): void {
    this.socket.send(text, to.localPort, address);
  }
  /** The datagram has left when this resolves. */
  async said(text: string, to: MediaSocket): Promise<void> {
    await new Promise((resolve) => this.socket.send(text, to.localPort, '127.0.0.1', resolve));
  }
}

/** What every `MediaIo` must do, whatever carries it. @param make - on an address; it is closed by closing its sockets. */
export function mediaIoConformance(name: string, make: (address: string, now: () => number) => MediaIo): void {
  describe(`MediaIo contract: ${name}`, () => {
    let io: MediaIo;
    let peer: Peer;
    const closing: (() => void)[] = [];
    beforeEach(async () => {
      io = make('127.0.0.1', monotonicMs);
      peer = await open();
    });
    afterEach(() => {
      for (const close of closing.splice(0)) close();
    });

    async function open(...where: Parameters<typeof Peer.open>): Promise<Peer> {
      const opened = await Peer.open(...where);
      closing.push(() => opened.socket.close());
      return opened;
    }

    /** A socket of `io`, and what it hears. */
    async function listen(
      port = 0,
      from = io,
      onHeard: () => void = () => {},
    ): Promise<MediaSocket & { heard: Heard[] }> {
      const heard: Heard[] = [];
      const keep: DatagramHandler = (datagram, address, source, atMs) => {
        heard.push({ text: datagram.toString(), address, port: source, atMs });
        onHeard();
      };
      const socket = await openSocket(from, port, keep);
      if (typeof socket === 'string') throw new Error(socket);
      closing.push(() => socket.close());
      return Object.assign(socket, { heard });
    }

    const polled = (look: () => boolean, what: string, from = io): Promise<true> =>
      until(() => {
        from.poll();
        return look();
      }, what);
    const send = (socket: MediaSocket, text: string, to: Source): void => {
      const datagram = Buffer.from(`${text}, and what is not to be sent`);
      socket.send(datagram, text.length, to);
      datagram.fill(0xff); // it is used again at once
    };

    it('tells what came, from where and when', async () => {
      const socket = await listen();
      const beforeMs = monotonicMs();
      peer.say('one', socket);
      await polled(() => socket.heard.length === 1, 'the datagram');
      const [heard] = socket.heard;
      expect(heard).toMatchObject({ text: 'one', ...peer.source });
      expect(heard!.atMs).toBeGreaterThan(beforeMs - BETWEEN_CLOCKS_MS);
      expect(heard!.atMs).toBeLessThan(monotonicMs() + 1);
    });

    it.runIf(EVERY_TEST)('hands over everything, in the order in which it came', async () => {
      const [socket, other] = [await listen(), await open()];
      const texts = Array.from({ length: 60 }, (_, n) => `datagram ${n}`);
      for (const [n, text] of texts.entries()) await (n % 3 === 0 ? other : peer).said(text, socket);
      await polled(() => socket.heard.length === texts.length, 'all of them');
      expect(socket.heard.map(({ text }) => text)).toEqual(texts);
      expect(socket.heard.map(({ port }) => port)).toEqual(
        texts.map((_, n) => (n % 3 === 0 ? other : peer).source.port),
      );
      const times = socket.heard.map(({ atMs }) => atMs);
      for (const [n, atMs] of times.entries()) expect(atMs).toBeGreaterThan((times[n - 1] ?? 0) - BETWEEN_CLOCKS_MS);
    });

    it.each([0, 1, 12, 172, 1_400, 9_000, 65_507])('hands over %i bytes as they are', async (bytes) => {
      const socket = await listen();
      await peer.said('x'.repeat(200), socket); // what lies in a buffer from before
      await peer.said('y'.repeat(bytes), socket);
      await polled(() => socket.heard.length === 2, 'both');
      expect(socket.heard[1]?.text).toBe('y'.repeat(bytes));
    });

    it('keeps the datagrams of its sockets apart', async () => {
      const sockets = await Promise.all(Array.from({ length: 150 }, () => listen()));
      for (const socket of sockets) await peer.said(`to ${socket.localPort}`, socket);
      await polled(() => sockets.every(({ heard }) => heard.length > 0), 'one each');
      for (const { heard, localPort } of sockets) expect(heard.map(({ text }) => text)).toEqual([`to ${localPort}`]);
    });

    it('sends to whom it is told, and what the buffer holds then', async () => {
      const [socket, other] = [await listen(), await open()];
      for (const text of ['a', 'bc', 'def', 'ghi']) send(socket, text, peer.source);
      send(socket, 'other', other.source);
      send(socket, 'again', peer.source);
      await polled(() => peer.heard.length === 5 && other.heard.length === 1, 'all of them');
      expect([peer.heard, other.heard]).toEqual([['a', 'bc', 'def', 'ghi', 'again'], ['other']]);
    });

    it('sends two datagrams of one piece of memory, each as it is', async () => {
      const socket = await listen();
      const memory = Buffer.from('firstother');
      for (const datagram of [memory.subarray(0, 5), memory.subarray(5)]) socket.send(datagram, 5, peer.source);
      await polled(() => peer.heard.length === 2, 'both');
      expect(peer.heard).toEqual(['first', 'other']);
    });

    it('sends to nobody but the peer it is connected to, and hears nobody else', async () => {
      const socket = await listen(await freeUdpRange(1)); // one that the system chose it would take back
      const other = await open();
      socket.connect(peer.source);
      send(socket, 'connected', peer.source);
      send(socket, 'astray', other.source);
      expect(socket.errors).toBe(1);
      await other.said('stranger', socket);
      await peer.said('friend', socket);
      socket.connect({ ...peer.source });
      await polled(() => socket.heard.length > 0, 'the peer');
      socket.connect(other.source);
      send(socket, 'moved', other.source);
      socket.connect(undefined);
      send(socket, 'free', peer.source);
      await peer.said('known', socket);
      await other.said('heard', socket);
      await polled(() => socket.heard.length === 3 && peer.heard.length === 2 && other.heard.length === 1, 'the rest');
      expect(socket.heard.map(({ text }) => text)).toEqual(['friend', 'known', 'heard']);
      expect([peer.heard, other.heard]).toEqual([['connected', 'free'], ['moved']]);
    });

    it('goes on unconnected when the system refuses to connect', async () => {
      const socket = await listen();
      socket.connect({ address: '203.0.113.1', port: 9 }); // no way out of the loopback
      expect(socket.errors).toBe(1);
      for (const text of ['a', 'b', 'c']) send(socket, text, peer.source);
      await polled(() => peer.heard.length === 3, 'three packets');
    });

    it.each(['no address', '1.2.3.4.5', '::1'])('counts what cannot be sent: to "%s"', async (address) => {
      const socket = await listen();
      send(socket, 'x', { address, port: 9 });
      socket.connect({ address, port: 9 });
      await polled(() => socket.errors >= 2, 'the errors');
      send(socket, 'y', peer.source);
      await polled(() => peer.heard.length === 1, 'the packet');
    });

    it.each([true, false])('outlives a peer that has gone and comes back, connected: %s', async (connected) => {
      const socket = await listen();
      const { source } = peer;
      if (connected) socket.connect(source);
      closing.shift()!(); // the peer
      for (let n = 0; n < 5; n += 1) {
        send(socket, 'lost', source);
        await new Promise(setImmediate);
        io.poll();
      }
      if (connected) await polled(() => socket.errors > 0, 'what the network says');
      else expect(socket.errors).toBe(0);
      const back = await open(source.address, source.port);
      await polled(() => {
        send(socket, 'found', source);
        return back.heard.length > 0;
      }, 'the peer again');
      await back.said('here', socket);
      await polled(() => socket.heard.length > 0, 'its voice');
    });

    it('refuses a port that is taken, an address that is not ours, and takes the port when it is free', async () => {
      const port = await freeUdpRange(2);
      const holder = await open('127.0.0.1', port);
      expect(await openSocket(io, port, () => {})).toBe('address-in-use');
      const own = await listen(port + 1);
      expect(own.localPort).toBe(port + 1);
      expect(await openSocket(io, port + 1, () => {})).toBe('address-in-use');
      expect(await openSocket(make('203.0.113.1', monotonicMs), 0, () => {})).toBe('failed');
      expect(await openSocket(make('nowhere', monotonicMs), 0, () => {})).toBe('failed');
      closing.splice(closing.length - 2, 1)[0]!();
      await once(holder.socket, 'close');
      expect((await listen(port)).localPort).toBe(port);
    });

    it('frees a port at once, and says nothing of it after that', async () => {
      const port = await freeUdpRange(1);
      for (let n = 0; n < 5; n += 1) {
        const socket = await listen(port);
        await peer.said('too late', socket);
        socket.close();
        socket.close();
        socket.connect(peer.source);
        send(socket, 'nothing', peer.source);
        const next = await listen(port);
        await peer.said(`next ${n}`, next);
        await polled(() => next.heard.length > 0, 'the next one');
        expect([socket.heard, next.heard.map(({ text }) => text)]).toEqual([[], [`next ${n}`]]);
        next.close();
      }
      expect(peer.heard).toEqual([]);
    });

    it('lets a socket close itself and others while datagrams wait for all of them', async () => {
      const sockets: (MediaSocket & { heard: Heard[] })[] = [];
      const closeAll = (): void => {
        for (const socket of sockets) socket.close();
      };
      for (let n = 0; n < 20; n += 1) sockets.push(await listen(0, io, closeAll));
      const survivor = await listen();
      for (const socket of sockets) await peer.said('waiting', socket);
      await peer.said('after', survivor);
      await polled(() => survivor.heard.length > 0, 'the one that stays');
      expect(sockets.reduce((sum, { heard }) => sum + heard.length, 0)).toBe(1);
    });

    it('speaks IPv6', async () => {
      const six = make('::1', monotonicMs);
      const [socket, other] = [await listen(0, six), await open('::1')];
      send(socket, 'there', other.source);
      socket.connect(other.source);
      send(socket, 'and there', other.source);
      other.say('back', socket, '::1');
      await polled(() => other.heard.length === 2 && socket.heard.length === 1, 'both ways', six);
      expect(socket.heard[0]).toMatchObject(other.source);
    });

    it.each([true, false])('speaks IPv4 on a port for both families, connected: %s', async (connected) => {
      const both = make('::', monotonicMs);
      const socket = await listen(0, both);
      if (connected) socket.connect(peer.source);
      send(socket, 'there', peer.source);
      peer.say('back', socket);
      await polled(() => peer.heard.length === 1 && socket.heard.length === 1, 'both ways', both);
      expect(socket.heard[0]).toMatchObject({ address: '::ffff:127.0.0.1', port: peer.source.port });
      expect(socket.errors).toBe(0);
    });
  });
}
