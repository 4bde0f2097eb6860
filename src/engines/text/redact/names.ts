import { foldedSet } from '../lexicon/fold-word.ts';
import {
  AMBIGUOUS_GIVEN_NAMES,
  FAMILY_NAMES,
  GIVEN_NAMES,
  LATIN_FAMILY_NAMES,
  LATIN_GIVEN_NAMES,
  PLACE_AFTER,
  PLACE_BEFORE,
  PUBLIC_BEFORE,
  PUBLIC_FIGURES,
} from './name-lists.ts';
import { ARABIC_TRIGGERS, LATIN_TRIGGERS, NOT_A_NAME, NOT_A_NAME_LATIN, type Trigger } from './name-triggers.ts';
import { PhraseIndex } from './phrase-index.ts';
import type { Found, Reading } from './reading.ts';

const NAME_TOKENS_MAX = 7;
const LINKS = foldedSet('بن ابن بنت آل ال أبو ابو أم عبد بو');
const LATIN_LINKS: ReadonlySet<string> = new Set([
  'bin',
  'ibn',
  'bint',
  'al',
  'el',
  'abu',
  'abd',
  'abdul',
  'ben',
  'von',
  'van',
  'de',
]);
const NAME_GAP = /^(?: {1,2}|[ ]?-[ ]?|\. |')$/;
const TITLE_GAP = /^[\s.:/,"'()=-]{0,4}$/;

const TRIGGERS = new PhraseIndex<Trigger>('plain');
for (const trigger of ['strong', 'title', 'self', 'weak'] as const) {
  TRIGGERS.add(ARABIC_TRIGGERS[trigger], trigger);
  TRIGGERS.add(LATIN_TRIGGERS[trigger], trigger);
}

/** Names of people: after a trigger, or a listed given name followed by a family name or بن. */
export function findNames(reading: Reading): Found[] {
  const found: Found[] = [];
  const { tokens } = reading;
  let at = 0;
  while (at < tokens.length) {
    const trigger = tokens[at]!.type === 'word' ? TRIGGERS.at(tokens, reading.forms, at) : undefined;
    if (trigger !== undefined && TITLE_GAP.test(reading.gapBefore(trigger.last + 1))) {
      const last = nameAt(reading, trigger.last + 1, trigger.meaning);
      if (last !== undefined) {
        found.push(reading.foundTokens('Person Name', trigger.last + 1, last, 0.9));
        at = last + 1;
        continue;
      }
    }
    const last = nameAt(reading, at, 'none');
    if (last === undefined) {
      at += 1;
    } else {
      const start = tokens[at]!.start + prefixBefore(tokens[at]!.text);
      found.push(reading.found('Person Name', start, tokens[last]!.end, 0.8));
      at = last + 1;
    }
  }
  return found;
}

function nameAt(reading: Reading, first: number, trigger: Trigger | 'none'): number | undefined {
  const token = reading.tokens[first];
  if (token?.type !== 'word') return undefined;
  const last =
    token.text.charCodeAt(0) >= 0x600 ? arabicName(reading, first, trigger) : latinName(reading, first, trigger);
  return last;
}

/** The last token of an Arabic name beginning at `first`. */
function arabicName(reading: Reading, first: number, trigger: Trigger | 'none'): number | undefined {
  const { tokens } = reading;
  const word = tokens[first]!.text;
  if (trigger === 'none' && first > 0 && isAfterPlace(reading, first)) return undefined;
  const given = givenName(reading, first);
  const announced = trigger === 'strong' || trigger === 'title' || trigger === 'self';
  const linkedFirst = word === 'عبد' || (announced && LINKS.has(word) && word !== 'ال');
  let known = given === 'sure' ? 1 : 0;
  if (given === undefined && !linkedFirst) {
    if (trigger === 'none' || NOT_A_NAME.has(word)) return undefined;
    const family = isFamily(word);
    if (
      trigger === 'weak' ||
      (trigger === 'self' && !family) ||
      (trigger === 'title' && !family && !looksLikeName(word))
    )
      return undefined;
    if (trigger === 'strong' && word.length < 3) return undefined;
    if (family) known += 1;
  }
  let last = linkedFirst ? first - 1 : first;
  let families = isFamily(word) && given === undefined ? 1 : 0;
  for (let at = last + 1; at < tokens.length && at < first + NAME_TOKENS_MAX; at += 1) {
    const next = tokens[at]!;
    if (next.type !== 'word' || (at > first && !NAME_GAP.test(reading.gapBefore(at)))) break;
    if (LINKS.has(next.text)) {
      const after = tokens[at + 1];
      if (after?.type !== 'word' || reading.gapBefore(at + 1) !== ' ' || NOT_A_NAME.has(after.text)) break;
      last = at + 1;
      known += 1;
      at += 1;
      if (isFamily(after.text) || next.text === 'ال') families += 1;
      continue;
    }
    if (isFamily(next.text) || (families === 0 && looksLikeNisba(next.text) && !NOT_A_NAME.has(next.text))) {
      last = at;
      families += 1;
      known += 1;
      continue;
    }
    if (families > 0) break;
    const listed = givenName(reading, at) !== undefined && !NOT_A_NAME.has(next.text);
    if (!listed && !(trigger === 'strong' && endsName(reading, at))) break;
    last = at;
  }
  if (last < first || isPublicFigure(reading, first, last)) return undefined;
  if (announced || (trigger === 'weak' && given === 'sure')) return last;
  // Without a clear trigger: a listed name with a family name or بن after it.
  const from = linkedFirst ? first + 2 : first;
  if (last === first || (families === 0 && !hasLink(reading, from, last))) return undefined;
  return known >= 1 ? last : undefined;
}

/** After `اسمي محمد` an unknown word is part of the name when the statement ends with it or goes on as no name would. */
function endsName(reading: Reading, at: number): boolean {
  const token = reading.tokens[at]!;
  if (!looksLikeName(token.text)) return false;
  const next = reading.tokens[at + 1];
  if (next === undefined || next.sentence !== token.sentence || next.type === 'digits') return true;
  return !NAME_GAP.test(reading.gapBefore(at + 1)) || NOT_A_NAME.has(next.text) || next.text.charCodeAt(0) < 0x600;
}

/** `عمر بن الخطاب` by himself, not somebody called عمر بن الخطاب الحربي. */
function isPublicFigure(reading: Reading, first: number, last: number): boolean {
  const words = reading.tokens.slice(first, last + 1).map(({ text }) => text);
  return (
    words.length <= 4 && PUBLIC_FIGURES.has(words.slice(0, 3).join(' ')) && !(words.length === 4 && isFamily(words[3]!))
  );
}

function hasLink(reading: Reading, first: number, last: number): boolean {
  for (let at = first; at <= last; at += 1) if (LINKS.has(reading.tokens[at]!.text)) return true;
  return false;
}

/** `sure`: nothing but a name; `maybe`: also an ordinary word. `على` written with its own letter is the preposition. */
function givenName(reading: Reading, at: number): 'sure' | 'maybe' | undefined {
  const { text } = reading.tokens[at]!;
  if (text === 'علي' && reading.isPreposition(at)) return undefined;
  if (AMBIGUOUS_GIVEN_NAMES.has(text)) return 'maybe';
  if (isGiven(text)) return 'sure';
  const prefix = prefixBefore(text);
  if (prefix === 0) return undefined;
  return AMBIGUOUS_GIVEN_NAMES.has(text.slice(prefix)) ? 'maybe' : 'sure';
}

function isGiven(word: string): boolean {
  return GIVEN_NAMES.has(word) || (word.startsWith('عبدال') && word.length > 6);
}

/** `لفهد`, `وأحمد`: one letter before a listed name. */
function prefixBefore(word: string): number {
  if (!/^[لوبف]/.test(word) || isGiven(word) || AMBIGUOUS_GIVEN_NAMES.has(word)) return 0;
  const rest = word.slice(1);
  return isGiven(rest) || AMBIGUOUS_GIVEN_NAMES.has(rest) ? 1 : 0;
}

function isFamily(word: string): boolean {
  return FAMILY_NAMES.has(word);
}

/** `ال…ي`: an adjective or a family name; a family name when a given name stands before it. */
function looksLikeNisba(word: string): boolean {
  return word.startsWith('ال') && word.endsWith('ي') && word.length >= 6 && !NOT_A_NAME.has(word);
}

function looksLikeName(word: string): boolean {
  return word.length >= 3 && !word.startsWith('ال') && !NOT_A_NAME.has(word);
}

function isAfterPlace(reading: Reading, first: number): boolean {
  for (let at = first - 1; at >= 0 && at >= first - 2; at -= 1) {
    if (reading.tokens[at]!.sentence !== reading.tokens[first]!.sentence) return false;
    if (reading.forms(at).plain.some((form) => PLACE_BEFORE.has(form) || PLACE_BEFORE.has(`ال${form}`))) return true;
  }
  return false;
}

/** The last token of a name in Latin letters beginning at `first`. */
function latinName(reading: Reading, first: number, trigger: Trigger | 'none'): number | undefined {
  const { tokens } = reading;
  const word = tokens[first]!.text;
  if (PUBLIC_BEFORE.has(tokens[first - 1]?.text ?? '') && trigger !== 'strong') return undefined;
  const listed = LATIN_GIVEN_NAMES.has(word);
  const capital = isCapital(reading, first);
  if (NOT_A_NAME_LATIN.has(word) || (word.length < 2 && !capital)) return undefined;
  if (!listed && !LATIN_LINKS.has(word)) {
    if (trigger === 'weak' && isIntroduction(reading, first)) return first;
    if (trigger === 'none' || trigger === 'weak' || trigger === 'self') return undefined;
    if (!capital && trigger !== 'strong') return undefined;
  }
  if (!listed && LATIN_LINKS.has(word) && (trigger === 'none' || trigger === 'weak')) return undefined;
  let last = first;
  let strong = false;
  for (let at = first + 1; at < tokens.length && at < first + NAME_TOKENS_MAX; at += 1) {
    const next = tokens[at]!;
    if (next.type !== 'word' || !NAME_GAP.test(reading.gapBefore(at)) || next.sentence !== tokens[first]!.sentence)
      break;
    if (LATIN_LINKS.has(next.text)) {
      const after = tokens[at + 1];
      if (after?.type !== 'word' || NOT_A_NAME_LATIN.has(after.text) || !NAME_GAP.test(reading.gapBefore(at + 1)))
        break;
      strong = true;
      last = at + 1;
      at += 1;
      continue;
    }
    if (NOT_A_NAME_LATIN.has(next.text)) break;
    const surname = LATIN_FAMILY_NAMES.has(next.text) || /^al[a-z]{4,}i$/.test(next.text);
    if (surname || LATIN_GIVEN_NAMES.has(next.text)) strong ||= surname;
    else if (!isCapital(reading, at) || !isCapital(reading, first)) break;
    last = at;
    if (isCapital(reading, at) && (surname || next.text.length > 1)) strong = true;
  }
  if (PLACE_AFTER.has(tokens[last + 1]?.text ?? '') || PLACE_AFTER.has(tokens[last]!.text)) return undefined;
  if (trigger !== 'none') return last;
  return listed && strong && last > first ? last : undefined;
}

/** `I'm Basma and …`: an unlisted name in capitals; not `I am Egyptian`, `I AM HERE`. */
function isIntroduction(reading: Reading, at: number): boolean {
  const { tokens } = reading;
  const before = tokens[at - 1]?.text;
  if ((before !== 'm' && before !== 'am') || !/^[A-Z][a-z]{2,}$/.test(reading.cased(at))) return false;
  if (/(?:ian|ean|ish|ese|can|rian|tani|eri|aqi|emi|aiti|aini|mani|dani)$/.test(tokens[at]!.text)) return false;
  const next = tokens[at + 1];
  return next === undefined || !/^\s*$/.test(reading.gapBefore(at + 1)) || INTRODUCED.has(next.text);
}

const INTRODUCED: ReadonlySet<string> = new Set('and from calling here speaking with at in your the i my'.split(' '));

function isCapital(reading: Reading, at: number): boolean {
  return /^[A-ZÀ-Þ]/.test(reading.cased(at));
}
