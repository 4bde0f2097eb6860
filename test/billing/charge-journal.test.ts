import { spawnSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChargeJournal } from '../../src/billing/charge-journal.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { temporaryFolder } from '../support/postgres-store.ts';

interface Fact {
  readonly n: number;
  readonly text?: string;
}

describe('ChargeJournal', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const open = (): ChargeJournal<Fact> => new ChargeJournal<Fact>(folder, silentLogger);
  const files = (): string[] => readdirSync(folder).sort();
  const factsFound = (): number[] => open().found.map((entry) => entry.fact.n);

  it('finds again, in order, what was appended and not applied', async () => {
    const journal = open();
    for (const n of [1, 2, 3]) journal.append({ n, text: 'ثلاثة\n"quoted"' });
    await journal.flush();
    expect(open().found).toEqual([1, 2, 3].map((n) => ({ sequence: n, fact: { n, text: 'ثلاثة\n"quoted"' } })));
  });

  it('a line is in the file when append returns', () => {
    open().append({ n: 7 });
    expect(readFileSync(join(folder, files()[0]!), 'utf8')).toMatch(/^[0-9a-f]{8} \{"n":7\}\n$/);
  });

  it('leaves nothing on disk when everything was applied', async () => {
    const journal = open();
    journal.applied(journal.append({ n: 1 }));
    await journal.close();
    expect(files()).toEqual([]);
  });

  it('keeps on disk what was not applied when it closes', async () => {
    const journal = open();
    journal.applied(journal.append({ n: 1 }));
    journal.append({ n: 2 });
    await journal.close();
    await journal.close();
    expect(factsFound()).toContain(2);
  });

  it.each([
    { name: 'cut in the middle', tail: '0000', facts: [1, 2] },
    { name: 'cut within the text', tail: '1234abcd {"n":3,"te', facts: [1, 2] },
    { name: 'zeros after a power cut', tail: '\0'.repeat(4_096), facts: [1, 2] },
    { name: 'a line of wrong sum', tail: '00000000 {"n":9}\n', facts: [1, 2] },
  ])('a torn end is left out: $name', async ({ tail, facts }) => {
    const journal = open();
    journal.append({ n: 1 });
    journal.append({ n: 2 });
    await journal.flush();
    appendFileSync(join(folder, files()[0]!), tail);
    const next = open();
    expect(next.found.map((entry) => entry.fact.n)).toEqual(facts);
    expect(next.counters.torn).toBe(1);
    next.append({ n: 4 }); // Never after the torn line of the old file.
    expect(factsFound()).toEqual([...facts, 4]);
  });

  it('goes to a new file when one is full, and removes each when all of it was applied', async () => {
    const journal = open();
    const text = 'x'.repeat(100_000);
    const sequences = Array.from({ length: 100 }, (_, n) => journal.append({ n, text }));
    expect(files()).toHaveLength(3);
    journal.applied(sequences[60]!);
    expect(files()).toHaveLength(2);
    expect(open().found.length).toBeGreaterThanOrEqual(39);
    journal.applied(sequences.at(-1)!);
    expect(files()).toEqual([]);
    journal.append({ n: 100 });
    expect(factsFound()).toEqual([100]);
    await journal.close();
  });

  it('a fact that is kept for the next start survives that later ones are applied', async () => {
    const journal = open();
    const kept = journal.append({ n: 1 });
    journal.keepFrom(kept);
    journal.applied(journal.append({ n: 2 }));
    await journal.close();
    expect(factsFound()).toEqual([1, 2]);
  });

  it('a fact that is kept for the next start survives as the last one, though it is applied itself', async () => {
    const journal = open();
    const kept = journal.append({ n: 1 });
    journal.keepFrom(kept);
    journal.applied(kept);
    await journal.close();
    expect(factsFound()).toEqual([1]);
  });

  it('half a line on a full disk spoils no other: it is cut off again', () => {
    const script = `
      const { ChargeJournal } = await import(process.argv[2]);
      const journal = new ChargeJournal(process.argv[1], { error() {}, warn() {} });
      for (const [n, text] of [[1, 'x'.repeat(600)], [2, 'x'.repeat(600)], [3, '']]) journal.append({ n, text });
      process.stdout.write(String(journal.counters.unwritten));`;
    const module = new URL('../../dist/billing/charge-journal.js', import.meta.url).href;
    const node = [process.execPath, '--input-type=module', '-e', script, folder, module];
    const { stdout, stderr } = spawnSync('prlimit', ['--fsize=1000', ...node], { encoding: 'utf8' }); // of bytes in a file
    expect({ stdout, stderr }).toEqual({ stdout: '1', stderr: '' });
    const next = open();
    expect(next.found.map((entry) => entry.fact.n)).toEqual([1, 3]);
    expect(next.counters.torn).toBe(0);
  });

  it('many flushes at once resolve', async () => {
    const journal = open();
    const flushes = Array.from({ length: 200 }, (_, n) => {
      journal.append({ n });
      return journal.flush();
    });
    await Promise.all(flushes);
    expect(open().found).toHaveLength(200);
  });

  it('a disk that refuses is counted, throws nothing, and later facts are written again', async () => {
    const journal = open();
    journal.append({ n: 1 });
    const circular: { n: number; self?: unknown } = { n: 2 };
    journal.append({ ...circular });
    rmSync(folder, { recursive: true, force: true });
    writeFileSync(folder, 'not a folder'); // The next file cannot be made.
    const text = 'x'.repeat(5_000_000);
    journal.append({ n: 3, text });
    journal.append({ n: 4 });
    expect(journal.counters.unwritten).toBe(1);
    await journal.close();
  });
});
