import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../support/gateway.ts';

const BUILT_S = 1_000_000;

describe('a program of the build', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'nidaa-run-'));
    cpSync(join(ROOT, 'scripts/run.mjs'), join(folder, 'scripts/run.mjs'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** A file of the build that says its name and its arguments, written at this second. */
  const put = (
    path: string,
    atS: number,
    text = `console.log(${JSON.stringify(path)}, ...process.argv.slice(2));`,
  ): void => {
    mkdirSync(join(folder, 'dist', dirname(path)), { recursive: true });
    const isBundle = path.startsWith('bundle/');
    writeFileSync(join(folder, 'dist', path), isBundle ? `(function (exports, require) {\n${text}\n})\n` : `${text}\n`);
    utimesSync(join(folder, 'dist', path), atS, atS);
  };
  const run = (...flags: string[]) =>
    spawnSync(process.execPath, [...flags, join(folder, 'scripts/run.mjs'), 'cli/nidaa', 'calls', '--json'], {
      encoding: 'utf8',
    });
  /** What was kept of bundles that ran. */
  const kept = (): string[] => readdirSync(join(folder, 'dist/bundle')).filter((name) => name.endsWith('.code'));

  it.each([
    { what: 'its bundle, made after it', bundledAtS: BUILT_S + 2, runs: 'bundle/nidaa.js' },
    { what: 'a bundle of the build before', bundledAtS: BUILT_S - 2, runs: 'cli/nidaa.js' },
    { what: 'no bundle', bundledAtS: undefined, runs: 'cli/nidaa.js' },
  ])('with $what runs $runs', ({ bundledAtS, runs }) => {
    rmSync(join(folder, 'dist'), { recursive: true, force: true });
    put('cli/nidaa.js', BUILT_S);
    put('.tsbuildinfo', BUILT_S);
    if (bundledAtS !== undefined) put('bundle/nidaa.js', bundledAtS);
    const { stdout, stderr } = run();
    expect({ stdout, stderr }).toEqual({ stdout: `${runs} calls --json\n`, stderr: '' });
  });

  it('runs what was changed, and keeps the code of each', () => {
    rmSync(join(folder, 'dist'), { recursive: true, force: true });
    const said = ['one', 'one', 'two'].map((word) => {
      put('bundle/nidaa.js', BUILT_S, `console.log('${word}');`); // of the same length and the same second
      return `${run().stdout.trim()}, kept ${kept().length}`;
    });
    expect(said).toEqual(['one, kept 1', 'one, kept 1', 'two, kept 2']);
  });

  it('runs with kept code that is no code', () => {
    for (const name of kept()) writeFileSync(join(folder, 'dist/bundle', name), 'spoilt');
    expect(run()).toMatchObject({ stdout: 'two\n', stderr: '', status: 0 });
  });

  it('tells in the trace of a fault the line of the source, where source maps are wished', () => {
    put('bundle/nidaa.js', BUILT_S, `function fails() { throw new Error('so'); }\nfails();`);
    // Line 2 of the bundle is line 41 of the source, line 3 is line 42.
    const map = { version: 3, sources: ['../../src/cli/nidaa.ts'], names: [], mappings: ';AAwCA;AACA' };
    writeFileSync(join(folder, 'dist/bundle/nidaa.js.map'), JSON.stringify(map));
    const source = join(folder, 'src/cli/nidaa.ts');
    expect(run('--enable-source-maps').stderr).toMatch(
      new RegExp(`at fails \\(${source}:41:1\\)\n +at \\S*.*${source}:42:1`),
    );
    expect(run().stderr).toContain(`at fails (${join(folder, 'dist/bundle/nidaa.js')}:2:26)`);
  });
});

describe('the bundle of the gateway', () => {
  const FILE = join(ROOT, 'dist/bundle/main.js');

  it('says in the trace of a fault where that stands in the sources', () => {
    const map = new SourceMap(JSON.parse(readFileSync(`${FILE}.map`, 'utf8')) as SourceMapPayload);
    const bundled = readFileSync(FILE, 'utf8').split('\n');
    const line = bundled.findIndex((text) => text.includes('function closeOnSignal('));
    const entry = map.findEntry(line, bundled[line]!.indexOf('closeOnSignal')) as {
      originalSource: string;
      originalLine: number;
    };
    const source = join(ROOT, 'src/main.ts');
    expect(resolve(dirname(FILE), entry.originalSource)).toBe(source);
    expect(readFileSync(source, 'utf8').split('\n')[entry.originalLine]).toContain('function closeOnSignal(');
  });
});
