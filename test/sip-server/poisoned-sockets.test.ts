import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { header } from '../../src/sip-server/message/sip-message.ts';
import { SECRET, startServer } from '../support/srf-app.ts';
import { optionsText, RecordingLayer, TcpPhone, UdpPhone } from '../support/transport-peer.ts';
import { until } from '../support/until.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});
const numbered = (via: string, i: number): string => optionsText(via).replace('transport-test', `message-${i}`);

async function layer(): Promise<RecordingLayer> {
  const peer = await RecordingLayer.open();
  opened.push(peer.layer);
  peer.onMessage = (message) => {
    if (header(message, 'Call-ID')?.startsWith('message-50@')) throw new Error('poison');
  };
  return peer;
}
const others = (peer: RecordingLayer): number =>
  peer.messages.filter(({ message }) => !header(message, 'Call-ID')?.startsWith('message-50@')).length;

describe('one of 100 messages throws above the transport', () => {
  it('UDP: the 99 others arrive', async () => {
    const peer = await layer();
    const phone = await UdpPhone.open();
    opened.push(phone);
    for (let i = 0; i < 100; i += 1) phone.send(numbered('UDP 127.0.0.1;branch=z9hG4bK1;rport', i), peer.port('udp'));
    await until(() => others(peer) === 99);
    expect(peer.barrier.counters.datagram).toBe(1);
  });

  it('TCP: so they do on the same connection, which stays open', async () => {
    const peer = await layer();
    const phone = await TcpPhone.open(peer.port('tcp'));
    opened.push(phone);
    const stream = Array.from({ length: 100 }, (_, i) => numbered('TCP 127.0.0.1;branch=z9hG4bK1', i)).join('');
    phone.socket.write(stream);
    await until(() => others(peer) === 99);
    expect([peer.barrier.counters.stream, phone.closed]).toEqual([1, false]);
  });
});

describe('one of several commands throws inside', () => {
  it.each([
    {
      name: 'at once',
      fail: () => {
        throw new Error('poison');
      },
    },
    { name: 'while its target is looked up', fail: () => Promise.reject(new Error('poison')) },
  ])('$name: it alone is answered NOK, those behind it in the same segment are served', async ({ fail }) => {
    const server = await startServer({ resolver: { resolve: fail } });
    opened.push(server);
    const socket = connect(server.controlPort, '127.0.0.1');
    opened.push({ close: () => socket.destroy() });
    let text = '';
    socket.on('data', (segment) => {
      text += segment.toString();
    });
    const frame = (payload: string): string => `${Buffer.byteLength(payload)}#${payload}`;
    const broken = frame('broken|sip||\r\nOPTIONS sip:x@127.0.0.1:9 SIP/2.0\r\n\r\n');
    socket.write(frame(`a|authenticate|${SECRET}|`) + frame('before|ping') + broken + frame('behind|ping'));
    await until(() => text.includes('response|broken|NOK|Server error: internal fault'));
    await until(() => text.includes('response|behind|OK|pong'));
    expect(text).toContain('response|before|OK|pong');
    const { command, lookup } = server.stats().faults;
    expect(command + lookup).toBe(1);
  });
});

describe('no way in from the event loop is left open', () => {
  const folder = fileURLToPath(new URL('../../src/sip-server', import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const lines = files.flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .map((text, at, all) => ({ file, text, next: all.slice(at, at + 4).join(' ') })),
  );

  it('what carries traffic is handled behind the barrier', () => {
    const traffic = lines.filter(({ next }) =>
      /^\s*[\w.#]+\.(on|once)\(\s*'(message|data|connection|connect|end)'/.test(next),
    );
    expect(traffic.length).toBeGreaterThan(3);
    const open = traffic.filter(({ next }) => !/barrier\.handler\(|\.close\('ended'\)|admit\(socket\)/.test(next));
    expect(open).toEqual([]);
  });

  it('timers come from the barrier, and no promise is left to itself', () => {
    const wrong = lines.filter(
      ({ file, text }) =>
        file !== 'fault-barrier.ts' &&
        /\bset(Timeout|Interval|Immediate)\(|\bvoid [\w.#]+\([^)]*\)\.then|^\s*void this\.#?\w+\.(walk|resolve|open)/.test(
          text,
        ),
    );
    expect(wrong).toEqual([]);
    const clocks = lines.filter(({ text }) => text.includes('systemClock')).map(({ file }) => file);
    expect([...new Set(clocks)]).toEqual(['embedded-server.ts']);
  });
});
