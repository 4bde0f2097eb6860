import { isFiller, isWeak } from '../../language/lexicon/lexicon.ts';
import { digitRuns } from '../../language/number-words.ts';
import { BUTS, HESITATION_SOUNDS } from '../../language/phrases/cues.ts';
import { phraseAt, phraseTable } from '../../language/phrases/phrases-in.ts';
import { asksAt } from '../../language/values/side-talk.ts';
import { readSlots } from '../../language/values/slot-filling.ts';
import type { Word } from '../../language/words.ts';
import type { Guess } from './compiled-agent.ts';
import type { TurnDraft } from './turn-draft.ts';
import { NEARNESS } from './understanding.ts';

/** An answer and a question in one breath. */
export interface AnswerAndQuestion {
  readonly answer: readonly Word[];
  readonly asked: readonly Word[];
  /** What the question may mean, best first. */
  readonly guesses: readonly Guess[];
}

/** Those whose words are all taken for the value; of the others `answers.ts` looks at what is left of the sentence. */
const TAKES_ALL = new Set(['name', 'digits', 'phone']);
/** Between the two: `and does the driver ring me`, `but wait where is it`, `and um until what time are you open`. */
const JOINS = phraseTable(
  `and|so|also|oh|wait|by the way|و|بعدين|طيب|until|till|from|at|in|for|${HESITATION_SOUNDS}|${BUTS}`,
);
const MIN_QUESTION_WORDS = 3;
/** Longer answers than this tell a story. */
const MAX_ANSWER_WORDS = 14;

/**
 * `Sami Haddad, and does the driver ring me before he comes`, `four five something, and when does the refund come`: a clear question that
 * the agent can answer behind what answers its own.
 */
export function questionBeside(draft: TurnDraft, words: readonly Word[]): AnswerAndQuestion | undefined {
  const { pending } = draft.state;
  if (pending.kind !== 'slot' || !TAKES_ALL.has(draft.slot?.type ?? '')) return undefined;
  for (let at = 1; at <= Math.min(words.length - MIN_QUESTION_WORDS, MAX_ANSWER_WORDS); at += 1) {
    if (!asksAt(words, at)) continue;
    const asked = words.slice(at);
    const guesses = draft.agent.guess(asked.map(({ text }) => text));
    const [top] = guesses;
    if (top?.meaning.kind !== 'knowledge' || top.score < NEARNESS.clearQuestion) continue;
    const end = beforeJoin(words, at);
    const isApart = end < at || draft.slot?.type !== 'name'; // `you are where`: no name
    const answer = words.slice(0, end);
    return isApart && holdsAnswer(draft, answer) ? { answer, asked, guesses } : undefined;
  }
  return undefined;
}

/** Where the words end that belong to the answer. */
function beforeJoin(words: readonly Word[], end: number): number {
  for (let at = Math.max(1, end - MAX_JOIN_WORDS); at < end; at += 1) {
    let joined = at;
    for (let join = phraseAt(words, at, JOINS); join && join.end <= end; join = phraseAt(words, joined, JOINS))
      joined = join.end;
    if (joined === end) return at;
  }
  return end;
}
const MAX_JOIN_WORDS = 4;

function holdsAnswer(draft: TurnDraft, answer: readonly Word[]): boolean {
  const { slot } = draft;
  if (!slot || answer.every(({ text }) => isWeak(text) || isFiller(text))) return false;
  if (slot.type !== 'name' && digitRuns(answer.map(({ text }) => text)).length > 0) return true;
  return readSlots(answer, [slot], draft.setting.today, slot.name).values[slot.name] !== undefined;
}
