import { foldedSet } from '../../../language/fold-word.ts';
import { listsOf } from '../../../language/lists.ts';
import { LONE_LATIN_GIVEN_NAMES, PLACE_AFTER } from '../../../language/names/latin-name-lists.ts';
import { NOT_A_NAME, NOT_A_NAME_LATIN } from './name-triggers.ts';
import { ORGANISATIONS, PLAIN_CAPITALS } from './plain-words.ts';
import type { Found, Reading } from './reading.ts';

const list = listsOf('engines/text/redact/data/person-frames.tsv');

/**
 * Names that no list has, from what stands around a word in capitals: what only people do (`Naseer called in sick`), what only
 * people have (`Joharah's salary`), where they sit (`Joharah from payroll`), and how letters begin and end.
 */
export function findFramedNames(reading: Reading): Found[] {
  const found: Found[] = [];
  const { tokens } = reading;
  for (let at = 0; at < tokens.length; at += 1) {
    if (tokens[at]!.type !== 'word') continue;
    if (isArabic(tokens[at]!.text)) {
      const called = calledName(reading, at);
      if (called !== undefined) found.push(reading.foundTokens('Person Name', called, called, 0.6));
      continue;
    }
    if (!mayBeName(reading, at) || isInsideCapitals(reading, at)) continue;
    const last = mayBeName(reading, at + 1) && reading.gapBefore(at + 1) === ' ' ? at + 1 : at;
    if (!isFramed(reading, at, last)) continue;
    found.push(reading.foundTokens('Person Name', at, last, 0.6));
    at = last;
  }
  return found;
}

function isCapital(code: number): boolean {
  return code >= 0x41 && code <= 0x5a;
}

function isArabic(word: string): boolean {
  return word.charCodeAt(0) >= 0x600;
}

/** A word in capitals that is no word of English, no organisation, no month and no nationality. */
function mayBeName(reading: Reading, at: number): boolean {
  const token = reading.tokens[at];
  if (token?.type !== 'word' || !isCapital(reading.canonical.cased.charCodeAt(token.start))) return false;
  if (NOT_A_NAME_LATIN.has(token.text) || PLAIN_CAPITALS.has(token.text) || ORGANISATIONS.has(token.text)) return false;
  return /^[A-Z][a-z]{2,14}$/.test(reading.cased(at)) && !PLAIN_ENDING.test(token.text);
}

/** Endings of English nouns, adjectives and participles that stand in capitals at the start of a sentence. */
const PLAIN_ENDING =
  /(?:tion|sion|ment|ments|ness|ance|ence|ship|ings?|ed|ly|ers|ors|ists?|able|ible|ful|less|ous|ive|ity|ities|ism|ogy|ware|ese|ians?|ish)$/;

/** `Gulf Naseer Group`, `Al Naseer`: part of something longer. */
function isInsideCapitals(reading: Reading, at: number): boolean {
  const before = reading.tokens[at - 1];
  if (before?.type !== 'word' || before.sentence !== reading.tokens[at]!.sentence) return false;
  if (!/^[ '&-]{1,3}$/.test(reading.gapBefore(at))) return false;
  return /^[A-Z]/.test(reading.cased(at - 1)) && !OPENERS.has(before.text);
}

/** Words in capitals that begin a statement before a name. */
const OPENERS: ReadonlySet<string> = new Set(list('openers'));

function isFramed(reading: Reading, first: number, last: number): boolean {
  return (
    speaksOf(reading, last) ||
    owns(reading, last) ||
    isGreetedOrSigned(reading, first, last) ||
    isAsked(reading, first, last) ||
    isReached(reading, first, last)
  );
}

/** What follows says that the word before was a person. */
function speaksOf(reading: Reading, last: number): boolean {
  const [first, second, third] = [1, 2, 3].map((ahead) => wordAfter(reading, last, ahead));
  if (first === undefined) return false;
  if (PERSON_VERBS.has(first)) return true;
  if (PERSON_VERBS_TWO.has(`${first} ${second}`)) return true;
  if ((first === 'is' || first === 'was') && OWNERS.has(second ?? '') && PERSONS.has(third ?? '')) return true;
  return (
    (first === 'from' || first === 'in') && (DEPARTMENTS.has(second ?? '') || (second === 'the' && third === 'team'))
  );
}

/** The word `ahead` words after a token, when only spaces stand between. */
function wordAfter(reading: Reading, last: number, ahead: number): string | undefined {
  for (let at = last + 1; at <= last + ahead; at += 1) {
    if (reading.tokens[at]?.type !== 'word' || reading.gapBefore(at) !== ' ') return undefined;
  }
  return reading.tokens[last + ahead]!.text;
}

/** `… is the beneficiary`, `… was my supervisor` */
const OWNERS: ReadonlySet<string> = new Set('the my our his her their a an your'.split(' '));

const PERSON_VERBS: ReadonlySet<string> = new Set(list('person-verbs'));
const PERSON_VERBS_TWO: ReadonlySet<string> = new Set(list('person-verbs-two'));
const DEPARTMENTS: ReadonlySet<string> = new Set(list('departments'));

/** `Joharah's iqama`: organisations have contracts and offices, not these. */
function owns(reading: Reading, last: number): boolean {
  if (reading.tokens[last + 1]?.text !== 's' || !/^['’]$/.test(reading.gapBefore(last + 1))) return false;
  const owned = wordAfter(reading, last + 1, 1) ?? '';
  if (PERSONAL.has(owned)) return true;
  const cased = reading.tokens[last + 2];
  return (
    LONE_LATIN_GIVEN_NAMES.has(reading.tokens[last]!.text) &&
    cased !== undefined &&
    /^[a-z]{3,}$/.test(reading.cased(last + 2)) &&
    !PLACE_AFTER.has(owned)
  );
}

const PERSONAL: ReadonlySet<string> = new Set(list('personal'));

/** `Dear Joharah,` and a last line after `Regards,`. */
function isGreetedOrSigned(reading: Reading, first: number, last: number): boolean {
  const before = reading.tokens[first - 1]?.text ?? '';
  const gap = reading.gapBefore(first);
  const after = reading.gapBefore(last + 1);
  if (GREETINGS.has(before) && /^,? $/.test(gap)) return /^\s*$|^ ?[,!.:\n–-]/.test(after);
  return (
    CLOSINGS.has(before) &&
    /^,?\s*\n\s*$|^, $/.test(gap) &&
    (/[\n,.]/.test(after) || last + 1 === reading.tokens.length)
  );
}

const GREETINGS: ReadonlySet<string> = new Set(
  'hi hello hey dear thanks morning evening afternoon welcome sorry'.split(' '),
);
const CLOSINGS: ReadonlySet<string> = new Set('regards sincerely cheers best thanks wishes faithfully you'.split(' '));

/** `please ask Joharah to …`, `reports to Naseer`: mid-sentence, and not followed by further capitals. */
function isAsked(reading: Reading, first: number, last: number): boolean {
  const before = reading.tokens[first - 1];
  if (before === undefined) return false;
  // `the witness, Ruwaida, saw`
  if (reading.gapBefore(first) === ', ' && /^,/.test(reading.gapBefore(last + 1)) && PERSONS.has(before.text))
    return true;
  if (reading.gapBefore(first) !== ' ' || !/^[a-z]+$/.test(reading.cased(first - 1))) return false;
  const asked = ASKED.has(before.text) || ASKED.has(`${reading.tokens[first - 2]?.text} ${before.text}`);
  if (!asked) return false;
  const next = reading.tokens[last + 1];
  return next?.type !== 'word' || reading.gapBefore(last + 1) !== ' ' || !/^[A-Z]/.test(reading.cased(last + 1));
}

/** `Text Basim at +966…`, `contact Yumna on`: somebody is reached by something. */
function isReached(reading: Reading, first: number, last: number): boolean {
  if (!REACHED.has(reading.tokens[first - 1]?.text ?? '') || reading.gapBefore(first) !== ' ') return false;
  const next = wordAfter(reading, last, 1);
  return (next === 'at' || next === 'on') && reading.tokens[last + 2]?.type === 'digits';
}

const REACHED: ReadonlySet<string> = new Set('text message email contact call reach ring phone whatsapp'.split(' '));

/** Who somebody is, before a comma and a name. */
const PERSONS: ReadonlySet<string> = new Set(list('persons'));

const ASKED: ReadonlySet<string> = new Set(list('asked'));

/** `يا لمار،`, `مرحبا أمجاد،`: an unlisted word that somebody is called by, closed by a comma or the end of the line. */
function calledName(reading: Reading, at: number): number | undefined {
  const { tokens } = reading;
  const before = tokens[at - 1];
  if (before === undefined || !CALLS.has(before.text) || reading.gapBefore(at) !== ' ') return undefined;
  const { text } = tokens[at]!;
  if (text.length < 3 || text.length > 9 || text.startsWith('ال') || NOT_A_NAME.has(text) || CALLED.has(text))
    return undefined;
  if (/(?:كم|نا|ين|ون|تي|تك|ني)$/.test(text)) return undefined;
  return /^ ?[،,:\n]/.test(reading.gapBefore(at + 1)) ? at : undefined;
}

const CALLS = foldedSet('يا عزيزي عزيزتي الأستاذ أستاذ أستاذة الأستاذة أختي أخوي أخي مرحبا أهلا هلا مساعدك');
/** Whom one calls without a name. */
const CALLED = foldedSet(...list('called'));
