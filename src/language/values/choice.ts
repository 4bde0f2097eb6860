import type { SlotDefinition } from '../../core/agent.ts';
import { isFiller, isWeak, term } from '../lexicon/lexicon.ts';
import { isLoanOf } from '../loan-words.ts';
import { isNumberWord, readCardinal, readOrdinal } from '../number-words.ts';
import { CORRECTIONS, PREFERENCES } from '../phrases/cues.ts';
import { firstPhrase, phraseTable } from '../phrases/phrases-in.ts';
import { similarity } from '../similarity.ts';
import { type Word, wordsOf } from '../words.ts';
import { isWithin, minutesOf } from './opening-hours.ts';
import { isRefusedAt } from './refused-words.ts';
import type { Found, SlotContext, SlotParser, SlotValue } from './slot.ts';
import { SLOT_WORDS } from './slot-words.ts';
import { parseTime, type UnclearHour, unclearHour } from './time.ts';

export type Choice = NonNullable<SlotContext['definition']['choices']>[number];
const TURNS = [phraseTable(CORRECTIONS), phraseTable(PREFERENCES), phraseTable('change|switch|غير|عدل|بدل')];
const FUZZY_ENOUGH = 0.7;
/** Enough where it was not asked for. */
const LIKELY = 0.9;
/** Misheard words begin alike, or are nearly the same. */
const OTHER_SOUND = 0.85;
/** Words of one concept are not yet the same choice, less so where another choice is said with it too: every service is one of teeth. */
const SAME_CONCEPT = 0.95;
const SHARED_CONCEPT = 0.92;
/** `كلينينق` where a choice is `cleaning`. */
const LOAN = 0.96;
/** A sentence that says more is about something else: `I need a new delivery time` is no new piece. */
const MAX_BESIDE_TELLING = 1;
const CLEAR_LEAD = 0.02;
/** `no I meant whitenning please` is about the choice. */
const MAX_BESIDE_LIKENESS = 3;

export function choiceValue(choice: Choice): SlotValue {
  const ar = choice.say.ar?.[0] ?? choice.say.en?.[0] ?? choice.value;
  const en = choice.say.en?.[0] ?? choice.say.ar?.[0] ?? choice.value;
  return { value: choice.value, say: { ar, en } };
}

/** One of the listed choices: by its words, nearly so (`cleening`), by an hour of it, or by its place (`the second one`, `الأول`). */
export const parseChoice: SlotParser = (words, { definition, asked, held }): Found | undefined => {
  const choices = definition.choices ?? [];
  const plain = words.map((word) => word.text);
  // A number is only that (صفر is zero, not yellow), and what is held gives way to a choice that is named, or corrected.
  const isTold = held !== undefined && !asked && !TURNS.some((table) => firstPhrase(words, table));
  const terms = plain.map((word) => (isTold || isNumberWord(word) ? word : term(word)));
  const shared = sharedTerms(choices);
  let best: { found: Found; score: number; choice: Choice } | undefined;
  let rival = 0;
  for (const choice of choices) {
    for (const said of [...(choice.say.ar ?? []), ...(choice.say.en ?? [])]) {
      const wanted = wordsOf(said).map((word) => word.text);
      if (wanted.length === 0) continue;
      for (let at = 0; at + wanted.length <= plain.length; at += 1) {
        if (isRefusedAt(plain, at, THAN)) continue;
        const isStandIn =
          (asked || held !== undefined || wanted.length >= MIN_WHOLE_WISH) && standsFor(plain, wanted, at);
        const score = (isStandIn ? 1 : windowScore(plain, terms, wanted, at, shared)) + wanted.length / 1_000; // the longer phrase wins
        if (score < (asked ? FUZZY_ENOUGH : LIKELY)) continue;
        if (score < OTHER_SOUND && plain[at]![0] !== wanted[0]![0]) continue; // `opening` is no evening
        if (!asked && score < 1 && plain[at - 1] === 'the') continue; // `the other one is missing` wants no other one
        if (best && best.choice !== choice) rival = Math.max(rival, Math.min(score, best.score));
        if (best && (best.score > score || (best.score === score && best.found.start <= at))) continue; // of two the first
        const found = {
          value: choiceValue(choice),
          start: at,
          end: at + wanted.length,
          ...(score < 1 && { isLike: true }),
        };
        best = { score, choice, found };
      }
    }
  }
  if (best && best.score < 1 && held !== undefined && !asked && tellsMore(plain, best.found)) best = undefined;
  if (best && best.score >= 1) {
    // `cleaning for me and a checkup for her`: which of the two is meant for this is asked.
    const isEither = !asked && held === undefined && rival >= 1 && !TURNS.some((table) => firstPhrase(words, table));
    return isEither ? undefined : best.found;
  }
  const byHour = choiceOfHour(words, definition);
  if (byHour) return byHour;
  if (asked && unclearChoice(words, definition)) return undefined; // `at eight` is not `at night`
  if (best && best.score < 1 && best.score - rival < CLEAR_LEAD) return undefined; // a filling is no crown
  if (best || !asked) return best?.found;
  const telling = byTellingWord(plain, terms, choices);
  if (telling) return telling;
  if (definition.type === 'yesno') return undefined; // `tell me first` chooses neither
  for (let at = 0; at < plain.length; at += 1) {
    const place = readOrdinal(plain, at) ?? (plain.length <= 3 ? readCardinal(plain, at) : undefined);
    const choice = place && choices[place.value - 1];
    if (place && choice) return { value: choiceValue(choice), start: at, end: place.end };
  }
  return undefined;
};

/** What is held gives way to a choice that is named, not to a word like one in a sentence about something else. */
function tellsMore(plain: readonly string[], { start, end }: Found): boolean {
  const beside = plain.filter((word, at) => (at < start || at >= end) && !isWeak(word) && !isFiller(word));
  return beside.length > MAX_BESIDE_LIKENESS;
}

/** `not money, new piece I want`: a word that only one of the choices is said with. */
function byTellingWord(
  plain: readonly string[],
  terms: readonly string[],
  choices: readonly Choice[],
): Found | undefined {
  const own = choices.map(termsOf);
  const holdersAt = (at: number): readonly Choice[] =>
    isWeak(plain[at]!) ? [] : choices.filter((_, i) => own[i]!.has(terms[at]!));
  // `I don't want a new one`: with the first word of a choice the others are refused.
  const isRefused = (at: number): boolean =>
    isRefusedAt(plain, at) || (at > 0 && holdersAt(at - 1)[0] === holdersAt(at)[0] && isRefused(at - 1));
  const tells = terms.flatMap((_, at) => {
    const holders = isRefused(at) ? [] : holdersAt(at);
    if (!holders.some((choice) => isWordOf(choice, plain[at]!))) return []; // `deliver` is no `send`
    return holders.length === 1 ? [{ choice: holders[0]!, at }] : [];
  });
  const [first] = tells;
  const others = plain.filter((word, at) => !tells.some((one) => one.at === at) && !isWeak(word) && !isFiller(word));
  if (others.filter((_, at) => !isRefusedAt(others, at)).length > MAX_BESIDE_TELLING) return undefined;
  if (!first || tells.some(({ choice }) => choice !== first.choice)) return undefined;
  return { value: choiceValue(first.choice), start: first.at, end: first.at + 1 };
}

function termsOf({ say }: Choice): Set<string> {
  return new Set(
    [...(say.ar ?? []), ...(say.en ?? [])].flatMap((said) =>
      wordsOf(said).flatMap(({ text }) => (isWeak(text) || isFiller(text) ? [] : [term(text)])),
    ),
  );
}

const SHARED = new WeakMap<readonly Choice[], ReadonlySet<string>>();

/** Terms that more than one choice is said with: looked for once, every sentence is read for choices. */
function sharedTerms(choices: readonly Choice[]): ReadonlySet<string> {
  const known = SHARED.get(choices);
  if (known) return known;
  const all = choices.flatMap((choice) => [...termsOf(choice)]);
  const shared = new Set(all.filter((one, at) => all.indexOf(one) < at));
  SHARED.set(choices, shared);
  return shared;
}

function isWordOf({ say }: Choice, word: string): boolean {
  const said = [...(say.ar ?? []), ...(say.en ?? [])].flatMap((one) => wordsOf(one));
  return said.some(({ text }) => similarity(text, word) >= FUZZY_ENOUGH);
}

/** The hours of all choices together are when a caller may come: `at three` is in the afternoon where nothing is at night. */
function timeSlotOf(definition: SlotDefinition): SlotDefinition | undefined {
  const hours = (definition.choices ?? []).flatMap((choice) => (choice.hours ? [choice.hours] : []));
  const starts = hours.map(({ from }) => from).sort();
  const last = hours.find(({ from, to }) => to < from) ?? hours.reduce((a, b) => (a.to > b.to ? a : b), hours[0]!);
  if (starts[0] === undefined) return undefined;
  return { name: definition.name, type: 'time', prompts: {}, constraints: { from: starts[0], to: last.to } };
}

/** `at 3 pm`, where the choices are parts of the day; `the first one` is no hour. */
function choiceOfHour(words: readonly Word[], definition: SlotDefinition): Found | undefined {
  const time = timeSlotOf(definition);
  const read = time && parseTime(words, { definition: time, today: ANY_DAY, asked: false });
  const minute = read && minutesOf(read.value.value);
  if (!read || minute === undefined) return undefined;
  const choice = definition.choices?.find(({ hours }) => hours && isWithin(minute, hours));
  return choice && { value: choiceValue(choice), start: read.start, end: read.end };
}

/** An hour that falls into one choice in the morning and into another in the evening. */
export function unclearChoice(words: readonly Word[], definition: SlotDefinition): UnclearHour | undefined {
  const time = timeSlotOf(definition);
  return time && unclearHour(words, { definition: time, today: ANY_DAY, asked: false });
}
const ANY_DAY = { year: 2026, month: 1, day: 1 }; // a time does not depend on it

/** `rather a new one than the money`. */
const THAN = new Set(['than']);
/** What stands for the thing itself. */
const ONE = new Set(['one', 'ones']);
/** `send me another one`: said unasked only so fully, for `my new lamp is broken` asks for none. */
const MIN_WHOLE_WISH = 4;

/** `a new pair`, `another lamp`, where a choice is called `a new one`; `a new time` names what is asked for elsewhere. */
function standsFor(plain: readonly string[], wanted: readonly string[], at: number): boolean {
  const place = wanted.findIndex((word, i) => i > 0 && ONE.has(word));
  const thing = plain[at + place];
  if (place < 0 || thing === undefined || isFiller(thing) || isNumberWord(thing) || NAMED.has(thing)) return false;
  return (ONE.has(thing) || !isWeak(thing)) && wanted.every((word, i) => i === place || plain[at + i] === word);
}
const NAMED = new Set(Object.values(SLOT_WORDS).flatMap(({ en = [] }) => en));

function windowScore(
  plain: readonly string[],
  terms: readonly string[],
  wanted: readonly string[],
  at: number,
  shared: ReadonlySet<string>,
): number {
  const scores = wanted.map((word, i) => {
    const said = plain[at + i]!;
    const isShared = shared.has(terms[at + i]!);
    const alike = terms[at + i] === term(word) ? (isShared ? SHARED_CONCEPT : SAME_CONCEPT) : 0;
    return said === word ? 1 : Math.max(alike, isLoanOf(said, word) ? LOAN : similarity(said, word));
  });
  // `the one` is not `the money`: small words make nothing alike.
  const telling = scores.filter((score, i) => score < 1 || !isWeak(wanted[i]!));
  return telling.length === 0 ? 1 : telling.reduce((sum, score) => sum + score, 0) / telling.length;
}
