import type { SlotDefinition } from '../../../core/agent.ts';
import type { CalendarDay } from '../../../language/calendar/calendar.ts';
import { isToldFromAnother } from '../../../language/calendar/day-names.ts';
import { fold } from '../../../language/fold.ts';
import { digitRuns, type ReadDigits } from '../../../language/number-words.ts';
import { ABSENCES, ENGAGEMENTS, REFUSALS, UNSUITABLE } from '../../../language/phrases/cues.ts';
import { firstPhrase, phraseAt, phraseTable, type Span } from '../../../language/phrases/phrases-in.ts';
import { MAX_NEGATIONS, scopeOf } from '../../../language/phrases/scope.ts';
import { SLOT_PARSERS } from '../../../language/values/parsers.ts';
import type { Word } from '../../../language/words.ts';

const REFUSES = phraseTable(REFUSALS);
const ABSENT = phraseTable(ABSENCES);
const ENGAGED = phraseTable(ENGAGEMENTS);
const DOES_NOT_SUIT = phraseTable(`${UNSUITABLE}|${ABSENCES}`);
/** Between a negation and a number: `no, that's not it, 4521` says which one is meant. */
const POINTING = new Set(['it', 'that', 'this', 'هو', 'هي', 'هذا', 'هذي'].map((word) => fold(word)));
/** Types of values that are refused by naming them: `not Tuesday`, `مو تقويم`. */
const REFUSED_TYPES = new Set<SlotDefinition['type']>(['date', 'time', 'choice', 'yesno']);
/** Words between a refusal and the value it refuses: `do not bring it today`. */
const MAX_BEFORE_VALUE = 3;
const MIN_REFUSED_DIGITS = 2;

/** Values that a sentence says are not meant, each with its negation: another one is meant, or none. */
export function refusedIn(slots: readonly SlotDefinition[], words: readonly Word[], today: CalendarDay): Span[] {
  const found: Span[] = [];
  for (let from = 0; found.length < MAX_NEGATIONS; ) {
    const negation = firstPhrase(words, REFUSES, from);
    if (!negation) break;
    if (JUDGED.has(words[negation.end]?.text ?? '') || refusesBefore(slots, words, negation, today)) {
      from = negation.end; // `not quite, 4521` refuses nothing by name, `السبت ما يناسبني انقليه للخميس` not what is behind it
      continue;
    }
    const { end: limit } = scopeOf(words, negation);
    const scope = words.slice(negation.end, limit);
    const shortest = scope.findIndex(
      (_, at) => at <= MAX_BEFORE_VALUE && holdsValue(slots, scope.slice(0, at + 1), today),
    );
    const ends = shortest < 0 ? [] : [negation.end + saidWhole(slots, scope, shortest + 1, today)];
    const run = digitRuns(words.slice(negation.end).map(({ text }) => text))[0];
    const points = POINTING.has(words[negation.end]?.text ?? '');
    const isNumber = run && run.start <= (points ? 0 : 1) && run.digits.length >= MIN_REFUSED_DIGITS;
    if (isNumber) ends.splice(0, 1, negation.end + numberEnd(slots, words.slice(negation.end), run));
    from = ends[0] ?? negation.end;
    if (ends.length > 0) found.push({ start: negation.start, end: from });
  }
  const after = unsuitableIn(slots, words, today) ?? takenDayIn(slots, words, today);
  const named = after && !found.some(({ end }) => end > after.start) ? [...found, after] : found;
  const all = [...named.flatMap((span) => toldBefore(slots, words, span, today)), ...named];
  if (!isToldFromAnother(words.map(({ text }) => text))) return all;
  // الخميس ما يناسبني السبت اللي بعده: the day that another one is told from has to be heard.
  return all.filter(({ start, end }) => [start, start + 1].every((at) => !dateOf(slots, words.slice(at, end), today)));
}

/** `I'm at the dentist tomorrow so it can't come tomorrow`: the day that is refused was the reason before, not wished for. */
function toldBefore(
  slots: readonly SlotDefinition[],
  words: readonly Word[],
  { start, end }: Span,
  today: CalendarDay,
): Span[] {
  const day = dateOf(slots, words.slice(end - 1, end), today);
  const so = words.findIndex(({ text }, at) => at < start && CONSEQUENCES.has(text));
  if (day === undefined || so < 0) return [];
  return words
    .slice(0, so)
    .flatMap((word, at) => (dateOf(slots, [word], today) === day ? [{ start: at, end: at + 1 }] : []));
}
const CONSEQUENCES = new Set(['so', 'لذلك', 'فما', 'فلا'].map((word) => fold(word)));

/** Says of the value right before it that it does not suit. */
function refusesBefore(
  slots: readonly SlotDefinition[],
  words: readonly Word[],
  { start }: Span,
  today: CalendarDay,
): boolean {
  if (start === 0 || !phraseAt(words, start, DOES_NOT_SUIT)) return false;
  return [1, 2].some((count) => count <= start && holdsValue(slots, words.slice(start - count, start), today));
}

/** `not 4522, forty five twenty one`: the one number ends where it is as long as a number is. */
function numberEnd(slots: readonly SlotDefinition[], words: readonly Word[], run: ReadDigits): number {
  const lengths = slots.map(({ type, minDigits, maxDigits }) =>
    type === 'digits' && minDigits === maxDigits ? minDigits : 0,
  );
  if (!lengths.includes(run.digits.length / 2)) return run.end;
  for (let end = run.start + 1; end < run.end; end += 1) {
    const part = digitRuns(words.slice(run.start, end).map(({ text }) => text))[0];
    if (part && part.digits.length * 2 === run.digits.length && run.digits.startsWith(part.digits)) return end;
  }
  return run.end;
}

/** `Sunday doesn't suit him`, `الأحد ما يناسبه`: the value before it is refused. `nobody is there on Sunday`: the one behind it. */
function unsuitableIn(slots: readonly SlotDefinition[], words: readonly Word[], today: CalendarDay): Span | undefined {
  const phrase = firstPhrase(words, DOES_NOT_SUIT);
  if (!phrase) return undefined;
  for (let start = phrase.start - 1; start >= Math.max(0, phrase.start - MAX_BEFORE_VALUE); start -= 1) {
    if (WANTED_BEFORE.has(words[start]!.text)) break;
    if (holdsValue(slots, words.slice(start, phrase.start), today)) return { start, end: phrase.end };
  }
  if (!phraseAt(words, phrase.start, ABSENT)) return undefined;
  const behind = words.slice(phrase.end, scopeOf(words, phrase).end);
  const end = [1, 2].find((count) => count <= behind.length && holdsValue(slots, behind.slice(0, count), today));
  return end === undefined ? undefined : { start: phrase.start, end: phrase.end + end };
}

/** `بكرة عندي محاضرة`, `I have a meeting tomorrow`: a day beside what takes it. */
function takenDayIn(slots: readonly SlotDefinition[], words: readonly Word[], today: CalendarDay): Span | undefined {
  const phrase = firstPhrase(words, ENGAGED);
  if (!phrase) return undefined;
  const isDay = (start: number, end: number): boolean => dateOf(slots, words.slice(start, end), today) !== undefined;
  if (phrase.start > 0 && isDay(phrase.start - 1, phrase.start)) return { start: phrase.start - 1, end: phrase.end };
  const limit = scopeOf(words, phrase).end;
  const end = [phrase.end + 1, phrase.end + 2].find((at) => at <= limit && isDay(phrase.end, at));
  return end === undefined ? undefined : { start: phrase.start, end };
}

/** Between a value that is wanted and what does not suit: `on Sunday instead, I'm away today`. */
const WANTED_BEFORE = new Set(
  ['instead', 'please', 'because', 'cause', 'cos', 'since', 'as', 'لان', 'لاني', 'عشان', 'احسن'].map((word) =>
    fold(word),
  ),
);

/** `not tomorrow Monday`: the same value in more words. */
function saidWhole(
  slots: readonly SlotDefinition[],
  scope: readonly Word[],
  shortest: number,
  today: CalendarDay,
): number {
  let end = shortest;
  while (end < scope.length && end < shortest + MAX_MORE_WORDS) {
    const [before, more] = [scope.slice(0, end), scope.slice(end, end + 1)];
    const value = dateOf(slots, more, today);
    if (value === undefined || value !== dateOf(slots, before, today)) break;
    end += 1;
  }
  const isDay = dateOf(slots, scope.slice(0, end), today) !== undefined;
  const parts = slots.filter(({ type }) => type !== 'date');
  if (isDay && holdsValue(parts, scope.slice(end, end + 1), today)) return end + 1; // `not tomorrow morning`
  if (!ALTERNATIVES.has(scope[end]?.text ?? '')) return end;
  const other = [1, 2].find((count) => holdsValue(slots, scope.slice(end + 1, end + 1 + count), today));
  return other === undefined ? end : end + 1 + other; // `not today or tomorrow`
}
const MAX_MORE_WORDS = 2;
const JUDGED = new Set(
  ['quite', 'really', 'exactly', 'right', 'correct', 'صح', 'صحيح', 'كذا'].map((word) => fold(word)),
);
const ALTERNATIVES = new Set(['or', 'nor', 'and', 'او', 'ولا'].map((word) => fold(word)));

function dateOf(slots: readonly SlotDefinition[], words: readonly Word[], today: CalendarDay): string | undefined {
  const date = slots.find(({ type }) => type === 'date');
  return date && SLOT_PARSERS.date(words, { today, definition: date, asked: false })?.value.value;
}

function holdsValue(slots: readonly SlotDefinition[], words: readonly Word[], today: CalendarDay): boolean {
  return slots.some(
    ({ type, ...definition }) =>
      REFUSED_TYPES.has(type) &&
      SLOT_PARSERS[type === 'yesno' ? 'choice' : type](words, {
        today,
        definition: { ...definition, type },
        asked: false,
      }) !== undefined,
  );
}
