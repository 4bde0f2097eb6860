import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
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
  const put = (path: string, atS: number): void => {
    mkdirSync(join(folder, 'dist', dirname(path)), { recursive: true });
    writeFileSync(join(folder, 'dist', path), `console.log(${JSON.stringify(path)}, ...process.argv.slice(2));\n`);
    utimesSync(join(folder, 'dist', path), atS, atS);
  };

  it.each([
    { what: 'its bundle, made after it', bundledAtS: BUILT_S + 2, runs: 'bundle/nidaa.js' },
    { what: 'a bundle of the build before', bundledAtS: BUILT_S - 2, runs: 'cli/nidaa.js' },
    { what: 'no bundle', bundledAtS: undefined, runs: 'cli/nidaa.js' },
  ])('with $what runs $runs', ({ bundledAtS, runs }) => {
    rmSync(join(folder, 'dist'), { recursive: true, force: true });
    put('cli/nidaa.js', BUILT_S);
    put('.tsbuildinfo', BUILT_S);
    if (bundledAtS !== undefined) put('bundle/nidaa.js', bundledAtS);
    const args = [join(folder, 'scripts/run.mjs'), 'cli/nidaa', 'calls', '--json'];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: `${runs} calls --json\n`, stderr: '' });
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
