import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/gateway.ts';
import { expectEveryRow } from '../support/labelled-rows.ts';

/** One fault made by hand: `text`, which stands once in `file`, becomes `replacement`, and one of `tests` must be red. */
interface Mutation {
  readonly file: string;
  readonly text: string;
  readonly replacement: string;
  readonly tests: readonly string[];
}

const folder = new URL('.', import.meta.url);
const rows = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Mutation[]);
const label = ({ file, text }: Mutation): string => `${file}: ${text}`;

describe('the list of faults for `npm run mutate`', () => {
  it('fits the sources: every text stands in its file once, and every test is there', () => {
    expectEveryRow(rows, label, ({ file, text, replacement, tests }) => {
      expect(readFileSync(`${ROOT}/${file}`, 'utf8').split(text)).toHaveLength(2);
      expect(replacement).not.toBe(text);
      expect(tests.length).toBeGreaterThan(0);
      for (const test of tests) expect(existsSync(`${ROOT}/${test}`), test).toBe(true);
    });
  });

  it('has no fault twice, and some for every folder', () => {
    expect(new Set(rows.map(({ file, text, replacement }) => `${file} ${text} ${replacement}`)).size).toBe(rows.length);
    const judged = new Set(rows.map(({ file }) => file.split('/')[1]));
    const folders = readdirSync(`${ROOT}/src`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).filter((name) => !judged.has(name))).toEqual([]);
  });
});
