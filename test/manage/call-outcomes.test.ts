import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallAnalysis } from '../../src/core/call-analysis.ts';
import { type ManageRig, manageRig } from '../support/manage-rig.ts';
import { callOf, DEFINITION, endCall } from '../support/manage-things.ts';

interface Listed {
  readonly id: string;
  readonly outcome: string | null;
  readonly outcome_label: object | null;
  readonly summary: string | null;
}
interface Whole extends Listed {
  readonly fields: readonly object[];
  readonly analysis: object | null;
}

const FIELD = { name: 'order', label: { en: 'Order' }, value: '452190736', turn: 1, words: 'four five two one' };
const ANALYSIS: CallAnalysis = {
  ...{ outcome: 'cancelled', label: { en: 'Cancelled', ar: 'إلغاء' }, by: 'dialogue' },
  ...{ summary: 'كان الاتصال بخصوص إلغاء الطلب الأزرق.', fields: [FIELD] },
};

let rig: ManageRig;
let agentId: string;
beforeAll(async () => {
  rig = await manageRig();
  agentId = (await rig.store.agents.create(rig.accountId, DEFINITION, 'live')).id;
});
afterAll(() => rig?.close());

async function ended(analysis: CallAnalysis | undefined, accountId = rig.accountId): Promise<string> {
  const { call } = await callOf(rig.store, accountId, agentId);
  await endCall(rig.store, call, undefined, analysis && { analysis, analysisState: 'ready' });
  return call;
}
const list = async (query: string, key = rig.key): Promise<readonly Listed[]> =>
  (await rig.ask<{ items: Listed[] }>(`GET /calls?${query}`, { key })).body.items;
const whole = async (id: string): Promise<Whole> => (await rig.ask<Whole>(`GET /calls/${id}`)).body;

describe('what a call came to', () => {
  it('is shown with the call and in the list', async () => {
    const call = await ended(ANALYSIS);
    const { outcome, label, summary } = ANALYSIS;
    const head = { outcome, outcome_label: label, summary };
    expect(await whole(call)).toMatchObject({ ...head, fields: [FIELD], analysis: { state: 'ready', by: 'dialogue' } });
    expect((await list('')).find(({ id }) => id === call)).toMatchObject(head);
    const without = await ended(undefined);
    const nothing = { outcome: null, outcome_label: null, summary: null };
    expect(await whole(without)).toMatchObject({ ...nothing, fields: [], analysis: null });
  });

  it('is what lists are narrowed by, and tables have', async () => {
    const call = await ended({ ...ANALYSIS, outcome: 'moved', summary: '=1+1' });
    await ended({ ...ANALYSIS, outcome: 'moved' }, rig.otherAccountId);
    expect((await list('outcome=moved')).map(({ id }) => id)).toEqual([call]);
    expect(await list('outcome=move')).toEqual([]);
    const { text } = await rig.ask('GET /calls.csv?outcome=moved');
    expect(text.split('\r\n')[0]).toContain(',outcome,summary,');
    expect(text).toContain(`,moved,'=1+1,`);
  });

  it('is found by the words of its summary', async () => {
    const call = await ended({ ...ANALYSIS, summary: 'About the walrus insurance.' });
    expect((await list('q=walrus')).map(({ id }) => id)).toEqual([call]);
    expect((await list(`q=${encodeURIComponent('walrus متى')}`)).map(({ id }) => id)).toEqual([call]); // and by its words
    expect(await list('q=walrus', rig.otherKey)).toEqual([]);
  });

  it('is gone when the call is erased, and does not come back with a late end', async () => {
    const call = await ended({ ...ANALYSIS, summary: 'About the tapir.' });
    await rig.ask(`DELETE /calls/${call}`);
    await rig.store.pool.query(`UPDATE calls SET end_reason = 'interrupted' WHERE id = $1`, [call]);
    await endCall(rig.store, call, undefined, { analysis: ANALYSIS, analysisState: 'ready' });
    const nothing = { outcome: null, outcome_label: null, summary: null, fields: [], analysis: null };
    expect(await whole(call)).toMatchObject(nothing);
    expect(await list('q=tapir')).toEqual([]);
    const { rows } = await rig.store.pool.query('SELECT to_jsonb(c) AS row FROM calls c WHERE id = $1', [call]);
    expect(JSON.stringify(rows[0].row)).not.toMatch(/tapir|452190736|four five|الأزرق/);
  });
});

describe('outcomes of an account', () => {
  it('are counted since then, each as its latest call calls it', async () => {
    const one = { ...ANALYSIS, outcome: 'rare' };
    const old = await ended(one);
    await rig.store.pool.query(`UPDATE calls SET started_at = now() - interval '40 days' WHERE id = $1`, [old]);
    await ended({ ...one, label: { en: 'Rare' } });
    await ended({ ...one, outcome: 'theirs' }, rig.otherAccountId);
    const countedSince = async (days: number): Promise<readonly { readonly outcome: string }[]> => {
      const since = encodeURIComponent(new Date(Date.now() - days * 86_400_000).toISOString());
      return (await rig.ask<{ items: { outcome: string }[] }>(`GET /calls/outcomes?since=${since}`)).body.items;
    };
    const items = await countedSince(30);
    expect(items).toContainEqual({ outcome: 'rare', label: { en: 'Rare' }, calls: 1 });
    expect(items.map(({ outcome }) => outcome)).not.toContain('theirs');
    expect(await countedSince(50)).toContainEqual({ outcome: 'rare', label: { en: 'Rare' }, calls: 2 });
  });

  it('are read from an index', async () => {
    const { rows } = await rig.store.pool.query(`SELECT indexdef FROM pg_indexes WHERE indexname = 'calls_outcome'`);
    expect(rows[0].indexdef).toContain('(account_id, outcome, started_at DESC, id DESC)');
  });
});
