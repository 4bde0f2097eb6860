import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { FaultBarrier } from '../../../src/sip-server/fault-barrier.ts';
import { HepClient, type HepSettings } from '../../../src/sip-server/hep/hep-client.ts';
import type { Flow } from '../../../src/sip-server/transport/flow.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { hepStream, type ReadHep, readHep } from '../../support/hep-reader.ts';
import { LogCapture } from '../../support/log-capture.ts';
import { freeTcpPort } from '../../support/ports.ts';
import { offer, SignallingRig } from '../../support/signalling-rig.ts';
import { optionsText, RecordingLayer, TcpPhone } from '../../support/transport-peer.ts';
import { until } from '../../support/until.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

async function udpServer(port = 0): Promise<{ socket: Socket; port: number; packets: ReadHep[] }> {
  const socket = createSocket('udp4').bind(port, '127.0.0.1');
  await once(socket, 'listening');
  opened.push({ close: () => socket.close() });
  const packets: ReadHep[] = [];
  socket.on('message', (packet) => packets.push(readHep(packet)));
  return { socket, port: socket.address().port, packets };
}

/** @param reads - false: it takes the connection and nothing more. */
async function tcpServer(reads = true) {
  let bytes = Buffer.alloc(0);
  const server = createServer((socket) => {
    opened.push({ close: () => socket.destroy() });
    if (!reads) return void socket.pause();
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push({ close: () => server.close() });
  return { port: (server.address() as AddressInfo).port, packets: () => hepStream(bytes) };
}

const settings = (port: number, reliable = false): HepSettings => ({
  ...{ reliable, host: '127.0.0.1', port, captureId: 7, password: 'pw' },
});
const flow = {
  transport: 'udp',
  remoteAddress: '192.0.2.9',
  remotePort: 9,
  localAddress: '192.0.2.1',
  localPort: 5060,
};

function client(where: HepSettings, clock = new FakeClock()) {
  const log = new LogCapture();
  const hep = new HepClient(where, new FaultBarrier(clock, log.logger), log.logger);
  opened.push(hep);
  const copy = (text = 'OPTIONS', direction: 'received' | 'sent' = 'sent') =>
    hep.copy(direction, Buffer.from(text), flow as Flow);
  return { hep, copy, log, clock, up: () => until(() => log.text.includes('copies of SIP messages go')) };
}
const warnings = (log: LogCapture): number => log.lines.filter(({ level }) => level === 'warn').length;

describe('copies of SIP messages', () => {
  it('go by UDP, each way round', async () => {
    const server = await udpServer();
    const { copy, up } = client(settings(server.port));
    copy(); // before there is a way: lost
    await up();
    copy('one', 'received');
    copy('two', 'sent');
    await until(() => server.packets.length === 2);
    expect(server.packets).toMatchObject([
      {
        source: '192.0.2.9:9',
        destination: '192.0.2.1:5060',
        protocol: 17,
        payload: 'one',
        captureId: 7,
        password: 'pw',
      },
      { source: '192.0.2.1:5060', destination: '192.0.2.9:9', payload: 'two', atMs: Date.UTC(2026, 0, 1) },
    ]);
  });

  it('go by TCP, and again after the server was away', async () => {
    const port = await freeTcpPort();
    const { copy, clock, log, hep } = client(settings(port, true));
    await until(() => hep.counters.losses === 1);
    for (let i = 0; i < 6; i += 1) {
      clock.advance(32_000);
      await until(() => hep.counters.losses === i + 2);
    }
    expect(warnings(log)).toBe(1);
    copy();
    expect(hep.counters).toMatchObject({ sent: 0, dropped: 1 });
    const server = await tcpServer();
    const other = client(settings(server.port, true));
    await other.up();
    other.copy('x'.repeat(60_000));
    other.copy('y');
    await until(() => server.packets().length === 2);
    expect(server.packets().map(({ payload }) => payload.length)).toEqual([60_000, 1]);
  });

  it('are dropped, and counted, for a server that does not read', async () => {
    const server = await tcpServer(false);
    const { copy, up, hep } = client(settings(server.port, true));
    await up();
    for (let i = 0; i < 1_000; i += 1) copy('x'.repeat(60_000));
    expect(hep.counters.dropped).toBeGreaterThan(500);
    expect(hep.counters.sent + hep.counters.dropped).toBe(1_000);
  });

  it('are left out where one is too long for its way', async () => {
    const server = await udpServer();
    const { copy, up, hep } = client(settings(server.port));
    await up();
    copy('x'.repeat(65_450));
    expect(hep.counters).toMatchObject({ sent: 0, tooLong: 1 });
  });

  it('find a UDP server that was away, and say it once', async () => {
    const { port, socket } = await udpServer();
    opened.pop();
    await new Promise<void>((resolve) => socket.close(() => resolve()));
    const { copy, up, clock, log, hep } = client(settings(port));
    await up();
    await until(() => {
      clock.advance(1_000);
      copy();
      return hep.counters.losses >= 4;
    });
    expect(warnings(log)).toBe(1);
    const server = await udpServer(port);
    await until(() => {
      clock.advance(32_000);
      copy('back');
      return server.packets.length > 0;
    });
  });

  it('know that a name is none', async () => {
    const { hep, log } = client({ ...settings(9060), host: 'no-such-host.invalid' });
    await until(() => hep.counters.losses === 1);
    expect(log.text).toMatch(/ENOTFOUND|EAI_AGAIN/);
  });
});

it('a call is copied whole, from the transport that it goes by', async () => {
  const server = await udpServer();
  const rig = await SignallingRig.open('listen', systemClock, { capture: settings(server.port) });
  const phone = `127.0.0.1:${rig.phone.port}`;
  await rig.phone.call(offer, { headers: ['Content-Type: application/sdp', 'Authorization: Digest secret'] });
  await until(() => rig.legs.length === 1);
  rig.phone.sendRequest('BYE');
  await rig.phone.final('BYE');
  // What is sent again on a busy machine is copied again: each message counts once.
  const lines = () => [
    ...new Set(
      server.packets.map(({ payload, source }) => {
        const method = /^CSeq: \d+ (\w+)/m.exec(payload)?.[1];
        return `${source === phone ? '>' : '<'} ${payload.split('\r\n')[0]} (${method})`;
      }),
    ),
  ];
  await until(() => lines().length >= 6);
  expect(lines()).toEqual([
    expect.stringMatching(/^> INVITE sip:/),
    '< SIP/2.0 100 Trying (INVITE)',
    '< SIP/2.0 200 OK (INVITE)',
    expect.stringMatching(/^> ACK /),
    expect.stringMatching(/^> BYE /),
    '< SIP/2.0 200 OK (BYE)',
  ]);
  expect(JSON.stringify(server.packets)).not.toContain('Digest secret');
  await rig.close();
});

it('a tap sees what comes and goes by a connection, and cannot disturb it', async () => {
  const seen: string[] = [];
  const tap = {
    copy: (direction: string, message: Buffer, { transport }: Flow) => {
      seen.push(`${direction} ${transport} ${message.toString().split('\r\n')[0]}`);
      throw new Error('a tap that breaks');
    },
  };
  const peer = await RecordingLayer.open({ tap });
  opened.push(peer.layer);
  const phone = await TcpPhone.open(peer.port('tcp'));
  opened.push(phone);
  phone.socket.write(`\r\n\r\n${optionsText('TCP 127.0.0.1;branch=z9hG4bK1')}`); // a ping is no message, nor its answer
  const { flow: back } = await peer.message(0);
  back.send(Buffer.from('SIP/2.0 200 OK\r\n\r\n'));
  await until(() => phone.text.startsWith('\r\nSIP/2.0 200'));
  expect(seen).toEqual(['received tcp OPTIONS sip:nidaa@127.0.0.1 SIP/2.0', 'sent tcp SIP/2.0 200 OK']);
});
