import { DISTINCT_LATIN_FAMILIES } from '../../../language/names/family-names.ts';
import {
  CAPITAL_GIVEN_NAMES,
  LATIN_FAMILY_NAMES,
  LATIN_GIVEN_NAMES,
  LATIN_NAMES_AND_WORDS,
  LONE_LATIN_GIVEN_NAMES,
  PLACE_AFTER,
  PUBLIC_BEFORE,
} from '../../../language/names/latin-name-lists.ts';
import { isAfterPlace } from './name-shapes.ts';
import { NAME_GAP, NAME_TOKENS_MAX, NOT_A_NAME_LATIN, type Trigger } from './name-triggers.ts';
import type { Reading } from './reading.ts';

const LATIN_LINKS: ReadonlySet<string> = new Set('bin ibn bint al el abu abd abdul ben von van de'.split(' '));

/** The last token of a name in Latin letters beginning at `first`. */
export function latinName(reading: Reading, first: number, trigger: Trigger | 'none'): number | undefined {
  const { tokens } = reading;
  const word = tokens[first]!.text;
  if (tokens[first + 1]?.type === 'digits' && reading.gapBefore(first + 1) === '') return undefined; // X7K2PQ
  if (PUBLIC_BEFORE.has(tokens[first - 1]?.text ?? '') && trigger !== 'strong') return undefined;
  if (isChapter(reading, first)) return undefined;
  const capital = isCapital(reading, first);
  if (!capital && LATIN_NAMES_AND_WORDS.has(word) && (trigger === 'none' || trigger === 'weak')) return undefined;
  const listed =
    isListedGiven(reading, first) ||
    isBeforeNisba(reading, first) ||
    isBeforeFamily(reading, first) ||
    isLatinKunya(reading, first);
  if (trigger === 'none' && isAfterPlace(reading, first)) return undefined;
  if (isAcronym(reading, first)) return undefined;
  const doubled = tokens[first + 1]?.text === word && reading.gapBefore(first + 1) === '-'; // Jun-Jun
  if ((NOT_A_NAME_LATIN.has(word) && !doubled) || (word.length < 2 && !capital)) return undefined;
  if (!listed && !LATIN_LINKS.has(word)) {
    if (trigger === 'none' || trigger === 'weak' || trigger === 'verb' || trigger === 'me') return undefined;
    if (trigger === 'kin' && !/^[A-Z][a-z]{2,}$/.test(reading.cased(first))) return undefined;
    if (trigger === 'self' && !/^[A-Z][a-z]{3,}$/.test(reading.cased(first))) return undefined;
    if (!capital && trigger !== 'strong') return undefined;
  }
  if (!listed && LATIN_LINKS.has(word) && (trigger === 'none' || trigger === 'weak')) return undefined;
  let last = first;
  let strong = false;
  const guarded = trigger === 'none' && LATIN_NAMES_AND_WORDS.has(word); // `Marina Bay`, `Grace Period`
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
    if (isInitial(reading, at)) {
      last = at;
      continue;
    }
    if (NOT_A_NAME_LATIN.has(next.text)) break;
    const surname = isLatinFamily(next.text) || /^al[a-z]{4,}i$/.test(next.text);
    if (surname || isListedGiven(reading, at)) strong ||= surname;
    else if (!isCapital(reading, at) || !isCapital(reading, first)) break;
    last = at;
    if (isCapital(reading, at) && (surname || (next.text.length > 1 && !guarded))) strong = true;
  }
  for (let at = first + 1; at <= last + 1; at += 1) if (PLACE_AFTER.has(tokens[at]?.text ?? '')) return undefined;
  if (trigger !== 'none') return last;
  if (!listed || isLegend(reading, first, last)) return undefined;
  return (strong && last > first) || (last === first && standsAlone(reading, first)) ? last : undefined;
}

/** `Matthew 5:14`, `Ayah 255 of Surah 2`: scripture. */
function isChapter(reading: Reading, first: number): boolean {
  const { tokens } = reading;
  const next = tokens[first + 1];
  if (next?.type !== 'digits' || !/^[ :.]{1,2}$/.test(reading.gapBefore(first + 1))) return false;
  if (tokens[first]!.text === 'ayah' || tokens[first]!.text === 'aya') return true;
  return tokens[first + 2]?.type === 'digits' && reading.gapBefore(first + 2) === ':';
}

/** A given name; the rarer ones only in capitals. */
export function isListedGiven(reading: Reading, at: number): boolean {
  const { text } = reading.tokens[at]!;
  return LATIN_GIVEN_NAMES.has(text) || (CAPITAL_GIVEN_NAMES.has(text) && isCapital(reading, at));
}

function isLatinFamily(word: string): boolean {
  return LATIN_FAMILY_NAMES.has(word) || DISTINCT_LATIN_FAMILIES.has(word);
}

/** `Danish Qureshi`: an unlisted word in capitals before a family name that is nothing else. */
function isBeforeFamily(reading: Reading, at: number): boolean {
  const next = reading.tokens[at + 1];
  if (next?.type !== 'word') return false;
  // `Jun-Jun Dimaculangan`, `Mary-Ann Cruz`

  if (reading.gapBefore(at + 1) !== ' ' || !DISTINCT_LATIN_FAMILIES.has(next.text)) return false;

  return /^[A-Z][a-z]{2,}$/.test(reading.cased(at)) && /^[A-Z][a-z]+$/.test(reading.cased(at + 1));
}

/** `Sara is late`: in capitals, with no capitals beside it that would make it a place or a company. */
function standsAlone(reading: Reading, at: number): boolean {
  const { tokens } = reading;
  const word = tokens[at]!.text;
  if (!LONE_LATIN_GIVEN_NAMES.has(word) || !/^[A-Z][a-z]+$/.test(reading.cased(at))) return false;
  if (isDetermined(reading, at)) return false;
  const before = at > 0 && NAME_GAP.test(reading.gapBefore(at)) ? at - 1 : undefined;
  if (before !== undefined && isCapital(reading, before) && !isSentenceStart(reading, before)) return false;
  const after = tokens[at + 1]?.type === 'word' && NAME_GAP.test(reading.gapBefore(at + 1)) ? at + 1 : undefined;
  return after === undefined || !isCapital(reading, after);
}

/** `the new Basma lounge`: a thing of that name. */
function isDetermined(reading: Reading, at: number): boolean {
  const { tokens } = reading;
  const next = tokens[at + 1];
  if (next?.type !== 'word' || reading.gapBefore(at + 1) !== ' ') return false;
  return at > 0 && reading.gapBefore(at) === ' ' && DETERMINERS.has(tokens[at - 1]!.text);
}

const DETERMINERS: ReadonlySet<string> = new Set('the a an this that new our your every each first old big'.split(' '));

/** `Abu Omar`, `Umm Khalid` */
function isLatinKunya(reading: Reading, at: number): boolean {
  return (
    /^(?:Abu|Abou|Um|Umm|Om)$/.test(reading.cased(at)) &&
    at + 1 < reading.tokens.length &&
    isListedGiven(reading, at + 1) &&
    isCapital(reading, at + 1)
  );
}

const LEGENDS: ReadonlySet<string> = new Set([
  'ali baba',
  'shahid vip',
  'tom jerry',
  'omar khayyam',
  'james bond',
  'harry potter',
  'peter pan',
  'bilal rabah',
  'dr pepper',
  'abdul jameel', // a company
]);

/** Somebody history speaks of: by name, by the number of a ruler (`Louis XIV`), by what only rulers do. */
function isLegend(reading: Reading, first: number, last: number): boolean {
  if (LEGENDS.has(`${reading.tokens[first]!.text} ${reading.tokens[last]!.text}`)) return true;

  const next = reading.tokens[last + 1];
  if (next?.type !== 'word' || reading.gapBefore(last + 1) !== ' ') return false;
  return REIGNED.has(next.text);
}

const REIGNED: ReadonlySet<string> = new Set('conquered reigned ruled invaded abdicated'.split(' '));

function isSentenceStart(reading: Reading, at: number): boolean {
  return at === 0 || reading.tokens[at - 1]!.sentence !== reading.tokens[at]!.sentence;
}

/** `Sultan A. Alqarni` */
function isInitial(reading: Reading, at: number): boolean {
  const next = reading.tokens[at + 1];
  return (
    /^[A-Z]$/.test(reading.cased(at)) &&
    next?.type === 'word' &&
    /^\.? ?$/.test(reading.gapBefore(at + 1)) &&
    isCapital(reading, at + 1)
  );
}

/** An unlisted name in capitals before a family name such as `Alharbi`, `Al-Otaibi`. */
function isBeforeNisba(reading: Reading, at: number): boolean {
  if (!/^[A-Z](?:[a-z]{2,})?$/.test(reading.cased(at)) || NOT_A_NAME_LATIN.has(reading.tokens[at]!.text)) return false;
  if (LATIN_LINKS.has(reading.tokens[at]!.text) || !NAME_GAP.test(reading.gapBefore(at + 1))) return false;
  const next = reading.tokens[at + 1];
  if (next?.type !== 'word') return false;
  if (next.text.length > 5 && next.text.startsWith('al')) return LATIN_FAMILY_NAMES.has(next.text);
  return next.text === 'al' && LATIN_FAMILY_NAMES.has(reading.tokens[at + 2]?.text ?? '');
}

/** `PNR`, `CRM`: capitals that nobody could say as a name. */
function isAcronym(reading: Reading, at: number): boolean {
  return /^[B-DF-HJ-NP-TV-XZ]{2,5}$/.test(reading.cased(at));
}

function isCapital(reading: Reading, at: number): boolean {
  return /^[A-ZÀ-Þ]/.test(reading.cased(at));
}
