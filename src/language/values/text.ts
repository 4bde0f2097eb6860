import type { SlotDefinition } from '../../core/agent.ts';
import { fold } from '../fold.ts';
import { isFiller, isWeak } from '../lexicon/lexicon.ts';
import { isNumberWord } from '../number-words.ts';
import { pattern } from '../pattern.ts';
import { phraseAt, phraseTable } from '../phrases/phrases-in.ts';
import { type Word, wordsOf } from '../words.ts';
import { ADDRESS_PARTS, JOINS, placeIn } from './place.ts';
import { withoutRepeats } from './repeated-number.ts';
import { replaced } from './said-anew.ts';
import { asksAt, correctionAt, sideTalkAt } from './side-talk.ts';
import { type Found, type SlotParser, type SlotValue, same } from './slot.ts';
import { isUnsure, readYesNo } from './yesno.ts';

const LEAD_INS = (
  'my new address is|the new address is|new address is|my address is|the address is|change it to|' +
  'deliver it to|send it to|it should be|it is|its|to|عنواني الجديد هو|عنواني الجديد|العنوان الجديد|' +
  'عنواني هو|عنواني|العنوان|غيره الى|الى'
)
  .split('|')
  .map((lead) => fold(lead).split(' '));
const MAX_TEXT_WORDS = 40;

/** Said before an answer, and no part of it. */
const OPENERS = new Set(
  'ok okay alright right well so then yes yeah sure fine طيب اوكي تمام زين ايه ايوه نعم اجل خلاص حسنا'
    .split(' ')
    .map((word) => fold(word)),
);

/**
 * Anything that was said, when it was asked for; where something is, also unasked. What leads to it falls away (`my address is`,
 * `ok then to`), a correction inside it is followed (`villa 14, no sorry, villa 40`), and hesitations and questions are no answer.
 */
export const parseText: SlotParser = (words, { asked, definition }): Found | undefined => {
  const place = !asked && isPlace(definition) ? placeIn(words) : undefined;
  if (place) return { ...found(words.slice(place.start, place.end), words), ...place };
  if (!asked || !isText(definition, words)) return undefined;
  const start = beginning(words);
  const yesNo = readYesNo(words);
  // "yes" is no address; "no" may well be the answer to "any notes?"
  if (start >= words.length) return yesNo?.answer === 'no' ? found(words, words) : undefined;
  if (yesNo?.answer === 'yes' && yesNo.end - yesNo.start === words.length) return undefined;
  if (asksAt(words, start) || isUnsure(words)) return undefined;
  const isTalk = (part: readonly Word[]): boolean => isPlace(definition) && !isText(definition, part);
  const meant = withoutRepeats(corrected(words.slice(start), isTalk));
  return found((isPlace(definition) ? withoutLikening(meant) : meant).slice(0, MAX_TEXT_WORDS), words);
};

function found(said: readonly Word[], words: readonly Word[]): Found {
  const text = saidText(said);
  return { value: { value: text, say: same(text) }, start: 0, end: words.length };
}

/** Words as they were spelt, without what stands around them. */
export function saidText(words: readonly Word[]): string {
  return words
    .map((word, i) => (i > 0 && words[i - 1]!.raw === word.raw && word.raw !== word.text ? '' : word.raw))
    .filter((raw) => raw !== '')
    .join(' ');
}

/** The first word that is meant: openers, hesitations and lead-ins in front of it are passed over. */
function beginning(words: readonly Word[]): number {
  let start = 0;
  for (;;) {
    const talk = sideTalkAt(words, start);
    const opener = OPENERS.has(words[start]?.text ?? '') ? 1 : 0;
    const lead = LEAD_INS.find((candidate) => candidate.every((word, i) => words[start + i]?.text === word));
    const leads = Math.max(lead?.length ?? 0, leadAt(words, start));
    const passed = Math.max(talk, opener, start + leads < words.length ? leads : 0);
    if (passed === 0) return start;
    start += passed;
  }
}

/** Say where somebody is or where something shall go, before the place itself: `my new place is in`, `we live now at`. */
const LEADS = pattern()`
  ^(?:(?:(?:my|our|the|his|her|their|your) )?(?:(?:new|current|correct|right|actual|exact|proper|full|other) )*(?:address|place|home|location|
  office|work|workplace) (?:is|would be|will be|should be)(?: (?:now|actually|just))?(?: (?:in|at|on))?|(?:my|our|the|his|her|their) (?:new )?
  (?:house|flat|apartment|villa|building|shop|room) is(?: now)? (?:in|at|on)|(?:i|we|he|she|they|im|were|hes|shes|theyre|ive|weve)(?: (?:now|have|
  are|am|just|actually|only|both|all))* (?:live|lives|living|stay|stays|staying|moved|moving|based)(?: now)? (?:in|at|on|to|over to)|
  (?:it|that|this|they) (?:should|must|needs to|need to|has to|have to|is to|can) (?:be|go|come|be sent|be delivered|be brought)(?: (?:to|at|in))?|
  (?:please )?(?:send|deliver|bring|ship|take|move|change|switch|put) (?:it|that|this|them) (?:to|at|in)|(?:انا|احنا|نحن)?(?: )?(?:ساكن|ساكنه|ساكنين|
  اسكن|نسكن|انتقلت|انتقلنا|نقلت|نقلنا)(?: (?:الحين|الان|حاليا))? (?:في|الي|علي)|(?:بيتي|بيتنا|سكني|سكننا|مكاني)(?: الجديد)?(?: (?:الحين|صار))?
  (?: في| علي| هو)) (?=.)
`;
const MAX_LEAD_WORDS = 9;

function leadAt(words: readonly Word[], at: number): number {
  const said = words.slice(at, at + MAX_LEAD_WORDS).map(({ text }) => text);
  const lead = LEADS.exec(said.join(' '))?.[0].trim();
  return lead ? lead.split(' ').length : 0;
}

/** What is left of the words when each correction has replaced what it takes back; talk replaces nothing. */
function corrected(words: readonly Word[], isTalk: (said: readonly Word[]) => boolean): readonly Word[] {
  let meant: readonly Word[] = [];
  let from = 0;
  const take = (part: readonly Word[]): void => {
    const said = part.slice(beginning(part));
    if (said.length === 0) return;
    if (meant.length === 0 || isTalk(meant)) meant = said;
    else if (!isTalk(said)) meant = replaced(meant, said);
  };
  for (let at = 1; at < words.length; ) {
    let end = at;
    for (let taken = correctionAt(words, end); taken > 0; taken = correctionAt(words, end) || sideTalkAt(words, end))
      end += taken;
    if (end === at) {
      at += 1;
      continue;
    }
    take(words.slice(from, at));
    from = words[end]?.text === words[end + 1]?.text ? end + 1 : end; // `no sorry fourteen, fourteen King Road`
    at = end + 1;
  }
  take(words.slice(from));
  return meant;
}

/** Before what a name sounds or is written like, and is not: `orchard street, like with apples`. */
const LIKENS = phraseTable('like with|like the|like in|like a|like an|as in|as in the|spelled like');

/** The words without what a name is likened to: one word, that is no part of the address. */
function withoutLikening(words: readonly Word[]): readonly Word[] {
  for (let at = 1; at < words.length; at += 1) {
    const end = phraseAt(words, at, LIKENS)?.end;
    const [like, next] = end === undefined ? [] : words.slice(end, end + 2);
    const names = [like, next].some((word) => word && (ADDRESS_PARTS.has(word.text) || isNumberWord(word.text)));
    if (end !== undefined && like && !names && !JOINS.has(words[at - 1]!.text))
      return withoutLikening([...words.slice(0, at), ...words.slice(end + 1)]);
  }
  return words;
}

const PLACES = /address|street|location|عنوان|موقع/;
/** Somebody who does, must or does not do something; no place is called so. */
const CLAUSES = pattern()`
  (?:^| )(?:i|we|he|she|they|my \w+|that|this|it) (?:am|is|are|was|has|have|need|needs|want|wants|must|should|will|wont|can|cant|dont|
  do not|do|did|didnt|isnt|think|forgot)(?: |$)|(?:^| )(?:dont|isnt|not right|wrong|stop)(?: |$)|(?:^| )(?:مو|مب|ما|لا) (?:صح|صحيح|ابي|
  ابغي|تسوي|ادري|اعرف)(?: |$)
`;

const PERSONS = new Set('i ive im ill id we weve you sorry pardon havent'.split(' '));
const LIVES = new Set('live lives living moved stay staying near'.split(' '));

const AT = new Set('in at on to near with behind by next'.split(' '));

/** Somebody speaks of what he does, has or missed, and not of where he lives; or says only yes, no and the like. */
function isOfPerson(words: readonly Word[]): boolean {
  const lives = words.some(({ text }, at) => LIVES.has(text) && words.slice(at + 1).some((one) => AT.has(one.text)));
  const speaks = words.some(({ text }) => PERSONS.has(text)) && !lives;
  const meant = words.filter((word) => !readYesNo([word]) && !isFiller(word.text) && !isWeak(word.text));
  return speaks || meant.length === 0;
}

/** `no sorry`, between two names of a place, speaks of nobody. */
function withoutCorrections(words: readonly Word[]): readonly Word[] {
  const corrects = words.findIndex((_, at) => at > 0 && correctionAt(words, at) > 0);
  if (corrects < 0) return words;
  const next = words.slice(corrects + correctionAt(words, corrects));
  return next.length > 0 ? withoutCorrections([...words.slice(0, corrects), ...next]) : words;
}

/** Whether a slot asks where something is. */
export function isPlace({ name, type }: SlotDefinition): boolean {
  return type === 'text' && PLACES.test(name);
}

/** Whether words may be what a text slot asks for: a place is no clause about somebody, unless there is a number in it. */
export function isText(slot: SlotDefinition, words: readonly Word[]): boolean {
  if (!isPlace(slot)) return true;
  const asks = words.some((_, at) => asksAt(words, at));
  const said = words.slice(beginning(words)); // `we live in hittin` says where
  const told = said.length > 0 ? withoutCorrections(said) : words;
  const clause = asks || isOfPerson(told) || CLAUSES.test(told.map(({ text }) => text).join(' '));
  return !clause || words.some(({ text }) => isNumberWord(text));
}

/** Said to correct a part of a text; more words are the text anew. */
const MAX_PART_WORDS = 3;
/** `the building is sixty`. */
const COPULAS = new Set(['is', 'should', 'be', 'هو', 'هي']);

/** `it's building twenty, olaya street building twenty`: from where the text begins as the one that is held, it is said anew in whole. */
function saidInWhole(held: SlotValue, said: SlotValue): SlotValue {
  const [first, second] = wordsOf(held.value);
  const words = wordsOf(said.value);
  const at = words.findLastIndex(({ text }, i) => text === first?.text && words[i + 1]?.text === second?.text);
  const whole = words.slice(at);
  return second === undefined || at <= 0 || whole.length <= 2 ? said : found(whole, whole).value;
}

/** `building 12, king fahd road` with `building 21`: a few words that begin like a part of the text correct that part. */
export function mendedText(held: SlotValue, heard: SlotValue): SlotValue {
  const said = saidInWhole(held, heard);
  const part = wordsOf(said.value).filter(({ text }) => !COPULAS.has(text));
  if (part.length < 2 || part.length > MAX_PART_WORDS) return said;
  const whole = replaced(wordsOf(held.value), part);
  return whole === part ? said : found(whole, whole).value;
}
