import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { withoutCommentLines } from '../../src/config/yaml-file.ts';

const lines = (...all: string[]): string => all.join('\n');

describe('a configuration without its comment lines', () => {
  it.each([
    [
      'keeps its lines',
      lines('# one', 'a: 1 # why', '  # two', 'b: [2,', '# three', '  3]'),
      lines('', 'a: 1 # why', '', 'b: [2,', '', '  3]'),
    ],
    ['is left alone with a block of text', lines('# one', 'a: |', '  # no comment'), undefined],
    ['is left alone with a folded block', lines('a: >- # why', '  # no comment', 'b: 1'), undefined],
    ['is left alone with quotes over lines', lines('a: "x', '  # no comment', '  y"'), undefined],
    ['is left alone with single quotes over lines', lines("a: 'x", '  # no comment', "  y'"), undefined],
  ])('%s', (_, text, bare = text) => {
    expect(withoutCommentLines(text)).toBe(bare);
    expect(parse(bare)).toEqual(parse(text));
  });

  it('says the same in every file that is shipped', () => {
    const files = ['config', 'config/agents'].flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.yaml'))
        .map((name) => `${folder}/${name}`),
    );
    const texts = files.map((file) => readFileSync(file, 'utf8'));
    expect(texts.map((text) => parse(withoutCommentLines(text)))).toEqual(texts.map((text) => parse(text)));
    expect(files.filter((_, n) => withoutCommentLines(texts[n]!) !== texts[n])).toContain('config/nidaa.yaml');
  });
});
