import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandResult, runHere } from '../support/command-line.ts';
import { configFolder } from '../support/config-folder.ts';
import { openTestStore, type SharedTestStore } from '../support/postgres-store.ts';
import { EVERY_TEST } from '../support/property-runs.ts';

const AGENT = `number: "3100"
name: Corner Bakery
language: en-US
voice: emma
model: sada-1
greeting: { en: Corner Bakery. }
knowledge:
  - question: { en: [when are you open] }
    answer: { en: We are open from seven to nine. }
`;
const TESTS = `dialogues:
  - name: hours
    steps:
      - caller: when are you open
        agent: { contains: seven, action: none }
  - name: farewell
    steps:
      - caller: goodbye
        agent: { action: hangup }
`;
const FAILING = TESTS.replace('contains: seven', 'contains: eight');

let test: SharedTestStore;
beforeAll(async () => {
  test = await openTestStore();
});
afterAll(() => test?.close());

const run = (...args: string[]): Promise<CommandResult> =>
  runHere({ NIDAA_DATA_DIR: test.dataFolder, DATABASE_URL: test.databaseUrl }, args);
const within = async <T>(files: Record<string, string>, work: (dir: string) => Promise<T>): Promise<T> => {
  const folder = configFolder(files);
  try {
    return await work(folder.dir);
  } finally {
    folder.remove();
  }
};
const held = (tests: string, ...more: string[]): Promise<CommandResult> =>
  within({ 'a.yaml': AGENT, 'a.tests.yaml': tests }, (dir) => run('agents', 'test', join(dir, 'a.yaml'), ...more));

describe('agents test', () => {
  it('holds the dialogues beside an agent file', async () => {
    const { code, stdout, stderr } = await held(TESTS);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^ok {4}hours {2}\d+ ms\nok {4}farewell {2}\d+ ms\n2 passed, 0 failed in \d+\.\d s\n$/);
  });

  it('shows the first turn that differs, with the line, and says so by its exit code', async () => {
    const { code, stdout } = await held(FAILING);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAIL {2}hours /);
    expect(stdout).toMatch(
      /caller {2}when are you open\n +agent {3}We are open from seven to nine\. {2}\(when are you open\)/,
    );
    expect(stdout).toMatch(/a\.tests\.yaml:5 expected "eight" in the answer\n +got "We are open from seven to nine\."/);
    expect(stdout).toMatch(/1 passed, 1 failed/);
  });

  it('holds one of them, by the file of the tests, as JSON', async () => {
    const { code, stdout } = await within({ 'a.yaml': AGENT, 'a.tests.yaml': FAILING }, (dir) =>
      run('agents', 'test', join(dir, 'a.tests.yaml'), '--only', 'farewell', '--json'),
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ agent: 'Corner Bakery', mode: 'text', passed: 1, failed: 0, skipped: 0 },
      dialogues: [
        { name: 'farewell', outcome: 'passed', first_fault: null, turns: [{ caller: 'goodbye', action: 'hangup' }] },
      ],
    });
  });

  it.each([
    { name: 'a name that is none', args: ['--only', 'nothing'], says: /There is no dialogue "nothing"/ },
    {
      name: 'tests that mean nothing',
      tests: TESTS.replace('action: none', 'intent: x'),
      says: /a\.tests\.yaml:5 .*agent\.intent/,
    },
  ])('refuses $name', async ({ args = [], tests = TESTS, says }) => {
    const { code, stderr } = await held(tests, ...args);
    expect(code).toBe(1);
    expect(stderr).toMatch(says);
  });

  it('says where tests are looked for, and which agents there are', async () => {
    const lonely = await within({ 'a.yaml': AGENT }, (dir) => run('agents', 'test', join(dir, 'a.yaml')));
    expect(lonely.stderr).toMatch(/Corner Bakery has no tests: they are looked for in .*a\.tests\.yaml/);
    expect((await run('agents', 'test', '4711')).stderr).toMatch(/No agent 4711 in .*1000 \(Swift Delivery\)/);
  });

  it('by voice says which callers no recogniser of this gateway hears, and holds nothing', async () => {
    const { code, stdout } = await run('agents', 'test', '2000', '--voice', '--only', 'شكوى غاضبة');
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^skip {2}شكوى غاضبة: callers who speak Arabic cannot be heard by this gateway \(engines\.stt\.ar: /,
    );
    expect(stdout).toMatch(/Nothing was held\.\n0 passed, 0 failed, 1 skipped/);
  });
});

describe('tests go with their agent', () => {
  it('are checked with it, and imported with it', async () => {
    await within({ 'a.yaml': AGENT, 'a.tests.yaml': TESTS }, async (dir) => {
      const checked = await run('agents', 'validate', dir, '--json');
      expect(JSON.parse(checked.stdout)).toMatchObject([{ name: 'Corner Bakery', ok: true, tests: 2 }]);
      await run('account', 'create', '--name', 'Imports');
      const imported = await run('agents', 'import', dir, '--account', 'Imports', '--json');
      expect([imported.code, imported.stderr]).toEqual([0, '']);
      const [agent] = JSON.parse(imported.stdout) as { id: string }[];
      const { rows } = await test.store.pool.query('SELECT yaml, required FROM agent_tests WHERE agent_id = $1', [
        agent!.id,
      ]);
      expect(rows).toEqual([{ yaml: TESTS, required: false }]);
    });
    const wrong = { 'a.yaml': AGENT, 'a.tests.yaml': TESTS.replace('caller', 'caler') };
    const refused = await within(wrong, (dir) => run('agents', 'validate', dir));
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/a\.tests\.yaml:4 .*did you mean caller/),
    ]);
  });

  it.runIf(EVERY_TEST)('keep an agent from being published where they are required and fail', async () => {
    const account = await test.store.accounts.create('Gate');
    const definition = {
      name: 'Corner Bakery',
      language: 'en-US',
      voice: 'emma',
      model: 'sada-1',
      greeting: { en: 'Hi.' },
    };
    const agent = await test.store.agents.create(account.id, definition);
    await test.store.agentTests.put(account.id, agent.id, { yaml: TESTS, required: true });
    const publish = (): Promise<CommandResult> => run('agents', 'publish', 'Corner Bakery', '--account', 'Gate');
    const refused = await publish();
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(
      /Corner Bakery: Not published, .* hours, step 1 \(line 5\): expected "seven" in the answer/,
    );
    const stopped = await within({ 'a.yaml': AGENT, 'a.tests.yaml': FAILING }, (dir) =>
      run('agents', 'import', dir, '--account', 'Gate', '--take'),
    );
    expect(stopped.stderr).toMatch(/expected "eight" in the answer/);
    expect((await test.store.agents.get(account.id, agent.id))!.status).toBe('draft');
    await within({ 'a.yaml': AGENT, 'a.tests.yaml': TESTS }, (dir) =>
      run('agents', 'import', dir, '--account', 'Gate', '--take'),
    );
    expect(await test.store.agents.get(account.id, agent.id)).toMatchObject({ status: 'live', version: 2 });
    await test.store.agents.setStatus(account.id, agent.id, 'paused');
    expect((await publish()).stdout).toBe('Corner Bakery answers calls, version 2.\n');
    expect((await run('agents', 'publish', 'nobody', '--account', 'Gate')).stderr).toContain(
      'Gate has no agent nobody.',
    );
  });
});
