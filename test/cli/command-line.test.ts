import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { findRunningPostgres } from '../../src/store/embedded-postgres.ts';
import { readMigrations } from '../../src/store/migrator.ts';
import { type CommandResult, runHere, runNidaa } from '../support/command-line.ts';
import { configFolder } from '../support/config-folder.ts';
import { freeMinute } from '../support/free-minute.ts';
import { beginCall } from '../support/money.ts';
import { openOwnServer, openTestStore, type SharedTestStore } from '../support/postgres-store.ts';
import { EVERY_TEST, someOf } from '../support/property-runs.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';

let test: SharedTestStore;
beforeAll(async () => {
  test = await openTestStore();
});
afterAll(() => test?.close());

const run = (...args: string[]): Promise<CommandResult> =>
  runHere({ NIDAA_DATA_DIR: test.dataFolder, DATABASE_URL: test.databaseUrl }, args);

/** The JSON a command prints, which is all that it prints. */
async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await run(...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.trimEnd()).not.toContain('\n');
  return JSON.parse(stdout) as T;
}

interface NewAccount {
  readonly account_id: string;
  readonly token: string;
}

describe('accounts', () => {
  it('are made with credit and a token that opens them', async () => {
    const made = await json<NewAccount>('account', 'create', '--name', 'Acme', '--credit', '500');
    expect(Object.keys(made)).toEqual(['account_id', 'token']);
    expect((await test.store.tokens.authenticate(made.token))?.accountId).toBe(made.account_id);
    expect(await json('account', 'balance', 'Acme')).toEqual({
      ...{ account_id: made.account_id, balance_cents: 500, reserved_cents: 0 },
    });
  });

  it('are topped up by name or id', async () => {
    const { account_id } = await json<NewAccount>('account', 'create', '--name', 'Topup');
    expect(await json('account', 'topup', 'Topup', '250')).toMatchObject({ balance_cents: 250 });
    expect(await json('account', 'topup', account_id, '1')).toMatchObject({ balance_cents: 251 });
  });

  it('are shown in aligned columns', async () => {
    await run('account', 'create', '--name', 'A very long name', '--credit', '123456');
    const { stdout } = await run('account', 'list');
    expect((await run('account', 'balance')).stdout).toBe(stdout);
    const lines = stdout.trimEnd().split('\n');
    const column = lines[0]!.indexOf('balance');
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines.slice(1)) expect(line.slice(column - 2, column + 1)).toMatch(/^ {2}\d$/);
    expect(stdout).toContain('123456 cents');
  });

  it.each([
    ['credit that is no number', ['create', '--name', 'X', '--credit', 'abc'], /'abc' is invalid.*whole number/],
    ['credit below zero', ['create', '--name', 'X', '--credit', '-5'], /'-5' is invalid/],
    ['no name', ['create'], /required option '--name <name>'/],
    ['a topup of nothing', ['topup', 'Acme', '0'], /'0' is invalid/],
    ['an account that is not there', ['topup', 'Nobody', '10'], /No single account Nobody\. There are: .*Acme/],
    ['an option that does not exist', ['balance', '--jsno'], /unknown option '--jsno'/],
  ])('%s is refused with one sentence', async (_name, args, sentence) => {
    const { code, stdout, stderr } = await run('account', ...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(sentence);
    expect(stderr).toMatch(/^error: /);
    expect(stderr).not.toContain('    at '); // no stack
    const asJson = await run('account', ...args, '--json');
    expect(asJson.code).toBe(1);
    expect((JSON.parse(asJson.stderr) as { error: string }).error).toMatch(sentence);
  });
});

describe('tokens', () => {
  it('are made, listed without their secret, and revoked', async () => {
    await json('account', 'create', '--name', 'Tokens');
    const made = await json<{ token_id: string; token: string }>(
      'token',
      'create',
      '--account',
      'Tokens',
      '--name',
      'ci',
    );
    const listed = await json<Record<string, unknown>[]>('token', 'list', '--account', 'Tokens');
    expect(listed.map(({ name, revoked_at }) => [name, revoked_at])).toEqual(
      expect.arrayContaining([
        ['ci', null],
        ['first token', null],
      ]),
    );
    expect(JSON.stringify(listed)).not.toContain(made.token);
    expect(await json('token', 'revoke', made.token_id)).toEqual({ token_id: made.token_id, revoked: true });
    const again = await run('token', 'revoke', made.token_id);
    expect([again.code, again.stderr]).toEqual([
      1,
      `error: No token ${made.token_id} is in force. \`token list\` shows them.\n`,
    ]);
  });

  it('need an account to be named where there are several', async () => {
    const { code, stderr } = await run('token', 'create');
    expect(code).toBe(1);
    expect(stderr).toContain('Name an account with --account');
  });
});

describe('agents', () => {
  it('are checked without a database', async () => {
    const { stdout, code } = await runHere({ NIDAA_DATA_DIR: '/dev/null/nowhere' }, ['agents', 'validate', '--json']);
    expect(code).toBe(0);
    const checked = expect.objectContaining({ number: '1000', name: 'Swift Delivery', ok: true });
    expect(JSON.parse(stdout)).toContainEqual(checked);
  });

  it('are told which of their words a voice may mispronounce, and where, and what to write', async () => {
    const agent =
      'number: "5"\nname: Warned\nlanguage: ar-SA\nvoice: noura\nmodel: sada-1\ngreeting:\n  ar: أهلاً في Zorba\n';
    const folder = configFolder({ 'warned.yaml': agent });
    const [human, program] = await Promise.all([
      run('agents', 'validate', folder.dir),
      json<{ pronunciation: { flagged: object[] } }[]>('agents', 'validate', folder.dir),
    ]);
    folder.remove();
    expect(human.code).toBe(0);
    expect(human.stdout).toMatch(
      /Warned: 1 to look at .*\n.*warned\.yaml:7 greeting\.ar\n +Zorba \(latin word\): اكتب/,
    );
    expect(program[0]!.pronunciation).toMatchObject({
      ...{ sentences: 1, token_count: 3, flagged_count: 1, coverage: 0.6667 },
      flagged: [{ line: 7, field: 'greeting.ar', language: 'ar', token: 'Zorba', reason: 'latin_word' }],
    });
  });

  it('are refused with file and line', async () => {
    const folder = configFolder({ 'bad.yaml': 'number: "5"\nname: Bad\nlanguage: en-US\nvoice: nobody\n' });
    const { code, stderr } = await run('agents', 'validate', folder.dir);
    folder.remove();
    expect(code).toBe(1);
    expect(stderr).toMatch(/bad\.yaml.*greeting/);
  });

  it('are published, with their numbers, again as a new version', async () => {
    await json('account', 'create', '--name', 'Agents');
    const first = await json<{ name: string; version: number }[]>('agents', 'import', '--account', 'Agents');
    expect(first.map(({ version }) => version)).toEqual([1, 1]);
    const second = await json<{ name: string; version: number }[]>('agents', 'import', '--account', 'Agents');
    expect(second.map(({ version }) => version)).toEqual([2, 2]);
    const listed = await json<Record<string, unknown>[]>('agents', 'list', '--account', 'Agents');
    expect(listed).toContainEqual(
      expect.objectContaining({
        name: 'Swift Delivery',
        numbers: ['1000'],
        version: 2,
        status: 'live',
        language: 'en-US',
      }),
    );
  });

  it.runIf(EVERY_TEST)(
    'leave the numbers of another account alone, and import nothing, unless they are to be taken',
    async () => {
      await json('account', 'create', '--name', 'Owner');
      await json('account', 'create', '--name', 'Late');
      await json('agents', 'import', '--account', 'Owner', '--take');
      const refused = await run('agents', 'import', '--account', 'Late');
      expect([refused.code, refused.stdout]).toEqual([1, '']);
      expect(refused.stderr).toMatch(/^error: Numbers 1000, 2000 belong to another account\..*--take/);
      expect(refused.stderr).not.toContain('Owner');
      expect(await json('agents', 'list', '--account', 'Late')).toEqual([]);
      const numbers = async (account: string): Promise<unknown[]> =>
        (await json<{ numbers: string[] }[]>('agents', 'list', '--account', account)).flatMap((agent) => agent.numbers);
      expect(await numbers('Owner')).toHaveLength(2);
      await json('agents', 'import', '--account', 'Late', '--take');
      expect([await numbers('Owner'), await numbers('Late')]).toEqual([[], expect.arrayContaining(['1000', '2000'])]);
    },
  );
});

describe('calls', () => {
  beforeAll(async () => {
    const { store } = test;
    const account = await store.accounts.create('Calls');
    const started = new Date('2026-01-02T03:04:05Z');
    const call = {
      id: 'call_a',
      sipCallId: 'sip-a@pbx',
      accountId: account.id,
      agentVersion: 1,
      agentName: 'Emma',
      direction: 'outbound',
    } as const;
    const agent = await store.agents.create(account.id, { name: 'Emma' } as never, 'live');
    const start = { ...call, agentId: agent.id, from: '+9665', to: '1000', startedAt: started };
    await beginCall(store, start, freeMinute(call.id, account.id));
    const timings = {
      speechEndMs: 1,
      endpointMs: 2,
      finalTranscriptMs: 3,
      firstTextMs: 4,
      firstAudioMs: 5,
      firstPacketMs: 6,
    };
    await store.calls.turn(store.pool, 'call_a', { index: 0, role: 'caller', text: 'hi', startedMs: 10, heardMs: 20 });
    await store.calls.turn(store.pool, 'call_a', {
      ...{ index: 1, role: 'agent', text: 'Hello', startedMs: 700, heardMs: 900, latencyMs: 640, timings },
    });
    await store.calls.finish(store.pool, 'call_a', {
      ...{ endedAt: new Date('2026-01-02T03:05:05Z'), talkMs: 60_000, party: 'caller', reason: 'caller-hangup' },
      ...{
        dtmf: '12#',
        quality: { mos: 4.3, lossPercent: 0, jitterMs: 1 },
        recording: 'recordings/call_a.wav',
      },
    });
    await store.pool.query(`UPDATE calls SET cost_cents = 7 WHERE id = 'call_a'`);
  });

  it.each(['call_a', 'sip-a@pbx'])('are shown by %s in the fixed shape', async (id) => {
    expect(await json('calls', 'show', id)).toEqual({
      ...{
        id: 'call_a',
        source: null,
        sip_call_id: 'sip-a@pbx',
        direction: 'outbound',
        agent: 'Emma',
        from: '+9665',
        to: '1000',
      },
      ...{ started_at: '2026-01-02T03:04:05.000Z', ended_at: '2026-01-02T03:05:05.000Z' },
      end: { party: 'caller', reason: 'caller-hangup' },
      dtmf: '12#',
      answered_by: null,
      turns: [
        { role: 'caller', text: 'hi', started_ms: 10, heard_ms: 20, latency_ms: null },
        {
          ...{ role: 'agent', text: 'Hello', started_ms: 700, heard_ms: 900, latency_ms: 640 },
          timings: {
            speechEndMs: 1,
            endpointMs: 2,
            finalTranscriptMs: 3,
            firstTextMs: 4,
            firstAudioMs: 5,
            firstPacketMs: 6,
          },
        },
      ],
      quality: { mos: 4.3, lossPercent: 0, jitterMs: 1 },
      ...{ cost_cents: 7, recording: 'recordings/call_a.wav' },
    });
  });

  it('are shown to people with who said what', async () => {
    const { stdout } = await run('calls', 'show', 'call_a');
    expect(stdout).toMatch(/0\.7 s {2}agent {3}Hello {2}\(640 ms after the caller\)/);
    expect(stdout).toMatch(/^direction {4}outbound$/m);
    expect(stdout).toMatch(/^cost {9}7 cents$/m);
    expect(stdout).toMatch(/^quality {6}MOS 4\.3, loss 0\.0 %, jitter 1\.0 ms$/m);
  });

  it('are listed, newest first, up to the limit', async () => {
    const listed = await json<readonly { turns: readonly object[] }[]>('calls', 'list', '--limit', '1');
    expect(listed).toMatchObject([{ id: 'call_a', cost_cents: 7, turns: [{ role: 'caller', text: 'hi' }, {}] }]);
    expect(listed[0]).toEqual(await json('calls', 'show', 'call_a'));
    expect((await run('calls', 'list')).stdout).toMatch(/^call_a +2026-01-02T03:04:05 +outbound +1000 /m);
    expect((await run('calls', 'list', '--limit', '0')).code).toBe(1);
  });

  it('that are unknown are named', async () => {
    const { code, stderr } = await run('calls', 'show', 'call_zzz', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toEqual({ error: 'No call call_zzz. `calls list` shows the latest.' });
  });
});

describe('a database that is not up to date', () => {
  const TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'";
  const STEPS = 'SELECT number FROM schema_migrations ORDER BY number';
  let databaseUrl: string;
  let client: pg.Client;
  beforeEach(async () => {
    databaseUrl = await sharedDatabase(inject('postgresDesk'));
    client = new pg.Client(databaseUrl);
    await client.connect();
  });
  afterEach(() => client.end());

  const COMMANDS = [
    ['calls', 'list'],
    ['calls', 'show', 'x'],
    ['account', 'balance'],
    ['account', 'topup', 'x', '1'],
    ['agents', 'list'],
    ['token', 'list'],
    ['token', 'create'],
  ];
  const refused = async (sentence: RegExp): Promise<void> => {
    const dataFolder = join(test.dataFolder, 'not-there');
    for (const args of COMMANDS) {
      const { code, stderr } = await runHere({ NIDAA_DATA_DIR: dataFolder, DATABASE_URL: databaseUrl }, args);
      expect({ args, code, stderr }).toEqual({ args, code: 1, stderr: expect.stringMatching(sentence) });
    }
    expect(existsSync(dataFolder)).toBe(false);
  };

  it.runIf(EVERY_TEST)('and empty stays empty', async () => {
    await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await refused(/^error: The database has no tables of a gateway\. Start a gateway/);
    expect((await client.query(TABLES)).rows).toEqual([]);
  });

  it('is told what it lacks, and lacks it afterwards', async () => {
    const { number: last, name } = readMigrations().at(-1)!;
    await client.query('DELETE FROM schema_migrations WHERE number = $1', [last]);
    const lacks = name.replace('.sql', '');
    await refused(new RegExp(`^error: The database is older than this program: it lacks ${lacks}\\. Start a gateway`));
    expect((await client.query(STEPS)).rows.at(-1)).toEqual({ number: last - 1 });
  });

  it('and one that is needs no data folder to be read', async () => {
    const dataFolder = join(test.dataFolder, 'not-there');
    const { code, stdout } = await runHere({ NIDAA_DATA_DIR: dataFolder, DATABASE_URL: databaseUrl }, [
      'calls',
      'list',
      '--json',
    ]);
    expect([code, stdout, existsSync(dataFolder)]).toEqual([0, '[]\n', false]);
  });

  it.runIf(EVERY_TEST)('is brought up to date by a first account', async () => {
    await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    const env = { NIDAA_DATA_DIR: test.dataFolder, DATABASE_URL: databaseUrl };
    expect((await runHere(env, ['account', 'create', '--name', 'First'])).code).toBe(0);
    expect((await client.query(STEPS)).rows.length).toBeGreaterThan(3);
  });
});

describe('the program', () => {
  const commands = [
    'doctor',
    'account create',
    'account topup',
    'account balance',
    'account list',
    'token create',
    'token list',
  ];
  commands.push(
    'token revoke',
    'agents list',
    'agents new',
    'agents import',
    'agents export',
    'agents validate',
    'agents test',
    'agents publish',
    'agents documents list',
    'agents documents add',
    'agents documents remove',
    'calls list',
    'calls show',
    'call',
    ...['models list', 'models check', 'models install', 'models verify'],
  );

  it.each(someOf(commands, 8))('%s has help with an example', async (command) => {
    const { code, stdout, stderr } = await run(...command.split(' '), '--help');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`$ ./scripts/nidaa ${command}`);
    expect(stdout).toContain('--json');
  });

  it('shows its help when it is given nothing', async () => {
    const { code, stderr } = await runNidaa({}, []);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Usage: nidaa/);
  });

  it('suggests what was meant', async () => {
    const { code, stderr } = await run('acount');
    expect(code).toBe(1);
    expect(stderr).toBe("error: unknown command 'acount'\n(Did you mean account?)\n");
  });

  it.runIf(EVERY_TEST)(
    'uses the database of the gateway that runs, else starts it, and leaves none behind',
    async () => {
      const folder = configFolder({});
      const env = { NIDAA_DATA_DIR: folder.dir };
      const balance = async (): Promise<unknown> => {
        const { code, stdout, stderr } = await runNidaa(env, ['account', 'balance', '--json']);
        expect([code, stderr]).toEqual([0, '']);
        return JSON.parse(stdout);
      };
      const made = await runNidaa(env, ['account', 'create', '--name', 'Alone', '--credit', '1', '--json']);
      expect([made.code, made.stderr]).toEqual([0, '']);
      expect(findRunningPostgres(folder.dir)).toBeUndefined();
      const gateway = await openOwnServer(folder.dir);
      await gateway.store.accounts.create('Beside');
      expect(await balance()).toMatchObject([{ name: 'Alone', balance_cents: 1 }, { name: 'Beside' }]);
      expect(findRunningPostgres(folder.dir)).toBeDefined();
      await gateway.store.close();
      expect(await balance()).toMatchObject([{ name: 'Alone' }, { name: 'Beside' }]);
      folder.remove();
    },
  );

  it('names a configuration that cannot be used', async () => {
    const { code, stderr } = await runHere({ NIDAA_CONFIG: '/nowhere/nidaa.yaml' }, ['account', 'balance']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: The configuration cannot be used:\n {2}\/nowhere\/nidaa\.yaml/);
  });
});

describe('trunks and phones', () => {
  interface Trunk {
    readonly trunk_id: string;
    readonly name: string;
    readonly account_id: string | null;
  }

  it('a trunk is made of options, shown, asked after, and removed', async () => {
    const source = '198.51.100.7';
    const made = await json<Trunk>(
      'trunk',
      'add',
      '--name',
      'pbx',
      '--source',
      source,
      '--host',
      'sip:127.0.0.1:9',
      '--allow',
      '+966',
    );
    expect(made).toMatchObject({
      name: 'pbx',
      account_id: null,
      allowedPrefixes: ['+966'],
      inbound: { sources: [source] },
    });
    expect(await json('trunk', 'show', 'pbx')).toMatchObject({ trunk_id: made.trunk_id, has_password: false });
    expect((await run('trunk', 'list')).stdout).toMatch(/pbx +operator +sip:127\.0\.0\.1:9 +- +198\.51\.100\.7 +\+966/);
    const asked = await run('trunk', 'test', 'pbx', '--json');
    expect([asked.code, JSON.parse(asked.stdout)]).toMatchObject([1, [{ ok: false, uri: 'sip:127.0.0.1:9' }]]);
    expect((await run('trunk', 'add', '--name', 'pbx2', '--source', source)).stderr).toMatch(
      /pbx takes the calls of 198\.51\.100\.7 already/,
    );
    expect((await run('trunk', 'add', '--name', 'x', '--source', 'nonsense')).stderr).toMatch(
      /inbound\.sources\[0\]: expected an address/,
    );
    expect(await json('trunk', 'remove', 'pbx')).toEqual({ trunk_id: made.trunk_id, removed: true });
    expect((await run('trunk', 'show', 'pbx')).stderr).toMatch(/No single trunk pbx/);
  });

  it('a phone shows its password once', async () => {
    await run('account', 'create', '--name', 'Phones');
    const made = await json<{ password: string }>(
      'phone',
      'create',
      'reception',
      '--account',
      'Phones',
      '--user',
      'desk-1',
    );
    expect(made).toMatchObject({ name: 'reception', user: 'desk-1', realm: 'nidaa' });
    expect(made.password).toMatch(/^[\w-]{24}$/);
    for (const verb of ['list', 'show reception']) {
      const { stdout } = await run('phone', ...verb.split(' '));
      expect(stdout).toContain('desk-1');
      expect(stdout).not.toContain(made.password);
    }
    expect((await run('phone', 'create', 'other', '--account', 'Phones', '--user', 'desk-1')).stderr).toMatch(
      /another --user/,
    );
    expect((await run('phone', 'create', 'a b', '--account', 'Phones')).stderr).toMatch(/no name of a phone/);
    expect(await json('phone', 'remove', 'reception')).toMatchObject({ removed: true });
  });

  it('a call is explained: in, and out', async () => {
    await run('account', 'create', '--name', 'Routes');
    await run(
      'trunk',
      'add',
      '--name',
      'way',
      '--source',
      '198.51.100.8',
      '--host',
      'sip:127.0.0.1:9',
      '--allow',
      '+966',
      '--account',
      'Routes',
    );
    const routed = async (...args: string[]) => {
      const { code, stdout } = await run('route', ...args, '--json');
      return [code, JSON.parse(stdout)];
    };
    expect(await routed('77', '--from', '198.51.100.8')).toMatchObject([
      1,
      { taken: false, source: 'trunk way', reason: 'no-such-number' },
    ]);
    const out = (target: string, account = 'Routes') =>
      routed(target, '--out', '--account', account, '--caller', '+966112223344');
    expect(await out('00966512345678')).toMatchObject([
      0,
      { allowed: true, trunk: 'way', attempts: [{ from: '+966112223344' }] },
    ]);
    expect(await out('+979123456789')).toMatchObject([
      1,
      { allowed: false, reason: 'not-allowed', detail: expect.stringContaining('premium') },
    ]);
    expect(await out('+966512345678', 'Phones')).toMatchObject([
      1,
      { allowed: false, detail: expect.stringContaining('no trunk') },
    ]);
    expect((await run('route', '77')).stderr).toMatch(/--from 203\.0\.113\.9/);
  });
});
