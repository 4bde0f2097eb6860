import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { differences } from '../../src/manage/json-diff.ts';
import { type ManageRig, manageRig } from '../support/manage-rig.ts';
import { DEFINITION } from '../support/manage-things.ts';
import { beginCall, moneyOf } from '../support/money.ts';
import { EVERY_TEST } from '../support/property-runs.ts';

interface Code {
  readonly error: { readonly code: string; readonly message: string };
}
interface AgentBody {
  readonly id: string;
  readonly status: string;
  readonly version: number;
  readonly numbers: readonly string[];
  readonly definition: typeof DEFINITION;
  readonly yaml: string | null;
}

let rig: ManageRig;
beforeAll(async () => {
  rig = await manageRig();
});
afterAll(async () => {
  expect(await rig?.unaudited()).toEqual([]);
  await rig?.close();
});

const create = async (name: string): Promise<{ id: string; tag: string }> => {
  const { status, body, headers } = await rig.ask<AgentBody>('POST /agents', {
    body: { definition: { ...DEFINITION, name } },
  });
  expect([status, body.status, body.version]).toEqual([201, 'draft', 1]);
  return { id: body.id, tag: headers.get('etag')! };
};

describe('an agent', () => {
  it('is made as a draft, changed, published, paused, restored and deleted, each with its version', async () => {
    const { id } = await create('Whole life');
    const changed = { ...DEFINITION, name: 'Whole life', greeting: { en: 'Good morning.' } };
    expect((await rig.ask<AgentBody>(`PUT /agents/${id}`, { body: { definition: changed } })).body).toMatchObject({
      ...{ status: 'draft', version: 2, definition: changed },
    });
    expect((await rig.ask<Code>(`POST /agents/${id}/pause`)).body.error.code).toBe('not_possible');
    expect((await rig.ask<AgentBody>(`POST /agents/${id}/publish`)).body).toMatchObject({ status: 'live', version: 3 });
    expect((await rig.ask<AgentBody>(`POST /agents/${id}/pause`)).body).toMatchObject({ status: 'paused', version: 3 });
    expect((await rig.ask<AgentBody>(`POST /agents/${id}/publish`)).body).toMatchObject({ status: 'live', version: 3 });
    const restored = await rig.ask<AgentBody>(`POST /agents/${id}/restore`, { body: { version: 1 } });
    expect(restored.body).toMatchObject({ version: 4, definition: { greeting: DEFINITION.greeting } });
    const versions = await rig.ask<{ items: { version: number }[]; next: string }>(
      `GET /agents/${id}/versions?limit=3`,
    );
    expect(versions.body.items.map(({ version }) => version)).toEqual([4, 3, 2]);
    const rest = await rig.ask<{ items: { version: number }[] }>(
      `GET /agents/${id}/versions?after=${versions.body.next}`,
    );
    expect(rest.body.items.map(({ version }) => version)).toEqual([1]);
    expect((await rig.ask<AgentBody>(`GET /agents/${id}/versions/2`)).body.definition).toEqual(changed);
    const diff = await rig.ask<{ differences: object[] }>(`GET /agents/${id}/diff?from=1&to=2`);
    expect(diff.body.differences).toEqual([
      { path: '/greeting/en', kind: 'changed', before: DEFINITION.greeting.en, after: 'Good morning.' },
    ]);
    expect((await rig.ask<Code>(`GET /agents/${id}/versions/9`)).body.error.code).toBe('unknown_resource');
    expect((await rig.ask(`DELETE /agents/${id}`)).status).toBe(204);
    expect((await rig.ask(`GET /agents/${id}`)).status).toBe(404);
  });

  it('keeps the text that it was saved with: comments and order stay where others change another field', async () => {
    const text =
      '# Opened in 1990.\nlanguage: en-US\nname: Commented # as callers know it\nvoice: emma\nmodel: sada-1\ngreeting: { en: Hello. } # short\n';
    const made = await rig.ask<AgentBody>('POST /agents', { body: { yaml: text } });
    expect([made.status, made.body.yaml]).toEqual([201, text]);
    const { id, definition } = made.body;
    const change = async (body: object) => (await rig.ask<AgentBody & Code>(`PUT /agents/${id}`, { body })).body;
    const greeted = text.replace('Hello.', 'Good morning.');
    expect(await change({ definition: { ...definition, greeting: { en: 'Good morning.' } } })).toMatchObject({
      version: 2,
      yaml: greeted,
    });
    expect((await rig.ask<AgentBody>(`GET /agents/${id}`)).body.yaml).toBe(greeted);
    expect((await rig.ask<AgentBody>(`GET /agents/${id}/versions/1`)).body.yaml).toBe(text);
    expect((await rig.ask<AgentBody>(`POST /agents/${id}/publish`)).body.yaml).toBe(greeted);
    expect((await rig.ask<AgentBody>(`POST /agents/${id}/restore`, { body: { version: 1 } })).body.yaml).toBe(text);
    // A text beside a definition is what that is put into.
    const both = await change({ definition: { ...definition, voice: 'james' }, yaml: `number: "1000"\n${text}` });
    expect(both.yaml).toBe(text.replace('emma', 'james'));
    expect((await change({ yaml: 'name: [' })).error).toMatchObject({
      code: 'invalid_definition',
      message: expect.stringContaining('line 1'),
    });
    expect((await change({ yaml: 'name: 5' })).error.code).toBe('invalid_definition');
    expect((await change({})).error.code).toBe('invalid_definition');
  });

  it('has no text where nobody wrote one, and never one that says another agent', async () => {
    const { id } = await create('Unwritten');
    const yaml = async () => (await rig.ask<AgentBody>(`GET /agents/${id}`)).body.yaml;
    expect(await yaml()).toBeNull();
    const wrote = (text: string) =>
      rig.store.pool.query('UPDATE agent_versions SET yaml = $2 WHERE agent_id = $1', [id, text]);
    for (const text of ['name: Another\n', 'name: [', '']) {
      await wrote(text);
      expect(await yaml()).toBeNull();
    }
    await wrote(JSON.stringify({ ...DEFINITION, name: 'Unwritten' }));
    expect(await yaml()).toMatch(/Unwritten/);
  });

  it('is not saved over somebody else who has saved meanwhile', async () => {
    const { id, tag } = await create('Two editors');
    const save = (greeting: string) =>
      rig.ask<Code>(`PUT /agents/${id}`, {
        body: { definition: { ...DEFINITION, name: 'Two editors', greeting: { en: greeting } } },
        headers: { 'if-match': tag },
      });
    const both = await Promise.all([save('One.'), save('Two.')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect((await save('Three.')).body.error.code).toBe('edited_meanwhile');
    expect((await rig.ask(`DELETE /agents/${id}`, { headers: { 'if-match': '"9-9"' } })).status).toBe(412);
  });

  it('is refused with the field that is wrong, and a name that is taken', async () => {
    await create('Only one');
    const wrong = { ...DEFINITION, voice: 'emmo', pitch: 99, unknown: 1 };
    const refused = await rig.ask<Code>('POST /agents', { body: { definition: wrong } });
    expect([refused.status, refused.body.error.code]).toEqual([422, 'invalid_definition']);
    expect(refused.body.error).toMatchObject({
      message: expect.stringMatching(/unknown unknown key.*\(and 1 more\)/),
      notice: { code: 'problem.and-more', params: { more: '1', problem: { params: { field: 'unknown' } } } },
    });
    const taken = await rig.ask<Code>('POST /agents', { body: { definition: { ...DEFINITION, name: 'Only one' } } });
    expect([taken.status, taken.body.error.message]).toEqual([409, 'There is an agent Only one already.']);
  });

  it('is made once for an Idempotency-Key', async () => {
    const request = { body: { definition: { ...DEFINITION, name: 'Once' } }, headers: { 'idempotency-key': 'one' } };
    const [first, second] = [
      await rig.ask<AgentBody>('POST /agents', request),
      await rig.ask<AgentBody>('POST /agents', request),
    ];
    expect([first.status, second.status, second.body.id]).toEqual([201, 201, first.body.id]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    const other = { ...request, body: { definition: { ...DEFINITION, name: 'Twice' } } };
    expect((await rig.ask('POST /agents', other)).status).toBe(422);
  });
});

describe('what a new agent is begun with', () => {
  it.runIf(EVERY_TEST)(
    'is a small agent in each language that works as it stands, then those that came with the gateway',
    async () => {
      rig.agentDesk.offer([DEFINITION]);
      const { body } = await rig.ask<{ items: { id: string; origin: string; definition: typeof DEFINITION }[] }>(
        'GET /agent-templates',
      );
      expect(body.items.map(({ id, origin }) => `${origin} ${id}`)).toEqual([
        ...['starter starter-en', 'starter starter-ar', 'shipped shipped-1'],
      ]);
      for (const { id, definition } of body.items) {
        const checked = await rig.ask<{ ok: boolean }>('POST /agent-checks', { body: { definition } });
        expect({ id, ok: checked.body.ok }).toEqual({ id, ok: true });
      }
      const made = await rig.ask('POST /agents', { body: { definition: body.items[1]!.definition } });
      expect(made.status).toBe(201);
    },
  );
});

describe('before anything is saved', () => {
  type Report = {
    ok: boolean;
    findings: { severity: string; field: string; message: string; notice: { code: string } | null }[];
    pronunciation: unknown;
  };
  const check = async (definition: object): Promise<Report> =>
    (await rig.ask<Report>('POST /agent-checks', { body: { definition } })).body;

  it('a definition is checked for shape, sense, meaning and pronunciation', async () => {
    expect(await check(DEFINITION)).toMatchObject({ ok: true, pronunciation: { coverage: 1 } });
    const shape = await check({ ...DEFINITION, language: 'french' });
    expect(shape).toMatchObject({ ok: false, pronunciation: null });
    const wanted = { code: 'wanted.language', params: {} };
    expect(shape.findings[0]).toEqual({
      ...{ severity: 'error', field: 'language' },
      message: 'expected a language like ar-SA or en-US, got "french"',
      notice: { code: 'shape.unfit', params: { wanted, got: '"french"' } },
    });
    const twice = [0, 1].map((one) => ({
      name: `wish${one}`,
      examples: { en: ['order bread'] },
      answer: { en: 'Yes.' },
    }));
    const meaning = await check({ ...DEFINITION, intents: twice });
    expect(meaning.findings).toContainEqual(
      expect.objectContaining({ severity: 'error', field: 'intents[1].examples.en[0]' }),
    );
    expect(meaning.findings[0]?.notice?.code).toMatch(/^agent\./);
    const said = await check({ ...DEFINITION, greeting: { en: 'Model XQ-77zz speaks.' } });
    expect(said.pronunciation).toMatchObject({ flagged_count: expect.any(Number) });
  });

  it('an agent is tried by text, free of charge and each with its own reasons', async () => {
    const { id } = await create('Tried');
    const before = await rig.store.charges.balance(rig.accountId);
    type Tried = { reply: string; greeting: string; meant: string[]; steps: object[]; action: { type: string } | null };
    const ask = async (text: string, more: object = {}): Promise<Tried> =>
      (await rig.ask<Tried>(`POST /agents/${id}/try`, { body: { text, ...more } })).body;
    const [open, goodbye] = await Promise.all([ask('when are you open'), ask('goodbye')]);
    expect(open).toMatchObject({ reply: 'We are open from seven to nine.', meant: ['knowledge:0'] });
    expect(open.greeting).toBe('Corner Bakery, friend, how can I help you?');
    expect(goodbye.action).toEqual({ type: 'hangup' });
    expect(goodbye.meant).toEqual(['stock:goodbye']);
    const definition = { ...DEFINITION, knowledge: [{ ...DEFINITION.knowledge![0], answer: { en: 'Always.' } }] };
    expect((await ask('when are you open', { definition })).reply).toBe('Always.');
    expect((await ask('when are you open')).reply).toBe('We are open from seven to nine.');
    expect(await rig.store.charges.balance(rig.accountId)).toEqual(before);
  });
});

describe('numbers', () => {
  it('are given to agents of the account, told apart from those of others, and taken away', async () => {
    const { id } = await create('Numbered');
    const give = (number: string) => rig.ask<Code>(`PUT /numbers/${number}`, { body: { agent_id: id } });
    expect((await give('+966110000001')).body).toMatchObject({ number: '+966110000001', agent_name: 'Numbered' });
    expect((await rig.ask<AgentBody>(`GET /agents/${id}`)).body.numbers).toEqual(['+966110000001']);
    const theirs = await rig.store.agents.create(rig.otherAccountId, DEFINITION);
    await rig.store.numbers.assign('8000', rig.otherAccountId, theirs.id);
    expect((await give('8000')).body.error.code).toBe('taken');
    const foreign = await rig.ask<Code>('PUT /numbers/8001', { body: { agent_id: theirs.id } });
    expect(foreign.body.error.code).toBe('unknown_resource');
    expect((await rig.ask<{ items: object[] }>('GET /numbers')).body.items).toHaveLength(1);
    expect((await rig.ask('DELETE /numbers/%2B966110000001')).status).toBe(204);
    expect((await rig.ask('DELETE /numbers/%2B966110000001')).status).toBe(404);
  });
});

describe('the account', () => {
  it.runIf(EVERY_TEST)('has credit, a ledger in pages, and usage by day, kind and agent', async () => {
    const topUp = await rig.ask('POST /account/topups', { body: { cents: 500, reason: 'paid in' } });
    expect(topUp.body).toMatchObject({ balance_cents: 500, available_cents: 500 });
    const { id } = await create('Spends');
    const startedAt = new Date();
    const call = {
      id: 'call_usage',
      sipCallId: 'x',
      accountId: rig.accountId,
      agentId: id,
      agentVersion: 1,
      agentName: 'Spends',
    };
    const charge = {
      id: 'call_usage/minute/0',
      accountId: rig.accountId,
      cents: 3,
      owner: 'call_usage',
      kind: 'call-minute',
    } as const;
    await beginCall(rig.store, { ...call, direction: 'inbound', from: '1', to: '2', startedAt }, charge);
    await moneyOf(rig.store).settle(charge.id, 3);
    await moneyOf(rig.store).charge({ ...charge, id: 'req_1', owner: 'req_1', kind: 'speech', cents: 7 });
    expect((await rig.ask('GET /account')).body).toMatchObject({ balance_cents: 490, reserved_cents: 0 });
    type Page = { items: { cents: number; balance_after_cents: number }[]; next: string };
    const first = await rig.ask<Page>('GET /account/ledger?limit=2');
    expect(first.body.items.map(({ cents }) => cents)).toEqual([-7, -3]);
    const second = await rig.ask<Page>(`GET /account/ledger?limit=2&after=${first.body.next}`);
    expect(second.body).toMatchObject({
      items: [{ cents: 500, balance_after_cents: 500, note: 'paid in' }],
      next: null,
    });
    const from = new Date(startedAt.getTime() - 3_600_000).toISOString();
    const to = new Date(startedAt.getTime() + 3_600_000).toISOString();
    const usage = await rig.ask<{ lines: object[]; total_cents: number }>(
      `GET /account/usage?from=${from}&to=${to}&time_zone=UTC`,
    );
    expect(usage.body.total_cents).toBe(10);
    expect(usage.body.lines).toEqual([
      expect.objectContaining({ kind: 'call-minute', agent_id: id, count: 1, cents: 3 }),
      expect.objectContaining({ kind: 'speech', agent_id: null, count: 1, cents: 7 }),
    ]);
    for (const query of [`from=${to}&to=${from}`, 'time_zone=Nowhere', 'from=2020-01-01T00:00:00Z', 'to=never']) {
      expect((await rig.ask(`GET /account/usage?${query}`)).status).toBe(400);
    }
  });

  it('is one of several to an operator, who makes more', async () => {
    const { body } = await rig.ask<{ id: string }>('POST /accounts', { body: { name: 'Third' } });
    const { items } = (await rig.ask<{ items: { id: string }[] }>('GET /accounts')).body;
    expect(items.map(({ id }) => id)).toContain(body.id);
    const headers = { 'x-nidaa-account': body.id };
    await rig.ask('POST /account/topups', { headers, body: { cents: 1, reason: 'x' } });
    expect((await rig.ask('GET /account', { headers })).body).toMatchObject({ id: body.id, balance_cents: 1 });
  });
});

interface Compared {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly found: readonly string[];
}
describe('differences', () => {
  it.each<Compared>([
    { name: 'nothing', before: { a: [1, { b: null }] }, after: { a: [1, { b: null }] }, found: [] },
    { name: 'a field', before: { a: 1 }, after: { b: 2 }, found: ['removed /a', 'added /b'] },
    { name: 'a place in a list', before: [1, 2], after: [1, 3, 4], found: ['changed /1', 'added /2'] },
    { name: 'another kind', before: { a: [1] }, after: { a: { 0: 1 } }, found: ['changed /a'] },
    {
      name: 'odd names',
      before: { 'a/b~': 1, constructor: 1 },
      after: {},
      found: ['removed /a~1b~0', 'removed /constructor'],
    },
  ])('$name', ({ before, after, found }) => {
    expect(differences(before, after).map(({ kind, path }) => `${kind} ${path}`)).toEqual(found);
  });
});
