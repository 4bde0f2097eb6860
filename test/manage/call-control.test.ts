import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CallEnd, callEnd } from '../../src/call/call-end.ts';
import { type ManageRig, manageRig } from '../support/manage-rig.ts';
import { callOf, DEFINITION, endCall } from '../support/manage-things.ts';

interface Code {
  readonly error: { readonly code: string; readonly message: string };
}

let rig: ManageRig;
let agentId: string;
beforeAll(async () => {
  rig = await manageRig();
  agentId = (await rig.store.agents.create(rig.accountId, DEFINITION, 'live')).id;
});
afterAll(async () => {
  expect(await rig?.unaudited()).toEqual([]);
  await rig?.close();
});

it('a call that goes on is spoken on and put through, by its own account, and where an agent talks', async () => {
  const { call } = await callOf(rig.store, rig.accountId, agentId);
  const done: string[] = [];
  let noted: 'taken' | 'withheld' | 'no' | 'not-now' = 'no';
  let outcome: 'begun' | 'not-now' | CallEnd = 'begun';
  rig.live.push({
    ...{ id: call, sipCallId: 'x', accountId: rig.accountId, agentId, startedAt: new Date() },
    close: async () => undefined,
    sendTo: async (target) => {
      done.push(target);
      return outcome;
    },
    note: (text) => {
      if (noted === 'taken') done.push(`noted: ${text}`);
      return noted;
    },
    say: (text) => {
      done.push(text);
      return outcome === 'begun';
    },
  });
  const say = (body: object, key = rig.key) => rig.ask<Code>(`POST /calls/${call}/say`, { body, key });
  const transfer = (target: string, key = rig.key) =>
    rig.ask<Code>(`POST /calls/${call}/transfer`, { body: { target }, key });
  expect([(await say({ text: 'x' }, rig.otherKey)).status, (await transfer('1900', rig.otherKey)).status]).toEqual([
    404, 404,
  ]);
  expect(done).toEqual([]);
  expect([(await say({ text: ' We close soon. ' })).status, (await transfer('phone:reception')).status]).toEqual([
    202, 202,
  ]);
  expect(done).toEqual(['We close soon.', 'phone:reception']);
  for (const [taking, said] of [
    ['no', 'takes no notes, so have it `say` the words'],
    ['withheld', 'may not leave the gateway'],
    ['not-now', 'no agent talks on this call now'],
  ] as const) {
    noted = taking;
    expect((await say({ text: 'x', mode: 'note' })).body.error.message).toContain(said);
  }
  noted = 'taken';
  done.length = 0;
  expect((await say({ text: ' The order comes. ', mode: 'note' })).status).toBe(202);
  expect(done).toEqual(['noted: The order comes.']);
  for (const text of ['', ' \n', 'x'.repeat(501)]) expect((await say({ text })).status).toBe(400);
  outcome = 'not-now';
  expect([(await say({ text: 'x' })).body.error.code, (await transfer('1900')).body.error.code]).toEqual([
    'not_possible',
    'not_possible',
  ]);
  outcome = callEnd('gateway', 'not-allowed', 'no prefix of a trunk allows it');
  expect((await transfer('+88216')).body.error).toEqual({
    ...{ code: 'not_called', message: 'Not called: no prefix of a trunk allows it.' },
  });
  rig.live.pop();
  expect((await say({ text: 'x' })).body.error.message).toBe('Not possible: another gateway has the call.');
  await endCall(rig.store, call);
  expect((await transfer('1900')).body.error.message).toBe('Not possible: the call is over.');
  const { rows } = await rig.store.pool.query(
    `SELECT count(*)::int AS hits FROM audit_entries e WHERE e::text ~ 'close soon|reception|order comes'`,
  );
  expect(rows[0].hits).toBe(0); // what was said and to whom is on the record of the call
});
