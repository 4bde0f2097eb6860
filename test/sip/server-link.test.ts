import { beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/core/logger.ts';
import { LINK_TRANSITIONS, type LinkEvent, type LinkState, nextLinkState } from '../../src/sip/link-state.ts';
import {
  CONNECT_WAIT_MS,
  PING_EVERY_MS,
  PONG_WAIT_MS,
  REFUSED_RETRY_MS,
  RETRY_MS,
  ServerLink,
} from '../../src/sip/server-link.ts';
import { FakeClock } from '../support/fake-clock.ts';

describe('link states', () => {
  const states = Object.keys(LINK_TRANSITIONS) as LinkState[];
  const events = ['start', 'accepted', 'refused', 'lost', 'late', 'silent', 'retry', 'close'] as const;
  const expected: Record<LinkState, Partial<Record<LinkEvent, LinkState>>> = {
    idle: { start: 'connecting', close: 'closed' },
    connecting: { accepted: 'up', refused: 'waiting', lost: 'waiting', late: 'waiting', close: 'closed' },
    up: { lost: 'waiting', silent: 'waiting', close: 'closed' },
    waiting: { retry: 'connecting', close: 'closed' },
    closed: {},
  };
  it.each(states.flatMap((state) => events.map((event) => ({ state, event }))))(
    '$state, $event',
    ({ state, event }) => {
      expect(nextLinkState(state, event)).toBe(expected[state][event]);
    },
  );
});

let clock: FakeClock;
let link: ServerLink;
let told: string[];
let opened: number;
let pong: (() => void) | undefined;
let broken: boolean;

beforeEach(() => {
  clock = new FakeClock();
  told = [];
  opened = 0;
  pong = undefined;
  broken = false;
  link = new ServerLink({
    ...{ clock, logger: silentLogger, server: '192.0.2.1:9022' },
    wire: {
      open: () => {
        opened += 1;
        if (broken) throw new Error('EMFILE');
      },
      drop: () => told.push('dropped'),
      ping: (onPong) => {
        pong = onPong;
      },
    },
    onUp: () => told.push('up'),
    onDown: () => told.push('down'),
  });
  link.start();
});

/** Attempts made while `ms` pass, each of which ends as `end` says. */
function attemptsIn(ms: number, end: () => void): number {
  const before = opened;
  for (let at = 0; at < ms; at += 50) {
    clock.advance(50);
    if (link.state === 'connecting') end();
  }
  return opened - before;
}

function nextAttempt(): void {
  for (let waited = 0; waited <= REFUSED_RETRY_MS.most && link.state !== 'connecting'; waited += 50) clock.advance(50);
}

it('looks for a server that is away, less and less often, and is there when it comes', () => {
  link.lost();
  expect(attemptsIn(10_000, () => link.lost())).toBe(5); // after 0.25, 0.5, 1, 2, 4, 5, 5 ... s of waiting
  expect(attemptsIn(60_000, () => link.lost())).toBe(60_000 / RETRY_MS.most);
  expect(told).toEqual([]);
  nextAttempt();
  link.accepted();
  expect([link.state, told]).toEqual(['up', ['up']]);
});

it('tries a refused secret ever more seldom, and starts anew once it is taken', () => {
  link.refused();
  link.lost(); // the server ends the connection after its refusal
  expect(attemptsIn(180_000, () => link.refused())).toBe(5); // after 5, 10, 20, 40, 60 s
  nextAttempt();
  link.accepted();
  link.lost();
  expect(told).toEqual(['up', 'down']);
  clock.advance(RETRY_MS.first);
  expect(link.state).toBe('connecting');
});

it('gives up a connection that says nothing', () => {
  clock.advance(CONNECT_WAIT_MS);
  expect([link.state, told]).toEqual(['waiting', ['dropped']]);
});

it('notices a server that answers no ping', () => {
  link.accepted();
  for (let i = 0; i < 3; i += 1) {
    clock.advance(PING_EVERY_MS);
    pong?.();
    expect(link.state).toBe('up');
  }
  clock.advance(PING_EVERY_MS + PONG_WAIT_MS - 1);
  expect(link.state).toBe('up');
  clock.advance(1);
  expect([link.state, told, link.counters.silences]).toEqual(['waiting', ['up', 'dropped', 'down'], 1]);
  link.lost(); // what was dropped ends
  pong?.();
  clock.advance(RETRY_MS.first);
  expect([link.state, opened, link.counters.losses]).toEqual(['connecting', 2, 0]);
});

it('no descriptor for a connection is a reason to try later', () => {
  broken = true;
  link.lost();
  clock.advance(RETRY_MS.first);
  expect([link.state, opened]).toEqual(['waiting', 2]);
  broken = false;
  clock.advance(RETRY_MS.first * 4);
  expect(link.state).toBe('connecting');
});

it.each(['idle', 'connecting', 'up', 'waiting'] as const)('closes for good when %s', (state) => {
  if (state === 'up') link.accepted();
  if (state === 'waiting') link.lost();
  link.close();
  link.close();
  clock.advance(600_000);
  expect([link.state, opened, clock.pending]).toEqual(['closed', 1, 0]);
  expect(told.filter((one) => one !== 'up')).toEqual(state === 'up' ? [] : ['dropped']);
});
