import type { Socket } from 'node:dgram';
import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import { bdecode, bencode, textAt } from '../../../src/media/edge/bencode.ts';
import { NgClient, resultOf } from '../../../src/media/edge/ng-client.ts';
import { FakeClock } from '../../support/fake-clock.ts';

/** A connected socket: what is sent is kept, what comes is emitted. */
class FakeSocket extends EventEmitter {
  readonly sent: Buffer[] = [];
  closed = false;
  connect(_port: number, _host: string, done: () => void): void {
    queueMicrotask(done);
  }
  address() {
    return { address: '192.0.2.5', port: 1, family: 'IPv4' };
  }
  send(datagram: Buffer): void {
    if (this.closed) throw new Error('Not running');
    this.sent.push(datagram);
  }
  close(): void {
    this.closed = true;
  }
  get cookies(): string[] {
    return this.sent.map((datagram) => datagram.toString('latin1').split(' ', 1)[0]!);
  }
  answer(cookie: string, value: Parameters<typeof bencode>[0]): void {
    this.emit('message', Buffer.from(`${cookie} ${bencode(value)}`));
  }
}

const TIMEOUT_MS = 1_000;
let clock: FakeClock;
let sockets: FakeSocket[];
let client: NgClient;
beforeEach(() => {
  clock = new FakeClock();
  sockets = [];
  const open = (): Socket => {
    const socket = new FakeSocket();
    sockets.push(socket);
    return socket as unknown as Socket;
  };
  client = new NgClient({ host: '192.0.2.9', port: 2223, clock, timeoutMs: TIMEOUT_MS, open });
});
const settle = (): Promise<void> => clock.advanceAsync(0.001, 0.001);

describe('ng', () => {
  it('a command has a cookie and says what it is; its answer is found by it', async () => {
    const asked = client.ask('offer', { 'call-id': 'c', sdp: 'v=0\r\n' });
    await settle();
    const [socket] = sockets;
    const [cookie = '', rest = ''] = socket!.sent[0]!.toString().split(/ (.*)/s);
    expect(cookie).toMatch(/^\S{12,}$/);
    expect(textAt(bdecode(Buffer.from(rest)), 'command')).toBe('offer');
    socket!.answer(cookie, { result: 'ok' });
    const reply = await asked;
    expect(typeof reply === 'object' && resultOf(reply)).toBe('ok');
    expect([client.localAddress, clock.pending]).toEqual(['192.0.2.5', 0]);
  });

  it('is repeated with the same cookie until it is answered, and then is not', async () => {
    const asked = client.ask('ping');
    await clock.advanceAsync(500);
    const [socket] = sockets;
    expect(socket!.sent.length).toBe(3); // at 0, 150 and 450 ms
    expect(new Set(socket!.cookies).size).toBe(1);
    socket!.answer(socket!.cookies[0]!, { result: 'pong' });
    await asked;
    await clock.advanceAsync(TIMEOUT_MS);
    expect([socket!.sent.length, client.counters.repeated]).toEqual([3, 2]);
  });

  it('a silence ends in time, and the next command goes by a new socket', async () => {
    const asked = client.ask('ping');
    await clock.advanceAsync(TIMEOUT_MS);
    expect([await asked, sockets[0]!.closed, clock.pending]).toEqual(['silent', true, 0]);
    void client.ask('ping');
    await settle();
    expect(sockets.length).toBe(2);
  });

  it('nobody listens there: known at once', async () => {
    const asked = client.ask('ping');
    await settle();
    sockets[0]!.emit('error', new Error('ECONNREFUSED'));
    expect(await asked).toBe('silent');
  });

  it.each([
    { name: 'another cookie', bytes: 'nobody d6:result2:oke' },
    { name: 'no bencode', bytes: 'COOKIE {"result":"ok"}' },
    { name: 'no dictionary', bytes: 'COOKIE i1e' },
    { name: 'nothing', bytes: '' },
    { name: 'no space', bytes: 'COOKIE' },
  ])('$name is no answer', async ({ bytes }) => {
    const asked = client.ask('ping');
    await settle();
    const [socket] = sockets;
    socket!.emit('message', Buffer.from(bytes.replace('COOKIE', socket!.cookies[0]!)));
    expect(client.counters.stray).toBe(1);
    await clock.advanceAsync(TIMEOUT_MS);
    expect(await asked).toBe('silent');
  });

  it('what waits is bounded', async () => {
    const asked = Array.from({ length: 2_000 }, () => client.ask('ping'));
    expect(await client.ask('ping')).toBe('full');
    client.close();
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['silent']));
    expect([await client.ask('ping'), clock.pending]).toEqual(['silent', 0]);
  });
});
