import { beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/core/logger.ts';
import type { TrunkDefinition } from '../../src/core/trunk.ts';
import type { HostProblem } from '../../src/core/trunk-status.ts';
import type { HostState } from '../../src/trunks/host-health.ts';
import { type HostEvent, nextHostState } from '../../src/trunks/host-state.ts';
import { DOWN_EVERY_MS, FORGET_DOWN_MS, HostWatch } from '../../src/trunks/host-watch.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { trunkOf } from '../support/trunks.ts';

it.each<[HostState, HostEvent, HostState | undefined]>([
  ['unknown', 'answered', 'up'],
  ['unknown', 'silent', 'down'],
  ['unknown', 'forgotten', undefined],
  ['up', 'answered', undefined],
  ['up', 'silent', 'down'],
  ['up', 'forgotten', undefined],
  ['down', 'answered', 'up'],
  ['down', 'silent', undefined],
  ['down', 'forgotten', 'unknown'],
])('a host that is %s: after %s it is %s', (state, event, next) => {
  expect(nextHostState(state, event)).toBe(next);
});

const URI = 'sip:192.0.2.10:5060';
const HOP = `${URI};transport=udp`;
let clock: FakeClock;
let watch: HostWatch;
let asked: string[];
let answer: number | HostProblem;
let changes: string[];

beforeEach(() => {
  clock = new FakeClock();
  asked = [];
  changes = [];
  answer = 7;
  watch = new HostWatch({
    ...{ clock, logger: silentLogger, random: () => 0.5 },
    ask: (hop) => Promise.resolve(asked.push(hop) > 0 ? answer : 'silent'),
    onChange: (trunkId, hop, state) => changes.push(`${trunkId} ${hop} ${state}`),
  });
});
const status = () => watch.statusOf('trk_carrier', URI);
const pass = (ms: number) => clock.advanceAsync(ms, 100);
const watching = (changed: Partial<TrunkDefinition> = {}) => watch.watch([trunkOf(changed)]);

describe('a host that is asked', () => {
  it('is up with its first answer, and is asked on', async () => {
    watching();
    expect(status()).toMatchObject({ state: 'unknown' });
    await pass(1_000);
    expect(status()).toEqual({ state: 'up', since: new Date(clock.epochMs + 500), answerMs: 7 });
    await pass(60_000);
    expect(asked).toEqual([HOP, HOP, HOP]);
    expect(changes).toEqual([`trk_carrier ${HOP} up`]);
  });

  it('is down when it is silent, is asked more often then, and is up again', async () => {
    watching();
    await pass(1_000);
    answer = 'silent';
    await pass(30_000);
    expect(status()).toMatchObject({ state: 'down', answerMs: 7 });
    expect(watch.isDown(HOP)).toBe(true);
    asked = [];
    await pass(2 * DOWN_EVERY_MS);
    expect(asked.length).toBe(2);
    expect(status().problem).toBe('silent');
    answer = 'not-public';
    await pass(DOWN_EVERY_MS);
    expect(status()).toMatchObject({ state: 'down', problem: 'not-public' });
    answer = 9;
    await pass(DOWN_EVERY_MS);
    expect(status()).toEqual({ state: 'up', since: expect.any(Date), answerMs: 9 });
    expect(changes.map((change) => change.split(' ').at(-1))).toEqual(['up', 'down', 'up']);
  });

  it('is believed dead when a call says so, and asked soon', async () => {
    watching();
    await pass(1_000);
    watch.onDead(HOP);
    expect(status().state).toBe('down');
    asked = [];
    await pass(DOWN_EVERY_MS);
    expect([asked.length, status().state]).toEqual([1, 'up']);
  });

  it('is asked no more when its trunk is gone or the gateway ends', async () => {
    watching();
    await pass(1_000);
    watch.watch([]);
    expect([status().state, clock.pending]).toEqual(['unknown', 0]);
    watching();
    watch.close();
    expect(clock.pending).toBe(0);
  });

  it('stays known while its trunk changes in other ways', async () => {
    watching();
    await pass(1_000);
    watching({ callerId: 'remote-party-id' });
    expect([status().state, clock.pending]).toEqual(['up', 1]);
    watching({ transport: 'tcp' });
    expect([status().state, clock.pending]).toEqual(['unknown', 1]);
    await pass(1_000);
    expect(asked.at(-1)).toBe(`${URI};transport=tcp`);
  });
});

describe('a host that nobody asks', () => {
  beforeEach(() => watching({ pingSeconds: 0 }));

  it('is what calls find it to be, dead for half a minute', async () => {
    await pass(100_000);
    expect([status().state, asked.length]).toEqual(['unknown', 0]);
    watch.onDead(HOP);
    expect(status().state).toBe('down');
    watch.onDead(HOP, 'not-public');
    expect(status().problem).toBe('not-public');
    await pass(FORGET_DOWN_MS);
    expect(status()).toEqual({ state: 'unknown', since: expect.any(Date) });
    watch.onAlive(HOP);
    expect(status().state).toBe('up');
  });

  it('is not mistaken for another', () => {
    watch.onDead('sip:192.0.2.11:5060;transport=udp');
    expect(status().state).toBe('unknown');
  });
});
