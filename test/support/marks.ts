import { appendFileSync, mkdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import { dirname } from 'node:path';
import { expect } from 'vitest';
import { keepsTo, MARK_ROWS, MEASURED_FILE, type Measured } from './mark-rows.ts';

/**
 * Holds a figure of the table against its bounds, and writes it down for the table of `npm run test:hostile`. The test goes on
 * with its other figures, and fails in the end.
 */
export function mark(row: string, figure: string, value: number, of?: string): void {
  const bounds = MARK_ROWS.find((known) => known.row === row)?.figures[figure];
  if (!bounds) throw new Error(`the table of the marks has no ${row} ${figure}`);
  if (process.env['NIDAA_TEST_HOSTILE'] === '1') {
    const measured: Measured = { row, figure, value, ...(of !== undefined && { of }), load: loadavg()[0] ?? 0 };
    mkdirSync(dirname(MEASURED_FILE), { recursive: true });
    appendFileSync(MEASURED_FILE, `${JSON.stringify(measured)}\n`);
  }
  const { what, atLeast, atMost } = bounds;
  const told = `${row}: ${what}${of === undefined ? '' : ` (${of})`}: ${value}, between ${atLeast} and ${atMost}`;
  expect.soft(keepsTo(bounds, value), told).toBe(true);
}

/** The value below which `share` of them lie; 0 of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
