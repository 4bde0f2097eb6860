import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './gateway.ts';
import { MARK_FILES, MARK_ROWS, type MarkRow, rowOfTest } from './mark-rows.ts';
import { aligned, marksTable } from './marks-table.ts';

const numbered = (letter: string, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, n) => `${letter}${from + n}`);
const ROWS = [...numbered('T', 1, 11), ...numbered('F', 6, 18)];
/** Every `row figure` that the tests of a file hold against the table, and every row that one of them is for. */
function foundIn(file: string): { figures: string[]; rows: string[] } {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const marks = [...text.matchAll(/\bmark\(\s*'([TF]\d+)',\s*([^,]+),/g)].flatMap(([, row, named = '']) =>
    [...named.matchAll(/'(\w+)'/g)].map(([, figure]) => `${row} ${figure}`),
  );
  const helped = [...text.matchAll(/\b(?:works|registers)After\('(\w+)'/g)].map(([, row]) => `${row} after`);
  const rows = [...text.matchAll(/'([TF]\d+): /g)].map(([, row]) => row!);
  return { figures: [...marks, ...helped], rows };
}

describe('the table of the marks', () => {
  it('has every row once, in order', () => {
    expect(MARK_ROWS.map(({ row }) => row)).toEqual(ROWS);
  });

  it('has bounds for each figure', () => {
    for (const { row, figures } of MARK_ROWS) {
      for (const [name, { atLeast, atMost }] of Object.entries(figures)) {
        expect([row, name, atLeast ?? atMost]).toEqual([row, name, expect.any(Number)]);
        expect((atLeast ?? -Infinity) <= (atMost ?? Infinity), `${row} ${name}`).toBe(true);
      }
    }
  });

  it('has a test for each row, in the files that it names, and no file has a row that it does not', () => {
    const named = MARK_ROWS.flatMap(({ row, tests }) => tests.map((file) => `${row} test/${file}.test.ts`));
    const found = MARK_FILES.flatMap((file) => [...new Set(foundIn(file).rows)].map((row) => `${row} ${file}`));
    expect(found.sort()).toEqual(named.sort());
    const hostile = readdirSync(join(ROOT, 'test/hostile')).filter((name) => name.endsWith('.test.ts'));
    expect(hostile.map((name) => `test/hostile/${name}`).filter((file) => !MARK_FILES.includes(file))).toEqual([]);
  });

  it('has each figure that is measured, and each is measured', () => {
    const known = MARK_ROWS.flatMap(({ row, figures }) => Object.keys(figures).map((name) => `${row} ${name}`));
    const measured = new Set(MARK_FILES.flatMap((file) => foundIn(file).figures));
    expect([...measured].sort()).toEqual(known.sort());
  });
});

describe('what is told of a run', () => {
  const row: MarkRow = {
    ...{ row: 'T1', about: 'about', requires: 'what', tests: ['hostile/one'] },
    figures: { most: { what: 'most', atMost: 5 }, exact: { what: 'exact', atLeast: 2, atMost: 2 } },
  };
  const measured = (most: number | null, exact = 2) => [
    { row: 'T1', figure: 'most', value: most, load: 1 },
    { row: 'T1', figure: 'exact', value: exact, load: 1 },
  ];
  const passed = [{ row: 'T1', state: 'passed' }] as const;
  const failed = [{ row: 'T1', state: 'failed', why: 'because' }] as const;
  const skipped = [{ row: 'T1', state: 'skipped', why: 'needs root' }] as const;

  it.each([
    { name: 'kept', found: measured(5), tests: passed, verdicts: ['pass', 'pass'], isKept: true },
    { name: 'missed', found: measured(6), tests: passed, verdicts: ['FAIL', 'pass'], isKept: false },
    { name: 'not exact', found: measured(5, 3), tests: passed, verdicts: ['pass', 'FAIL'], isKept: false },
    { name: 'no number', found: measured(null), tests: passed, verdicts: ['FAIL', 'pass'], isKept: false },
    {
      name: 'half measured',
      found: measured(1).slice(0, 1),
      tests: passed,
      verdicts: ['pass', 'NOT MEASURED'],
      isKept: false,
    },
    {
      name: 'failed otherwise',
      found: measured(1),
      tests: failed,
      verdicts: ['pass', 'pass', 'FAIL: because'],
      isKept: false,
    },
    { name: 'left out, and why', found: [], tests: skipped, verdicts: ['skipped: needs root'], isKept: true },
    { name: 'not run', found: [], tests: [], verdicts: ['DID NOT RUN'], isKept: false },
    {
      name: 'left out without a word',
      found: [],
      tests: [{ row: 'T1', state: 'skipped' }] as const,
      verdicts: ['DID NOT RUN'],
      isKept: false,
    },
  ])('$name', ({ found, tests, verdicts, isKept }) => {
    const { lines, ...table } = marksTable([row], found, tests, true);
    expect([lines.slice(1).map((line) => line[5]), table.isKept]).toEqual([verdicts, isKept]);
    expect(aligned(lines).split('\n').length).toBe(lines.length + 1);
  });

  it('the worst of several is told, with its case', () => {
    const found = [3, 9, 4].map((value) => ({ row: 'T1', figure: 'most', value, of: `case ${value}`, load: 1 }));
    const { lines } = marksTable([row], [...found, ...measured(1).slice(1)], passed, true);
    expect(lines[1]![3]).toBe('9 (case 9) worst of 3');
  });

  it('rows that nobody asked for are left out', () => {
    expect(marksTable([row], [], [], false)).toMatchObject({ lines: [expect.any(Array)], isKept: true });
  });

  it('a test is for the row that stands in its name', () => {
    expect(rowOfTest('under attack > T5: a flood')).toBe('T5');
    expect(rowOfTest('F15: without descriptors > with 0 left')).toBe('F15');
    expect(rowOfTest('a time of T1: half a second')).toBeUndefined();
  });
});
