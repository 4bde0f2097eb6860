import { expect, it } from 'vitest';
import { withoutRepeats } from '../../../src/language/values/repeated-number.ts';
import { wordsOf } from '../../../src/language/words.ts';

it.each([
  ['house forty one four one', 'house forty one'],
  ['house forty one four one on palm street', 'house forty one on palm street'],
  ['flat one two one two', 'flat one two one two'],
  ['villa eleven eleven palm street', 'villa eleven eleven palm street'],
  ['house four four', 'house four four'],
])('%s: %s', (said, meant) => {
  expect(
    withoutRepeats(wordsOf(said))
      .map(({ raw }) => raw)
      .join(' '),
  ).toBe(meant);
});
