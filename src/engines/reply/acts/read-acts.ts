import type { CalendarDay } from '../../../language/calendar/calendar.ts';
import { isFiller, isWeak } from '../../../language/lexicon/lexicon.ts';
import { digitRuns } from '../../../language/number-words.ts';
import {
  ABSENCES,
  ASKED_OPENERS,
  COMPLAINTS,
  CONDITIONS,
  CORRECTIONS,
  HESITATION_SOUNDS,
  HESITATIONS,
  HURRIES,
  LEAVINGS,
  MONEY_TAKEN,
  PLEASANT,
  QUESTION_OPENERS,
  REASONS,
  REPLACEMENTS,
  TWICE,
  WISH_OPENERS,
} from '../../../language/phrases/cues.ts';
import { dangerIn } from '../../../language/phrases/danger.ts';
import {
  firstInflected,
  firstPhrase,
  firstPhraseJoined,
  phraseAt,
  phrasesIn,
  phraseTable,
  type Span,
  without,
  withoutPhrases,
} from '../../../language/phrases/phrases-in.ts';
import { NEGATES } from '../../../language/phrases/scope.ts';
import { asksAt } from '../../../language/values/side-talk.ts';
import { readYesNo } from '../../../language/values/yesno.ts';
import type { Word } from '../../../language/words.ts';
import type { CompiledAgent, Guess } from '../compiled-agent.ts';
import type { Act, Heard } from './act.ts';
import { type Forbidden, forbiddenIn, tellsNot } from './forbidden.ts';
import { givenUpIn } from './given-up.ts';
import { keptPartIn } from './kept-part.ts';
import { PLACES } from './leaving.ts';
import { offeredIn } from './offered.ts';
import { operationOf } from './operation.ts';
import { refusedIn } from './refused.ts';
import { standingIn } from './standing.ts';
import { supposedIn, supposes } from './supposed.ts';

const CONDITION = phraseTable(CONDITIONS);
const POLITE = phraseTable(`${PLEASANT}|${HURRIES}`);
const HESITATION = phraseTable(HESITATIONS);
const CORRECTION = phraseTable(CORRECTIONS);
const OPENER = phraseTable(WISH_OPENERS);
const ASKS = phraseTable(QUESTION_OPENERS);
const SOUND = phraseTable(HESITATION_SOUNDS);
const LEAVING = phraseTable(LEAVINGS);
const REASON = phraseTable(REASONS);
const TAKEN = phraseTable(MONEY_TAKEN);
const AGAIN = phraseTable(TWICE);
const COMPLAINT = phraseTable(COMPLAINTS);

/** However long it is drawn: `ummmm`, `امممم`. */
const DRAWN_SOUND = /^(?:u+[hm]+|e+h+m+|e+r+m*|h+m+|m{2,}|ا*م{2,}|ا{2,}ه?|اه+|ه+م+)$/;

function isSound(words: readonly Word[], at: number): boolean {
  return phraseAt(words, at, SOUND) !== undefined || DRAWN_SOUND.test(words[at]!.text);
}

/** Words beside a hesitation that still belong to it: `let me find my glasses`. */
const MAX_BESIDE_HESITATION = 3;

/**
 * Finds what a caller does with a sentence. Negations, conditions and corrections are found in the words, with what they
 * reach, before wishes are looked for; what is denied is no wish.
 *
 * @param guess - what words may mean in this state of the dialogue, best first.
 */
export function readActs(
  agent: CompiledAgent,
  words: readonly Word[],
  text: string,
  today: CalendarDay,
  guess: (words: readonly Word[]) => readonly Guess[],
): Heard {
  const refused = refusedIn(agent.slots, words, today);
  const whole = guess(words);
  const isExample = (whole[0]?.score ?? 0) >= (whole[0]?.meaning.kind === 'stock' ? STOCK_PHRASE : EXAMPLE_ITSELF);
  const denied = isExample ? [] : forbiddenIn(agent, words, whole, refused, today);
  const supposed = isExample || denied.length > 0 ? [] : supposedIn(agent, words);
  const givenUp = isExample || supposed.length > 0 ? [] : givenUpIn(agent, words, guess);
  const kept = isExample ? [] : keptPartIn(agent, words);
  const found = [...denied, ...supposed, ...givenUp, ...kept].sort((a, b) => a.span.start - b.span.start);
  const beside = guessesBeside(agent, words, found, guess);
  const apart =
    supposed.length > 0
      ? best([...beside, ...whole].filter((one) => asks(agent, words, one, supposed)))
      : beside.filter(({ meaning }) => givenUp.length === 0 || meaning.kind !== 'stock'); // `but cancel it, that's better`
  const isContrast = ({ id, span }: Forbidden): boolean =>
    apart[0]?.id === id && apart[0].score >= CONTRASTED && !isToldNot(agent, words, span, id);
  const forbids = denied.filter((one) => !isContrast(one)); // `to my office, not to my home` forbids nothing
  const forbidden = new Set(forbids.map(({ id }) => id));
  const unwished = [...forbids, ...supposed, ...givenUp, ...kept];
  const meant = unwished.length === 0 ? wished(agent, words, whole, guess) : apart;
  const offered = meant[0]?.meaning.kind === 'intent' ? undefined : offeredIn(agent, words, refused, today, guess);
  const guesses = (offered ? best([offered, ...meant]) : meant).filter(
    (one) => !unwished.some(({ id }) => id === one.id),
  );
  const wanted = without(words, [...refused, ...unwished.map(({ span }) => span)]);
  const acts: Act[] = [
    ...troubleIn(words),
    ...forbids.map((one): Act => ({ type: 'forbid', ...one })),
    ...yesNoIn(words),
    ...spans(words, 'leave'),
    ...spans(words, 'correct'),
    ...hesitationIn(words),
    ...(guesses[0] ? [{ type: 'request', guess: guesses[0], span: all(words) } as const] : []),
  ];
  return { words, text, acts, guesses, forbidden, wanted };
}

/** `that is the order, but don't cancel it`: told not to do it by its verb, which is said nowhere else. */
function isToldNot(agent: CompiledAgent, words: readonly Word[], span: Span, id: string): boolean {
  const named = words.flatMap(({ text }, at) => (operationOf(agent, text) === id ? [at] : []));
  return tellsNot(words, span) && named.length > 0 && named.every((at) => at > span.start && at < span.end);
}

/** The best guess of each meaning. */
function best(guesses: readonly Guess[]): readonly Guess[] {
  const sorted = [...guesses].sort((a, b) => b.score - a.score);
  return sorted.filter(({ id }, at) => sorted.findIndex((one) => one.id === id) === at);
}

/** Beside what is supposed stands a question: nothing is wished for there that is not named by its verb. */
function asks(
  agent: CompiledAgent,
  words: readonly Word[],
  { id, meaning }: Guess,
  supposed: readonly Forbidden[],
): boolean {
  if (meaning.kind !== 'intent') return true;
  const isNamed = words.some(({ text }) => operationOf(agent, text) === id);
  return isNamed && !supposed.some((one) => one.id === id);
}

/** What the words beside the forbidden ones may mean. */
function guessesBeside(
  agent: CompiledAgent,
  words: readonly Word[],
  found: readonly Forbidden[],
  guess: (words: readonly Word[]) => readonly Guess[],
): readonly Guess[] {
  if (found.length === 0) return [];
  const rest = without(
    words,
    found.map(({ span }) => span),
  );
  const read = (from: readonly Word[]): readonly Guess[] =>
    from.some(({ text }) => !isWeak(text) && !isFiller(text)) ? guess(from) : [];
  const beside = read(rest);
  // `no wait, don't cancel it, let us change it`: what follows is wished for, whatever small talk stands before.
  const after = read(words.slice(found.at(-1)!.span.end));
  const [top] = after;
  // `I wanted to cancel, no, don't cancel it, move it`: what is denied by its own verb is not wished for by what stood before.
  const takesBack = found.some(
    ({ id, span }) =>
      id === beside[0]?.id &&
      (tellsNot(words, span) || correctsAt(words, span.start)) &&
      words.slice(span.start, span.end).some(({ text }) => operationOf(agent, text) === id),
  );
  const isClearer = takesBack || beside[0]?.meaning.kind === 'stock' || (top?.score ?? 0) > (beside[0]?.score ?? 0);
  return top && top.meaning.kind !== 'stock' && top.score >= CONTRASTED_WISH && isClearer ? after : beside;
}

/** `no no, she doesn't cancel it`: said right behind words that take back. */
function correctsAt(words: readonly Word[], at: number): boolean {
  return [1, 2].some((back) => phraseAt(words, at - back, TAKES_BACK)?.end === at);
}

const CONTRASTED_WISH = 0.46;

/** `I want to cancel it`, `ابغى الغيه`: the own verb of an undertaking, with a pronoun, right behind a wish or what settles it; whatever the reason is. */
function namedByVerb(agent: CompiledAgent, words: readonly Word[], whole: readonly Guess[]): Guess | undefined {
  const from = openerIn(words)?.end ?? settledAt(words);
  if (from === undefined) return undefined;
  const at = words.findIndex(({ text }, i) => i >= from && i <= from + 1 && !isWeak(text));
  const verb = words[at];
  if (!verb || !(ITS.test(verb.text) || IT.has(words[at + 1]?.text ?? ''))) return undefined;
  const id = operationOf(agent, verb.text);
  return whole.find((one) => one.id === id);
}

/** `that day we have guests, okay cancel it then`: where what follows from it begins. */
function settledAt(words: readonly Word[]): number | undefined {
  const at = words.findLastIndex(({ text }, i) => i < words.length - 1 && SETTLES.has(text));
  return at < 1 ? undefined : at + 1;
}
const SETTLES = new Set(['so', 'then', 'okay', 'ok', 'well', 'طيب', 'خلاص', 'اجل', 'يلا', 'معناه']);
const IT = new Set(['it', 'that', 'this', 'them']);
const ITS = /[\u0600-\u06ff]{3,}(?:ه|ها)$/;

/** What a wish that is said in so many words adds to what it may mean, and from which nearness on. */
const WISHED_BONUS = 0.08;
const WISHED_SCORE = 0.6;
const MIN_STORY_WORDS = 7;
const MIN_BEFORE_REASON = 2;
const CONTRASTED = 0.55;
/** `nothing else`, `no that's all`: a phrase of every call, whatever it denies. */
const STOCK_PHRASE = 0.62;
/** A sentence that is an example of a wish is that wish, whatever it denies: `I was not at home`. */
const EXAMPLE_ITSELF = 0.98;

/** In a long sentence the clause that says `I want to` says what is wanted, what follows `tell me` or stands before a reason what is asked. */
export function wished(
  agent: CompiledAgent,
  words: readonly Word[],
  whole: readonly Guess[],
  guess: (words: readonly Word[]) => readonly Guess[],
): readonly Guess[] {
  const meant = (clause: readonly Word[], kind: Guess['meaning']['kind']): Guess | undefined =>
    guess(clause).find(({ meaning, score }) => meaning.kind === kind && score >= WISHED_SCORE);
  const clear = (from: number | undefined, kind: Guess['meaning']['kind']): Guess | undefined =>
    from === undefined || from <= 0 || from >= words.length ? undefined : meant(words.slice(from), kind);
  const reason = firstPhrase(words, REASON, MIN_BEFORE_REASON);
  const inStory = (): Guess | undefined =>
    clear(firstPhrase(words, ASKS)?.end, 'knowledge') ??
    clear(firstPhrase(words, ASKS)?.end, 'intent') ??
    beforeWhen(words, meant) ??
    clear(
      words.findIndex((_, at) => asksAt(words, at)),
      'knowledge',
    ) ??
    (reason && meant(words.slice(0, reason.start), 'knowledge')) ??
    clear(behindTakenBack(words), 'intent') ??
    clear(wishClause(words), 'intent') ??
    clear(behindStanding(words), 'intent') ??
    namedByVerb(agent, words, whole);
  const best = words.length < MIN_STORY_WORDS ? clear(behindTakenBack(words), 'intent') : inStory();
  if (!best) return whole;
  const score = Math.min(1, Math.max(best.score, WISHED_SCORE) + WISHED_BONUS);
  const raised = [...whole.filter(({ id }) => id !== best.id), { ...best, score }];
  return raised.sort((a, b) => b.score - a.score);
}

/** `I want to cancel, no hang on, it is here already but broken`: what is said instead begins behind it. */
function behindTakenBack(words: readonly Word[]): number | undefined {
  let end: number | undefined;
  for (let at = MIN_TAKEN_BACK; at < words.length; at += 1) end = phraseAt(words, at, TAKES_BACK)?.end ?? end;
  return end;
}
const MIN_TAKEN_BACK = 2;
const TAKES_BACK = phraseTable(REPLACEMENTS);

/** `there'll be nobody at home when your driver comes`, `could they bring it when my son is here`: the `when` behind it asks nothing. */
function beforeWhen(
  words: readonly Word[],
  meant: (clause: readonly Word[], kind: Guess['meaning']['kind']) => Guess | undefined,
): Guess | undefined {
  const absence = firstPhrase(words, ABSENT);
  const told = absence ?? firstPhrase(words, ASKED);
  const when = told ? words.findIndex(({ text }, at) => at > told.end && text === 'when') : -1;
  return when < 0 ? undefined : meant(words.slice(absence ? 0 : told!.start, when), 'intent');
}
const ABSENT = phraseTable(ABSENCES);
const ASKED = phraseTable(`${WISH_OPENERS}|${ASKED_OPENERS}`);

const MAX_DENIED = 2;

/** Where somebody says what is wanted: `ما راح اقدر` (I cannot) is none. */
function openerIn(words: readonly Word[]): Span | undefined {
  for (let from = 0; ; ) {
    const opener = firstPhraseJoined(words, OPENER, from);
    const denied = opener && firstPhrase(words.slice(Math.max(0, opener.start - MAX_DENIED), opener.start), NEGATES);
    if (!denied) return opener;
    from = opener.end;
  }
}

/** Where the clause that wishes begins: a verb alone does not say of what it is (`وظايف ... وابغى اقدم`). */
function wishClause(words: readonly Word[]): number | undefined {
  const opener = openerIn(words);
  const last = words.at(-1);
  if (!opener || !last || (words.length - opener.end < MIN_CLAUSE && !ITS.test(last.text))) return undefined;
  return opener.start;
}
const MIN_CLAUSE = 2;

/** `I have an appointment, but I cannot come`: what there is, is not wished for. */
function behindStanding(words: readonly Word[]): number | undefined {
  const standing = standingIn(words);
  return standing && standing.end + 1;
}

function all(words: readonly Word[]): Span {
  return { start: 0, end: words.length };
}

function spans(words: readonly Word[], type: 'leave' | 'correct'): Act[] {
  const span = firstPhrase(words, type === 'leave' ? LEAVING : CORRECTION);
  return span && !(type === 'leave' && leavesAt(words, span)) ? [{ type, span }] : [];
}

/** `can he leave it with my neighbour`: left somewhere, it is not let be. */
function leavesAt(words: readonly Word[], { start, end }: Span): boolean {
  return words[start]!.text === 'leave' && PLACES.has(words[end]?.text ?? '');
}

function yesNoIn(words: readonly Word[]): Act[] {
  const read = readYesNo(words);
  if (!read) return [];
  const span = { start: read.start, end: read.end };
  if (read.answer === 'no') return [{ type: 'deny', span }];
  const rest = withoutPhrases(words.slice(read.end), POLITE); // `ايه لو سمحت` has no if
  const asksBefore =
    ALSO_HOW.has(words[read.start]!.text) && words.slice(0, read.start).some((_, at) => asksAt(words, at));
  const isSame = IF_IT_IS.test(rest.map(({ text }) => text).join(' ')) && readYesNo(words.slice(-1))?.answer === 'yes';
  if (isSame && !asksBefore) return [{ type: 'affirm', span, conditional: false }];
  const conditional =
    asksBefore || firstPhrase(rest, CONDITION) !== undefined || rest.some((_, at) => asksAnew(rest, at));
  return [{ type: 'affirm', span, conditional }];
}

/** `yes, if that's the lamp, then yes`: it is what was read back. */
const IF_IT_IS = /^(?:if|اذا) (?:thats|that is|its|it is|this is|هذا|هذي|هو|هي|كان هو|كان هذا)(?: |$)/;

/** Behind a question they say how, and agree to nothing: `where is it exactly`. */
const ALSO_HOW = new Set(['exactly', 'بالضبط', 'بالزبط']);

/** `sure, one question though, what does it cost`: a question behind a yes; `that is what I want` is none. */
function asksAnew(words: readonly Word[], at: number): boolean {
  return asksAt(words, at) && !TELLS.has(words[at - 1]?.text ?? '');
}
const TELLS = new Set(['is', 'that', 'this', 'thats', 'was', 'know', 'exactly', 'just', 'see', 'هذا', 'هو', 'اعرف']);

/** What is said beside hesitations: `one second` names no second of anything. */
export function withoutHesitations(words: readonly Word[]): readonly Word[] {
  return withoutPhrases(words, HESITATION);
}

/** Only looking for words: hesitations, and hardly anything beside them. */
function hesitationIn(words: readonly Word[]): Act[] {
  const found = phrasesIn(words, HESITATION);
  const rest = without(words, found);
  if (digitRuns(rest.map(({ text }) => text)).length > 0) return [];
  const said = rest.filter(({ text }) => !isWeak(text) && !isFiller(text));
  const only =
    found.length > 0
      ? said.length <= MAX_BESIDE_HESITATION
      : words.length > 0 && words.every((_, at) => isSound(words, at));
  return only ? [{ type: 'hesitate', span: all(words) }] : [];
}

/** Whether words name danger, anger, money taken twice or the law. */
export function isTroubled(words: readonly Word[]): boolean {
  return troubleIn(words).length > 0;
}

function troubleIn(words: readonly Word[]): Act[] {
  const danger = dangerIn(words);
  if (danger && !words.slice(0, danger.start).some((word, at) => supposes(word, words[at + 1])))
    return [{ type: 'trouble', kind: 'emergency', span: danger }];
  const twice = firstInflected(words, AGAIN);
  const span = firstInflected(words, COMPLAINT) ?? (firstInflected(words, TAKEN) && twice);
  return span ? [{ type: 'trouble', kind: 'complaint', span }] : [];
}
