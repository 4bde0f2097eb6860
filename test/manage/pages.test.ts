import { describe, expect, it } from 'vitest';
import { pageOfAll } from '../../src/manage/pages.ts';

const pageAfter = (rows: readonly string[], after?: string | null) =>
  pageOfAll(
    rows,
    { limit: '2', ...(after != null && { after }) },
    (row) => row,
    (row) => row,
  );

describe('pages of a list that is all there', () => {
  it('follow one another to the end', () => {
    const rows = ['a', 'b', 'c'];
    const first = pageAfter(rows);
    expect(first.items).toEqual(['a', 'b']);
    expect(pageAfter(rows, first.next)).toEqual({ items: ['c'], next: null });
  });

  it('do not begin anew when the last row of the page before has gone: whoever reads them all would go round', () => {
    const { next } = pageAfter(['a', 'b', 'c']);
    expect(() => pageAfter(['a', 'c'], next)).toThrow('`after` names is gone');
  });
});
