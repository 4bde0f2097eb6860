import { fold } from '../fold.ts';
import { isFiller } from '../lexicon/lexicon.ts';
import { listsOf } from '../lists.ts';
import { HESITATIONS, REPLACEMENTS } from '../phrases/cues.ts';
import type { Word } from '../words.ts';
import { phrases } from './phrases.ts';

const list = listsOf('language/values/data/side-talk.tsv');

const GREETINGS = phrases(
  'hello|hi|hi there|hello there|hey|good morning|good afternoon|good evening|salam|thank you|thanks|' +
    'السلام عليكم|وعليكم السلام|مرحبا|اهلا|هلا|هلا والله|صباح الخير|مساء الخير|شكرا|الله يعافيك|يعطيك العافية',
);
const OATHS = phrases(
  'استغفر الله|اعوذ بالله|سبحان الله|لا اله الا الله|ما شاء الله|ماشاء الله|بسم الله|ان شاء الله|يا الله|يا ربي|والله|الله يصلحني|oh my god|my god|oh dear',
);
const ALL = [...OATHS, ...phrases(`wait|${HESITATIONS}`), ...GREETINGS].sort((a, b) => b.length - a.length);

/** Words taken by a hesitation, a greeting, an oath or a filler that begins at a place; 0 where something is meant. */
export function sideTalkAt(words: readonly Word[], at: number): number {
  const phrase = ALL.find((one) => one.every((word, i) => words[at + i]?.text === word));
  if (phrase) return phrase.length;
  return at < words.length && isFiller(words[at]!.text) ? 1 : 0;
}

const ASKS = new Set(
  'what when where why how who whose which وش ايش شو وين فين متي كيف شلون ليش لماذا مين هل'
    .split(' ')
    .map((word) => fold(word)),
);
/** `where's`, `how'll`, as they are folded. */
const CONTRACTED = /^(what|when|where|why|how|who)(?:s|d|re|ll|ve)$/;
const ASKS_IN_TWO = phrases(list('asks-in-two').join('|'));

/** Whether a question begins at a place: `do you also ship abroad`, `وش تقصد`. What is asked for (`can you`) is no question. */
export function asksAt(words: readonly Word[], at: number): boolean {
  const text = words[at]?.text ?? '';
  return (
    ASKS.has(text) ||
    CONTRACTED.test(text) ||
    ASKS_IN_TWO.some((phrase) => phrase.every((word, i) => words[at + i]?.text === word))
  );
}

/** After a question word these suggest something: `what about a new one`, `وش رايك`. */
const SUGGESTS = new Set(['about', 'رايك', 'رايكم'].map((word) => fold(word)));
/** Before one they make no question of it: `you know what`. */
const KNOWS = new Set(['know', 'تدري', 'تدرين']);

/** Whether a question with a question word begins at a place, that suggests nothing. */
export function asksOutright(words: readonly Word[], at: number): boolean {
  const text = words[at]?.text ?? '';
  if (!ASKS.has(text) && !CONTRACTED.test(text)) return false;
  return !SUGGESTS.has(words[at + 1]?.text ?? '') && !KNOWS.has(words[at - 1]?.text ?? '');
}

const REPLACES = phrases(REPLACEMENTS);
const BARE_NO = new Set(['no', 'nope', 'لا'].map((word) => fold(word)));

/** Words taken by a correction that begins at a place; a bare `no` before a number is its short form (`house no 5`). */
export function correctionAt(words: readonly Word[], at: number): number {
  const phrase = REPLACES.find((one) => one.every((word, i) => words[at + i]?.text === word));
  if (phrase) return phrase.length;
  const next = words[at + 1]?.text ?? '';
  return at > 0 && BARE_NO.has(words[at]?.text ?? '') && !/^\d/.test(next) ? 1 : 0;
}
