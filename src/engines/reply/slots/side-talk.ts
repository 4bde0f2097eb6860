import { fold, type Word } from '../fold.ts';
import { isFiller } from '../lexicon.ts';
import { phrases } from './phrases.ts';

/** Said while a caller looks for the answer. */
const HESITATIONS = phrases(
  'let me think|let me see|let me look|let me check|let me find it|hang on|hold on|wait|one moment|just a moment|one second|a second|just a second|give me a second|bear with me|' +
    'hang on a second|hold on a second|hold on a minute|one minute|just a minute|' +
    'لحظة|لحظه شوي|دقيقة|دقيقه بس|ثواني|ثانية|اصبر|اصبري|استنى|استني|انتظر|انتظري|خليني افكر|خلني افكر|خليني اشوف|خلني اشوف|خليني اتذكر|خلني اتذكر',
);
const GREETINGS = phrases(
  'hello|hi|hi there|hello there|hey|good morning|good afternoon|good evening|salam|thank you|thanks|' +
    'السلام عليكم|وعليكم السلام|مرحبا|اهلا|هلا|هلا والله|صباح الخير|مساء الخير|شكرا|الله يعافيك|يعطيك العافية',
);
const OATHS = phrases(
  'استغفر الله|اعوذ بالله|سبحان الله|لا اله الا الله|ما شاء الله|ماشاء الله|بسم الله|ان شاء الله|يا الله|يا ربي|والله|الله يصلحني|oh my god|my god|oh dear',
);
const ALL = [...OATHS, ...HESITATIONS, ...GREETINGS].sort((a, b) => b.length - a.length);

/** Words taken by a hesitation, a greeting, an oath or a filler that begins at a place; 0 where something is meant. */
export function sideTalkAt(words: readonly Word[], at: number): number {
  const phrase = ALL.find((one) => one.every((word, i) => words[at + i]?.text === word));
  if (phrase) return phrase.length;
  return at < words.length && isFiller(words[at]!.text) ? 1 : 0;
}

const ASKS = new Set(
  'what whats when where why how who whose which وش ايش شو وين فين متي كيف شلون ليش لماذا مين هل'
    .split(' ')
    .map((word) => fold(word)),
);
const ASKS_IN_TWO = phrases(
  'do you|did you|does it|does that|are you|are there|is there|is it|is that|will you|will it|have you|do i|does the|is the|are the|may i ask|كم سعر|كم ياخذ|عندكم|فيه عندكم|تبغين اسمي|تبين اسمي|تبي اسمي',
);

/** Whether a question begins at a place: `do you also ship abroad`, `وش تقصد`. What is asked for (`can you`) is no question. */
export function asksAt(words: readonly Word[], at: number): boolean {
  return (
    ASKS.has(words[at]?.text ?? '') ||
    ASKS_IN_TWO.some((phrase) => phrase.every((word, i) => words[at + i]?.text === word))
  );
}

const CORRECTIONS = phrases(
  'no sorry|sorry no|no wait|wait no|no i mean|no no|i mean|i meant|scratch that|make that|or rather|sorry|what am i saying|my mistake|' +
    'لا اقصد|لا قصدي|لا لا|لا عفوا|لا اسف|لا اسفه|اقصد|قصدي|عفوا|اسف|اسفه|غلطت|لا غلط',
);
const BARE_NO = new Set(['no', 'nope', 'لا'].map((word) => fold(word)));

/** Words taken by a correction that begins at a place; a bare `no` before a number is its short form (`house no 5`). */
export function correctionAt(words: readonly Word[], at: number): number {
  const phrase = CORRECTIONS.find((one) => one.every((word, i) => words[at + i]?.text === word));
  if (phrase) return phrase.length;
  const next = words[at + 1]?.text ?? '';
  return at > 0 && BARE_NO.has(words[at]?.text ?? '') && !/^\d/.test(next) ? 1 : 0;
}
