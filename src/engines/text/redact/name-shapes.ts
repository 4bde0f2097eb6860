import { foldedSet } from '../../../language/fold-word.ts';
import { listsOf } from '../../../language/lists.ts';
import { FAMILY_NAMES, PLACE_BEFORE } from '../../../language/names/name-lists.ts';
import { ADJECTIVES, SPEAKS } from './name-context.ts';
import { NOT_A_NAME } from './name-triggers.ts';
import type { Reading } from './reading.ts';

const list = listsOf('engines/text/redact/data/name-shapes.tsv');

/** What the shape of an Arabic word and its neighbours say of it: a family name, an unlisted given name, a place. */

export function isFamily(word: string): boolean {
  return FAMILY_NAMES.has(word);
}

/** `ال…ي`: an adjective or a family name; a family name when a given name stands before it. */
export function looksLikeNisba(word: string): boolean {
  return (
    word.startsWith('ال') && word.endsWith('ي') && word.length >= 6 && !NOT_A_NAME.has(word) && !ADJECTIVES.has(word)
  );
}

export function looksLikeName(word: string): boolean {
  return word.length >= 3 && !word.startsWith('ال') && !NOT_A_NAME.has(word);
}

/** `أنا هياء الرشيد`: an unlisted word before any family name with its article. */
export function isBeforeFamilyName(reading: Reading, first: number): boolean {
  const word = reading.tokens[first]!.text;
  const next = reading.tokens[first + 1];
  if (next?.type !== 'word' || reading.gapBefore(first + 1) !== ' ') return false;
  if (!next.text.startsWith('ال') || !isFamily(next.text) || NOT_A_NAME.has(next.text)) return false;
  return looksLikeName(word) && !COMMON.has(word) && !isPlaceWord(reading, first) && !SPEAKS.has(word);
}

/** Words that stand before a family name without being a given name. */
const COMMON = foldedSet(...list('common'));

export function isAfterPlace(reading: Reading, first: number): boolean {
  for (let at = first - 1; at >= 0 && at >= first - 2; at -= 1) {
    if (reading.tokens[at]!.sentence !== reading.tokens[first]!.sentence) return false;
    if (isPlaceWord(reading, at)) return !KEEPERS.has(reading.tokens[at - 1]?.text ?? '');
  }
  return false;
}

/** `صاحب المحل جميل`, `مدير المدرسة فهد`: the name is theirs. */
const KEEPERS = foldedSet(...list('keepers'));

export function isPlaceWord(reading: Reading, at: number): boolean {
  return reading.forms(at).plain.some((form) => PLACE_BEFORE.has(form) || PLACE_BEFORE.has(`ال${form}`));
}
