import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { logTarget, logWishOf, sentenceOf } from '../../src/compose/log-target.ts';
import { createLogger } from '../../src/core/logger.ts';

let dataDir: string;
let shown: string[];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'nidaa-log-'));
  shown = [];
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const target = (isTTY: boolean, wish?: 'json' | 'file', folder = dataDir) =>
  logTarget({ wish, dataDir: folder, terminal: { isTTY, write: (text) => void shown.push(text) } });

describe('where the log goes', () => {
  it.each([
    { name: 'a terminal', isTTY: true, wish: undefined, toFile: true },
    { name: 'a service', isTTY: false, wish: undefined, toFile: false },
    { name: 'a terminal that wants JSON', isTTY: true, wish: 'json', toFile: false },
    { name: 'a service that wants a file', isTTY: false, wish: 'file', toFile: true },
  ] as const)('$name', ({ isTTY, wish, toFile }) => {
    expect(target(isTTY, wish).file).toBe(toFile ? join(dataDir, 'gateway.log') : undefined);
    expect(readdirSync(dataDir)).toEqual(toFile ? ['gateway.log'] : []);
  });

  it('keeps every line in the file and shows what went wrong, without personal data', () => {
    const { stream, file } = target(true);
    const logger = createLogger({ level: 'info', redactPersonal: true }, stream);
    logger.info({ calls: 3 }, 'all is well');
    logger.warn({ why: 'port 9464 is taken', pii: { from: '+966500000000' } }, 'metrics are not served');
    logger.error({ error: 'EIO' }, 'closing failed');
    const lines = readFileSync(file!, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      ...['all is well', 'metrics are not served', 'closing failed'],
    ]);
    expect(shown).toEqual(['warning: metrics are not served: port 9464 is taken\n', 'error: closing failed: EIO\n']);
  });

  it('sets a long file aside, at the start and while it grows', () => {
    const path = join(dataDir, 'gateway.log');
    writeFileSync(path, '');
    truncateSync(path, 20_000_001);
    const { stream } = target(true);
    expect(readdirSync(dataDir).sort()).toEqual(['gateway.log', 'gateway.log.1']);
    stream.write('first\n');
    for (let megabyte = 0; megabyte < 20; megabyte += 1) stream.write(`${'x'.repeat(1_000_000)}\n`);
    expect(readFileSync(`${path}.1`, 'utf8').slice(0, 6)).toBe('first\n');
    expect(readFileSync(path).length).toBeLessThan(2_000_000);
  });

  it('stays on standard error where the folder cannot be written to', () => {
    writeFileSync(join(dataDir, 'file'), '');
    expect(target(true, undefined, join(dataDir, 'file/data')).file).toBeUndefined();
  });
});

describe('arguments', () => {
  it('choose the log', () => {
    expect([logWishOf([]), logWishOf(['--log', 'json']), logWishOf(['--log=file'])]).toEqual([
      ...[undefined, 'json', 'file'],
    ]);
  });
  it.each([[['--log', 'xml']], [['--verbose']], [['--log']], [['data']]])('%j are refused', (args) => {
    expect(() => logWishOf(args)).toThrow('There is --log json, and --log file.');
  });
});

it('a line that is no JSON is shown to nobody', () => {
  expect(sentenceOf('{"level":')).toBeUndefined();
});
