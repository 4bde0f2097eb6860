import { isFiller, isWeak } from '../../../language/lexicon/lexicon.ts';
import { isNumberWord } from '../../../language/number-words.ts';
import { partOf, pattern } from '../../../language/pattern.ts';
import {
  CORRECTIONS,
  HESITATION_SOUNDS,
  HESITATIONS,
  LEAVINGS,
  PLEASANT,
  REPLACEMENTS,
  WISH_OPENERS,
} from '../../../language/phrases/cues.ts';
import { phraseAt, phraseTable, withoutPhrases } from '../../../language/phrases/phrases-in.ts';
import { NEGATES, scopeOf } from '../../../language/phrases/scope.ts';
import { asksAt } from '../../../language/values/side-talk.ts';
import { BARE_NO, isUnsure, NO_WORDS, YES_WORDS } from '../../../language/values/yesno.ts';
import type { Word } from '../../../language/words.ts';

/** `زي ما هو`, `على وقته`. */
const AS_IT_IS = partOf`
  (?:(?:مثل|زي|علي) ما ?(?:هي|هو|هم|كان|كانت)|(?:علي|في) (?:حاله|حالها|وضعه|وضعها|وقته|وقتها|موعده|موعدها))
`;

/**
 * Forms in which somebody says that nothing is to be done, whatever it was: letting be, with a pronoun; a denied wish for a
 * pronoun; a denied doing of anything. A noun (`leave it with the neighbour`, `I don't want the blue one`) is something else.
 */
const FORMS: readonly RegExp[] = [
  pattern()`
    ^(?:(?:lets|let us|we can|you can|just|better) )?(?:leave|keep|let) (?:it|this|that|them|everything|things|
    all)(?: all)?(?: be| alone)?(?: (?:just |exactly )?(?:as|like|the way) (?:it|they|that|this|
    things)(?: is| are| was| were)?)?(?: for now)?$
  `,
  pattern()`
    ^(?:i )?(?:dont|do not|wont|no longer|never)(?: really)? (?:want|need|do|change|touch|book|send)(?: to)?(?: do)?(?: (?:it|this|that|
    any of (?:it|this|that)|anything|a thing))?(?: at all| any ?more| after all| now| with it)?(?: from (?:you|you people|you guys|
    anyone))?$
  `,
  /^(?:just )?let (?:it|them|that|him) (?:come|arrive|go out|be delivered)(?: as planned| anyway| then)?$/,
  /^(?:please )?(?:dont|do not)(?: do)?(?: (?:it|this|that|anything))?$/,
  /^(?:please )?(?:leave|keep) (?:\S+ ){1,3}(?:just |exactly )?(?:as|like|the way) (?:it|they|that|this|things)(?: is| are| was| were)$/,
  pattern()`
    ^(?:and |but )?(?:ill|i will|well|we will|ill just|im|i am|were|we are|i want to|we want to|id like to) (?:keep|keeping) (?:it|
    them|that|this|these|(?:the|my|our) \S+)$
  `,
  /^(?:please )?keep (?:the|my|our|his|her) (?:order|parcel|package|booking|reservation|appointment)s?$/,
  /^(?:ill|i will|well|we will)(?: just| rather)? wait(?: for (?:it|them|that))?(?: then)?$/,
  /^(?:theres |there is )?no (?:new )?\S+ (?:is )?(?:needed|required|necessary)$/,
  /^(?:stop|forget)(?: (?:it|this|that|all of it|about (?:it|this|that)|the whole thing))?$/,
  pattern()`
    ^(?:خل|خلي|خلو|خلوا|اترك|اتركي|اتركو|اتركوا)(?:ها|ه|هم)?(?: كل شي)?(?: ${AS_IT_IS})?$
  `,
  pattern()`
    ^(?:خل|خلي|خلو|خلوا|اترك|اتركي|اتركو|اتركوا) \S+(?: \S+)? ${AS_IT_IS}$
  `,
  /^(?:i would|id|i|i have|ive)? ?(?:rather|prefer|decided|decide|better)(?: to)? not(?: to)?(?: do (?:it|this|that))?$/,
  /^(?:it |that )?(?:doesnt|does not) matter$/,
  /^(?:please )?(?:dont|do not) bother$/,
  /^(?:its |it is |thats |everything is )?(?:all )?(?:fine|good|ok|okay) (?:as|like|the way) (?:it|that|they) (?:is|are|was)$/,
  /^(?:كنسل|كنسلي|وقف|وقفي|اوقف)(?:ها|ه)?$/,
  /^(?:لا|ما عاد) (?:تكمل|تكملي|تكملين|تكملون|توقف)$/,
  /^(?:بعدين|لاحقا|وقت ثاني) (?:اكلم|بكلم|ادق|بدق|ارجع|برجع|اتصل|بتصل)\S*$/,
  /^(?:لا|ما عاد) ت\S{2,}(?: (?:لي|لنا))? (?:شي|شيء|ولا شي|اي شي)$/,
  pattern()`
    ^(?:لا|ما|ماعاد|ما عاد|مو لازم|مش)(?: عاد)? ?(?:عايز|عايزه|عاوز|عاوزه|بدي|ابي|ابيه|ابيها|ابغي|ابغيه|ابغاه|ابغاها|اريد|اريده|ودي|نبي|
    يحتاج|احتاج|احتاجه)(?: (?:شي|شيء|ولا شي|اي شي|اياه|اياها))?$
  `,
];
const MAX_BEFORE_CALL = 2;
/** Leaves what is being done where nothing is said before it. */
const CALLS_AGAIN = /^(?:ill |i will )?call (?:you )?(?:back|again)(?: later)?$/;
const MAX_FORM_WORDS = 12;
const PHRASES = phraseTable(LEAVINGS);
const OPENER = phraseTable(WISH_OPENERS);
const TURNS = phraseTable(CORRECTIONS);
/** Said around it: politeness, hesitation, taking back, yes and no. */
const AROUND = phraseTable(
  partOf`
    ${REPLACEMENTS}|${HESITATIONS}|${HESITATION_SOUNDS}|${PLEASANT}|you know what|on second thoughts|on second thought|after all|i decided|
    ive decided|no|nope|لا|تدري وش|خلاص|any more|anymore
  `,
);

/** The longest leaving that begins at a place: its end, or 0. */
function leavingAt(words: readonly Word[], at: number): number {
  for (let end = Math.min(words.length, at + MAX_FORM_WORDS); end > at; end -= 1) {
    const text = words
      .slice(at, end)
      .map((word) => word.text)
      .join(' ');
    if (FORMS.some((form) => form.test(text)) || (at <= MAX_BEFORE_CALL && CALLS_AGAIN.test(text))) return end;
  }
  return phraseAt(words, at, PHRASES)?.end ?? 0;
}

/** Whether a sentence says that what is being done is to be left, and nothing beside it. */
export function onlyLeaves(words: readonly Word[]): boolean {
  if (isUnsure(words)) return false; // `I don't know`
  let leaves = false;
  let isStrong = false;
  for (let at = 0; at < words.length; ) {
    const end = leavingAt(words, at);
    if (end > 0) {
      leaves = true;
      isStrong ||= !WEAK_LEAVINGS.has(words[at]!.text) || end > at + 1;
      at = end;
      continue;
    }
    const around = phraseAt(words, at, AROUND);
    if (!around && !isWeak(words[at]!.text) && !isFiller(words[at]!.text)) return false;
    at = around?.end ?? at + 1;
  }
  return leaves && isStrong;
}

/** What follows a leaving that is one of a place or of somebody: `leave it with the neighbour`. */
export const PLACES = new Set(
  'at with in by on to for outside inside under behind next near until till عند مع في على علي لين حتى برا قدام'.split(
    ' ',
  ),
);
const MAX_BEFORE_LEAVING = 5;

/** Whether a sentence ends with letting be, whatever it tells before: `my daughter just found it, sorry, forget it`. */
export function leavesLast(words: readonly Word[]): boolean {
  let isStrong = false;
  for (let at = 0; at < words.length; ) {
    const end = leavingAt(words, at);
    const around = phraseAt(words, at, AROUND)?.end ?? 0;
    if (end > at) isStrong ||= end > at + 1 && !PLACES.has(words[end]?.text ?? '');
    else if (around === 0 && !isWeak(words[at]!.text) && !isFiller(words[at]!.text)) isStrong = false;
    at = Math.max(end, around, at + 1);
  }
  return isStrong;
}

/** `to my office in the, hm, no you know what forget it, leave the address as it is, my mum's home anyway`: taken back in an answer, and why. */
export function leavesWithin(words: readonly Word[]): boolean {
  for (let at = 1; at < words.length; at += 1) {
    const end = leavingAt(words, at);
    if (end < at + 2 || PLACES.has(words[end]?.text ?? '') || !turnsBefore(words, at)) continue;
    const rest = words.slice(end);
    return rest.length <= MAX_REASON && !opensWish(rest) && !rest.some(({ text }) => isNumberWord(text));
  }
  return false;
}
const MAX_REASON = 12;

/** A no, or words of taking back, right before a place. */
function turnsBefore(words: readonly Word[], at: number): boolean {
  return words.slice(Math.max(0, at - MAX_TURN_WORDS), at).some((_, i, before) => {
    const from = at - before.length + i;
    return phraseAt(words, from, TURNS) !== undefined || phraseAt(words, from, AROUND)?.end === at;
  });
}
const MAX_TURN_WORDS = 4;

/** Where what only tells why begins, in a sentence that begins with letting be: `actually leave it | my husband is at home`. */
export function leavesFirst(words: readonly Word[]): number | undefined {
  for (let at = 0; at <= MAX_BEFORE_LEAVING && at < words.length; ) {
    const end = leavingAt(words, at);
    const isStrong = end > at && (!WEAK_LEAVINGS.has(words[at]!.text) || end > at + 1);
    if (isStrong) return PLACES.has(words[end]?.text ?? '') || hasWish(words.slice(end)) ? undefined : end;
    const around = phraseAt(words, at, AROUND);
    const turned = around ?? phraseAt(words, at, TURNS);
    if (!turned && !isFiller(words[at]!.text)) return undefined;
    at = turned?.end ?? at + 1;
  }
  return undefined;
}

function hasWish(words: readonly Word[]): boolean {
  return opensWish(words) || words.some((_, at) => leavingAt(words, at) > 0);
}

/** `I want`, `can you`. */
export function opensWish(words: readonly Word[]): boolean {
  return wishFrom(words) >= 0;
}

/** Where somebody begins to say what is wished for; -1 where nobody does. */
export function wishFrom(words: readonly Word[]): number {
  return words.findIndex((_, at) => phraseAt(words, at, OPENER) !== undefined);
}

/** Alone they may only settle what was said (`خلاص` is also `all right then`). */
const WEAK_LEAVINGS = new Set(['خلاص', 'خلها', 'خله', 'خليها', 'stop', 'لا']);

/** Whether a sentence leaves what is being done, for something else or for nothing: `forget that, where is my order`. */
export function leavesFor(words: readonly Word[]): boolean {
  return words.some(({ text }, at) => {
    const end = leavingAt(words, at);
    return end > at + 1 || (end > at && !WEAK_LEAVINGS.has(text)) || INSTEAD.has(text);
  });
}

const INSTEAD = new Set(['instead', 'بدالها', 'بداله', 'بدل']);

const NODS = phraseTable(`${YES_WORDS}|${NO_WORDS}`);

/** `بس هذا`, `خلاص شكرا`: after all was done, words that wish for nothing. A bare yes is not among them. */
export function wantsNothing(words: readonly Word[]): boolean {
  if (words.length < 2 || !words.some(({ text }) => ENDS.has(text))) return false;
  const rest = withoutPhrases(withoutPhrases(words, AROUND), NODS);
  const said = rest.filter(({ text }) => !isWeak(text) && !isFiller(text));
  return said.length === 0 && !phraseAt(words, 0, YES) && !rest.some((_, at) => asksAt(rest, at));
}
/**
 * What is left of a sentence that wants nothing more: `no, I don't need another appointment, thank you`, `لا خلوه مثل ما هو`. It
 * begins with a no or with letting be, and goes on with what is not to be done. Undefined where something else is asked.
 */
export function declined(words: readonly Word[]): readonly Word[] | undefined {
  const rest: Word[] = [];
  let declines = false;
  for (let at = 0; at < words.length; ) {
    const leaves = leavingAt(words, at);
    const nod = phraseAt(words, at, NO);
    const negates =
      nod || declines ? (phraseAt(words, nod ? nod.end - 1 : at, NEGATES) ?? phraseAt(words, at, NEGATES)) : undefined;
    const denies = negates && !BARE_NO.has(words[negates.start]!.text); // a bare no reaches nothing
    const end = Math.max(leaves, nod?.end ?? 0, denies ? scopeOf(words, negates).end : 0);
    if (end > 0 && (declines || rest.length === 0)) {
      declines ||= nod !== undefined || leaves > at + 1;
      at = end;
      continue;
    }
    if (asksAt(words, at) || phraseAt(words, at, OPENER)) return undefined;
    const around = phraseAt(words, at, AROUND);
    if (!around && !isWeak(words[at]!.text) && !isFiller(words[at]!.text)) rest.push(words[at]!);
    at = around?.end ?? at + 1;
  }
  return declines ? rest : undefined;
}
const NO = phraseTable(`${NO_WORDS}|nothing|nothing else|nothing more|ولا شي|ولا حاجه`);
const YES = phraseTable(YES_WORDS);
const ENDS = new Set(['no', 'nope', 'all', 'done', 'بس', 'خلاص', 'لا']);
