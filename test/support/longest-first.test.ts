import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DURATIONS } from './longest-first.ts';

it('knows how long files take that there are', () => {
  const gone = [...DURATIONS.keys()].filter((name) => !existsSync(new URL(`../${name}.test.ts`, import.meta.url)));
  expect(gone).toEqual([]);
});
