import { expect, it } from 'vitest';
import { hostsText, registrationText } from '../../src/cli/trunk-status.ts';
import type { TrunkStatus } from '../../src/core/trunk-status.ts';

const status: TrunkStatus = {
  hosts: [
    { uri: 'sip:a', state: 'up', since: '2026-01-01T00:00:00.000Z', answerMs: 2.6 },
    { uri: 'sip:b', state: 'down', since: '2026-01-01T12:05:11.000Z', answerMs: 9 },
  ],
  registration: { state: 'registered', since: '2026-01-01T12:00:00.000Z', expiresAt: '2026-01-01T12:10:00.000Z' },
};
const failing: TrunkStatus = {
  hosts: [],
  registration: { state: 'waiting', since: '2026-01-01T12:00:00.000Z', problem: 'sip:a: 403' },
};

it.each([
  { uris: ['sip:a', 'sip:b', 'sip:c'], all: [status], text: 'sip:a (up 3 ms) sip:b (down since 12:05:11 UTC) sip:c' },
  {
    uris: ['sip:a'],
    all: [status, status, { hosts: [{ uri: 'sip:a', state: 'unknown' as const }] }],
    text: 'sip:a (up 3 ms; unknown)',
  },
  {
    uris: ['sip:c'],
    all: [
      {
        hosts: [
          { uri: 'sip:c', state: 'down' as const, since: '2026-01-01T12:05:11Z', problem: 'not-public' as const },
        ],
      },
    ],
    text: 'sip:c (down since 12:05:11 UTC, not-public)',
  },
  { uris: ['sip:a'], all: [], text: 'sip:a' },
  { uris: [], all: [], text: '-' },
])('hosts are $text', ({ uris, all, text }) => {
  expect(hostsText(uris, all)).toBe(text);
});

it.each([
  { wanted: false, all: [status], text: '-' },
  { wanted: true, all: [], text: 'no gateway runs' },
  { wanted: true, all: [status, status], text: 'registered until 12:10:00 UTC' },
  { wanted: true, all: [status, failing], text: 'registered until 12:10:00 UTC; waiting: sip:a: 403' },
])('a registration is $text', ({ wanted, all, text }) => {
  expect(registrationText(wanted, all)).toBe(text);
});
