import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../src/core/management.ts';
import { type ManageRig, manageRig } from '../support/manage-rig.ts';
import { callOf, DEFINITION, TRUNK } from '../support/manage-things.ts';

interface Body {
  readonly error: { readonly code: string };
  readonly id: string;
  readonly owner: string;
  readonly added: boolean;
  readonly items: readonly Body[];
}

let rig: ManageRig;
/** A key of the account with every scope but that of operators. */
let owner: string;
let agent: string;
beforeAll(async () => {
  rig = await manageRig();
  owner = await rig.keyWith(...SCOPES.filter((scope) => scope !== 'operator'));
  agent = (await rig.store.agents.create(rig.accountId, DEFINITION)).id;
  const theirs = await rig.store.agents.create(rig.otherAccountId, DEFINITION);
  await rig.store.numbers.assign('7000', rig.otherAccountId, theirs.id);
});
afterAll(async () => {
  const unaudited = await rig?.unaudited();
  await rig?.close();
  expect(unaudited).toEqual([]);
});

/** What is answered to the account, and to an operator who asks the same. */
async function both(what: string, body?: unknown) {
  const as = async (key: string) => {
    const { status, body: answer } = await rig.ask<Body>(what, { key, ...(body !== undefined && { body }) });
    return { code: `${status} ${answer.error?.code ?? ''}`.trim(), answer };
  };
  return [await as(owner), await as(rig.key)] as const;
}

describe('what only operators may', () => {
  it('is to take a number from the account that has it', async () => {
    const state = async () => [(await both('GET /numbers/7000'))[0].code, (await both('GET /numbers/7999'))[0].code];
    expect(await state()).toEqual(['409 taken', '404 unknown_resource']);
    expect((await both('PUT /numbers/7000', { agent_id: agent })).map(({ code }) => code)).toEqual([
      ...['409 taken', '409 taken'],
    ]);
    const taken = await both('PUT /numbers/7000', { agent_id: agent, take: true });
    expect(taken.map(({ code }) => code)).toEqual(['403 missing_scope', '200']);
    expect(await state()).toEqual(['200', '404 unknown_resource']);
  });

  it('is to have nobody at all call a number', async () => {
    const [refused, made] = await both('POST /do-not-call', { number: '+966500000001', owner: 'operator' });
    expect([refused.code, made.code, made.answer.owner, made.answer.added]).toEqual([
      ...['403 missing_scope', '201', 'operator', true],
    ]);
    expect(await rig.store.doNotCall.has('+966500000001', rig.otherAccountId)).toBe(true);
    const again = await rig.ask<Body>('POST /do-not-call', { body: { number: '+966500000001', owner: 'operator' } });
    expect(again.body.added).toBe(false);
    const gone = await both(`DELETE /do-not-call/${made.answer.id}`);
    expect(gone.map(({ code }) => code)).toEqual(['404 unknown_resource', '204']);
  });

  it('is a trunk that all accounts call by', async () => {
    const body = { definition: TRUNK, owner: 'operator', password: 'secret' };
    const [refused, made] = await both('POST /trunks', body);
    expect([refused.code, made.code, made.answer.owner]).toEqual(['403 missing_scope', '201', 'operator']);
    const other = { 'x-nidaa-account': rig.otherAccountId };
    const seen = await rig.ask(`GET /trunks/${made.answer.id}`, { headers: other });
    expect(seen.body).toMatchObject({ owner: 'operator', has_password: true });
    const hidden = await rig.ask(`GET /trunks/${made.answer.id}`, { key: owner });
    expect(hidden.body).toMatchObject({ definition: null, has_password: null });
  });

  it('are the messages of calls that came to nothing', async () => {
    const steps = [
      { at: '2026-01-02T03:04:05.678Z', direction: 'in' as const, peer: 'udp/192.0.2.7:5060', line: 'I', text: '' },
    ];
    const startedAt = new Date();
    await rig.store.ladders.add([{ sipCallId: 'scan@192.0.2.7', startedAt, inbound: true, answered: false, steps }]);
    const seen = await both('GET /calls/scan%40192.0.2.7/ladder');
    expect(seen.map(({ code }) => code)).toEqual(['404 unknown_resource', '200']);
    expect(seen[1].answer.items).toMatchObject([{ call_id: null, sip_call_id: 'scan@192.0.2.7' }]);
    // Those of a call that has a record are its account's.
    const theirs = await rig.store.agents.getByName(rig.otherAccountId, DEFINITION.name);
    const { call } = await callOf(rig.store, rig.otherAccountId, theirs!.id);
    expect((await both(`GET /calls/${call}%40sip/ladder`)).map(({ code }) => code)).toEqual([
      ...['404 unknown_resource', '404 unknown_resource'],
    ]);
  });
});
