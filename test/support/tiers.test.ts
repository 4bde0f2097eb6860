import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LONG_FILES, leftOut, pathOf } from './tiers.ts';

const ROOT = new URL('../../', import.meta.url);
const isThere = (file: string): boolean => existsSync(new URL(pathOf(file), ROOT));

it('what only long runs have is there, in order, with its reason', () => {
  const files = LONG_FILES.map(({ file }) => file);
  expect(files.filter((file) => !isThere(file))).toEqual([]);
  expect(files).toEqual([...new Set(files)].sort());
  expect(LONG_FILES.filter(({ why }) => why === '')).toEqual([]);
});

it('and what keeps it is in every run', () => {
  const long = new Set(LONG_FILES.map(({ file }) => file));
  for (const { file, kept } of LONG_FILES) {
    expect(kept.length, file).toBeGreaterThan(0);
    expect([file, kept.filter((one) => !isThere(one) || long.has(one))]).toEqual([file, []]);
  }
});

it('a long run leaves nothing out, another one all but what it is asked for', () => {
  expect(leftOut([], true)).toEqual([]);
  expect(leftOut([], false)).toEqual(LONG_FILES.map(({ file }) => pathOf(file)));
  const [{ file }] = LONG_FILES as [(typeof LONG_FILES)[0]];
  expect(leftOut(['run', pathOf(file)], false)).toEqual(LONG_FILES.slice(1).map((one) => pathOf(one.file)));
});
