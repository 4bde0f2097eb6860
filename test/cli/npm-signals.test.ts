import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { configFolder, GREETER } from '../support/config-folder.ts';
import { ROOT } from '../support/gateway.ts';
import { freeSipPort, freeTcpPort, freeUdpRange } from '../support/ports.ts';
import { processesOf } from '../support/processes-of.ts';
import { EVERY_TEST, someOf } from '../support/property-runs.ts';
import { until } from '../support/until.ts';

/** The whole of a start or an end, on a machine that does much else. */
const MS_MAX = 180_000;

let folder: string; // its name is in the environment of everything that is started here
let running: Npm | undefined;
const config = configFolder({ 'nidaa.yaml': '', ...GREETER });
beforeAll(() => {
  // `npm start` would install them anew, under the feet of everybody who runs in this tree.
  const lock = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');
  const installed = readFileSync(join(ROOT, 'node_modules/.installed-from'), 'utf8');
  expect(installed, 'node_modules is not that of package-lock.json: run ./scripts/check').toContain(lock.slice(0, 16));
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'nidaa-npm-')));
  return () => {
    rmSync(folder, { recursive: true, force: true });
    config.remove();
  };
});
afterEach(async () => {
  for (const { pid } of processesOf(folder)) process.kill(pid, 'SIGKILL');
  await running?.ended;
});

interface Npm {
  readonly child: ChildProcess;
  readonly ended: Promise<number | string | null>;
  output(): string;
  said(what: RegExp): Promise<unknown>;
}

async function npm(args: readonly string[], cwd = ROOT): Promise<Npm> {
  const rtp = await freeUdpRange(100);
  const { NIDAA_URL: _url, NIDAA_TOKEN: _token, ...inherited } = process.env;
  const env = {
    ...Object.fromEntries(Object.entries(inherited).filter(([name]) => !/^(?:npm_|VITEST|NODE_ENV|CI$)/.test(name))),
    ...{ NIDAA_DATA_DIR: folder, NIDAA_HOST: '127.0.0.1', NIDAA_RTP_PORTS: `${rtp}-${rtp + 99}` },
    ...{ NIDAA_SIP_PORT: String(await freeSipPort()), NIDAA_HTTP_PORT: String(await freeTcpPort()) },
    ...{ NIDAA_METRICS_PORT: '0', NIDAA_CONFIG: join(config.dir, 'nidaa.yaml'), TMPDIR: folder },
  };
  const child = spawn('npm', args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream!.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
  }
  const ended = new Promise<number | string | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? signal)),
  );
  const said = (what: RegExp): Promise<unknown> =>
    until(
      () => what.test(text),
      () => `${what} in:\n${text}`,
      MS_MAX,
    );
  running = { child, ended, output: () => text, said };
  return running;
}

/** What is still there once npm has ended; asked a few times, for a process that was told to end needs a moment. */
async function leftOver(): Promise<string[]> {
  const left = (): string[] => processesOf(folder).map(({ command }) => command);
  await until(() => left().length === 0, 'every process ends', 3_000).catch(() => undefined);
  return left();
}

describe('npm start', () => {
  // Ctrl+C below is more than SIGINT to npm alone.
  it.each(EVERY_TEST ? (['SIGTERM', 'SIGINT'] as const) : (['SIGTERM'] as const))(
    'ended by %s to npm: drains, leaves nothing behind, exit code 0',
    async (signal) => {
      const start = await npm(['start']);
      await start.said(/^READY /m);
      start.child.kill(signal);
      expect(await start.ended).toBe(0);
      expect(await leftOver()).toEqual([]);
      expect(start.output()).toContain('draining');
    },
    MS_MAX,
  );

  it.runIf(EVERY_TEST)(
    'ended by Ctrl+C, which reaches everybody and comes a second time from npm: drains all the same',
    async () => {
      const start = await npm(['start']);
      await start.said(/^READY /m);
      process.kill(-start.child.pid!, 'SIGINT');
      expect(await start.ended).toBe(0);
      expect(await leftOver()).toEqual([]);
    },
    MS_MAX,
  );
});

describe('a gateway that is ended while it starts', () => {
  it(
    'closes all the same, and calls that no failure',
    async () => {
      const start = await npm(['start']);
      await start.said(/Server listening at/);
      start.child.kill('SIGTERM');
      expect(await start.ended).toBe(0);
      expect(await leftOver()).toEqual([]);
      expect(start.output()).toContain('draining');
    },
    MS_MAX,
  );
});

describe('npm run examples', () => {
  it.runIf(EVERY_TEST)(
    'ended by SIGTERM to npm: its gateway ends with it',
    async () => {
      const examples = await npm(['run', 'examples']);
      const isUp = (): boolean => processesOf(folder).some(({ command }) => command.includes('scripts/run.mjs main'));
      await until(isUp, () => `its gateway in:\n${examples.output()}`, MS_MAX);
      examples.child.kill('SIGTERM');
      expect(await examples.ended).toBe(143);
      expect(await leftOver()).toEqual([]);
    },
    MS_MAX,
  );
});

/** A small project under the scripts of this one. */
function project(tests: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(folder, 'project-'));
  mkdirSync(join(root, 'test'));
  mkdirSync(join(root, 'src'));
  const shared = ['scripts', 'package.json', 'package-lock.json', 'tsconfig.json', 'test/tsconfig.json'];
  for (const name of [...shared, 'test/support/failed-files-reporter.ts']) {
    cpSync(join(ROOT, name), join(root, name), { recursive: true });
  }
  const whole = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
  const scripts = { ...whole.scripts, build: 'tsc -p tsconfig.json' }; // it has no console
  writeFileSync(join(root, 'package.json'), JSON.stringify({ ...whole, scripts }));
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  writeFileSync(join(root, 'biome.json'), `{ "files": { "includes": ["src/**"] } }\n`);
  for (const typed of ['src/console', 'test/long-clients']) {
    mkdirSync(join(root, typed));
    const config = '{ "files": ["../../src/main.ts"], "compilerOptions": { "noEmit": true } }\n';
    writeFileSync(join(root, typed, 'tsconfig.json'), config);
  }
  writeFileSync(join(root, 'src/main.ts'), `export const answer = 42;\n`);
  writeFileSync(join(root, 'test/vitest.config.ts'), 'export default { test: { testTimeout: 600_000 } };\n');
  for (const [name, text] of Object.entries(tests)) writeFileSync(join(root, `test/${name}.test.ts`), text);
  return root;
}

/** A test that starts a program, and waits for it. */
const LONG_TEST = `import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
it('takes long', async () => {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  process.stdout.write('IN THE TEST\\n');
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
});
`;

/** Fails once. */
const LATE_TEST = `import { existsSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
it('comes too late', () => {
  const wasHere = existsSync('.cache/was-here');
  writeFileSync('.cache/was-here', '');
  expect(wasHere).toBe(true);
});
`;
const WRONG_TEST = `import { expect, it } from 'vitest';
it('is wrong', () => expect(6 * 7).toBe(41));
`;
const RIGHT_TEST = `import { expect, it } from 'vitest';
it('is right', () => expect(6 * 7).toBe(42));
`;

describe('npm test', () => {
  const outcomes = [
    [
      'forgives what passes when it runs alone, and says so',
      { late: LATE_TEST, right: RIGHT_TEST },
      0,
      '2 passed, 0 failed',
    ],
    ['never what fails again', { late: LATE_TEST, wrong: WRONG_TEST }, 1, '1 passed, 1 failed'],
  ] as const;
  it.each(someOf(outcomes, 2))(
    '%s',
    async (_what, files, code, sum) => {
      const tests = await npm(['test'], project(files));
      expect(await tests.ended, tests.output()).toBe(code);
      expect(tests.output()).toContain(`tests: ${sum}, 0 skipped`);
      expect(tests.output()).toMatch(/a debt each: \d\n {4}test\/late\.test\.ts > comes too late: expected false/);
    },
    MS_MAX,
  );

  it.runIf(EVERY_TEST)(
    'ended by SIGINT to npm: the runner and what its tests started end with it',
    async () => {
      const tests = await npm(['test'], project({ long: LONG_TEST }));
      await tests.said(/IN THE TEST/);
      tests.child.kill('SIGINT');
      expect(await tests.ended).toBe(130);
      expect(await leftOver()).toEqual([]);
    },
    MS_MAX,
  );
});
