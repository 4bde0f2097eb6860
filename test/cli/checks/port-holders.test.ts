import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bindFault, parseSocketTable, portHolder, takenUdpPorts } from '../../../src/cli/checks/port-holders.ts';

const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
const LISTENING =
  '   0: 0100007F:13C4 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0 100 0';
const CONNECTED =
  '   1: 0100007F:13C4 0100007F:D1F2 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 0 100 0';
const UDP6 =
  '  12: 00000000000000000000000000000000:4E20 00000000000000000000000000000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 99 2 0 0';

describe('the socket table of Linux', () => {
  it.each([
    { name: 'a listener', text: `${HEAD}\n${LISTENING}\n`, protocol: 'tcp', rows: [{ port: 5060, inode: '4711' }] },
    { name: 'a connection is no listener', text: `${HEAD}\n${CONNECTED}\n`, protocol: 'tcp', rows: [] },
    { name: 'UDP over IPv6', text: `${HEAD}\n${UDP6}\n`, protocol: 'udp', rows: [{ port: 20_000, inode: '99' }] },
    { name: 'nothing', text: '', protocol: 'udp', rows: [] },
    { name: 'half a line', text: `${HEAD}\n   0: 0100007F`, protocol: 'udp', rows: [] },
  ] as const)('$name', ({ text, protocol, rows }) => {
    expect(parseSocketTable(text, protocol)).toEqual(rows);
  });
});

describe('a port', () => {
  it.skipIf(!existsSync('/proc/net/udp'))('that we hold is found with its holder', async () => {
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const { port } = socket.address();
    expect(await bindFault('udp', '127.0.0.1', port)).toBe('EADDRINUSE');
    expect(portHolder('udp', port)?.pid).toBe(process.pid);
    expect([...(takenUdpPorts(port, port) ?? [])]).toEqual([port]);
    socket.close();
    await once(socket, 'close');
    expect(await bindFault('udp', '127.0.0.1', port)).toBeUndefined();
    expect(portHolder('udp', port)).toBeUndefined();
  });

  it('of an address that is not ours cannot be had', async () => {
    expect(await bindFault('tcp', '192.0.2.77', 0)).toBe('EADDRNOTAVAIL');
  });
});
