import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RUNS_KEPT } from '../../src/store/agent-tests.ts';
import { type Answered, type ManageRig, manageRig } from '../support/manage-rig.ts';
import { DEFINITION } from '../support/manage-things.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { until } from '../support/until.ts';

interface Code {
  readonly error: { readonly code: string; readonly message: string };
}
interface Run {
  readonly id: string;
  readonly state: string;
  readonly agent_version: number | null;
  readonly trigger: string;
  readonly passed: number;
  readonly failed: number;
  readonly dialogues: {
    name: string;
    outcome: string;
    first_fault: string | null;
    turns: { step: number; caller: string; reply: string; intent: string[] }[];
  }[];
}
interface Tests {
  readonly yaml: string;
  readonly dialogues: { name: string; steps: { kind: string; caller: string; expected: object | null }[] }[];
  readonly problems: { line: number; field: string; message: string }[];
  readonly required: boolean;
}

const YAML = `dialogues:
  - name: opening hours
    steps:
      - caller: when are you open
        agent: { contains: seven, intent: when are you open, action: none }
  - name: a farewell
    steps:
      - agent: { contains: Corner Bakery }
      - caller: goodbye
        agent: { intent: goodbye, action: hangup }
`;

let rig: ManageRig;
beforeAll(async () => {
  rig = await manageRig();
});
afterAll(() => rig?.close());

let made = 0;
/** An agent, a draft unless it is published. */
const create = async (publish = false): Promise<string> => {
  made += 1;
  const definition = { ...DEFINITION, name: `Tested ${made}` };
  const { body } = await rig.ask<{ id: string }>('POST /agents', { body: { definition } });
  if (publish) await rig.ask(`POST /agents/${body.id}/publish`);
  return body.id;
};
const save = <B = Tests>(id: string, body: object, headers: Record<string, string> = {}): Promise<Answered<B>> =>
  rig.ask<B>(`PUT /agents/${id}/tests`, { body, headers });
const run = async (id: string, body: object = {}): Promise<Run> =>
  (await rig.ask<Run>(`POST /agents/${id}/tests/run`, { body })).body;

describe('the tests of an agent', () => {
  it('are none at first, saved as they were written, and read back with what they mean', async () => {
    const id = await create();
    const none = await rig.ask<Tests>(`GET /agents/${id}/tests`);
    expect(none.body).toEqual({ yaml: '', dialogues: [], problems: [], required: false, updated_at: null });
    expect((await save(id, { yaml: YAML })).status).toBe(200);
    const { body } = await rig.ask<Tests>(`GET /agents/${id}/tests`);
    expect(body).toMatchObject({ yaml: YAML, problems: [], required: false });
    expect(body.dialogues.map(({ name }) => name)).toEqual(['opening hours', 'a farewell']);
    expect(body.dialogues[1]!.steps).toEqual([
      expect.objectContaining({ kind: 'agent', caller: '' }),
      expect.objectContaining({ kind: 'caller', caller: 'goodbye', line: 9 }),
    ]);
    expect((await save(id, { required: true })).body).toMatchObject({ yaml: YAML, required: true });
    expect((await save(id, { yaml: '' })).body).toMatchObject({ yaml: '', required: true });
  });

  it('are not saved over those of somebody else', async () => {
    const id = await create();
    const first = (await rig.ask(`GET /agents/${id}/tests`)).headers.get('etag')!;
    const saved = await save(id, { yaml: YAML }, { 'if-match': first });
    expect(saved.status).toBe(200);
    expect((await save<Code>(id, { yaml: '' }, { 'if-match': first })).body.error.code).toBe('edited_meanwhile');
    expect((await save(id, { yaml: '' }, { 'if-match': saved.headers.get('etag')! })).status).toBe(200);
  });

  it('are refused with line and field where they mean nothing', async () => {
    const id = await create();
    const wrong = YAML.replace('intent: goodbye', 'intent: farewel, within_ms: soon');
    const { status, body } = await save<Code>(id, { yaml: wrong });
    expect([status, body.error.code]).toEqual([422, 'invalid_tests']);
    expect(body.error.message).toMatch(/line 10, dialogues\[1\]\.steps\[1\]\.agent\.within_ms: expected .*integer/);
    const unknown = await save<Code>(id, { yaml: YAML.replace('intent: goodbye', 'intent: godbye') });
    expect(unknown.body.error.message).toMatch(/line 10, .*agent\.intent: .* godbye \(did you mean goodbye\?\)/);
    const check = await rig.ask<{ ok: boolean; problems: object[] }>(`POST /agents/${id}/tests/check`, {
      body: { yaml: wrong },
    });
    expect(check.body).toMatchObject({
      ok: false,
      problems: [{ line: 10, field: 'dialogues[1].steps[1].agent.within_ms', notice: { code: 'shape.unfit' } }],
    });
  });

  it('show what no longer fits the agent', async () => {
    const id = await create();
    await save(id, { yaml: YAML });
    const { knowledge: _, ...other } = DEFINITION;
    const intents = [{ name: 'bread', examples: { en: ['order bread'] }, answer: { en: 'Yes.' } }];
    await rig.ask(`PUT /agents/${id}`, { body: { definition: { ...other, name: 'Changed since', intents } } });
    const { body } = await rig.ask<Tests>(`GET /agents/${id}/tests`);
    expect(body.problems).toEqual([expect.objectContaining({ line: 5, field: 'dialogues[0].steps[0].agent.intent' })]);
  });
});

describe('a run', () => {
  it('holds every dialogue, tells the first turn that differs, and is kept', async () => {
    const id = await create(true);
    await save(id, { yaml: YAML.replace('contains: seven', 'contains: eight') });
    const first = await run(id);
    expect(first).toMatchObject({ state: 'failed', agent_version: 2, trigger: 'asked', passed: 1, failed: 1 });
    expect(first.dialogues[0]).toMatchObject({
      outcome: 'failed',
      first_fault:
        'opening hours, step 1 (line 5): expected "eight" in the answer, got "We are open from seven to nine."',
      turns: [{ caller: 'when are you open', intent: ['when are you open'] }],
    });
    const kept = await rig.ask<Run>(`GET /agents/${id}/test-runs/${first.id}`);
    expect(kept.body).toEqual(first);
    expect((await rig.ask(`GET /agents/${id}/test-runs/atr_none`)).status).toBe(404);
  });

  it.runIf(EVERY_TEST)('is of some dialogues, of a definition or of tests that are not saved', async () => {
    const id = await create();
    await save(id, { yaml: YAML });
    expect(await run(id, { only: ['a farewell'] })).toMatchObject({ state: 'passed', passed: 1, agent_version: 1 });
    expect((await rig.ask(`POST /agents/${id}/tests/run`, { body: { only: ['x'] } })).status).toBe(404);
    const knowledge = [{ ...DEFINITION.knowledge![0], answer: { en: 'Always.' } }];
    const changed = await run(id, { definition: { ...DEFINITION, knowledge } });
    expect(changed).toMatchObject({ state: 'failed', agent_version: null, passed: 1, failed: 1 });
    expect(await run(id, { yaml: YAML.replace('contains: seven', 'contains: eight') })).toMatchObject({ failed: 1 });
    expect(await run(id)).toMatchObject({ state: 'passed', passed: 2 });
  });

  it('needs tests, and a telephone for those by voice', async () => {
    const id = await create();
    const ask = async (body: object): Promise<string> =>
      (await rig.ask<Code>(`POST /agents/${id}/tests/run`, { body })).body.error.message;
    expect(await ask({})).toBe('Not possible: the agent has no tests.');
    expect(await ask({ mode: 'voice', yaml: YAML })).toMatch(/only the live version/);
    await rig.ask(`POST /agents/${id}/publish`);
    expect(await ask({ mode: 'voice', yaml: YAML })).toMatch(/places no calls to itself/);
  });

  it.runIf(EVERY_TEST)('gives way to newer ones, which come first', async () => {
    const id = await create();
    const of = { agentId: id, accountId: rig.accountId, agentVersion: 1, dialogues: 1 } as const;
    for (let time = RUNS_KEPT; time > 0; time -= 1) {
      const startedAt = new Date(rig.clock.utc().getTime() - time * 1_000);
      await rig.store.agentTests.begin({ ...of, startedAt, mode: 'text', trigger: 'asked' });
    }
    const last = await run(id, { yaml: YAML, only: ['a farewell'] });
    type Page = { items: { id: string; started_at: string }[]; next: string | null };
    const first = (await rig.ask<Page>(`GET /agents/${id}/test-runs?limit=30`)).body;
    const second = (await rig.ask<Page>(`GET /agents/${id}/test-runs?limit=30&after=${first.next}`)).body;
    const times = [...first.items, ...second.items].map(({ started_at }) => started_at);
    expect([times.length, second.next]).toEqual([RUNS_KEPT, null]);
    expect(first.items[0]!.id).toBe(last.id);
    expect(times).toEqual([...new Set(times)].sort().reverse());
  });

  it('that a dead gateway left behind is told as broken', async () => {
    const id = await create();
    const startedAt = new Date(rig.clock.utc().getTime() - 11 * 60_000);
    const of = { agentId: id, accountId: rig.accountId, agentVersion: 1, dialogues: 1, startedAt } as const;
    const left = await rig.store.agentTests.begin({ ...of, mode: 'text', trigger: 'asked' });
    const { body } = await rig.ask<Run & { why: string }>(`GET /agents/${id}/test-runs/${left.id}`);
    expect(body).toMatchObject({ state: 'broken', why: 'the gateway ended meanwhile' });
  });
});

describe('publishing that requires passing tests', () => {
  const failing = YAML.replace('contains: seven', 'contains: eight');

  it('is refused with the dialogue and the turn that differ, until they pass', async () => {
    const id = await create();
    await save(id, { yaml: failing, required: true });
    const refused = await rig.ask<Code>(`POST /agents/${id}/publish`);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'tests_failed']);
    expect(refused.body.error.message).toBe(
      'Not published, for the tests of the agent fail: opening hours, step 1 (line 5): expected "eight" in the answer, ' +
        'got "We are open from seven to nine.".',
    );
    const runs = await rig.ask<{ items: Run[] }>(`GET /agents/${id}/test-runs`);
    expect(runs.body.items).toMatchObject([{ trigger: 'publish', state: 'failed' }]);
    await save(id, { yaml: YAML });
    expect((await rig.ask<{ status: string }>(`POST /agents/${id}/publish`)).body.status).toBe('live');
  });

  it('needs some tests', async () => {
    const id = await create();
    await save(id, { required: true });
    expect((await rig.ask<Code>(`POST /agents/${id}/publish`)).body.error.message).toMatch(/no tests, and needs some/);
  });

  it.runIf(EVERY_TEST)('holds for changes and old versions of what is live; a draft is changed freely', async () => {
    const id = await create(true);
    await save(id, { yaml: YAML, required: true });
    const knowledge = [{ ...DEFINITION.knowledge![0], answer: { en: 'Always.' } }];
    const changed = { ...DEFINITION, name: `Live ${made}`, knowledge };
    const refused = await rig.ask<Code>(`PUT /agents/${id}`, { body: { definition: changed } });
    expect(refused.body.error.code).toBe('tests_failed');
    const { body } = await rig.ask<{ version: number }>(`GET /agents/${id}`);
    expect(body.version).toBe(2);
    await save(id, { required: false });
    await rig.ask(`PUT /agents/${id}`, { body: { definition: changed } });
    await save(id, { yaml: YAML.replace('contains: seven', 'contains: Always'), required: true });
    const old = await rig.ask<Code>(`POST /agents/${id}/restore`, { body: { version: 2 } });
    expect(old.body.error.code).toBe('tests_failed');
    const draft = await create();
    await save(draft, { yaml: YAML, required: true });
    const free = await rig.ask(`PUT /agents/${draft}`, { body: { definition: { ...changed, name: 'Free' } } });
    expect(free.status).toBe(200);
  });

  it('leaves an entry of every change in the audit log', async () => {
    await until(async () => (await rig.unaudited()).length === 0);
    const { body } = await rig.ask<{ items: { action: string }[] }>('GET /audit?action=putAgentTests');
    expect(body.items.length).toBeGreaterThan(5);
  });
});
