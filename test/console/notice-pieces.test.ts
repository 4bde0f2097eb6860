import { describe, expect, it } from 'vitest';
import { noticePieces, piecesText } from '../../src/console/i18n/notice-pieces.ts';

const WORDS: Record<string, string> = {
  'shape.unfit': 'المتوقع: {{wanted}}، والموجود: {{got}}',
  'wanted.name': 'اسم',
  'yaml.bad': 'خطأ',
  'end.off': '{{name}} متوقف',
};
const wordsOf = (code: string): string | undefined => WORDS[code];

describe('a sentence of the gateway', () => {
  it('is our words and its values apart, those of sentences within it too', () => {
    const said = { code: 'shape.unfit', params: { wanted: { code: 'wanted.name', params: {} }, got: '1, 2' } };
    const pieces = noticePieces(said, wordsOf);
    expect(pieces).toEqual(['المتوقع: ', 'اسم', '، والموجود: ', { value: '1, 2' }]);
    expect(piecesText(pieces!)).toBe('المتوقع: اسم، والموجود: \u20681, 2\u2069');
  });

  it('has no words where one in it has none', () => {
    const unknown = { code: 'from.later', params: {} };
    expect(noticePieces(unknown, wordsOf)).toBeUndefined();
    expect(noticePieces({ code: 'shape.unfit', params: { wanted: unknown, got: 'x' } }, wordsOf)).toBeUndefined();
  });

  it('leaves out what its words do not name, and is empty where a value is not there', () => {
    expect(noticePieces({ code: 'yaml.bad', params: { error: 'bad indentation' } }, wordsOf)).toEqual(['خطأ']);
    expect(noticePieces({ code: 'end.off', params: {} }, wordsOf)).toEqual([{ value: '' }, ' متوقف']);
  });

  it('takes a value for a value, whatever it looks like', () => {
    const name = '{{wanted}}<b>';
    expect(noticePieces({ code: 'end.off', params: { name } }, wordsOf)).toEqual([{ value: name }, ' متوقف']);
    let deep: { code: string; params: Record<string, unknown> } = { code: 'end.off', params: { name } };
    for (let depth = 0; depth < 100; depth += 1) deep = { code: 'end.off', params: { name: deep } };
    expect(noticePieces(deep, wordsOf)).toBeUndefined();
  });
});
