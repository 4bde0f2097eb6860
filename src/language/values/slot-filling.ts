import type { FlowDefinition, SlotDefinition } from '../../core/agent.ts';
import type { CalendarDay } from '../calendar/calendar.ts';
import { isToldFromAnother } from '../calendar/day-names.ts';
import { fold } from '../fold.ts';
import { pattern } from '../pattern.ts';
import { GREETINGS, PREFERENCES, SHORT_GREETINGS, VALUE_OPENERS, WISH_OPENERS } from '../phrases/cues.ts';
import { firstPhraseJoined, phraseAt, phraseTable, type Span } from '../phrases/phrases-in.ts';
import type { Word } from '../words.ts';
import { wordsOf } from '../words.ts';
import { READING_ORDER, SLOT_PARSERS } from './parsers.ts';
import { NOT_WORDS } from './refused-words.ts';
import { asksAt } from './side-talk.ts';
import type { Found, SlotValue } from './slot.ts';
import { SLOT_WORDS } from './slot-words.ts';
import { isPlace } from './text.ts';

/** A value that names a place taken out of a sentence: not a word anyone says, and no parser reads across it. */
const TAKEN: Word = { text: '\u0000', raw: '' };
/** Types that are unmistakable inside a sentence; the others are read only when they were asked for. */
const READ_UNASKED = new Set(['date', 'time', 'phone', 'digits', 'choice', 'name']);

/** A yes is the answer to whatever was asked; what a question offers by name is unmistakable, and so is a whole address. */
function isReadUnasked(slot: SlotDefinition, held: SlotValue | undefined): boolean {
  if (isPlace(slot)) return held === undefined;
  return READ_UNASKED.has(slot.type) || (slot.type === 'yesno' && slot.choices !== undefined);
}
/** Their first words look like others' values: they are read before everything else when asked. */
const READ_FIRST_WHEN_ASKED = new Set(['digits', 'phone', 'number', 'yesno', 'choice', 'text']);

export interface Filling {
  readonly values: Readonly<Record<string, SlotValue>>;
  /** The words that no value was read from. */
  readonly rest: readonly Word[];
}

/**
 * Reads what it can of `wanted` from the words, each slot from what the earlier ones left.
 *
 * @param asked - the slot whose prompt is being answered: it may be read leniently.
 * @param current - values held now: with a correction (`not Monday, Tuesday`) the one that differs counts.
 */
export function readSlots(
  words: readonly Word[],
  wanted: readonly SlotDefinition[],
  today: CalendarDay,
  asked?: string,
  current: Readonly<Record<string, SlotValue>> = {},
): Filling {
  const greeting = greetingIn(words, asked === undefined);
  let rest = mask(words, greeting);
  const values: Record<string, SlotValue> = {};
  const seenTypes = new Set<string>();
  for (const definition of inReadingOrder(wanted, asked)) {
    const isAsked = definition.name === asked;
    if (!isAsked && (!isReadUnasked(definition, current[definition.name]) || seenTypes.has(definition.type))) continue;
    const held = current[definition.name];
    const context = { today, definition, asked: isAsked, ...(held && { held }) };
    const parse = (from: readonly Word[], passed?: SlotValue): Found | undefined =>
      SLOT_PARSERS[definition.type](from, passed ? { ...context, passed } : context);
    let found = parse(rest);
    let from = rest;
    while (found && current[definition.name]?.value === found.value.value) {
      const next = mask(from, found);
      const other = parse(next, found.value);
      if (!other) break;
      from = next;
      found = other;
    }
    if (found && CORRECTED.has(definition.type)) ({ found, from } = lastMeant(found, from, parse));
    if (!found || (!isAsked && definition.type === 'yesno' && asksBefore(words, found.start))) continue;
    seenTypes.add(definition.type);
    values[definition.name] = found.value;
    rest = mask(from, found);
  }
  const isLeft = (word: Word, at: number): boolean => word !== TAKEN || (at >= greeting.start && at < greeting.end);
  return { values, rest: words.filter((_, at) => isLeft(rest[at]!, at)) };
}

const GREETING = phraseTable(GREETINGS);
const SHORT_GREETING = phraseTable(SHORT_GREETINGS);
const MAX_BEFORE_GREETING = 2;

/** `good morning` names no part of the day. An empty span where nobody is greeted. */
function greetingIn(words: readonly Word[], isOpening: boolean): Span {
  if (isOpening && phraseAt(words, 0, SHORT_GREETING)) return { start: 0, end: 1 }; // `morning, I need it brought today`
  for (let at = 0; at <= MAX_BEFORE_GREETING; at += 1) {
    const span = phraseAt(words, at, GREETING);
    if (span) return span;
  }
  return { start: 0, end: 0 };
}

/** Stands for a date in what is matched: that a day was said counts, not which. */
const WHEN = '#when';
const DATE_SLOT: readonly SlotDefinition[] = [{ name: 'date', type: 'date', prompts: {} }];
const ANY_DAY: CalendarDay = { year: 2026, month: 1, day: 1 };

/** The words of `rest`, with `#when` wherever a date was taken out of `words`. */
export function markedWhen(
  words: readonly Word[],
  rest: readonly Word[],
  undated: readonly Word[] = readSlots(words, DATE_SLOT, ANY_DAY).rest,
): string[] {
  const left = new Set(rest);
  const others = new Set(undated);
  const out: string[] = [];
  for (const word of words) {
    if (left.has(word)) out.push(word.text);
    else if (!others.has(word) && out.at(-1) !== WHEN) out.push(WHEN);
  }
  return out;
}

/** A sentence with its dates marked; undefined where it has none. */
export function whenMarked(sentence: string): string | undefined {
  const words = wordsOf(sentence);
  const { rest } = readSlots(words, DATE_SLOT, ANY_DAY);
  return rest.length < words.length && rest.length >= 2 ? markedWhen(words, rest, rest).join(' ') : undefined;
}

/** Types of which a second one said after a correction replaces the first. */
const CORRECTED = new Set(['date', 'time', 'choice', 'number', 'yesno']);
const CORRECTS = pattern()`
  (?:^| )(?:no|nope|sorry|actually|mean|meant|rather|wait|make it|better|scratch that|let me change that|لا|قصدي|اقصد|اعني|عفوا|خلها|
  خليها|خليه|خله|وش اقول|غلط|غلطت|خطا|oops|correction|my mistake|احسن|افضل|اقول لك|اقولك|ولا اقول|يعني|بدلها|نسيت|اسف)(?: |$)
`;
/** Right before a value: what follows from the one before it, `I am back on Saturday so the Sunday`. */
const FOLLOWS =
  /(?:^| )(?:so|therefore|hence|عشان كذا|علشان كذا|لذلك|لذا)(?: (?:on|the|like|maybe|perhaps|say|lets say|any time|anytime|from|يوم|من))*$/;
/** Right before a value, of what was named before: `I have guests on Sunday, move it to Monday`, `انقلوه للاثنين`. */
const MOVES = pattern()`
  (?:^| )(?:[انتيب]{0,2}(?:نقل|اجل|قدم|حط|خل|حول|بدل|غير|عدل)(?:و|ي|ون|ين)?(?:ه|ها)(?: لي| لنا)?|(?:ابي|ابغا|نبي|نبغا)(?:ه|ها)|(?:move|
  bring|put|push|shift|change|want|need|id like) (?:it|that))(?: (?:to|on|for|till|الي|يوم))*$
`;
const MAX_CORRECTIONS = 5;

const PREFERS = new RegExp(
  `(?:^| )(?:${PREFERENCES.split('|')
    .map((phrase) => fold(phrase))
    .join('|')})(?: (?:i want|i need|ابغي|ابي|ابا|اريد|نبي))?$`,
);

/** `not Tuesday, Wednesday`, `Monday, no, Tuesday`: the value that is left when what was taken back is passed over. */
function lastMeant(
  first: Found,
  words: readonly Word[],
  parse: (from: readonly Word[], passed: SlotValue) => Found | undefined,
): { found: Found; from: Word[] } {
  let found = first;
  let current = first;
  let from = [...words];
  let taken = from;
  for (let i = 0; i < MAX_CORRECTIONS; i += 1) {
    const rest = mask(taken, current);
    const next = parse(rest, current.value);
    if (!next || next.start < current.end) break;
    const between = taken.slice(current.end, next.start).map((word) => word.text);
    const said = between.join(' ');
    if (PREFERS.test(said)) break;
    const isRefused = NOT_WORDS.has(taken[current.start - 1]?.text ?? '') || isSaidAgain(words, current);
    const follows = FOLLOWS.test(said);
    const isFrom = isToldFromAnother(taken.slice(next.start, next.end).map(({ text }) => text));
    // What was named gives way to another that is wished for behind it, not to words that are only like one.
    const isNamedAfter = next.isLike !== true && isWishedAfter(taken.slice(current.end, next.start));
    const isWished = isFrom || MOVES.test(said) || isNamedAfter;
    const isTold = isRefused || follows || CORRECTS.test(said) || isWished;
    const isSame = between.length === 0 && next.value.value === current.value.value; // `tomorrow, Monday`
    if (isSame ? current === found : isTold) {
      found = isSame ? { ...next, start: found.start } : { ...next, start: follows ? 0 : next.start }; // a reason is no value
      from = rest;
    }
    current = isSame ? { ...next, start: current.start } : next;
    taken = rest;
  }
  return { found, from };
}

const OPENER = phraseTable(`${WISH_OPENERS}|${VALUE_OPENERS}`);

/** `it comes on Tuesday, can you bring it on Thursday`: what is comes before what is wanted. */
function isWishedAfter(between: readonly Word[]): boolean {
  return firstPhraseJoined(between, OPENER) !== undefined;
}

/** `and when do I get a refund`: what is asked about is not chosen. */
function asksBefore(words: readonly Word[], start: number): boolean {
  return words.slice(0, start).some((_, at) => asksAt(words, at) && !KNOWS.has(words[at - 1]?.text ?? ''));
}

/** `you know what, send me a new one`. */
const KNOWS = new Set(['know', 'تدري', 'تدرين']);

const SAID_WITH_VALUES = new Set(['يوم', 'الساعه', 'on', 'at', 'the', 'next', 'في']);

/** `Sunday, no wait, Sunday I am away`: taken back, and said once more only to say why. */
function isSaidAgain(words: readonly Word[], found: Found): boolean {
  const before = words.slice(0, found.start).map(({ text }) => text);
  const again = words
    .slice(found.start, found.end)
    .map(({ text }) => (SAID_WITH_VALUES.has(text) ? -1 : before.findIndex((one) => isSameDay(one, text))))
    .find((at) => at >= 0);
  return again !== undefined && CORRECTS.test(before.slice(again + 1).join(' '));
}

/** `Tuesday`, `Tuesdays`. */
function isSameDay(one: string, other: string): boolean {
  return one === other || `${one}s` === other;
}

function mask(words: readonly Word[], found: Span): Word[] {
  return words.map((word, i) => (i >= found.start && i < found.end ? TAKEN : word));
}

function inReadingOrder(wanted: readonly SlotDefinition[], asked: string | undefined): SlotDefinition[] {
  const rank = (slot: SlotDefinition): number => {
    if (slot.name === asked && READ_FIRST_WHEN_ASKED.has(slot.type)) return -1;
    return isPlace(slot) ? -2 : READING_ORDER.indexOf(slot.type); // the numbers in an address are no others
  };
  return wanted
    .map((slot, index) => ({ slot, index }))
    .sort(
      (a, b) =>
        rank(a.slot) - rank(b.slot) ||
        Number(b.slot.name === asked) - Number(a.slot.name === asked) ||
        a.index - b.index,
    )
    .map(({ slot }) => slot);
}

/** One slot read from a text alone, as when a read-back is recognised in the history. */
export function readSlotText(text: string, definition: SlotDefinition, today: CalendarDay): SlotValue | undefined {
  return SLOT_PARSERS[definition.type](wordsOf(text), { today, definition, asked: true })?.value;
}

/** What callers call a slot; parts of the day that have hours are a time too. */
export function slotNames({ name, type, choices }: SlotDefinition): readonly string[] {
  const types = [type, ...(choices?.some(({ hours }) => hours) ? ['time'] : [])];
  return [
    ...types.flatMap((one) => [...(SLOT_WORDS[one]?.en ?? []), ...(SLOT_WORDS[one]?.ar ?? [])]),
    name.replace(/[_-]/g, ' '),
  ];
}

/** The slot of a flow that a correction names without a value: `the time is wrong`, `غير التاريخ`. The longest name counts. */
export function slotNamed(words: readonly Word[], flow: Pick<FlowDefinition, 'slots'>): SlotDefinition | undefined {
  const said = ` ${words.map((word) => word.text).join(' ')} `;
  let named: { readonly slot: SlotDefinition; readonly length: number } | undefined;
  for (const slot of flow.slots) {
    for (const name of slotNames(slot)) {
      const folded = fold(name);
      if (folded === '' || folded.length <= (named?.length ?? 0) || !said.includes(` ${folded} `)) continue;
      named = { slot, length: folded.length };
    }
  }
  return named?.slot;
}
