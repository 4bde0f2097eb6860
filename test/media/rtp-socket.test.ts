import { afterEach, describe, expect, it } from 'vitest';
import { RtpSocket } from '../../src/media/worker/rtp-socket.ts';
import { RtpPeer } from '../support/rtp-peer.ts';
import { until } from '../support/until.ts';

const closing: { close(): void }[] = [];
afterEach(() => {
  for (const part of closing.splice(0)) part.close();
});

const DATAGRAM = Buffer.from('8000000100000002000000030405', 'hex');

async function pair(): Promise<{ socket: RtpSocket; peer: RtpPeer; target: { address: string; port: number } }> {
  const socket = await RtpSocket.open('127.0.0.1', 0, () => {});
  if (typeof socket === 'string') throw new Error(socket);
  const peer = await RtpPeer.open();
  closing.push(socket, peer);
  return { socket, peer, target: { address: '127.0.0.1', port: peer.port } };
}

describe('RtpSocket', () => {
  it('goes on unconnected when the system refuses to connect', async () => {
    const { socket, peer, target } = await pair();
    socket.connect({ address: '203.0.113.1', port: 9 }); // no way out of the loopback
    for (let n = 0; n < 3; n += 1) socket.send(DATAGRAM, DATAGRAM.length, target);
    await until(() => peer.heard.length === 3, 'three packets');
  });

  it('sends connected and unconnected, and to nobody else while connected', async () => {
    const { socket, peer, target } = await pair();
    const other = await RtpPeer.open();
    closing.push(other);
    socket.connect(target);
    socket.send(DATAGRAM, DATAGRAM.length, target);
    socket.send(DATAGRAM, DATAGRAM.length, { address: '127.0.0.1', port: other.port });
    socket.connect(undefined);
    socket.send(DATAGRAM, DATAGRAM.length, { address: '127.0.0.1', port: other.port });
    await until(() => peer.heard.length === 1 && other.heard.length === 1, 'one packet each');
    expect(socket.errors).toBe(1);
  });
});
