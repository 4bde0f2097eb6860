import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from '../../../src/cli/checks/finding.ts';
import { loadCatalogue } from '../../../src/cli/models/catalogue.ts';
import { SHIPPED_CONFIG_DIR } from '../../../src/config/load.ts';
import { sherpaMissing } from '../../../src/engines/providers/sherpa/installed.ts';
import { kindOf, MODEL_KIND_NAMES } from '../../../src/engines/providers/sherpa/model-kinds.ts';
import { pairFor } from '../../support/certificates.ts';
import { runHere, runNidaa } from '../../support/command-line.ts';
import { EVERY_TEST } from '../../support/property-runs.ts';
import { tarFile } from '../../support/tar-file.ts';
import { tinyDetector, tinyNemoCtc, tinySmartTurn, tinyVits } from '../../support/tiny-models.ts';

const folder = mkdtempSync(join(tmpdir(), 'nidaa-models-'));
const dataDir = join(folder, 'data');
const configFile = join(folder, 'nidaa.yaml');
const env = { NIDAA_CONFIG: configFile, NIDAA_DATA_DIR: dataDir };
const models = (...args: string[]) => runHere(env, ['models', ...args]);
const json = async <T>(...args: string[]): Promise<T> => JSON.parse((await models(...args, '--json')).stdout) as T;
const configure = (sherpa: string): void => writeFileSync(configFile, `engines:\n  sherpa: ${sherpa}\n`);
beforeAll(() => writeFileSync(configFile, ''));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the models that are known', () => {
  const known = loadCatalogue(join(SHIPPED_CONFIG_DIR, 'models.yaml'));

  it('begin with Arabic ones, have names of their own, and say where they are from and when that was looked up', () => {
    const names = known.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const arabic = known.map(({ languages }) => languages.includes('ar'));
    expect(arabic.indexOf(false)).toBe(arabic.filter(Boolean).length);
    for (const row of known) expect(new Date(row.lookedUp).getTime(), row.name).toBeGreaterThan(0);
    const uses = new Set(known.map(({ kind }) => kindOf(kind).use));
    expect([...uses].sort()).toEqual(['detector', 'ears', 'turn-end', 'voice']);
    expect(known.every(({ kind }) => MODEL_KIND_NAMES.includes(kind))).toBe(true);
  });

  it('are listed with those that are installed', async () => {
    await models('install', tinyDetector(join(folder, 'my-detector')), '--kind', 'silero-vad');
    const { stdout, code } = await models('list');
    expect(code).toBe(0);
    expect(stdout).toMatch(/whisper-small +ears +ar en +MIT +375 +not measured/);
    expect(stdout).toMatch(/ALSO HERE/);
    expect(stdout).toMatch(/my-detector +detector/);
    const listed = await json<{ folder: string; installed: { name: string }[] }>('list');
    expect(listed).toMatchObject({ folder: join(dataDir, 'models'), installed: [{ name: 'my-detector' }] });
  });
});

describe('models on the command line', () => {
  it('are installed, found by the configuration without a kind, and verified', async () => {
    const { stdout, code } = await models(
      'install',
      tinyNemoCtc(join(folder, 'tiny-ear')),
      '--kind',
      'nemo-ctc',
      '--language',
      'ar',
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining('installed tiny-ear (nemo-ctc), 2 files')]);
    configure('{ ears: [{ model: tiny-ear, languages: [ar] }] }');
    const findings = await json<Finding[]>('check');
    expect(findings.at(-1)).toMatchObject({ check: 'engines.sherpa.ears[0]', state: 'ok' });
    expect(findings.at(-1)?.detail).toContain('tiny-ear: nemo-ctc for ar (model, tokens)');
    expect(await models('verify', 'tiny-ear')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('as installed'),
    });
    writeFileSync(join(dataDir, 'models/tiny-ear/tokens.txt'), 'changed');
    expect(await models('verify')).toMatchObject({ code: 1, stdout: expect.stringContaining('changed: tokens.txt') });
    expect(await models('verify', 'nothing')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no model nothing'),
    });
  });

  it('that lack files are told file by file', async () => {
    configure(
      '{ voices: [{ model: /nowhere/kokoro, kind: kokoro, languages: [en] }], ears: [{ model: tiny, languages: [ar] }] }',
    );
    expect(await models('check')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('/nowhere/kokoro is no folder'),
    });
    const voice = tinyVits(join(folder, 'kokoro'));
    configure(`{ voices: [{ model: ${voice}, kind: kokoro, languages: [en] }] }`);
    const { code, stdout } = await models('check');
    expect([code, stdout]).toEqual([1, expect.stringContaining(`${voice} lacks voices.bin`)]);
    writeFileSync(configFile, '');
    expect((await models('check')).stdout).toContain('none is configured');
  });

  it.skipIf(!EVERY_TEST || sherpaMissing() !== undefined)(
    'are loaded to see what they take, where that is asked',
    async () => {
      const voice = tinyVits(join(folder, 'voice'));
      const ear = tinyNemoCtc(join(folder, 'broken'));
      copyFileSync(join(voice, 'model.onnx'), join(ear, 'model.onnx'));
      configure(
        `{ voices: [{ model: ${voice}, kind: vits, languages: [en] }], ears: [{ model: ${ear}, kind: nemo-ctc, languages: [ar] }] }`,
      );
      const { code, stdout } = await models('check', '--load');
      expect(code).toBe(1);
      expect(stdout).toMatch(/loaded in \d+\.\d s, \d+ MB/);
      expect(stdout).toMatch(/does not load: .*(vocab_size|subsampling)/);
      const [judge, none] = [tinySmartTurn(join(folder, 'judge')), tinyDetector(join(folder, 'none'))];
      for (const [model, says] of [
        [judge, /loaded in/],
        [none, /does not load: .*called input_features/],
      ] as const) {
        configure(`{ turnEnd: { model: ${model}, kind: smart-turn } }`);
        const finding = (await json<Finding[]>('check', '--load')).at(-1);
        expect(finding).toMatchObject({ check: 'engines.sherpa.turnEnd', detail: expect.stringMatching(says) });
      }
    },
  );

  it.skipIf(!EVERY_TEST || sherpaMissing() !== undefined)(
    'are waited for by a program that does nothing else',
    async () => {
      const voice = tinyVits(join(folder, 'alone'));
      const module = (name: string): string =>
        JSON.stringify(new URL(`../../../dist/${name}.js`, import.meta.url).href);
      const files = { model: join(voice, 'model.onnx'), tokens: join(voice, 'tokens.txt') };
      const setup = { use: 'voice', model: { kind: 'vits', folder: voice, files }, threads: 1, language: 'en' };
      const program = `
      const { loadOnce } = await import(${module('engines/providers/sherpa/load-once')});
      const { systemClock } = await import(${module('core/clock')});
      console.log(JSON.stringify(await loadOnce(${JSON.stringify(setup)}, systemClock, 60_000)));`;
      const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
      expect(JSON.parse(stdout || '{}')).toMatchObject({ memoryMb: expect.any(Number), loadMs: expect.any(Number) });
    },
  );

  it.runIf(EVERY_TEST)(
    'say what to type where the package is not there, as after npm install --omit=optional',
    async () => {
      const without = join(folder, 'without.cjs');
      writeFileSync(
        without,
        `const Module = require('node:module');
      const find = Module._resolveFilename;
      Module._resolveFilename = (id, ...rest) => {
        if (/^sherpa-onnx/.test(id)) throw Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' });
        return find(id, ...rest);
      };`,
      );
      configure(`{ voices: [{ model: ${tinyVits(join(folder, 'unheard'))}, kind: vits, languages: [en] }] }`);
      const options = `${process.env['NODE_OPTIONS'] ?? ''} --require=${without}`;
      const { code, stdout } = await runNidaa({ ...env, NODE_OPTIONS: options }, ['models', 'check', '--load']);
      expect([code, stdout]).toEqual([1, expect.stringContaining('sherpa-onnx-node, which is not installed')]);
      expect(stdout).toContain('npm install --no-save --include=optional sherpa-onnx-node');
      expect(stdout).toContain('unheard: vits for en'); // and the models that are there are still looked at
    },
  );

  it('are for this machine', async () => {
    const far = await models('list', '--url', 'https://gateway.example.com');
    expect(far).toMatchObject({ code: 1, stderr: expect.stringContaining('on the disk of this machine') });
  });
});

describe('a model at an address', () => {
  let server: Server;
  let base: string;
  const tar = tarFile({ path: 'm/model.onnx', content: 'weights' }, { path: 'm/tokens.txt', content: 'a 0\n' });
  beforeAll(async () => {
    const pair = pairFor(['127.0.0.1', 'localhost']);
    writeFileSync(join(folder, 'ca.pem'), pair.cert);
    server = createServer(pair, (request, response) => {
      const { pathname } = new URL(request.url ?? '', 'https://localhost');
      if (pathname === '/led/m.tar') response.writeHead(302, { location: '/real/m.tar?key=secret' }).end();
      else if (pathname === '/away/m.tar') response.writeHead(302, { location: 'http://localhost:1/m.tar' }).end();
      else if (pathname === '/round/m.tar') response.writeHead(302, { location: '/round/m.tar' }).end();
      else if (pathname === '/real/m.tar') response.end(tar);
      else if (pathname === '/big/m.tar') response.end(Buffer.alloc(20_000_000));
      else if (pathname === '/cut/m.tar') {
        response.writeHead(200, { 'content-length': '100000' }).write(tar.subarray(0, 600));
        setImmediate(() => response.destroy());
      } else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    base = `https://localhost:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());
  const fetched = (path: string, ...args: string[]) =>
    runNidaa({ ...env, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') }, [
      ...['models', 'install', path.startsWith('http') ? path : `${base}${path}`, '--kind', 'nemo-ctc', ...args],
    ]);

  it.runIf(EVERY_TEST)('is loaded where it is led to, and its sum compared', async () => {
    const sum = createHash('sha256').update(tar).digest('hex');
    const { code, stdout, stderr } = await fetched('/led/m.tar?key=secret', '--sha256', sum, '--json');
    expect([code, stderr]).toEqual([0, '']);
    const { manifest } = JSON.parse(stdout) as { manifest: { from: string } };
    expect(manifest.from).toBe(`${base}/led/m.tar`);
    expect(existsSync(join(dataDir, 'models/m/model.onnx'))).toBe(true);
  });

  // Each is a program of its own, started.
  const refused = [
    { path: '/away/m.tar', why: 'expected an https address' },
    { path: '/cut/m.tar', why: 'broke off' },
    { path: '/big/m.tar', why: 'larger than 0.01 GB' },
  ];
  const refusedToo = [
    { path: '/nothing/m.tar', why: 'answers 404' },
    { path: '/round/m.tar', why: 'leads on and on' },
    { path: '/real/', why: 'ends in the name of a file' },
    { path: 'http://localhost:1/m.tar', why: 'expected an https address' },
    { path: 'https://localhost:1/m.tar', why: 'is not reached' },
  ];
  it.each(EVERY_TEST ? [...refused, ...refusedToo] : refused.slice(1, 2))(
    'is refused: $path',
    async ({ path, why }) => {
      const { code, stderr } = await fetched(path, '--name', 'refused', '--max-gb', '0.01');
      expect([code, stderr]).toEqual([1, expect.stringContaining(why)]);
      expect(existsSync(join(dataDir, 'models/refused'))).toBe(false);
    },
  );
});
