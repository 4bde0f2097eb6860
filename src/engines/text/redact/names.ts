import { foldedSet } from '../../../language/fold-word.ts';
import { listsOf } from '../../../language/lists.ts';
import { AMBIGUOUS_GIVEN_NAMES, FAMILY_NAMES, GIVEN_NAMES } from '../../../language/names/name-lists.ts';
import { arabicName, continuesName, prefixBefore } from './arabic-name.ts';
import { latinName } from './latin-name.ts';
import { isPlaceWord } from './name-shapes.ts';
import { NOT_A_NAME, type Trigger, triggerPhrases } from './name-triggers.ts';
import { PhraseIndex } from './phrase-index.ts';
import type { Found, Reading } from './reading.ts';

const list = listsOf('engines/text/redact/data/names.tsv');

const TITLE_GAP = /^[\s.:/,"'()=-]{0,4}$/;

const TRIGGERS = new PhraseIndex<Trigger>('plain');
/** `موظفتكم`, `سائقنا`: roles with an ending that says whose. */
const OWNED_ROLES = new PhraseIndex<Trigger>('bare');
OWNED_ROLES.add(list('owned-roles'), 'weak');
for (const trigger of ['strong', 'title', 'self', 'me', 'kin', 'role', 'weak', 'verb'] as const) {
  TRIGGERS.add(triggerPhrases(trigger), trigger);
}

/** Names of people: after a trigger, a listed given name followed by a family name or بن, or one in a list of names. */
export function findNames(reading: Reading): Found[] {
  const found: Found[] = [];
  const { tokens } = reading;
  let at = 0;
  let before = -1; // the last token of the name before
  while (at < tokens.length) {
    const announced = tokens[at]!.type === 'word' ? nameAfterTrigger(reading, at) : undefined;
    if (announced !== undefined) {
      found.push(reading.foundTokens('Person Name', announced.first, announced.last, 0.9));
      before = announced.last;
      reading.noteName(before);
      at = before + 1;
      continue;
    }
    const last = nameAt(reading, at, isListed(reading, before, at) ? 'kin' : 'none');
    if (last === undefined) {
      at += 1;
    } else {
      const start = tokens[at]!.start + prefixBefore(tokens[at]!.text);
      found.push(reading.found('Person Name', start, tokens[last]!.end, 0.8));
      before = last;
      reading.noteName(last);
      at = last + 1;
    }
  }
  return found;
}

function nameAfterTrigger(reading: Reading, at: number): { first: number; last: number } | undefined {
  const trigger = TRIGGERS.at(reading.tokens, reading.forms, at) ?? OWNED_ROLES.at(reading.tokens, reading.forms, at);
  if (trigger === undefined) return undefined;
  const first = trigger.last + 1;
  const gap = reading.gapBefore(first);
  if (!TITLE_GAP.test(gap)) return undefined;
  // `بنت العميل تالا` goes on with who that is.
  if (at > 0 && !reading.tokens[at]!.text.startsWith('ال') && continuesName(reading, at)) return undefined; // `نورة بنت عبدالرحمن` of a university
  // `جامع الشيخ عبدالعزيز`, `طريق الأستاذ …`: named after somebody.
  if (at > 0 && trigger.meaning !== 'strong' && isPlaceWord(reading, at - 1)) return undefined;
  const field = formField(reading, trigger.last);
  if (field !== undefined) return field;
  // `فيتامين د وارتفاع`: a lone letter without a dot is hardly a title.
  const letter = trigger.meaning === 'title' && reading.tokens[trigger.last]!.text.length === 1 && !/[./]/.test(gap);
  const meaning = letter ? 'kin' : trigger.meaning === 'role' ? roleMeaning(reading, first, gap) : trigger.meaning;
  if (trigger.meaning === 'role' && isSpoken(reading, first)) return undefined;
  const last = nameAt(reading, first, meaning);
  return last === undefined ? undefined : { first, last };
}

/** `الموظف: نسبة الاستقطاع 33%`: what somebody says, not a field of a form; a name ends, or is listed. */
function isSpoken(reading: Reading, first: number): boolean {
  const { tokens } = reading;
  const next = tokens[first + 1];
  if ((tokens[first]?.text.charCodeAt(0) ?? 0) < 0x600 || !/[:–-]/.test(reading.gapBefore(first))) return false;
  if (isKnownName(tokens[first]!.text) || reading.gapBefore(first + 1) !== ' ') return false;
  return (
    next?.type === 'word' &&
    next.sentence === tokens[first]!.sentence &&
    !isKnownName(next.text) &&
    !NOT_A_NAME.has(next.text)
  );
}

function isKnownName(word: string): boolean {
  return GIVEN_NAMES.has(word) || AMBIGUOUS_GIVEN_NAMES.has(word) || FAMILY_NAMES.has(word);
}

/** `السائق: …` announces a name, `الطبيبة إيمان` speaks of somebody, `agent Smith` may be anything in capitals. */
function roleMeaning(reading: Reading, first: number, gap: string): Trigger {
  if (/[:–-]/.test(gap)) return 'title';
  return (reading.tokens[first]?.text.charCodeAt(0) ?? 0) >= 0x600 ? 'kin' : 'weak';
}

/** `اسم المدخل: نجود`: a form asks for the name of somebody. */
function formField(reading: Reading, name: number): { first: number; last: number } | undefined {
  const { tokens } = reading;
  if (tokens[name]!.text !== 'اسم') return undefined;
  for (let at = name + 1; at <= name + FIELD_TOKENS_MAX; at += 1) {
    const token = tokens[at];
    if (token?.type !== 'word' || NAMED_THINGS.has(token.text) || reading.gapBefore(at).includes(':')) return undefined;
    const gap = reading.gapBefore(at + 1);
    if (!gap.includes(':') || !TITLE_GAP.test(gap)) continue;
    const last = nameAt(reading, at + 1, 'title');
    return last === undefined ? undefined : { first: at + 1, last };
  }
  return undefined;
}

/** Words between `اسم` and the colon. */
const FIELD_TOKENS_MAX = 3;
const NAMED_THINGS = foldedSet(...list('named-things'));

/** `سليمان وهند`, `Lujain و Danah`, `Sara, Omar and Ali`: a list of names goes on. */
function isListed(reading: Reading, before: number, at: number): boolean {
  if (before < 0 || at - before > 2) return false;
  const { tokens, lower } = reading;
  const gap = lower.slice(tokens[before]!.end, tokens[at]!.start);
  return /^ ?, ?$|^ (?:and|و|&|or|أو|او) $/.test(gap) || (gap === ' ' && tokens[at]!.text.startsWith('و'));
}

function nameAt(reading: Reading, first: number, trigger: Trigger | 'none'): number | undefined {
  const token = reading.tokens[first];
  if (token?.type !== 'word') return undefined;
  const last =
    token.text.charCodeAt(0) >= 0x600 ? arabicName(reading, first, trigger) : latinName(reading, first, trigger);
  return last;
}

const PASSENGER = /(?<![a-z])[a-z]{2,24}\/[a-z]{2,20}(?: [a-z]{2,20}){0,2} ?(?:mr|mrs|ms|miss|mstr|dr)(?![a-z])/g;

/** Names as airlines write them, `ALOTAIBI/FAHAD MR`. */
export function findPassengerNames(reading: Reading): Found[] {
  const found: Found[] = [];
  for (const match of reading.lower.matchAll(PASSENGER))
    found.push(reading.found('Person Name', match.index, match.index + match[0].length, 0.9));
  return found;
}
