import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { numberKey, numberPattern } from '../../src/core/caller-number.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { backup } from '../../src/store/backup/backup.ts';
import { restore } from '../../src/store/backup/restore.ts';
import { ERASURES_FILE } from '../../src/store/erasures.ts';
import type { Store } from '../../src/store/store.ts';
import { callOf, DEFINITION, endCall } from '../support/manage-things.ts';
import { moneyFaults, openTestStore, type SharedTestStore } from '../support/postgres-store.ts';

const FORMS = [
  '+966507654321',
  '00966507654321',
  '966507654321',
  '0507654321',
  '507654321',
  'sip:+966507654321@10.0.0.1;user=phone',
  'tel:+966-50-765-4321',
  '٠٥٠٧٦٥٤٣٢١',
];
const CANARY = 'purple rhinoceros';
const country = '966';

describe('a number', () => {
  it.each(FORMS)('is the same however it is written: %s', (written) => {
    expect(numberKey(written, country)).toBe('966507654321');
  });

  it.each([
    ['+12025550123', '12025550123'],
    ['1000', '1000'],
    ['sip:Noura@example.com', 'name:noura'],
    ['"Noura" <sip:0507654321@x>', '966507654321'],
    ['', 'name:'],
  ])('%s is %s', (written, key) => {
    expect(numberKey(written, country)).toBe(key);
  });

  it('is looked for in texts as people write it, and not within others', () => {
    const pattern = new RegExp(numberPattern('966507654321', country)!, 'u');
    for (const form of FORMS.slice(0, 5)) expect(pattern.test(`call ${form}.`), form).toBe(true);
    for (const form of ['050 765 4321', '+966 50 765 4321', '٠٥٠٧٦٥٤٣٢١']) expect(pattern.test(form), form).toBe(true);
    for (const other of ['5076543210', '1507654321', '96650765432']) expect(pattern.test(other), other).toBe(false);
    expect([numberPattern('1000', country), numberPattern('name:noura', country)]).toEqual([undefined, undefined]);
  });
});

describe('an erasure', () => {
  let test: SharedTestStore;
  let store: Store;
  let account: string;
  let other: string;
  let agent: string;
  beforeAll(async () => {
    test = await openTestStore();
    store = test.store;
    account = (await store.accounts.create('Bakery')).id;
    other = (await store.accounts.create('Other')).id;
    await store.charges.topup('credit', account, 10_000, 'topup', '');
    await store.charges.topup('credit2', other, 10_000, 'topup', '');
    agent = (await store.agents.create(account, DEFINITION)).id;
    await store.numbers.assign('+966112345678', account, agent);
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    await store.pool.query('DELETE FROM recordings');
  });

  const of = (accountId?: string) => ({ countryCode: country, accountId });
  const turn = (index: number, text: string) => ({ index, role: 'caller', text, startedMs: 0, heardMs: 0 }) as const;
  async function calledBy(from: string, accountId = account, isLive = false): Promise<string> {
    const { call, order } = await callOf(store, accountId, agent);
    await store.pool.query('UPDATE calls SET from_number = $2, to_number = $3 WHERE id = $1', [
      call,
      from,
      '+966112345678',
    ]);
    await store.pool.query('UPDATE dial_orders SET target = $2, from_number = $3 WHERE id = $1', [
      order,
      from,
      '+966112345678',
    ]);
    await store.calls.turn(store.pool, call, turn(7, CANARY));
    if (!isLive) await endCall(store, call, `recordings/${call}.wav`, { dtmf: '507654321' });
    return call;
  }
  /** Every row of every table, as text. */
  async function dump(): Promise<string> {
    const { rows } = await store.pool.query<{ name: string }>(
      `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    );
    const tables = rows.map(({ name }) => store.pool.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`));
    return (await Promise.all(tables)).flatMap(({ rows: all }) => all.map(({ row }) => row)).join('\n');
  }
  const hits = (text: string) => ['507654321', '50 765 4321', CANARY, 'rhinocero'].filter((one) => text.includes(one));

  it('leaves nothing of a caller, however the number was written, and everything of others', async () => {
    for (const from of FORMS.slice(0, 7)) await calledBy(from);
    const kept = await calledBy('+966501111111');
    await store.pool.query('UPDATE turns SET text = $2 WHERE call_id = $1', [
      kept,
      'my sister has 050 765 4321, ask her',
    ]);
    await store.pool.query('UPDATE turns SET details = $2 WHERE call_id = $1', [
      kept,
      { slots: { n: '+966507654321', m: 966507654321 } },
    ]);
    await endCall(store, kept);
    const refused = {
      to: '2',
      sourceAddress: '192.0.2.1',
      transport: 'udp',
      sipCallId: 'x',
      reason: 'busy',
      detail: '',
      remedy: '',
    };
    await store.refusedCalls.add([
      { ...refused, at: new Date(), from: '0507654321' },
      { ...refused, at: new Date(), from: '1', detail: 'from sip:+966507654321@x' },
      { ...refused, at: new Date(), from: 'stays' },
    ]);
    const step = {
      at: '2026-01-02T03:04:05.678Z',
      direction: 'in' as const,
      peer: 'udp/192.0.2.7:5060',
      line: 'INVITE',
    };
    await store.ladders.add([
      {
        sipCallId: 'y',
        startedAt: new Date(),
        inbound: true,
        answered: false,
        steps: [{ ...step, text: 'From: <sip:0507654321@x>' }],
      },
    ]);
    await store.audit.add([
      {
        ...{ accountId: account, actor: { kind: 'key', id: 'k', name: 'k' }, action: 'createOrder', requestId: 'r' },
        ...{ target: { kind: 'order', id: 'o' }, after: { to: '+966507654321', n: 1 } },
      },
    ]);
    await store.pool.query(
      `INSERT INTO idempotency_keys (account_id, path, key, request_sha256, state, body, locked_until, expires_at)
        VALUES ($1, '/x', 'k', '', 'done', $2, now(), now() + interval '1 day')`,
      [account, Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('{"to": "+966507654321"}')])],
    );
    expect(hits(await dump()).length).toBeGreaterThan(3);
    const tried = await store.erasures.erase('0507654321', of(), { isTried: true });
    expect(hits(await dump()).length).toBeGreaterThan(3);
    const erased = await store.erasures.erase('0507654321', of());
    expect(erased.found).toEqual(tried.found);
    expect(erased.found).toMatchObject({ calls: 7, orders: 7, refusals: 1, recordings: 7, doNotCall: 0 });
    expect(hits(await dump())).toEqual([]);
    expect(readFileSync(join(test.dataFolder, ERASURES_FILE), 'utf8')).not.toContain('7654321');
    const { call, turns } = (await store.calls.get(kept))!;
    expect(call.from).toBe('+966501111111');
    expect(turns[0]!.text).toBe('my sister has [erased], ask her');
    expect(turns[0]!.details).toEqual({ slots: { n: '0', m: 0 } });
    expect((await store.calls.list({ words: 'sister' })).map(({ id }) => id)).toEqual([kept]);
    expect((await store.refusedCalls.list()).map(({ from }) => from)).toEqual(['stays']);
    expect(await moneyFaults(store)).toEqual([]);
    expect((await store.erasures.erase('0507654321', of())).found.calls).toBe(0);
  });

  it('is done when every file is gone, and every call is over', async () => {
    await calledBy('0507654321');
    const live = await calledBy('0507654321', account, true);
    const { id, doneAt } = await store.erasures.erase('0507654321', of(account));
    expect(doneAt).toBeNull();
    await store.erasures.goOn();
    expect((await store.erasures.get(id, account))?.waits.calls).toEqual([live]);
    await endCall(store, live, `recordings/${live}.wav`);
    await store.erasures.goOn();
    expect((await store.calls.get(live))?.call).toMatchObject({ from: '', recording: null });
    expect((await store.erasures.get(id, account))?.doneAt).toBeNull(); // its files are there yet
    await store.pool.query('DELETE FROM recordings');
    await store.erasures.goOn();
    expect((await store.erasures.get(id, account))?.doneAt).not.toBeNull();
    expect(await store.erasures.get(id, other)).toBeUndefined();
  });

  it('waits for nodes whose journals may have what was said: not for one that has ended, nor for one that is forgotten', async () => {
    const nodes = { lives: `now() + interval '1 hour'`, died: `now() - interval '1 hour'`, ended: `'-infinity'` };
    for (const [node, expires] of Object.entries(nodes)) {
      await store.pool.query(
        `INSERT INTO gateways (id, node, host, expires_at, fenced_at) VALUES ('gw_' || $1, $1, 'h', ${expires}, CASE WHEN $1 = 'died' THEN now() END)`,
        [node],
      );
    }
    const waits = async (one: string): Promise<readonly string[]> => (await store.erasures.get(one))!.onNodes;
    const { id } = await store.erasures.erase('0507654321', of(account));
    expect(await waits(id)).toEqual(['died', 'lives']);
    await store.erasures.forgetOn('lives', async () => false); // not all of it is in the database
    expect(await waits(id)).toEqual(['died', 'lives']);
    await store.erasures.forgetOn('lives', async () => true);
    expect(await waits(id)).toEqual(['died']);
    await calledBy('0507654321');
    const { id: later } = await store.erasures.erase('0507654321', of(account));
    expect(await waits(later)).toEqual(['died', 'lives', store.recordings.node].sort());
    await store.pool.query(`DELETE FROM gateways WHERE node = 'died'`);
    await store.erasures.goOn();
    expect((await store.erasures.get(id))?.doneAt).not.toBeNull();
    expect(await waits(later)).toEqual(['lives', store.recordings.node].sort());
    await store.pool.query('DELETE FROM gateways');
  });

  it('of one account leaves what others have, and never empties a number that an agent answers', async () => {
    const [mine, theirs] = [await calledBy('0507654321'), await calledBy('0507654321', other)];
    await store.erasures.erase('+966507654321', of(account));
    expect((await store.calls.get(mine))?.call.from).toBe('');
    expect((await store.calls.get(theirs))?.call.from).toBe('0507654321');
    await expect(store.erasures.erase('0112345678', of(account))).rejects.toThrow('is a number that an agent answers');
    await store.erasures.erase('+966507654321', of());
    expect((await store.calls.get(theirs))?.call.from).toBe('');
  });

  it('shows a person what there is of them', async () => {
    const call = await calledBy('0507654321');
    await store.doNotCall.add('+966507654321', account, 'asked');
    const data = await store.erasures.collect('+966 50 765 4321', of(account));
    expect(data.calls).toMatchObject([{ id: call, from: '0507654321', recording: `recordings/${call}.wav` }]);
    expect(JSON.stringify(data.calls)).toContain(CANARY);
    expect(data.orders).toMatchObject([{ to: '0507654321' }]);
    expect(data.do_not_call).toMatchObject([{ number: '+966507654321', note: 'asked' }]);
    expect((await store.erasures.erase('0507654321', of(account))).found.doNotCall).toBe(1);
    await store.pool.query('DELETE FROM do_not_call');
  });

  it('is done again where a backup of before comes back', async () => {
    const call = await calledBy('0507654321');
    const live = await calledBy('+966507654321', account, true);
    const kept = await calledBy('+966501111111');
    const file = join(test.dataFolder, 'before.tar');
    const { dataFolder, databaseUrl } = test;
    const made = { program: '1', madeAt: new Date(), atRest: true, node: store.recordings.node };
    await backup({ ...made, connection: { connectionString: databaseUrl }, dataFolder, file });
    const { id } = await store.erasures.erase('0507654321', of(account));
    const back = { file, dataFolder, databaseUrl, replace: true, logger: silentLogger };
    const { erasedAgain } = await restore({ ...back, now: new Date() });
    expect(erasedAgain).toBeGreaterThanOrEqual(3);
    expect(hits(await dump())).toEqual([CANARY, 'rhinocero']); // of the call of somebody else
    expect((await store.calls.get(kept))?.call.from).toBe('+966501111111');
    for (const one of [call, live])
      expect((await store.calls.get(one))?.call).toMatchObject({ from: '', recording: null });
    expect(await store.erasures.get(id, account)).toMatchObject({ waits: { recordings: [call] } });
    // And where all that is left of the erasure is the file of the data folder.
    await store.pool.query('DELETE FROM erasures');
    expect((await restore({ ...back, now: new Date(Date.now() + 1_000) })).erasedAgain).toBe(erasedAgain);
    expect((await store.erasures.get(id, account))?.id).toBe(id);
  });
});
