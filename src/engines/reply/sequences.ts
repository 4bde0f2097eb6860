import { isFiller, isWeak, termsOf } from '../../language/lexicon/lexicon.ts';
import {
  ANNOUNCEMENTS,
  PRECEDENCES,
  QUESTION_OPENERS,
  SEQUENCES,
  SUBORDINATES,
  WISH_OPENERS,
} from '../../language/phrases/cues.ts';
import { firstPhrase, phraseAt, phraseTable, type Span } from '../../language/phrases/phrases-in.ts';
import { NEGATES, negationsIn } from '../../language/phrases/scope.ts';
import { asksAt } from '../../language/values/side-talk.ts';
import { readSlots } from '../../language/values/slot-filling.ts';
import type { Word } from '../../language/words.ts';
import { IMPERATIVE } from './acts/asked-for.ts';
import { leavesLast, opensWish } from './acts/leaving.ts';
import { operationOf } from './acts/operation.ts';
import { wished } from './acts/read-acts.ts';
import { standingIn } from './acts/standing.ts';
import { wishBefore } from './acts/wish-before.ts';
import type { CompiledAgent, Guess } from './compiled-agent.ts';
import { rootOf } from './operations.ts';
import { decide, NEARNESS, openGuesses } from './understanding.ts';

const SEQUENCE = phraseTable(SEQUENCES);
const ANNOUNCEMENT = phraseTable(ANNOUNCEMENTS);
const PRECEDENCE = phraseTable(PRECEDENCES);
const SUBORDINATE = phraseTable(SUBORDINATES);
const OPENER = phraseTable(WISH_OPENERS);
const ASKING = phraseTable(QUESTION_OPENERS);
/** Words of a clause that says when, before the wish itself. */
const MAX_BEFORE_WISH = 7;
/** An announcement later in a sentence belongs to one of its wishes. */
const MAX_BEFORE_ANNOUNCEMENT = 5;
const MIN_CLAUSE_WORDS = 2;
/** Fewer words that say something are no wish that could be asked about. */
const MIN_TELLING_WORDS = 2;
/** Places in a sentence where it is tried to part it. */
const MAX_PLACES = 3;
/** Of what an unclear half may mean, how near the readings must be that are named when it is asked about, and how many. */
const NAMED = 0.15;
const MAX_NAMED = 2;
const JOINERS = new Set(['and', 'then', 'also', 'plus', 'ثم', 'بعدين', 'وبعدين', 'كمان', 'و', 'وكمان']);
/** The word after a written-on `and` that begins another wish. */
const BEGINS_WISH =
  /^و(?:ابغي|ابغا|ابي|ودي|اريد|متي|امتي|وين|فين|كم|بكم|كيف|هل|ايش|وش|شو|مين|عندكم|فيه|تقبلون|ابا|احجز|الغي|غير|حولني|حول)/;

interface Parting {
  readonly halves: readonly [readonly Word[], readonly Word[]];
  /** Something says that the one is to be done after the other. */
  readonly told: boolean;
}

/** One of several things wished for in a sentence, with the words that say it. */
export interface Wish {
  readonly guess: Guess;
  readonly words: readonly Word[];
}

/** Two wishes of one sentence, of which one has to be asked about. */
export interface HalfClear {
  readonly clear: Wish;
  readonly unclear: { readonly words: readonly Word[]; readonly options: readonly Guess[] };
  /** The unclear half was said first, and what it may mean can be asked about at once. */
  readonly askFirst: boolean;
}

type ContentOf = (words: readonly Word[]) => readonly string[];

/** Where a sentence with two wishes can be parted: at a joining word, at a sequence, before a clause that begins with one. */
function partingsOf(agent: CompiledAgent, words: readonly Word[], announced: boolean): Parting[] {
  const partings: Parting[] = [];
  for (let at = MIN_CLAUSE_WORDS; at < words.length - 1 && partings.length < MAX_PLACES; at += 1) {
    const joint = jointAt(agent, words, at);
    if (!joint) continue;
    const halves = [words.slice(0, at), joint.after] as const;
    if (halves.every((half) => half.length >= MIN_CLAUSE_WORDS))
      partings.push({ halves, told: joint.told || announced });
  }
  return partings;
}

/** The words after whatever joins two clauses at a place (`and then also`); undefined where nothing does. */
function jointAt(
  agent: CompiledAgent,
  words: readonly Word[],
  at: number,
): { readonly after: Word[]; readonly told: boolean } | undefined {
  let told = false;
  let end = at;
  for (let next: Span | undefined; end < words.length; end = next.end) {
    const sequence = phraseAt(words, end, SEQUENCE) ?? joinedSequence(words, end);
    next = sequence ?? (JOINERS.has(words[end]!.text) ? { start: end, end: end + 1 } : undefined);
    told ||= sequence !== undefined;
    if (!next) break;
  }
  const { text } = words[end] ?? { text: '' };
  const written =
    end === at && text.startsWith('و') ? [{ ...words[at]!, text: text.slice(1) }, ...words.slice(at + 1)] : [];
  if (phraseAt(written, 0, SUBORDINATE)) return { after: fromWish(agent, written), told: true };
  if (written.length > 0 && !asksAt(words, at) && (BEGINS_WISH.test(text) || beginsWish(written)))
    return { after: written, told: false };
  if (end === at) return undefined;
  const isSubordinate = phraseAt(words, end, SUBORDINATE) !== undefined;
  return { after: isSubordinate ? fromWish(agent, words.slice(end)) : words.slice(end), told: told || isSubordinate };
}

/** `(و)عايز احجز`, `(و)بدالي ابغى`, `(و)متى تفتحون`: behind a written-on and, with at most one word before what is wanted. */
function beginsWish(written: readonly Word[]): boolean {
  if (asksAt(written, 0) || phraseAt(written, 0, OPENER)) return true;
  return !isNegated(written) && phraseAt(written, 1, OPENER) !== undefined;
}

/** `(و)لا ابي`, `(و)ما ابي`. */
function isNegated(words: readonly Word[]): boolean {
  return phraseAt(words, 0, NEGATES) !== undefined;
}

/** `وبعد كذا`: a sequence behind a written-on and. */
function joinedSequence(words: readonly Word[], at: number): Span | undefined {
  const { text } = words[at]!;
  if (!text.startsWith('و')) return undefined;
  const span = phraseAt([{ ...words[at]!, text: text.slice(1) }, ...words.slice(at + 1)], 0, SEQUENCE);
  return span && { start: at, end: at + span.end };
}

/** `when you have found it I want another day`: what is wished for begins behind the clause that says when. */
function fromWish(agent: CompiledAgent, words: readonly Word[]): Word[] {
  const verb = words.findIndex(({ text }) => IMPERATIVE.test(text) && agent.nouns.has(rootOf(text)));
  const at = firstPhrase(words, OPENER)?.start ?? verb;
  return words.slice(at > 0 && at <= MAX_BEFORE_WISH ? at : 0);
}

function partingsIn(agent: CompiledAgent, words: readonly Word[]): Parting[] {
  const before = firstPhrase(words, PRECEDENCE);
  const isParted = before && before.start >= MIN_CLAUSE_WORDS && words.length - before.end >= MIN_CLAUSE_WORDS;
  if (isParted && !isTakenBack(words.slice(0, before.start)))
    return [{ halves: [words.slice(before.end), words.slice(0, before.start)], told: true }];
  const announced = firstPhrase(words, ANNOUNCEMENT);
  const from = announced && announced.start <= MAX_BEFORE_ANNOUNCEMENT ? announced.end : 0;
  return partingsOf(agent, words.slice(from), announced !== undefined);
}

/** `cancel it, no no don't cancel it, leave it | but tell me when it is`: nothing is wished for before the `but`. */
function isTakenBack(words: readonly Word[]): boolean {
  return leavesLast(words) || negationsIn(words).some(({ end }) => end === words.length);
}

/**
 * What one half of a sentence may mean. Where it is not clear as a whole it is read like a sentence of its own that tells much: by the
 * clause that asks or wishes.
 */
function readingsOf(agent: CompiledAgent, half: readonly Word[], contentOf: ContentOf): readonly Guess[] {
  const guess = (words: readonly Word[]): readonly Guess[] => agent.guess(contentOf(words));
  const whole = guess(half);
  const plain = openGuesses(whole);
  return isClear(plain, false) ? plain : openGuesses(wished(agent, half, whole, guess));
}

/** `where are you and until when are you open`: two clear and different wishes said in one breath, in the order said. */
export function twoWishes(
  agent: CompiledAgent,
  words: readonly Word[],
  contentOf: ContentOf,
): readonly [Wish, Wish] | undefined {
  for (const { halves, told } of partingsIn(agent, words)) {
    const guesses = halves.map((half, at) => {
      const own = readingsOf(agent, half, contentOf);
      return isClear(own, told) ? own : (aboutOther(agent, half, halves[1 - at]!, contentOf) ?? own);
    });
    const [first, second] = guesses.map(([top]) => top);
    const clear = guesses.every((of) => isClear(of, told));
    if (!clear || first!.id === second!.id || halves.some(onlyTells)) continue;
    if (halves.some((half, at) => isToldBeside(half, guesses[at]![0]!))) continue;
    const undertakings = [first!, second!].every(({ meaning }) => meaning.kind === 'intent');
    const sure = Math.min(first!.score, second!.score) >= NEARNESS.surelyElse;
    const apart = sure || areApart(agent, halves, [first!, second!]);
    if (undertakings && !told && !apart && !firstPhrase(words, SEQUENCE)) continue; // one wish and what led to it
    return [
      { guess: first!, words: halves[0] },
      { guess: second!, words: halves[1] },
    ];
  }
  return undefined;
}

/** `book me a whitening, but tell me first how much`: a short question that does not say of what is about what the other half names. */
function aboutOther(
  agent: CompiledAgent,
  half: readonly Word[],
  other: readonly Word[],
  contentOf: ContentOf,
): readonly Guess[] | undefined {
  if (
    half.length > MAX_ABOUT_OTHER ||
    !half.some(({ text }, at) => HOW_MUCH.has(termsOf([text])[0]?.key ?? '') || asksAt(half, at))
  )
    return undefined;
  const choices = agent.slots.filter((slot) => slot.type === 'choice');
  const { rest } = readSlots(other, choices, ANY_DAY);
  const named = other.filter((word) => !rest.includes(word));
  return named.length > 0 ? openGuesses(agent.guess(contentOf([...half, ...named]))) : undefined;
}
const MAX_ABOUT_OTHER = 5;
const HOW_MUCH = new Set(['=price', '=many']);
/** Choices have no day. */
const ANY_DAY = { year: 2026, month: 1, day: 1 };

/** Two undertakings, each behind a wish of its own, one of them named by its verb and neither far from what was said. */
function areApart(agent: CompiledAgent, halves: Parting['halves'], tops: readonly Guess[]): boolean {
  const isNamed = halves.some((half, i) =>
    half.some(({ text }, at) => operationOf(agent, text) === tops[i]!.id && wishBefore(half, at)),
  );
  return isNamed && halves.every(opensWish) && tops.every(({ score }) => score >= NEARNESS.apart);
}

/** `I sleep until two so mornings are hopeless, can it come later`: what is like a question and asks nothing is told, not asked. */
function isToldBeside(words: readonly Word[], { meaning, score, asks }: Guess): boolean {
  return meaning.kind === 'knowledge' && !asks && !asksByForm(words) && score < NEARNESS.surelyElse;
}

/** Asks whether there is something where a question begins; `سويت عندكم حشوه` tells. */
const WITH_YOU = 'عندكم';
/** Whether a question word or words that announce one make a question of it. */
export function asksByForm(words: readonly Word[]): boolean {
  if (words.some(({ text }, at) => asksAt(words, at) && (at === 0 || text !== WITH_YOU))) return true;
  const asking = firstPhrase(words, ASKING);
  return asking !== undefined && asking.end < words.length;
}

/** `I got my delivery, but then I opened it`: what is told to be is no wish. */
function onlyTells(words: readonly Word[]): boolean {
  const tells = standingIn(words) !== undefined && !firstPhrase(words, OPENER);
  return tells && !words.some((_, at) => asksAt(words, at));
}

/** Near enough for one of two; where it is told that there are two, also what is sure by itself. */
function isClear(guesses: readonly Guess[], told: boolean): boolean {
  const [top] = guesses;
  if (!top || top.meaning.kind === 'stock') return false;
  const asks = top.meaning.kind === 'knowledge' && top.asks;
  return top.score >= (asks ? NEARNESS.accept : NEARNESS.eachOfTwo) || (told && decide(guesses, true).kind === 'take');
}

/** `what about my lamp, and when you have found it I want another day`: one wish is clear, the other is not, and not lost. */
export function halfClear(agent: CompiledAgent, words: readonly Word[], contentOf: ContentOf): HalfClear | undefined {
  for (const { halves, told } of partingsIn(agent, words)) {
    if (!told) continue;
    const guesses = halves.map((half) => readingsOf(agent, half, contentOf));
    const readings = guesses.map((of) => decide(of, true));
    const at = readings.findIndex((one) => one.kind === 'take' && one.guess.meaning.kind !== 'stock');
    const reading = readings[at];
    const other = 1 - at;
    if (reading?.kind !== 'take' || readings[other]!.kind === 'take' || !isWish(halves[other]!)) continue;
    const options = guesses[other]!.filter(
      ({ id, meaning, score }) => meaning.kind === 'intent' && score >= NAMED && id !== reading.guess.id,
    ).slice(0, MAX_NAMED);
    return {
      clear: { guess: reading.guess, words: halves[at]! },
      unclear: { words: halves[other]!, options },
      askFirst: other === 0 && readings[other]!.kind === 'ask' && options[0] === guesses[other]![0],
    };
  }
  return undefined;
}

/** Somebody who tells a story wants nothing by every clause of it: a wish is asked for, or asks. */
function isWish(words: readonly Word[]): boolean {
  const telling = words.filter(({ text }) => !isWeak(text) && !isFiller(text)).length;
  if (telling > 0 && words.some((_, at) => asksAt(words, at))) return true;
  return telling >= MIN_TELLING_WORDS && firstPhrase(words, OPENER) !== undefined;
}
