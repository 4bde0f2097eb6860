import type { CalendarDay } from '../../../language/calendar/calendar.ts';
import { isFiller, isWeak } from '../../../language/lexicon/lexicon.ts';
import { digitRuns } from '../../../language/number-words.ts';
import { HURRIES, REPLACEMENTS, WISH_OPENERS } from '../../../language/phrases/cues.ts';
import { firstPhrase, phraseAt, phraseTable, type Span } from '../../../language/phrases/phrases-in.ts';
import { NEGATES, scopeOf } from '../../../language/phrases/scope.ts';
import { readSlots } from '../../../language/values/slot-filling.ts';
import type { Word } from '../../../language/words.ts';
import type { CompiledAgent, Guess } from '../compiled-agent.ts';
import { rootOf } from '../operations.ts';
import { CARRIES_VALUE, keysOf } from '../value-words.ts';
import { operationOf } from './operation.ts';

/** `قبل لا تلغيه` is before you do, `why don't you` no prohibition. */
const BEFORE = new Set(['قبل', 'الا', 'why', 'ليش', 'ليه']);
/** `بعد ما تلغيه`, `وقت ما`: with it, when something is done, and none of them denies. */
const WHEN = new Set(['بعد', 'عقب', 'اول', 'وقت', 'حال', 'وبعد', 'وعقب', 'واول', 'ووقت']);
const WHEN_JOINED = 'ما';
/** Tell somebody not to do something, where nobody else is said to do it. */
const IMPERATIVES = new Set(['لا', 'do', 'dont', 'never', 'بدون', 'without', 'بلاش']);
const SUBJECTS = new Set(['i', 'we', 'you', 'they', 'he', 'she', 'انا', 'احنا']);
/** An imperative is a wish of its own only where it is an example nearly word by word: `please do not send it`. */
const EXAMPLE_ITSELF = 0.9;
/** What the first word under a negation must add: it is the one that is denied (`it does not suit me, cancel it`). */
const FIRST_WORD_ADDS = 0.08;

/** Negations of one sentence that are looked at, those that deny nothing among them: `لا لا ما ابغى لا حجز ولا الغاء`. */
const LOOKED_AT_MAX = 8;

/** How near the words under a negation must be to a wish for that wish to be what is denied. */
const DENIED_SCORE = 0.55;
/** `I do not want my order` is an example of a wish itself: a sentence that denies and is meant is as near as this. */
const MEANT_LEAD = 0.06;

/** A wish under an imperative that is not near enough to be sure of, and the others that are as near. */
const LIKELY = 0.28;
const LIKELY_MARGIN = 0.1;

/** Tell so only before a verb that names an undertaking: `without any plug`, `never at home` tell nobody anything. */
const LACKS = new Set(['never', 'without', 'بدون', 'بلاش']);

/** Whether a negation tells somebody not to do something. */
export function tellsNot(words: readonly Word[], { start }: Span): boolean {
  return IMPERATIVES.has(words[start]!.text) && !SUBJECTS.has(words[start - 1]?.text ?? '');
}

/** An Arabic imperative under `لا` is a form of the imperfect: `لا تلغيه`. Before anything else the word is the answer no: `لا خله`. */
const IMPERFECT = /^[تين].{2}/;

function isAnswer(words: readonly Word[], { start, end }: Span): boolean {
  const { text } = words[start]!;
  return text === 'لا' && end === start + 1 && !IMPERFECT.test(words[end]?.text ?? '') && !isPaired(words, end);
}

/** `لا حجز ولا الغاء`: behind the first of the two words. */
function isPaired(words: readonly Word[], end: number): boolean {
  return words.slice(end + 1, end + 1 + PAIRED_WORDS).some(({ text }) => text === NOR);
}
/** Behind another negation it denies, too; else it is an or: `اليوم ولا بكره`. */
const NOR = 'ولا';
const PAIRED_WORDS = 2;

/** The next negation, `ولا` behind another one among them. */
function nextNegation(words: readonly Word[], from: number): Span | undefined {
  const plain = firstPhrase(words, NEGATES, from);
  const nor = words.findIndex(({ text }, at) => at >= from && text === NOR);
  const denies = nor > 0 && nor < (plain?.start ?? words.length) && firstPhrase(words.slice(0, nor), NEGATES);
  return denies ? { start: nor, end: nor + 1 } : plain;
}

/** `لا أبي أغير ولا أبي ألغي`: what is wished for is denied, not the wishing. */
function withWish(words: readonly Word[], negation: Span): Span {
  const isBare = ['لا', NOR].includes(words[negation.start]!.text) && negation.end === negation.start + 1;
  const wish = isBare ? phraseAt(words, negation.end, WISHES) : undefined;
  return wish ? { ...negation, end: wish.end } : negation;
}
const WISHES = phraseTable(WISH_OPENERS);

/** What it reaches ends where the next thing is denied. */
function reachedBy(words: readonly Word[], negation: Span): Span {
  const scope = scopeOf(words, negation);
  const nor = words.findIndex(({ text }, at) => at > negation.end && text === NOR);
  return nor > 0 && nor < scope.end ? { ...scope, end: nor } : scope;
}

const THINGS = new Set(['it', 'that', 'this', 'which']);
const DOES = new Set(['doesnt', 'didnt', 'does', 'did']);
const WANTED = new Set(['want', 'need', 'have', 'needs', 'wants']);

/** `it doesn't even switch on`: what a thing does not do is no wish of anybody's. */
function describes(words: readonly Word[], { start, end }: Span): boolean {
  if (!THINGS.has(words[start - 1]?.text ?? '') || !DOES.has(words[start]!.text)) return false;
  return !WANTED.has(words[end]?.text ?? '');
}

/** Before a negation of what is past: who says so of themselves denies a wish. */
const SPEAKERS = new Set(['i', 'we', 'you', 'and', 'but', 'so', 'please', 'no']);
const PASSIVE = new Set(['was', 'were', 'wasnt', 'werent']);
/** What came, or did not. */
const PAST = /^(?:came|got|went|rang|left|brought|took|sent|\S{3,}ed)$/;

/** `it was not delivered`, `the books that never came`: what has not happened to a thing is told, and nobody forbids it. */
function reports(words: readonly Word[], { start, end }: Span): boolean {
  if (SPEAKERS.has(words[start - 1]?.text ?? 'no')) return false;
  const { text } = words[start]!;
  return PASSIVE.has(text) || (text === 'never' && PAST.test(words[end]?.text ?? ''));
}

export interface Forbidden {
  readonly id: string;
  /** Said in so many words; else only likely: enough to start nothing of the kind, not to leave what is being done. */
  readonly sure: boolean;
  readonly span: Span;
}

/**
 * Wishes that a sentence says are not to be done: `I don't want to cancel, I want to know where it is`, `لا تلغيه`. The
 * words under a negation, up to the next clause, are near to a wish, and the sentence with its negation is not an example
 * of a wish (`I do not want it any more`).
 *
 * @param whole - what the whole sentence may mean, best first.
 * @param refused - values that are refused: a negation that reaches one forbids no wish.
 */
export function forbiddenIn(
  agent: CompiledAgent,
  words: readonly Word[],
  whole: readonly Guess[],
  refused: readonly Span[],
  today: CalendarDay,
): Forbidden[] {
  const found: Forbidden[] = [];
  let from = 0;
  for (let i = 0; i < LOOKED_AT_MAX; i += 1) {
    const next = nextNegation(words, from);
    if (!next) break;
    const before = words[next.start - 1]?.text ?? '';
    const isWhen = WHEN.has(before) && words[next.start]!.text === WHEN_JOINED;
    const hurries = phraseAt(words, next.start, HURRY) !== undefined;
    const forbidsNothing = isWhen || BEFORE.has(before) || describes(words, next) || reports(words, next);
    if (forbidsNothing || hurries || isAnswer(words, next) || takesBack(words, next)) {
      from = next.end;
      continue;
    }
    const negation = withWish(words, next);
    const span = beforeOtherOperation(agent, words, negation, reachedBy(words, negation));
    const valued = refused.some(({ start, end }) => start < span.end && end > span.start);
    const denied = valued ? [] : deniedIn(agent, words, negation, span, whole, today);
    const end = denied[0] ? reachOf(agent, words, negation, span, denied[0].id) : span.end;
    found.push(...denied.map((one) => ({ ...one, span: { start: negation.start, end } })));
    // `لا تلغينه أبيه ينتقل إلى الخميس`: by its verb, whatever a long sentence is like.
    const told = denied.length === 0 && tellsNot(words, negation) && operationOf(agent, words[negation.end]?.text);
    if (told) found.push({ id: told, sure: true, span: { start: negation.start, end: negation.end + 1 } });
    from = Math.max(negation.end, denied.length > 0 ? end : span.end);
  }
  return found;
}

/** `لا تحجز جديد | انقل القديم`: a word that names another undertaking than the one denied before it begins a clause of its own. */
function beforeOtherOperation(agent: CompiledAgent, words: readonly Word[], negation: Span, span: Span): Span {
  const operationAt = (at: number): string | undefined => operationOf(agent, words[at]?.text);
  let named = operationAt(negation.end);
  for (let at = negation.end + 1; at < span.end; at += 1) {
    const operation = operationAt(at);
    if (operation === undefined) continue;
    const [before] = agent.guess(words.slice(negation.end, at).map(({ text }) => text));
    const likely = before?.meaning.kind === 'intent' && before.score >= DENIED_SCORE ? before.id : undefined;
    const denied = named ?? likely ?? operation;
    if (denied !== operation) return { ...span, end: at };
    named ??= operation;
  }
  return span;
}

const REPLACES = phraseTable(REPLACEMENTS);
/** `and don't be late`. */
const HURRY = phraseTable(HURRIES);

/** `لا عفوا`, `no wait`: the negation takes back what was said and denies nothing that follows. */
function takesBack(words: readonly Word[], { start, end }: Span): boolean {
  if (words[start]!.text === 'لا' && end === start + 1 && IMPERFECT.test(words[end]?.text ?? '')) return false; // لا لا تلغيه
  const replaced = phraseAt(words, start, REPLACES)?.end ?? 0;
  return (
    (start === 0 ? replaced > end : replaced >= end) || // الغي لا اقصد انقل: what was said before is taken back
    [start - 1, start + 1].some((at) => words[at]?.text === words[start]!.text)
  );
}

/** What is denied ends with the words that say it and what belongs to them: `don't cancel it | send it somewhere else`. */
function reachOf(agent: CompiledAgent, words: readonly Word[], negation: Span, span: Span, id: string): number {
  const isNamed = operationOf(agent, words[negation.end]?.text) === id;
  let nearest = { end: isNamed ? negation.end + 1 : span.end, score: DENIED_SCORE };
  for (let end = negation.end + 1; end < span.end; end += 1) {
    const said = words.slice(negation.end, end).map(({ text }) => text);
    const score = agent.guess(said).find((one) => one.id === id)?.score ?? 0;
    if (score > nearest.score) nearest = { end, score };
  }
  let reach = nearest.end;
  while (reach < span.end && belongs(words[reach]!)) reach += 1;
  return reach;
}

function belongs({ text }: Word): boolean {
  return isWeak(text) || isFiller(text) || keysOf([{ text, raw: text }]).every((key) => CARRIES_VALUE.has(key));
}

function deniedIn(
  agent: CompiledAgent,
  words: readonly Word[],
  negation: Span,
  span: Span,
  whole: readonly Guess[],
  today: CalendarDay,
): Omit<Forbidden, 'span'>[] {
  const scope = words.slice(negation.end, span.end);
  const content = readSlots(scope, agent.slots, today).rest.filter(({ text }) => !isWeak(text) && !isFiller(text));
  const counted = content.filter((word) => !isSomeOne(scope, word));
  if (content.length === 0 || digitRuns(counted.map(({ text }) => text)).length > 0) return []; // a value is refused, no wish
  const operation = operationOf(agent, content[0]!.text) ?? nounOf(agent, content[0]!.text);
  const guesses = agent.guess(scope.map(({ text }) => text));
  const positive = guesses.find(({ id, meaning }) => (operation ? id === operation : meaning.kind === 'intent'));
  const first = words[negation.start]!.text;
  const lacks = LACKS.has(first) || (first === 'لا' && !IMPERFECT.test(words[negation.end]!.text)); // `لا رسالة ولا شي`
  const tells = tellsNot(words, negation) && (operation !== undefined || !lacks);
  if (!positive || (!operation && positive.score < DENIED_SCORE)) return tells ? likelyIn(guesses) : [];
  const afterFirst = scope.slice(scope.indexOf(content[0]!) + 1).map(({ text }) => text);
  const without = agent.guess(afterFirst).find(({ id }) => id === positive.id)?.score ?? 0;
  if (!operation && without + FIRST_WORD_ADDS > positive.score) return [];
  const clause = agent.guess(words.slice(span.start, span.end).map(({ text }) => text));
  const meant = [...clause, ...whole].filter(({ denies, meaning }) => denies && meaning.kind !== 'stock');
  if (tells || operation)
    return meant.some(({ score }) => score >= EXAMPLE_ITSELF) ? [] : [{ id: positive.id, sure: true }];
  const best = Math.max(0, ...meant.map(({ score }) => score));
  const own = Math.max(0, ...meant.filter(({ id }) => id === positive.id).map(({ score }) => score));
  if (best + MEANT_LEAD > positive.score && own < best) return [];
  return own + MEANT_LEAD > positive.score ? [] : [{ id: positive.id, sure: true }];
}

/** `ما أبي أحجز الحين`: a verb of the undertaking that its noun names, of the one who speaks. */
function nounOf(agent: CompiledAgent, word: string): string | undefined {
  return SPEAKERS_VERB.test(word) ? agent.nouns.get(rootOf(word)) : undefined;
}
const SPEAKERS_VERB = /^[ان](?!ل)[ا-ي]{3}/;

/** `I told the other one`: no number. */
function isSomeOne(scope: readonly Word[], word: Word): boolean {
  return word.text === 'one' && POINTED_AT.has(scope[scope.indexOf(word) - 1]?.text ?? '');
}
const POINTED_AT = new Set(['the', 'this', 'that', 'other', 'another', 'which', 'any', 'every', 'each', 'no', 'new']);

/** What somebody may mean who is told not to do it: the likeliest undertakings, none of them for sure. */
function likelyIn(guesses: readonly Guess[]): Omit<Forbidden, 'span'>[] {
  const [top] = guesses;
  if (!top) return [];
  const near = guesses.filter(
    ({ score, meaning }) => meaning.kind === 'intent' && score >= LIKELY && top.score - score <= LIKELY_MARGIN,
  );
  return near.map(({ id }) => ({ id, sure: false }));
}
