import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { csvLine } from '../../src/manage/csv.ts';
import type { CallStart } from '../../src/store/call-rows.ts';
import { type ManageRig, manageRig } from '../support/manage-rig.ts';
import { beginCall, moneyOf } from '../support/money.ts';

interface Code {
  readonly error: { readonly code: string };
}
interface AccountBody {
  readonly name: string;
  readonly limits: object;
  readonly retention: object;
  readonly today: { readonly calls_now: number; readonly calls: number; readonly spent_cents: number };
}
const NO_LIMITS = { calls_at_once: null, calls_a_day: null, spend_a_day_cents: null, requests_a_minute: null };

let rig: ManageRig;
beforeAll(async () => {
  rig = await manageRig();
  await rig.store.charges.topup(newId('chg'), rig.accountId, 10_000, 'topup', '=HYPERLINK("x")');
});
afterAll(async () => {
  expect(await rig?.unaudited()).toEqual([]);
  await rig?.close();
});
beforeEach(async () => {
  await change({ limits: NO_LIMITS });
});

const change = (body: object, headers: Record<string, string> = {}) =>
  rig.ask<AccountBody & Code>('PATCH /account', { body, headers });

/** As the call path begins one: what the database says to it. */
async function begin(id = newId('call')): Promise<string> {
  const call: CallStart = {
    ...{ id, sipCallId: id, accountId: rig.accountId, agentId: 'agt_x', agentVersion: 1, agentName: 'x' },
    ...{ direction: 'inbound', from: '1', to: '2', startedAt: new Date() },
  };
  const charge = { id: `${id}/minute/0`, accountId: rig.accountId, cents: 3, owner: id, kind: 'call-minute' } as const;
  return beginCall(rig.store, call, charge);
}
const charge = (cents: number, id = newId('req')) => ({
  ...{ id, accountId: rig.accountId, cents, owner: id, kind: 'speech' as const },
});
const endAll = () =>
  rig.store.pool.query(`UPDATE calls SET ended_at = now(), end_reason = 'caller-hangup' WHERE ended_at IS NULL`);

describe('the settings of an account', () => {
  it('are changed one by one, and not over somebody else who has saved meanwhile', async () => {
    const before = await rig.ask<AccountBody>('GET /account');
    expect(before.body).toMatchObject({ name: 'First', time_zone: 'Asia/Riyadh', limits: NO_LIMITS });
    const tag = before.headers.get('etag')!;
    const named = await change({ name: 'Bakery', retention: { recordings_days: 30 } }, { 'if-match': tag });
    expect(named.body).toMatchObject({ name: 'Bakery', retention: { recordings_days: 30, transcripts_days: null } });
    const late = await change({ name: 'Other' }, { 'if-match': tag });
    expect([late.status, late.body.error.code]).toEqual([412, 'edited_meanwhile']);
    const limited = await change({ limits: { calls_at_once: 2 }, time_zone: 'Africa/Cairo' });
    expect(limited.body).toMatchObject({ name: 'Bakery', limits: { ...NO_LIMITS, calls_at_once: 2 } });
    expect((await change({ time_zone: 'Mars/Base' })).status).toBe(400);
    expect((await change({ limits: { calls_at_once: -1 } })).status).toBe(400);
    const audit = await rig.ask<{ items: { before: object; after: object }[] }>(
      'GET /audit?action=changeAccount&limit=1',
    );
    expect(audit.body.items[0]).toMatchObject({
      before: { time_zone: 'Asia/Riyadh' },
      after: { time_zone: 'Africa/Cairo' },
    });
    await change({ retention: { recordings_days: null }, time_zone: 'Asia/Riyadh' });
  });
});

describe('a limit of an account', () => {
  it('of calls at once lets as many begin as it says, however many ask together', async () => {
    await change({ limits: { calls_at_once: 3 } });
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => begin()));
    expect(outcomes.filter((one) => one === 'reserved').length).toBe(3);
    expect(outcomes.filter((one) => one === 'calls-at-once').length).toBe(9);
    expect((await rig.ask<AccountBody>('GET /account')).body.today.calls_now).toBe(3);
    await endAll();
    const id = newId('call');
    expect([await begin(id), await begin(id)]).toEqual(['reserved', 'duplicate']); // asked again, it does not count itself
    await endAll();
  });

  it('of calls a day counts those of the day, in and out', async () => {
    const { today } = (await rig.ask<AccountBody>('GET /account')).body;
    await change({ limits: { calls_a_day: today.calls + 1 } });
    expect([await begin(), await begin()]).toEqual(['reserved', 'calls-a-day']);
    await rig.store.pool.query(`UPDATE calls SET started_at = now() - interval '2 days'`);
    expect(await begin()).toBe('reserved');
    await endAll();
  });

  it('of spend a day stops calls, their minutes and requests, and lets what was given be paid', async () => {
    const spent = (await rig.ask<AccountBody>('GET /account')).body.today.spent_cents;
    const charges = moneyOf(rig.store);
    const { rows } = await rig.store.pool.query<{ held: string }>(
      'SELECT reserved_cents AS held FROM accounts WHERE id = $1',
      [rig.accountId],
    );
    const held = Number(rows[0]!.held);
    await change({ limits: { spend_a_day_cents: spent + held + 10 } });
    expect(await charges.charge(charge(6))).toMatchObject({ outcome: 'settled', cents: 6 });
    expect(await charges.reserve(charge(5))).toBe('insufficient-credit');
    const open = charge(3);
    expect(await charges.reserve(open)).toBe('reserved');
    expect(await charges.raise(open.id, 5)).toBe('insufficient-credit');
    expect((await charges.charge(charge(3))).outcome).toBe('insufficient-credit'); // one more minute
    expect(await charges.given(charge(8))).toMatchObject({ outcome: 'settled', cents: 8, shortfallCents: 0 });
    expect(await begin()).toBe('spend-a-day');
    expect((await rig.ask<AccountBody>('GET /account')).body.today.spent_cents).toBe(spent + 14);
    await charges.release(open.id);
    await rig.store.pool.query('UPDATE accounts SET spent_on = spent_on - 1 WHERE id = $1', [rig.accountId]);
    expect(await begin()).toBe('reserved'); // it is the next day
    await endAll();
  });
});

describe('usage', () => {
  // The database has the time of the machine.
  beforeEach(() => rig.clock.advance(Math.max(0, Date.now() + 1_000 - rig.clock.utc().getTime())));

  it('is a table, in which no cell is run by a spreadsheet', async () => {
    const ledger = await rig.ask('GET /account/ledger.csv');
    expect(ledger.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(ledger.text).toContain(`,topup,10000,10000,"'=HYPERLINK(""x"")",`);
    const lines = ledger.text.split('\r\n');
    expect(lines[0]).toBe('created_at,kind,cents,balance_after_cents,note,id');
    expect(lines.length).toBe((await rig.store.charges.entries(rig.accountId, 1_000)).length + 2);
    const usage = await rig.ask('GET /account/usage.csv?time_zone=UTC');
    expect(usage.text).toMatch(/\d{4}-\d\d-\d\d,speech,,\d+,\d+\r\n/);
    const nothing = await rig.ask('GET /account/ledger.csv?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z');
    expect(nothing.text.split('\r\n').length).toBe(2);
  });

  it.each([
    ['=1+1', "'=1+1\r\n"],
    ['@x', "'@x\r\n"],
    ['+966', '+966\r\n'],
    ['+966 (1)', "'+966 (1)\r\n"],
    ['a,"b"', '"a,""b"""\r\n'],
    ['two\nlines', '"two\nlines"\r\n'],
    [null, '\r\n'],
    [-3, '-3\r\n'],
  ])('the cell %o is written %o', (cell, line) => {
    expect(csvLine([cell])).toBe(line);
  });

  it('is forecast at the pace of the last days', async () => {
    type Forecast = { days: number; cents_a_day: number; days_left: number; empty_at: string };
    const { body } = await rig.ask<Forecast>('GET /account/forecast');
    expect(body.cents_a_day).toBeGreaterThan(0);
    const { balanceCents } = (await rig.store.accounts.get(rig.accountId))!;
    expect(body.days_left).toBeCloseTo(balanceCents / body.cents_a_day, -1);
    const other = await rig.ask<Forecast>('GET /account/forecast', { key: rig.otherKey });
    expect(other.body).toMatchObject({ cents_a_day: 0, days_left: null, empty_at: null });
  });
});
