import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ROOT } from './gateway.ts';

/** Where `npm run test:hostile` looks for what was found. */
const FILE = join(ROOT, '.cache/marks.tsv');

/** A figure beside what it must keep to. It goes into the table of the run, kept or not, before the test fails for it. */
export function mark(row: string, what: string, figure: number, keeps: 'at most' | 'at least', limit: number): void {
  const kept = keeps === 'at most' ? figure <= limit : figure >= limit;
  const shown = Number.isInteger(figure) ? figure : figure.toFixed(2);
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  appendFileSync(FILE, `${[row, what, shown, `${keeps} ${limit}`, kept ? 'kept' : 'MISSED'].join('\t')}\n`);
  if (keeps === 'at most') expect(figure, `${row}: ${what}`).toBeLessThanOrEqual(limit);
  else expect(figure, `${row}: ${what}`).toBeGreaterThanOrEqual(limit);
}

/** The value below which `share` of them lie; 0 of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
