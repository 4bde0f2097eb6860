import { beforeEach, describe, expect, it } from 'vitest';
import { callEnd } from '../../src/call/call-end.ts';
import type { CallRoute } from '../../src/call/call-router.ts';
import { dialRoute, type HostNotes, type RoutedCall, SILENCE_MS_MAX } from '../../src/call/dial-route.ts';
import { DialError } from '../../src/call/dialer.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { type FakeDial, FakeDialer } from '../support/fake-dialer.ts';
import { plain } from '../support/leg-rig.ts';

const route: CallRoute = {
  attempts: [
    { uri: 'sip:+966@one', from: '100', headers: { 'X-Trunk': 'one' } },
    { uri: 'sip:+966@two', from: '100', nextHop: 'sip:192.0.2.2' },
    { uri: 'sip:+966@three', from: '100' },
  ],
  release: () => undefined,
};

let clock: FakeClock;
let dialer: FakeDialer;
let notes: string[];
let ended: unknown;

beforeEach(() => {
  clock = new FakeClock();
  dialer = new FakeDialer();
  notes = [];
  ended = undefined;
});

function start(call: Partial<RoutedCall> = {}, more: Partial<HostNotes> = {}): void {
  const hosts = {
    onAlive: (uri: string) => notes.push(`alive ${uri}`),
    onDead: (uri: string, problem?: string) => notes.push(['dead', uri, ...(problem ? [problem] : [])].join(' ')),
  };
  dialRoute({ dialer, clock, hosts: { ...hosts, ...more } }, route, { media: plain, ...call }).then(
    (leg) => {
      ended = leg;
    },
    (error: unknown) => {
      ended = error;
    },
  );
}
const settle = () => clock.advanceAsync(0.001, 0.001);
const at = (index: number): FakeDial => {
  const found = dialer.dialled[index];
  if (!found) throw new Error(`attempt ${index} was not made`);
  return found;
};
const uris = () => dialer.dialled.map((dial) => dial.options.uri);
const lost = callEnd('network', 'signalling-lost');
const inside = callEnd('gateway', 'not-allowed', 'not-public');
const distrusted = callEnd('network', 'certificate-refused', 'CERT_HAS_EXPIRED');

describe('the next host is tried', () => {
  it.each([
    { name: 'after 503', status: 503, end: callEnd('network', 'busy'), note: [] },
    { name: 'after silence that the SIP server noticed', status: 408, end: lost, note: ['dead sip:+966@one'] },
    { name: 'where no request could be sent', status: 0, end: lost, note: ['dead sip:+966@one'] },
    { name: 'where it leads inside', status: 0, end: inside, note: ['dead sip:+966@one not-public'] },
    { name: 'where its certificate is not taken', status: 0, end: distrusted, note: ['dead sip:+966@one'] },
  ])('$name', async ({ status, end, note }) => {
    start({ sipCallId: 'c1', headers: { 'X-Call': '1' } });
    at(0).refuse(end, status);
    await settle();
    expect(uris()).toEqual(['sip:+966@one', 'sip:+966@two']);
    expect(notes).toEqual(note);
    expect(at(0).options).toMatchObject({ sipCallId: 'c1', headers: { 'X-Call': '1', 'X-Trunk': 'one' } });
    expect(at(1).options).toMatchObject({ nextHop: 'sip:192.0.2.2', sipCallId: 'c1', headers: { 'X-Call': '1' } });
    at(1).answer();
    await settle();
    expect(ended).toBe(at(1).leg);
    expect(notes.at(-1)).toBe('alive sip:192.0.2.2');
    expect(clock.pending).toBe(0);
  });

  it('after four seconds without a word, and a host that answers after all is hung up', async () => {
    dialer.deaf = true;
    start();
    await clock.advanceAsync(SILENCE_MS_MAX - 20);
    expect(uris().length).toBe(1);
    await clock.advanceAsync(40);
    expect(uris().length).toBe(2);
    expect(at(0).cancelled).toBe(true);
    expect(notes).toEqual(['dead sip:+966@one']);
    at(0).answer();
    at(1).answer();
    await settle();
    expect(ended).toBe(at(1).leg);
    expect(at(0).leg.log).toEqual(['hangup cancelled']);
    expect(at(1).leg.log).toEqual([]);
  });

  it('after 503, also of a host that had rung', async () => {
    start();
    at(0).options.onProgress?.(180, 'Ringing');
    at(0).refuse(callEnd('network', 'busy'), 503);
    await settle();
    expect(uris().length).toBe(2);
  });
});

describe('no other host is tried', () => {
  it.each([
    { status: 486, end: callEnd('network', 'busy'), note: ['alive sip:+966@one'] },
    { status: 404, end: callEnd('network', 'no-such-number'), note: ['alive sip:+966@one'] },
    { status: 600, end: callEnd('network', 'busy'), note: ['alive sip:+966@one'] },
    { status: 0, end: callEnd('network', 'no-answer'), note: [] },
    { status: 0, end: callEnd('gateway', 'media-failed'), note: [] },
  ])('after $status $end.reason', async ({ status, end, note }) => {
    start();
    at(0).refuse(end, status);
    await settle();
    expect(ended).toMatchObject({ status, end });
    expect([uris().length, notes]).toEqual([1, note]);
    expect(clock.pending).toBe(0);
  });

  it.each([100, 180, 183])('once %i was heard', async (status) => {
    const heard: number[] = [];
    start({ onProgress: (one) => heard.push(one) });
    at(0).options.onProgress?.(status, '');
    await clock.advanceAsync(3 * SILENCE_MS_MAX, 1_000);
    expect(uris().length).toBe(1);
    expect(heard).toEqual(status === 100 ? [] : [status]);
    at(0).refuse(lost, 408);
    await settle();
    expect([uris().length, notes]).toEqual([1, ['alive sip:+966@one']]);
  });

  it('while the silent one answers a question', async () => {
    const asked: string[] = [];
    start({}, { isAlive: (uri) => Promise.resolve(asked.push(uri) > 0) });
    await clock.advanceAsync(3 * SILENCE_MS_MAX, 1_000);
    expect([uris().length, asked]).toEqual([1, ['sip:+966@one']]);
    at(0).answer();
    await settle();
    expect(ended).toBe(at(0).leg);
  });

  it('when nobody waits any more', async () => {
    const cancel = new AbortController();
    start({ signal: cancel.signal });
    cancel.abort();
    await settle();
    expect(ended).toMatchObject({ end: { reason: 'cancelled' } });
    expect(uris().length).toBe(1);
  });

  it('when the time to ring is over', async () => {
    dialer.deaf = true;
    start({ ringTimeoutMs: SILENCE_MS_MAX });
    expect(at(0).options.ringTimeoutMs).toBe(SILENCE_MS_MAX);
    await clock.advanceAsync(SILENCE_MS_MAX);
    expect(ended).toBeInstanceOf(DialError);
    expect(uris().length).toBe(1);
  });
});

it('the last failure is the failure of the route', async () => {
  start();
  for (const index of [0, 1, 2]) {
    at(index).refuse(callEnd('network', 'busy', `${index}`), 503);
    await settle();
  }
  expect(ended).toMatchObject({ status: 503, end: { detail: '2' } });
});

it('what is no DialError is a failure like any other', async () => {
  start();
  at(0).fail(new Error('broken'));
  await settle();
  expect(ended).toMatchObject({ status: 0, end: { reason: 'internal' } });
});
