import { describe, expect, it } from 'vitest';

const { kindOf, missed } = (await import(
  new URL('../../../scripts/bench/hearing/word-kinds.mjs', import.meta.url).href
)) as {
  kindOf: (word: string, known: ReadonlySet<string>) => string;
  missed: (said: readonly string[], heard: readonly string[]) => boolean[];
};

describe('words that were said, as the bench counts them', () => {
  it.each([
    { said: 'order six one oh four', heard: 'order six one of for', wrong: [false, false, false, true, true] },
    { said: 'make it thursday', heard: 'make it', wrong: [false, false, true] },
    { said: 'it came', heard: 'well it came wet', wrong: [false, false] },
    { said: 'yes', heard: '', wrong: [true] },
    { said: '', heard: 'yes', wrong: [] },
  ])('$said, heard as "$heard"', ({ said, heard, wrong }) => {
    const words = (text: string): string[] => text.split(' ').filter(Boolean);
    expect(missed(words(said), words(heard))).toEqual(wrong);
  });

  it.each([
    ['4', 'digits'],
    ['thursday', 'days, times'],
    ['mornings', 'days, times'],
    ['the', 'small words'],
    ['parcel', 'other words'],
    ['souk', 'not in the model'],
  ])('%s is one of: %s', (word, kind) => {
    expect(kindOf(word, new Set(['the', 'parcel']))).toBe(kind);
  });
});
