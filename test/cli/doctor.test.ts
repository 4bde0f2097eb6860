import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkEngines } from '../../src/cli/checks/engines.ts';
import type { Finding } from '../../src/cli/checks/finding.ts';
import { checkClock, checkEncryption, checkMediaIo, checkNode } from '../../src/cli/checks/machine.ts';
import { modelLibrary } from '../../src/cli/checks/model-library.ts';
import { doctor, examine } from '../../src/cli/doctor.ts';
import { loadConfig } from '../../src/config/load.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { Store } from '../../src/store/store.ts';
import { configFolder } from '../support/config-folder.ts';
import { MemoryOutput } from '../support/memory-output.ts';
import { freeSipPort, freeTcpPort } from '../support/ports.ts';
import { openTestStore, type SharedTestStore } from '../support/postgres-store.ts';
import { EVERY_TEST, someOf } from '../support/property-runs.ts';
import { tinySmartTurn } from '../support/tiny-models.ts';
import { tinySilero } from '../support/tiny-silero.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

let shared: SharedTestStore;
beforeAll(async () => {
  shared = await openTestStore();
});
afterAll(() => shared?.close());

/** A folder for data, and an environment that points at it with ports that are free, and at a database that runs. */
async function environment(extra: Readonly<Record<string, string>> = {}): Promise<Record<string, string>> {
  return { DATABASE_URL: shared.databaseUrl, ...(await ownDatabase()), ...extra };
}

/** The same, but the database is to be made in the folder. */
async function ownDatabase(): Promise<Record<string, string>> {
  const folder = configFolder({});
  cleanups.push(() => folder.remove());
  return {
    ...{ NIDAA_DATA_DIR: folder.dir, NIDAA_SIP_PORT: String(await freeSipPort()) },
    ...{ NIDAA_HTTP_PORT: String(await freeTcpPort()) },
  };
}

const finding = (findings: readonly Finding[], check: string): Finding => {
  const found = findings.find((each) => each.check === check);
  if (!found) throw new Error(`no finding ${check} in ${findings.map((each) => each.check).join(', ')}`);
  return found;
};

async function hold(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => server.close());
  return server;
}

describe('doctor', () => {
  it('finds a machine that can run the gateway', async () => {
    const findings = await examine(await ownDatabase());
    expect(findings.filter(({ state }) => state === 'fail')).toEqual([]);
    for (const check of [
      'Node.js',
      'configuration',
      'agents',
      'SIP udp',
      'SIP tcp',
      'HTTP',
      'RTP',
      'replies',
      'media sockets',
    ]) {
      expect(finding(findings, check)).toMatchObject({ state: 'ok', fix: null });
    }
    expect(finding(findings, 'database').detail).toMatch(/^PostgreSQL 1\d.*can be made and started$/);
    const arabic = finding(findings, 'hearing Arabic');
    expect(arabic.state).toBe('warn');
    expect(arabic.fix).toContain('engines.stt.ar');
  });

  it('says how to mend whatever is not in order', async () => {
    const findings = await examine(await environment());
    const mute = findings.filter(({ state, fix }) => (state === 'warn' || state === 'fail') && !fix);
    expect(mute).toEqual([]);
  });

  it('lists every problem of a broken configuration, and looks no further', async () => {
    const folder = configFolder({ 'nidaa.yaml': 'sip:\n  port: many\nhttpp:\n  port: 1\nmedia:\n  jitterMinMs: -1\n' });
    cleanups.push(() => folder.remove());
    const findings = await examine({ NIDAA_CONFIG: join(folder.dir, 'nidaa.yaml'), NIDAA_SIP_PORT: 'x' });
    const { state, detail } = finding(findings, 'configuration');
    expect(state).toBe('fail');
    const lines = detail.split('\n');
    expect(lines).toHaveLength(4);
    expect(detail).toMatch(/nidaa\.yaml:2 sip\.port/);
    expect(detail).toMatch(/httpp.*did you mean http\?/);
    expect(detail).toMatch(/NIDAA_SIP_PORT/);
    expect(findings.some(({ check }) => check === 'database')).toBe(false);
  });

  it.each(
    someOf(
      [
        { mode: 'shadow', model: '/nowhere', found: { state: 'warn', detail: expect.stringContaining('/nowhere') } },
        {
          mode: 'shadow',
          model: undefined,
          found: { state: 'ok', detail: expect.stringContaining('decides nothing') },
        },
        { mode: 'act', model: undefined, found: { state: 'ok', detail: expect.stringContaining('moves the end') } },
      ],
      3,
    ),
  )('says who judges the end of turns, and what is done with it: $mode $model', async ({ mode, model, found }) => {
    const folder = configFolder({});
    const turnEnd = model ?? tinySmartTurn(join(folder.dir, 'judge'));
    const text = `conversation: { turnEnd: ${mode} }\nengines: { sherpa: { turnEnd: { model: ${turnEnd}, kind: smart-turn } } }\n`;
    writeFileSync(join(folder.dir, 'nidaa.yaml'), text);
    cleanups.push(() => folder.remove());
    const config = loadConfig({ env: {}, configDir: folder.dir, cwd: folder.dir });
    const findings = await checkEngines(config, silentLogger);
    expect(finding(findings, 'end of turns')).toMatchObject(found);
    expect(finding(findings, 'library of models')?.detail).toMatch(/Apache-2\.0.*espeak-ng.*GPL-3/s);
  });

  it.runIf(EVERY_TEST)(
    'says nothing of models where none is used, and what to type where their library is missing',
    async () => {
      const folder = configFolder({ 'nidaa.yaml': '' });
      cleanups.push(() => folder.remove());
      const config = loadConfig({ env: {}, configDir: folder.dir, cwd: folder.dir });
      const findings = await checkEngines(config, silentLogger);
      expect(findings.some(({ check }) => check === 'library of models')).toBe(false);
      expect(modelLibrary('not there')).toEqual({
        ...{ check: 'library of models', state: 'warn', detail: expect.stringMatching(/not there.*GPL-3/s) },
        fix: 'npm install --no-save --include=optional sherpa-onnx-node',
      });
    },
  );

  it.runIf(EVERY_TEST).each([
    { mode: 'shadow', model: '/nowhere', found: { state: 'warn', detail: expect.stringContaining('/nowhere') } },
    { mode: 'own', model: undefined, found: { state: 'info', detail: expect.stringContaining('is not asked') } },
    {
      ...{ mode: 'model', model: undefined },
      found: {
        detail: expect.stringMatching(/judges with the detector\na second of sound is judged in [\d.]+ ms|too long/),
      },
    },
  ])('says who judges beside the detector, and measures it: $mode $model', async ({ mode, model, found }) => {
    const folder = configFolder({});
    const vad = model ?? tinySilero(join(folder.dir, 'judge'), { version: 'v5' });
    const text = `conversation: { vad: ${mode} }\nengines: { sherpa: { vad: { model: ${vad}, kind: silero-vad } } }\n`;
    writeFileSync(join(folder.dir, 'nidaa.yaml'), text);
    cleanups.push(() => folder.remove());
    const config = loadConfig({ env: {}, configDir: folder.dir, cwd: folder.dir });
    expect(finding(await checkEngines(config, silentLogger), 'voice activity')).toMatchObject(found);
  });

  it.runIf(EVERY_TEST)('names a language that nobody speaks', async () => {
    const folder = configFolder({
      'nidaa.yaml':
        'engines:\n  speechPrivacy: remote\n  tts: deepgram\n  deepgram: { baseUrl: "http://127.0.0.1:1/v1" }\n',
    });
    cleanups.push(() => folder.remove());
    const findings = await examine(await environment({ NIDAA_CONFIG: join(folder.dir, 'nidaa.yaml') }));
    const speech = findings.filter(({ check, state }) => check === 'speech' && state === 'warn');
    expect(speech.map(({ detail }) => detail)).toEqual(['deepgram does not speak Arabic']);
  });

  it.runIf(EVERY_TEST)('lists every problem of a broken agent, and goes on', async () => {
    const folder = configFolder({
      'nidaa.yaml': '',
      'agents/bad.yaml': 'number: "1"\nname: Bad\nlanguage: en-US\nvoice: nobody\nmodel: sada-1\ngreeting: { ar: x }\n',
    });
    cleanups.push(() => folder.remove());
    const findings = await examine(await environment({ NIDAA_CONFIG: join(folder.dir, 'nidaa.yaml') }));
    const agents = finding(findings, 'agents');
    expect(agents.state).toBe('fail');
    expect(agents.detail.split('\n').length).toBe(2);
    expect(finding(findings, 'database').state).toBe('ok');
  });

  it.runIf(EVERY_TEST)('names who holds a port that is needed', async () => {
    const env = await environment();
    await hold(Number(env['NIDAA_HTTP_PORT']));
    await hold(Number(env['NIDAA_SIP_PORT']));
    const findings = await examine(env);
    for (const check of ['HTTP', 'SIP tcp']) {
      const { state, detail, fix } = finding(findings, check);
      expect([check, state]).toEqual([check, 'fail']);
      expect(detail).toContain(`in use by process ${process.pid}`);
      expect(fix).toMatch(/NIDAA_(HTTP|SIP)_PORT/);
    }
    expect(finding(findings, 'SIP udp').state).toBe('ok');
  });

  it.runIf(EVERY_TEST)('knows an address that is not ours', async () => {
    const findings = await examine(await environment({ NIDAA_HOST: '192.0.2.77' }));
    expect(finding(findings, 'SIP udp')).toMatchObject({
      state: 'fail',
      detail: '192.0.2.77 is no address of this machine',
    });
  });

  it.runIf(EVERY_TEST)('says what callers are told on every address', async () => {
    const findings = await examine(await environment({ NIDAA_HOST: '0.0.0.0' }));
    expect(finding(findings, 'reach')).toMatchObject({
      state: 'info',
      detail: expect.stringContaining('0.0.0.0'),
      fix: expect.stringContaining('externalAddress'),
    });
  });

  it.runIf(EVERY_TEST)('warns of an RTP range that is too small, and of one that the system uses itself', async () => {
    const small = await examine(await environment({ NIDAA_RTP_PORTS: '21000-21009' }));
    expect(finding(small, 'RTP')).toMatchObject({ state: 'warn', detail: expect.stringContaining('of 5 pairs') });
    const overlapping = await examine(await environment({ NIDAA_RTP_PORTS: '30000-45000' }));
    expect(overlapping.some(({ check, detail }) => check === 'RTP' && detail.includes('overlaps'))).toBe(true);
  });

  it.runIf(EVERY_TEST)('says when the database of DATABASE_URL does not answer, without its password', async () => {
    const port = await freeTcpPort();
    const findings = await examine(
      await environment({ DATABASE_URL: `postgres://nidaa:hush@127.0.0.1:${port}/nidaa` }),
    );
    const { state, detail } = finding(findings, 'database');
    expect(state).toBe('fail');
    expect(detail).toBe(`No PostgreSQL answers at 127.0.0.1:${port}.`);
    expect(JSON.stringify(findings)).not.toContain('hush');
  });

  it.runIf(EVERY_TEST)('uses the database that runs, and starts one that was made before', async () => {
    const env = await ownDatabase();
    const store = await Store.open({ dataFolder: env['NIDAA_DATA_DIR']!, logger: silentLogger });
    cleanups.push(() => store.close());
    expect(finding(await examine(env), 'database').detail).toContain('embedded, running');
    await store.close();
    expect(finding(await examine(env), 'database').detail).toContain('embedded, can be started');
  });

  it.runIf(EVERY_TEST)('prints aligned lines for people, with the verdict last', async () => {
    const out = new MemoryOutput();
    expect(await doctor(out, await environment(), false)).toBe(true);
    const rows = out.lines.filter((line) => /^(ok|info|warn|FAIL) /.test(line));
    const width = Math.max(...rows.map((line) => /^(.{6}\S+( \S+)*) {2}/.exec(line)![1]!.length));
    for (const row of rows) expect(row.slice(width, width + 3)).toMatch(/^ {2}\S$/);
    expect(out.lines.at(-1)).toMatch(/^The gateway can run/);
  });

  it('prints one JSON array for programs, and tells failure', async () => {
    const out = new MemoryOutput(true);
    const env = await environment();
    await hold(Number(env['NIDAA_HTTP_PORT']));
    expect(await doctor(out, env, false)).toBe(false);
    const findings = JSON.parse(out.text) as Finding[];
    for (const each of findings) expect(Object.keys(each)).toEqual(['check', 'state', 'detail', 'fix']);
  });
});

describe('single checks', () => {
  it.each([
    ['20.19.0', 'ok'],
    ['20.18.3', 'fail'],
    ['18.20.0', 'fail'],
    ['22.0.0', 'ok'],
  ])('Node.js %s: %s', (version, state) => {
    expect(checkNode(version).state).toBe(state);
  });

  it('a clock in the past fails', () => {
    expect(checkClock(new Date('1970-01-02'))).toMatchObject([{ state: 'fail' }]);
    expect(checkClock(new Date('2026-05-01'))[0]!.state).not.toBe('fail');
  });

  const missing = (): never => {
    throw new Error('libc.so.6: not found');
  };
  it.each([
    { wish: 'auto', load: undefined, state: 'ok', detail: /^direct/ },
    { wish: 'direct', load: undefined, state: 'ok', detail: /^direct/ },
    { wish: 'dgram', load: missing, state: 'ok', detail: /^dgram/ },
    { wish: 'auto', load: missing, state: 'info', detail: /^dgram.*libc\.so\.6: not found/ },
    { wish: 'direct', load: missing, state: 'fail', detail: /^media\.io: direct.*libc\.so\.6: not found/ },
  ] as const)('says what carries audio: $wish, $state', async ({ wish, load, state, detail }) => {
    expect(await checkMediaIo(wish, load)).toMatchObject({ state, detail: expect.stringMatching(detail) });
  });

  it('what encrypts media, and who could read the keys', () => {
    const sip = { mediaEncryption: 'require', keysInClear: false } as const;
    const library = { name: 'openssl', version: '3.0.19' } as const;
    expect(checkEncryption(sip, () => library)).toMatchObject([
      { state: 'ok', detail: 'sip.mediaEncryption: require, by openssl 3.0.19' },
    ]);
    const found = checkEncryption({ ...sip, keysInClear: true }, () => ({ name: 'node:crypto', reason: 'no library' }));
    expect(found).toMatchObject([
      { state: 'info', detail: 'sip.mediaEncryption: require, by node:crypto, not by OpenSSL itself: no library' },
      { state: 'warn', check: 'keys of SRTP' },
    ]);
  });
});
