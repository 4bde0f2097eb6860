import { describe, expect, it } from 'vitest';
import { ownEndpoints, parseHostports } from '../../src/sip/own-endpoints.ts';

const isOurs = ownEndpoints(
  {
    rtp: { min: 20_000, max: 20_003 },
    services: () => [5060, 8080, 9464],
    addresses: () => ['203.0.113.9', 'sip.example.com'],
  },
  () => ({
    lo: [{ address: '127.0.0.1' }, { address: '::1' }] as never,
    eth0: [{ address: '192.0.2.7' }, { address: 'fe80::1' }] as never,
    gone: undefined,
  }),
);

describe.each(['127.0.0.1', '127.8.9.10', '192.0.2.7', '203.0.113.9'])('media for %s', (address) => {
  it.each([20_000, 20_001, 20_002, 20_003, 5060, 8080, 9464])('port %i is our own', (port) => {
    expect(isOurs({ address, port })).toBe(true);
  });
  it.each([4000, 19_999, 20_004, 5061, 1])('port %i may be a phone on this machine', (port) => {
    expect(isOurs({ address, port })).toBe(false);
  });
});

it.each(['192.0.2.8', '198.51.100.1', '12.7.0.1'])('%s is somebody else, whatever the port', (address) => {
  for (const port of [20_000, 5060, 8080]) expect(isOurs({ address, port })).toBe(false);
});

it('knows the interfaces of this machine', () => {
  const own = ownEndpoints({ rtp: { min: 20_000, max: 20_003 }, services: () => [], addresses: () => [] });
  expect(own({ address: '127.0.0.1', port: 20_000 })).toBe(true);
});

describe('what a SIP server says it listens on', () => {
  it.each([
    {
      text: 'udp/192.0.2.1:5060,tcp/192.0.2.1:5061',
      points: [
        { transport: 'udp', address: '192.0.2.1', port: 5060 },
        { transport: 'tcp', address: '192.0.2.1', port: 5061 },
      ],
    },
    { text: ' TLS/[2001:db8::1]:5061', points: [{ transport: 'tls', address: '2001:db8::1', port: 5061 }] },
    { text: '', points: [] },
    { text: 'udp/', points: [] },
    { text: 'udp/192.0.2.1:5060,nonsense,:::', points: [{ transport: 'udp', address: '192.0.2.1', port: 5060 }] },
  ])('"$text"', ({ text, points }) => {
    expect(parseHostports(text)).toEqual(points);
  });
});
