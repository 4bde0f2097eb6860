import { describe, expect, it } from 'vitest';
import { expectEveryRow, rowsBy } from './labelled-rows.ts';

describe('labelled rows', () => {
  const label = (row: number): string => `row ${row}`;
  const even = (row: number): void => expect(row % 2).toBe(0);

  it('are all judged, and every one that fails is listed', () => {
    expect(() => expectEveryRow([2, 3, 4, 5], label, even)).toThrow(/^2 of 4 rows:\n {2}- row 3\n.*\n {2}- row 5\n/);
    expect(() => expectEveryRow([2, 4], label, even)).not.toThrow();
  });

  it('that are none fail: the set was not found', () => {
    expect(() => expectEveryRow([], label, even)).toThrow();
  });

  it('come by class, in the order of the set', () => {
    expect(rowsBy([3, 4, 1], (row) => (row > 2 ? 'big' : 'small'))).toEqual([
      { name: 'big', rows: [3, 4] },
      { name: 'small', rows: [1] },
    ]);
  });
});
