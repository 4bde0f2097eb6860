import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { LONG } from '../support/property-runs.ts';
import {
  answersOptions,
  booksFaults,
  callsOf,
  openThings,
  SeveralGateways,
  stillHeard,
} from '../support/several-gateways.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { until } from '../support/until.ts';

const CUT_MS = 360_000;
const MINUTE_MS = 60_000;
/** A lease and a third, and the round of a gateway that does much else. */
const NOTICED_MS_MAX = 120_000;

/** Leases as they are shipped; callers who say no word stay. */
const rig = new SeveralGateways(`conversation: { noInputMs: 120000, maxNoInputs: 20 }
`);
afterEach(() => rig.close());

/** With a lease of seconds: `test/scenarios/nodes.test.ts`. */
describe.runIf(LONG)('a gateway that is cut off from its database for six minutes', () => {
  it('is noticed within a lease and a third; its minutes and ends are booked late, once, and the books agree', async () => {
    const databaseUrl = await sharedDatabase(inject('postgresDesk'));
    const { relay, url } = await rig.wayTo(databaseUrl);
    const watcher = await rig.start(databaseUrl);
    const cut = await rig.start(url);
    const [leaves, stays] = [await rig.talking(cut), await rig.talking(cut)];
    await until(async () => (await callsOf(watcher)).every(({ booked }) => booked > 0), 'both calls are booked');

    const fromMs = performance.now();
    relay.silent = true;
    await until(
      async () => (await callsOf(watcher)).every(({ reason }) => reason === 'interrupted'),
      'both are given up',
      NOTICED_MS_MAX,
    );
    console.log(`given up after ${((performance.now() - fromMs) / 1_000).toFixed(0)} s`);
    await until(async () => (await answersOptions(cut)) === 503, 'peers are told to call elsewhere');
    const served = await rig.talking(watcher);
    await served.hangUp();
    await sleep(2 * MINUTE_MS);
    await leaves.hangUp();
    await sleep(Math.max(0, CUT_MS - (performance.now() - fromMs)));
    await stillHeard(stays);
    relay.silent = false;

    await until(() => cut.log().includes('going on under a new epoch'), cut.log, NOTICED_MS_MAX);
    await until(async () => (await answersOptions(cut)) === 200, 'peers are told to call here', NOTICED_MS_MAX);
    await stillHeard(stays);
    await stays.hangUp();
    const next = await rig.talking(cut);
    await next.hangUp();
    const ended = async (): Promise<boolean> =>
      (await callsOf(watcher)).every(({ reason }) => reason === 'caller-hangup');
    await until(ended, 'all have their ends', NOTICED_MS_MAX);

    const calls = await callsOf(watcher);
    console.log(`minutes booked: ${calls.map(({ booked }) => booked).join()}`);
    expect(calls.map(({ booked }) => booked)).toEqual(calls.map(({ talked }) => talked));
    expect(calls[1]!.talked).toBeGreaterThan(CUT_MS / MINUTE_MS);
    expect(await openThings(watcher)).toEqual({ calls: 0, charges: 0 });
    expect(await booksFaults(watcher)).toEqual([]);
  }, 1_200_000);
});
