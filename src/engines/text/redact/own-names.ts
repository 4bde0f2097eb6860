import { foldWord } from '../../../language/fold-word.ts';
import { ofOwnWords } from '../../../language/own-words.ts';
import { PhraseIndex } from './phrase-index.ts';
import type { Found, Reading } from './reading.ts';

const ownNames = ofOwnWords(({ names }) => {
  const index = new PhraseIndex<true>('plain');
  index.add(
    names.map((name) => name.toLowerCase()),
    true,
  );
  return names.length > 0 ? index : undefined;
});

const ownNoNames = ofOwnWords(
  ({ neverNames, products }) =>
    new Set([...neverNames, ...products].flatMap((one) => one.toLowerCase().split(/\s+/u).map(foldWord))),
);

/** People of this installation's own list, wherever they stand. */
export function findOwnNames(reading: Reading): Found[] {
  const index = ownNames();
  const { tokens, forms } = reading;
  if (index === undefined) return [];
  return tokens.flatMap((token, at) => {
    const match = token.type === 'word' ? index.at(tokens, forms, at) : undefined;
    return match ? [reading.foundTokens('Person Name', match.first, match.last, 0.9)] : [];
  });
}

/** Whether a finding is a name of words alone that are nobody's here. */
export function isOwnNoName(found: Found, { canonical }: Reading): boolean {
  const words = ownNoNames();
  if (found.kind !== 'Person Name' || words.size === 0) return false;
  const said =
    canonical.source
      .slice(found.start, found.end)
      .toLowerCase()
      .match(/[\p{L}\p{M}]+/gu) ?? [];
  return said.every((word) => words.has(foldWord(word)));
}
