import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { everyListOf, listsOf } from '../../src/language/lists.ts';
import { listFiles, packFolders, packLists } from '../../src/language/pack-lists.ts';
import { ROOT } from '../support/gateway.ts';

const SRC = `${ROOT}/src`;
const FILE = 'engines/text/redact/data/name-triggers.tsv';
const rows = (...lines: string[]): string => ['# Where they come from.', 'list\tentry', ...lines].join('\n');

describe('word lists', () => {
  it('are read by name, in the order of their rows', () => {
    expect(listsOf(FILE)('arabic.me')).toEqual(['أنا']);
    expect(listsOf(FILE)('latin.self').slice(0, 2)).toEqual(['speaking with', 'spoke with']);
    expect(everyListOf(FILE).map(([name]) => name)).toContain('arabic.me');
  });

  it('are not made up where there are none', () => {
    expect(() => listsOf(FILE)('arabic.you')).toThrow(`${FILE} has no list arabic.you`);
    expect(() => listsOf(FILE.replace('triggers', 'riddles'))).toThrow('not among the word lists');
  });

  it('are packed without what explains them', () => {
    expect(packLists(rows('# Fruit', 'fruit\tfig', 'fruit\tdate palm', '', 'stone\topal'))).toEqual({
      fruit: 'fig\ndate palm',
      stone: 'opal',
    });
  });

  it.each([
    { name: 'no head', text: 'fruit\tfig', why: 'begins with' },
    { name: 'no entry', text: rows('fruit\t'), why: 'no row' },
    { name: 'no list', text: rows('fig'), why: 'no row' },
    { name: 'a third column', text: rows('fruit\tfig\tripe'), why: 'no row' },
    { name: 'space around it', text: rows('fruit\tfig '), why: 'no row' },
    { name: 'an entry twice', text: rows('fruit\tfig', 'fruit\tfig'), why: 'a.tsv:4 stands twice: fig' },
    {
      name: 'a list in two places',
      text: rows('fruit\tfig', 'stone\topal', 'fruit\tdate'),
      why: 'ended before: fruit',
    },
  ])('are refused with $name', ({ text, why }) => {
    expect(() => packLists(text, 'a.tsv')).toThrow(why);
  });

  it('are those of the build', () => {
    for (const [folder, files] of packFolders(SRC)) {
      expect(JSON.parse(readFileSync(`${ROOT}/dist/${folder}/lists.json`, 'utf8'))).toEqual(files);
    }
  });

  it.each(listFiles(SRC))('say where they come from, and are read: %s', (file) => {
    expect(readFileSync(`${SRC}/${file}`, 'utf8')).toMatch(/^# .+\n/);
    const folder = `${SRC}/${file.replace(/\/data\/.*/, '')}`;
    const sources = [folder, `${folder}/..`].flatMap((place) =>
      readdirSync(place)
        .filter((name) => name.endsWith('.ts'))
        .map((name) => readFileSync(`${place}/${name}`, 'utf8')),
    );
    expect(sources.some((source) => source.includes(`'${file}'`))).toBe(true);
  });
});
