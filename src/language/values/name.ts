import { WEEKDAYS } from '../calendar/day-names.ts';
import { fold } from '../fold.ts';
import { foldWord } from '../fold-word.ts';
import { isCommon, isFiller } from '../lexicon/lexicon.ts';
import { LATIN_FAMILY_NAMES, LATIN_GIVEN_NAMES } from '../names/latin-name-lists.ts';
import { AMBIGUOUS_GIVEN_NAMES, DESCRIBING_NAMES, FAMILY_NAMES, GIVEN_NAMES } from '../names/name-lists.ts';
import { isNumberWord } from '../number-words.ts';
import { ofOwnWords } from '../own-words.ts';
import { isKin } from '../phrases/kin.ts';
import type { Word } from '../words.ts';
import {
  AFTER_ON,
  ALSO_NAMES,
  ANOTHERS_TRIGGERS,
  CALLED_TRIGGERS,
  CLOSE,
  CORRECTS,
  ENDS_NAME,
  NEVER_NAMES,
  OF_SOMEBODY,
  PARTS_OF_DAY,
  SPEAKER_TRIGGERS,
  TITLES,
  TRIGGERS,
  WEAK_TRIGGERS,
  WRONG,
} from './name-words.ts';
import { isRefusedAt } from './refused-words.ts';
import { asksAt, sideTalkAt } from './side-talk.ts';
import { type Found, type SlotParser, same } from './slot.ts';
import { spelledOut } from './spelled-name.ts';
import { readYesNo } from './yesno.ts';

/** Words that are no names at this installation. */
const ownNoNames = ofOwnWords(
  ({ neverNames, products }) => new Set([...neverNames, ...products].flatMap((one) => fold(one).split(' '))),
);
const GOD = 'الله';
const ALI = fold('علي');
const VOCATIVE = 'يا';
const MAX_NAME_WORDS = 5;
/** Politeness after a name; more than that and it was another sentence. */
const MAX_WORDS_AFTER = 3;

/**
 * A person's name: after `my name is` / `اسمي`, or the whole short answer when the name was asked for; the last one where it is
 * corrected. A question, a hesitation, a greeting or an oath is no name. English names get capitals, Arabic ones stay as said.
 */
export const parseName: SlotParser = (said, { asked }): Found | undefined => {
  const words = withoutRefusedNames(spelledOut(said));
  const [first] = announced(words, TRIGGERS, asked);
  if (!first) return asked ? nameAlone(words) : (nameOfKin(words) ?? nameOfSpeaker(words));
  // انا ام هاني بس الولد اسمه عمر: what is said of somebody counts more than who speaks.
  const others = asked ? announced(words, ANOTHERS_TRIGGERS, asked).filter(({ start }) => start >= first.end) : [];
  // انا امها عافية بس الموعد لبنتي جوري
  const forKin = asked ? nameOfKin(words.map((word, at) => (at < first.end ? NOBODY : word))) : undefined;
  return saidInstead(words, first.end) ?? lastOf(others) ?? forKin ?? first;
};

/** `لا اللي ابغى له اسمه عمر`: what somebody is said to be called. */
export function calledName(words: readonly Word[]): Found | undefined {
  return lastOf(announced(words, CALLED_TRIGGERS, true));
}

/** `don't write Dana, write Donna`: the name that is to be put down. */
export function writtenName(words: readonly Word[]): Found | undefined {
  return lastOf(announced(words, ANOTHERS_TRIGGERS, true));
}

/** Takes the place of a name that is not meant: hesitations stand between names. */
const NOBODY: Word = { text: 'um', raw: 'um' };

/** `not Dana, Donna`, `ريناد مو لين`: whose name it is not. */
function withoutRefusedNames(words: readonly Word[]): readonly Word[] {
  const plain = words.map(({ text }) => text);
  const isRefused = (at: number): boolean => isGivenName(words[at]) && isRefusedAt(plain, at);
  const isMeant = words.some((word, at) => isGivenName(word) && !isRefused(at));
  if (!isMeant || !words.some((_, at) => isRefused(at))) return words;
  return words.map((word, at) => (isRefused(at) || isRefused(at + 1) ? NOBODY : word));
}

function lastOf(found: readonly Found[]): Found | undefined {
  return found.reduce<Found | undefined>((last, one) => (last && last.start > one.start ? last : one), undefined);
}

/** The names behind triggers, the longest triggers first. */
function announced(words: readonly Word[], triggers: typeof TRIGGERS, asked: boolean): Found[] {
  const plain = words.map(({ text }) => text);
  return triggers.flatMap((trigger) => {
    const isWeak = WEAK_TRIGGERS.has(trigger.join(' '));
    if (!asked && isWeak) return [];
    return words.flatMap((_, at): Found[] => {
      if (!isSaidAt(words, at, trigger)) return [];
      if (isWeak && words.slice(0, at).some((_, i) => asksAt(words, i))) return []; // اسم مين اسمي انا ولا اسم زوجي
      if (isRefusedAt(plain, at)) return []; // مو اسمي سارة
      const found = nameFrom(words, at + trigger.length, isWeak);
      return found ? [{ ...found, start: at }] : [];
    });
  });
}

function isSaidAt(words: readonly Word[], at: number, phrase: readonly string[]): boolean {
  return phrase.every((word, i) => words[at + i]?.text === word);
}

const FOR = new Set(['for', 'حق', 'الي', 'باسم']);
/** `لاختي`, `للوالد`: for, written on to who it is. */
const WRITTEN_FOR = /^[وف]?ل/;

/** The places behind the words that say of whom something is: `for my sister`, `حق اختي`, `لاختي`, `امي`; not `اختي`, said to who answers. */
function behindKin(words: readonly Word[]): number[] {
  return words.flatMap(({ text }, i) => {
    if (!isClose(text) || words[i - 1]?.text === VOCATIVE) return [];
    const before = words[i - (OF_SOMEBODY.has(words[i - 1]?.text ?? '') ? 2 : 1)]?.text ?? '';
    return !CLOSE.has(text) || FOR.has(before) || WRITTEN_FOR.test(text) ? [i + 1] : [];
  });
}

function isClose(text: string): boolean {
  return CLOSE.has(text) || isKin(text);
}

/** `for my sister Haifa`: announced by nothing else, so only what is listed as a name is one, and of two nobody knows which. */
function nameOfKin(words: readonly Word[]): Found | undefined {
  const names = behindKin(words).flatMap((start) => listedName(words, start) ?? []);
  return new Set(names.map(({ value }) => value.value)).size === 1 ? names[0] : undefined;
}

/** `أنا سعد وأبغى كشف`: who speaks, where it is about nobody else. */
function nameOfSpeaker(words: readonly Word[]): Found | undefined {
  if (words.some(({ text }) => isClose(text))) return undefined;
  const said = SPEAKER_TRIGGERS.flatMap((trigger) =>
    words.flatMap((_, at) => (isSaidAt(words, at, trigger) ? (listedName(words, at + trigger.length) ?? []) : [])),
  );
  return said.find(({ start }) => !words.slice(0, start).some(({ text }) => TITLES.has(text)));
}

/** The words from here on that are listed as names, the first of them as one that is nothing else. */
function listedName(words: readonly Word[], start: number): Found | undefined {
  if (!isGivenName(words[start]) || ALSO_NAMES.has(words[start]!.text)) return undefined;
  let end = start + 1;
  while (end < words.length && end - start < MAX_NAME_WORDS && isPartOfName(words, end)) end += 1;
  return nameOf(words, start, end);
}

/** Whether nothing but a name is said that is listed as one. */
export function isOnlyName(words: readonly Word[]): boolean {
  const given = KUNYAS.has(words[0]?.text ?? '') ? 1 : 0;
  return isGivenName(words[given]) && words.slice(given).every((_, at, rest) => isPartOfName(rest, at));
}

/** Mother of, father of: `ام فهد` is called so, and is no `um`. */
const KUNYAS = new Set(['ام', 'ابو', 'ابا', 'ابي']);

function isGivenName(word: Word | undefined): boolean {
  if (!word) return false;
  const { raw, text } = word;
  const folded = foldWord(raw);
  const isArabic = GIVEN_NAMES.has(folded) || (AMBIGUOUS_GIVEN_NAMES.has(folded) && !DESCRIBING_NAMES.has(folded));
  return (isArabic && !isCommon(text)) || LATIN_GIVEN_NAMES.has(text);
}

function isPartOfName(words: readonly Word[], at: number): boolean {
  const { raw, text } = words[at]!;
  if (text === ALI) return isAli(words, at);
  return isGivenName(words[at]) || FAMILY_NAMES.has(foldWord(raw)) || LATIN_FAMILY_NAMES.has(text) || text === 'بن';
}

const POINTED = new Set(['هذي', 'هذا', 'هذه', 'اسمها', 'اسمه', 'هي', 'هو', 'its', 'is', 'thats', 'hes', 'shes']);

/** `my name is Ali, no, Omar`: what follows the correction, where it is a name and nothing else. */
function saidInstead(words: readonly Word[], from: number): Found | undefined {
  const at = words.findLastIndex((word, i) => i >= from && CORRECTS.has(word.text));
  if (at < 0) return undefined;
  const found = nameFrom(words, at + 1, true);
  if (found?.end === words.length) return found;
  return pointedOut(words);
}

/** `لين لا وش اقول لين الصغيرة هذي ريناد`: what it comes to is said last. */
function pointedOut(words: readonly Word[]): Found | undefined {
  const last = listedName(words, words.length - 1);
  return last && POINTED.has(words[last.start - 1]?.text ?? '') ? last : undefined;
}

/** A piece of an answer between corrections, hesitations and the like; `corrects`: it takes back what was said before. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly corrects: boolean;
}

function piecesOf(words: readonly Word[]): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  let corrects = false;
  const close = (end: number): void => {
    if (end > start) pieces.push({ start, end, corrects });
  };
  for (let at = 0; at < words.length; ) {
    const isOfGod = words[at]!.text === GOD && at > start;
    const talk = isOfGod ? 0 : sideTalkAt(words, at);
    const isCorrection = at > 0 && CORRECTS.has(words[at]!.text);
    const isYes = at > start && readYesNo(words.slice(at, at + 1))?.answer === 'yes';
    if (talk === 0 && !isCorrection && !isYes) {
      at += 1;
      continue;
    }
    close(at);
    if (at > start) corrects = false;
    corrects ||= isCorrection || (isYes && isGivenName(words[at + 1])); // تالا اسكتي ايوه رانيا
    at += Math.max(1, talk);
    start = at;
  }
  close(words.length);
  return pieces;
}

/** The name that an answer is: the last one after corrections, joined over hesitations (`John, um, Miller`). */
function nameAlone(words: readonly Word[]): Found | undefined {
  const pointed = words.some(({ text }, at) => at > 0 && CORRECTS.has(text)) ? pointedOut(words) : undefined;
  if (pointed) return pointed;
  let name: Found | undefined;
  for (const { start, end, corrects } of piecesOf(words)) {
    let from = start;
    while (from < end && readYesNo(words.slice(from, from + 1))) from += 1;
    if (words.slice(from, end).some((_, i) => asksAt(words, from + i))) return undefined;
    const others = corrects ? nameOfKin(words.slice(0, end).map((word, i) => (i < from ? NOBODY : word))) : undefined;
    if (others) {
      name = others; // سعيد، لا هذا اسمي انا، زوجتي امل
      continue;
    }
    if (from > 0 && words[from - 1]!.text === VOCATIVE && isGivenName(words[from])) continue; // يا تالا سكري الباب
    const found = nameFrom(words.slice(0, end), from, true);
    const after = found ? words.slice(found.end, end) : [];
    const isOther = after.length > MAX_WORDS_AFTER || after.some(({ text }) => NEVER_NAMES.has(text));
    if (!found || (isOther && !tellsWhose(words, found.end))) continue;
    name = name && !corrects && !beginsAlike(words, name, found) ? joined(name, found) : found;
  }
  return name && withoutEcho(name);
}

function beginsAlike(words: readonly Word[], a: Found, b: Found): boolean {
  return words[a.start]!.text === words[b.start]!.text;
}

function joined(a: Found, b: Found): Found {
  const name = `${a.value.value} ${b.value.value}`;
  if (name.split(' ').length > MAX_NAME_WORDS) return b;
  return { value: { value: name, say: same(name) }, start: a.start, end: b.end };
}

/** `Haddad, Sami Haddad`: the family name said first is not said twice. */
function withoutEcho(found: Found): Found {
  const parts = found.value.value.split(' ');
  if (parts.length < 3 || parts[0]!.toLowerCase() !== parts.at(-1)!.toLowerCase()) return found;
  const name = parts.slice(1).join(' ');
  return { ...found, value: { value: name, say: same(name) } };
}

/** `strict`: nothing announced it, so everyday words are none. */
function nameFrom(words: readonly Word[], from: number, strict: boolean): Found | undefined {
  let start = from;
  const isBefore = ({ text }: Word): boolean =>
    WRONG.has(text) || TITLES.has(text) || OF_SOMEBODY.has(text) || isClose(text) || text === 'باسم';
  while (start < words.length && isBefore(words[start]!)) start += 1;
  let end = start;
  while (end < words.length && end - start < MAX_NAME_WORDS) {
    const word = words[end]!.text;
    const isFirst = end === start;
    const isOfGod = word === GOD && !isFirst; // عبد الله
    if (tellsWhose(words, end) || (ENDS_NAME.has(word) && !isAli(words, end))) break;
    if (
      PARTS_OF_DAY.has(word) ||
      WRONG.has(word) ||
      (!isFirst && CORRECTS.has(word)) ||
      isNumberWord(word) ||
      /[\d#*]/.test(word)
    )
      break;
    if (ownNoNames().has(word)) break;
    if ((NEVER_NAMES.has(word) && !(isFirst && ALSO_NAMES.has(word))) || (isFiller(word) && !isOfGod)) break;
    if (strict && isFirst && WEEKDAYS.has(word)) break; // لا خليه الثلاثاء
    if (strict && isCommon(word) && !ALSO_NAMES.has(word) && !isOfGod && !isAli(words, end)) break;
    if (!isFirst && ANOTHERS_TRIGGERS.some((trigger) => isSaidAt(words, end, trigger))) break; // عبدالرحمن اكتبي عبدالرحمن
    end += 1;
  }
  return end === start ? undefined : nameOf(words, start, end);
}

function nameOf(words: readonly Word[], start: number, end: number): Found {
  const name = words
    .slice(start, end)
    .map((word) => capitalised(word.raw))
    .join(' ');
  return { value: { value: name, say: same(name) }, start, end };
}

const POINTS =
  /^(?:(?:هذا|هذي|هذه|هاذا|ذا|ده|دا|دي|هو|هي|thats|that is|this is|its|it is|hes|he is|shes|she is) )?(?:اسم |the name of )?(?:my |our )?/;

/** `هذا اسم امي`, `he is my brother`: said behind a name of whose it is. */
function tellsWhose(words: readonly Word[], at: number): boolean {
  const text = words
    .slice(at, at + MAX_TELLING)
    .map((word) => word.text)
    .join(' ');
  const [who] = text.replace(POINTS, '').split(' ');
  return who !== undefined && who !== '' && isClose(who);
}
const MAX_TELLING = 6;

/** `علي` is a name wherever nothing follows that something can be on. */
function isAli(words: readonly Word[], at: number): boolean {
  if (words[at]!.text !== ALI) return false;
  const next = words[at + 1]?.text;
  if (next === undefined || (ENDS_NAME.has(next) && !AFTER_ON.has(next))) return true;
  return !AFTER_ON.has(next) && !isCommon(next) && !NEVER_NAMES.has(next) && !isNumberWord(next) && !isClose(next);
}

function capitalised(word: string): string {
  return /^[a-z]/.test(word) ? word[0]!.toUpperCase() + word.slice(1) : word;
}
