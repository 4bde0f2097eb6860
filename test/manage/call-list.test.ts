import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CSV_ROWS_MAX, csvLine, csvTable } from '../../src/manage/csv.ts';
import { type ManageRig, manageRig } from '../support/manage-rig.ts';
import { callOf, DEFINITION, endCall } from '../support/manage-things.ts';

interface Listed {
  readonly id: string;
  readonly excerpt?: { readonly role: string; readonly text: string } | null;
  readonly last_words?: { readonly text: string } | null;
}

let rig: ManageRig;
let agentId: string;
beforeAll(async () => {
  rig = await manageRig();
  agentId = (await rig.store.agents.create(rig.accountId, DEFINITION, 'live')).id;
});
afterAll(() => rig?.close());

const list = async (query: string): Promise<readonly Listed[]> =>
  (await rig.ask<{ items: Listed[] }>(`GET /calls?${query}`)).body.items;
const ids = async (query: string): Promise<string[]> => (await list(query)).map(({ id }) => id);
const asked = (words: string): string => `q=${encodeURIComponent(words)}`;

/** A call that is over, in which the caller said this. */
async function said(text: string, accountId = rig.accountId): Promise<string> {
  const { call } = await callOf(rig.store, accountId, agentId);
  await rig.store.calls.turn(rig.store.pool, call, { index: 2, role: 'caller', text, startedMs: 70_000, heardMs: 1 });
  await endCall(rig.store, call);
  return call;
}

describe('words of calls are found', () => {
  it.each([
    ['in capitals', 'Where is my REFUND?', 'refund'],
    ['by their beginning', 'I want two refunds', 'refun'],
    ['without hamza', 'أبغى إلغاء الطلب رقم ١٢٣٤', 'الغاء'],
    ['with other letters at the end', 'عيادة الأسنان في جدة', 'عياده'],
    ['without their signs', 'مَتَى مَوْعِدُ الطّبيب', 'موعد طبيب'],
    ['without the article, and what is written with it', 'وصلني بالبريد والموعد بكرة', 'البريد موعد'],
    ['with the article where they have none', 'عندي موعد', 'الموعد'],
    ['in digits of the other script', 'رقم ٤٥٢١ من فضلك', '4521'],
    ['beside signs', 'my e-mail is a:b, "wait"', 'wait mail'],
    ['stretched', 'مـــوعدي', 'موعدي'],
  ])('%s', async (_, text, words) => {
    const call = await said(text);
    const found = await list(asked(words));
    expect(found.map(({ id }) => id)).toContain(call);
    expect(found.find(({ id }) => id === call)!.excerpt).toMatchObject({ role: 'caller', text });
  });

  it('all of them in one call, whoever said them, and not in others', async () => {
    const call = await said('zebra crossing');
    expect(await ids(asked('zebra'))).toEqual([call]);
    expect(await ids(asked('zebra hello'))).toEqual([call]); // the agent said hello
    expect(await ids(asked('zebra penguin'))).toEqual([]);
    expect(await ids(asked('brazez'))).toEqual([]);
    expect(await ids(asked('"\\\'():*&|!<->%_'))).toEqual([]); // none
    expect(
      (await rig.ask<{ items: Listed[] }>(`GET /calls?${asked('zebra')}`, { key: rig.otherKey })).body.items,
    ).toEqual([]);
    expect((await rig.ask('GET /calls?q=')).status).toBe(400);
  });

  it('no more when the call was erased, and not before it is over', async () => {
    const call = await said('okapi');
    expect(await ids(asked('okapi'))).toEqual([call]);
    await rig.ask(`DELETE /calls/${call}`);
    expect(await ids(asked('okapi'))).toEqual([]);
    const { rows } = await rig.store.pool.query('SELECT words FROM calls WHERE id = $1', [call]);
    expect(rows[0].words).toBeNull();
    const live = await callOf(rig.store, rig.accountId, agentId);
    await rig.store.calls.turn(rig.store.pool, live.call, {
      index: 2,
      role: 'caller',
      text: 'okapi',
      startedMs: 0,
      heardMs: 1,
    });
    expect(await ids(asked('okapi'))).toEqual([]);
    expect((await list('state=live')).find(({ id }) => id === live.call)!.last_words).toMatchObject({ text: 'okapi' });
    await endCall(rig.store, live.call);
    expect((await list(asked('okapi')))[0]!.id).toBe(live.call);
  });

  it('in a call of any length', async () => {
    const { call } = await callOf(rig.store, rig.accountId, agentId);
    const long = Array.from({ length: 4_000 }, (_, n) => `w${n}`)
      .join(' ')
      .slice(0, 20_000);
    for (let index = 2; index < 30; index += 1) {
      await rig.store.calls.turn(rig.store.pool, call, {
        index,
        role: 'caller',
        text: `${index} ${long}`,
        startedMs: 0,
        heardMs: 1,
      });
    }
    await endCall(rig.store, call);
    expect(await ids(asked('w3999'))).toEqual([]); // cut off at the bounds of a turn
    expect(await ids(asked('w17'))).toContain(call);
  });
});

describe('the list', () => {
  it('is narrowed by numbers, length, recording and who answered', async () => {
    const window = 'since=2026-02-01T00:00:00Z&until=2026-02-02T00:00:00Z';
    const startedAt = new Date('2026-02-01T10:00:00Z');
    const one = (await callOf(rig.store, rig.accountId, agentId, { startedAt, from: '+966_5', to: '100%' })).call;
    const two = (await callOf(rig.store, rig.accountId, agentId, { startedAt, from: '+966X5', to: '1000' })).call;
    await endCall(rig.store, one, 'recordings/x.wav');
    await rig.store.pool.query(`UPDATE calls SET answered_by = 'human', talk_ms = 5000 WHERE id = $1`, [two]);
    const only = (query: string) => ids(`${window}&${query}`);
    expect((await only('from=%2B966')).sort()).toEqual([one, two].sort());
    expect(await only('from=%2B966_')).toEqual([one]);
    expect(await only('to=100%25')).toEqual([one]);
    expect(await only('min_seconds=65')).toEqual([one]);
    expect((await only('min_seconds=5')).sort()).toEqual([one, two].sort());
    expect(await only('has_recording=true')).toEqual([one]);
    expect(await only('has_recording=false')).toEqual([two]);
    expect(await only('answered_by=human')).toEqual([two]);
    expect((await rig.ask('GET /calls?min_seconds=-1')).status).toBe(400);
  });

  it('comes as a table of all pages, in which nothing is a formula', async () => {
    const startedAt = new Date('2026-05-01T10:00:00Z');
    for (let n = 0; n < 3; n += 1) {
      const { call } = await callOf(rig.store, rig.accountId, agentId, {
        startedAt,
        from: '=HYPERLINK("x")',
        agentName: 'a,"b"',
      });
      await endCall(rig.store, call);
    }
    const { text, headers } = await rig.ask('GET /calls.csv?since=2026-05-01T00:00:00Z&until=2026-05-02T00:00:00Z');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const lines = text.trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/^\ufeff?id,direction,agent,from,to,started_at/);
    expect(lines).toHaveLength(4);
    expect(lines[1]).toContain(`outbound,"a,""b""","'=HYPERLINK(""x"")",+966501234567,2026-05-01T10:00:00.000Z`);
    expect((await rig.ask('GET /calls.csv?agent_id=agt_nobody')).text.trimEnd()).toBe(lines[0]);
  });
});

describe('a line of a table', () => {
  it.each([
    ['plain', 'plain'],
    ['+966501234567', '+966501234567'],
    [-5, '-5'],
    ['=1+1', `'=1+1`],
    ['+1+1', `'+1+1`],
    ['@SUM(A1)', `'@SUM(A1)`],
    ['-2+3', `'-2+3`],
    ['\t=1', `'\t=1`],
    [' =1', `' =1`],
    ['a\nb', '"a\nb"'],
    ['say "x"', '"say ""x"""'],
    [null, ''],
    [undefined, ''],
    [true, 'true'],
  ])('%j', (value, written) => {
    expect(csvLine([value, 1])).toBe(`${written},1\r\n`);
  });

  it('is one of so many, and not more', async () => {
    let asked = 0;
    const rows = Array.from({ length: 20_000 }, (_, n) => n);
    const page = async () => {
      asked += 1;
      return rows;
    };
    let lines = 0;
    for await (const piece of csvTable(['n'], page, (n) => [n])) lines += piece.split('\r\n').length - 1;
    expect([asked, lines]).toEqual([3, CSV_ROWS_MAX + 1]);
  });
});
