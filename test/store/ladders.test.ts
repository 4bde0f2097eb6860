import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LadderRecord } from '../../src/core/sip-ladder.ts';
import { LADDERS_WITHOUT_CALL_MAX } from '../../src/store/ladders.ts';
import type { Store } from '../../src/store/store.ts';
import { openTestStore, type SharedTestStore } from '../support/postgres-store.ts';
import { EVERY_TEST } from '../support/property-runs.ts';

let rig: SharedTestStore;
let store: Store;
beforeAll(async () => {
  rig = await openTestStore();
  store = rig.store;
  const { id } = await store.accounts.create('mine');
  for (const [call, sipCallId] of [
    ['call_1', 'one@a'],
    ['call_2', 'two@a'],
  ]) {
    await store.pool.query(
      `INSERT INTO calls (id, sip_call_id, account_id, agent_id, agent_version, agent_name, from_number, to_number, gateway,
        started_at) VALUES ($1, $2, $3, 'agent', 1, 'a', 'f', 't', 'g', now())`,
      [call, sipCallId, id],
    );
  }
});
afterAll(() => rig.close());

const ladder = (sipCallId: string, line = 'INVITE sip:1000@b SIP/2.0'): LadderRecord => ({
  ...{ sipCallId, startedAt: new Date(1_000), inbound: true, answered: false },
  steps: [{ at: new Date(1_000).toISOString(), direction: 'in', peer: 'udp/192.0.2.7:5060', line, text: 'Call-ID: x' }],
});

it('a ladder is found by the call that has its Call-ID, and by that', async () => {
  await store.ladders.add([ladder('one@a'), ladder('refused@a')]);
  expect(await store.ladders.of('call_1')).toMatchObject([{ callId: 'call_1', ...ladder('one@a') }]);
  expect(await store.ladders.of('one@a')).toMatchObject([{ callId: 'call_1' }]);
  expect(await store.ladders.of('refused@a')).toMatchObject([{ callId: null, ...ladder('refused@a') }]);
  expect(await store.ladders.of('nobody')).toEqual([]);
});

it('goes to the call that it is said to be part of, if that is there', async () => {
  await store.ladders.add([
    { ...ladder('second@a'), callId: 'call_1', startedAt: new Date(2_000), inbound: false },
    { ...ladder('lost@a'), callId: 'call_gone' },
  ]);
  expect((await store.ladders.of('call_1')).map(({ sipCallId }) => sipCallId)).toEqual(['one@a', 'second@a']);
  expect(await store.ladders.of('lost@a')).toMatchObject([{ callId: null }]);
});

it('takes any text', async () => {
  await store.ladders.add([ladder('odd\0@a', 'a\0b \ud83d c \\ud83d \ude00 d')]);
  expect((await store.ladders.of('odd@a'))[0]?.steps[0]?.line).toBe('ab  c \\ud83d  d');
});

it('goes with the record of its call', async () => {
  await store.ladders.add([ladder('two@a')]);
  await store.pool.query("DELETE FROM calls WHERE id = 'call_2'");
  expect(await store.ladders.of('two@a')).toEqual([]);
});

it.runIf(EVERY_TEST)(
  'of calls without a record the last are kept, of the others all',
  async () => {
    for (let from = 0; from < LADDERS_WITHOUT_CALL_MAX + 1_000; from += 500) {
      await store.ladders.add(Array.from({ length: 500 }, (_, index) => ladder(`r${from + index}`)));
    }
    const count = await store.pool.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM sip_ladders WHERE call_id IS NULL',
    );
    expect(count.rows[0]?.n).toBe(LADDERS_WITHOUT_CALL_MAX);
    expect((await store.ladders.of('call_1')).length).toBe(2);
  },
  60_000,
);
