import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DURATIONS, spread } from './longest-first.ts';

it('knows how long files take that there are', () => {
  const gone = [...DURATIONS.keys()].filter((name) => !existsSync(new URL(`../${name}.test.ts`, import.meta.url)));
  expect(gone).toEqual([]);
});

it('spreads those that keep the cores busy among those that wait', () => {
  const seconds = (one: string): number => Number(one.slice(1));
  expect(spread(['B30', 'B20', 'B10'], ['W20', 'W20', 'W10', 'W10'], seconds)).toEqual([
    ...['B30', 'W20', 'W20', 'B20', 'W10', 'B10', 'W10'],
  ]);
  const waits = Array.from({ length: 10 }, () => 'W1');
  const order = spread(['B3', 'B1'], waits, seconds);
  expect(order.slice(order.indexOf('B1'))).toEqual(['B1', ...waits.slice(7)]); // and not 'W1' before it for once more
  expect(spread([], ['W2', 'W1'], seconds)).toEqual(['W2', 'W1']);
  expect(spread(['B1'], [], seconds)).toEqual(['B1']);
});
