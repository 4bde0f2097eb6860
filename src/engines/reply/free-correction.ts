import type { FlowDefinition, SlotDefinition } from '../../core/agent.ts';
import { fold } from '../../language/fold.ts';
import { isFiller, isWeak } from '../../language/lexicon/lexicon.ts';
import { isNumberWord } from '../../language/number-words.ts';
import { CONDITIONS, HESITATIONS, PLEASANT, REPLACEMENTS } from '../../language/phrases/cues.ts';
import { phraseAt, phraseTable, withoutPhrases } from '../../language/phrases/phrases-in.ts';
import { calledName, writtenName } from '../../language/values/name.ts';
import { NOT_WORDS } from '../../language/values/refused-words.ts';
import type { SlotValue } from '../../language/values/slot.ts';
import { readSlots, slotNames } from '../../language/values/slot-filling.ts';
import { mendedText } from '../../language/values/text.ts';
import { readYesNo } from '../../language/values/yesno.ts';
import { type Word, wordsOf } from '../../language/words.ts';
import { namedUntil } from './slot-names.ts';
import type { TurnDraft } from './turn-draft.ts';

/** Said before and after a value that takes the place of another: taking back, politeness, and the verbs of changing. */
const AROUND = phraseTable(
  `${REPLACEMENTS}|${CONDITIONS}|${HESITATIONS}|${PLEASANT}|` +
    'can you|could you|i need|i want|i prefer|id prefer|id like|only|just|should|be|make|if possible|all good|not quite|not|' +
    'sorry i changed my mind|i changed my mind|can we do|can we make it|could we do|can i have|can you put|' +
    'could it be|it should be|should be|it is|its|that is|thats|change|change it|to|instead|would be better|is better|i said|' +
    'nearly|almost|oh|hm|hmm|everything is right except|except|is wrong|wrong|is|the|' +
    'غيرت رايي|نسيت|ارجع شوي|حط|حطي|وانا|وتخليه|تعدل|اقول|عفوا|قلت|ممكن|نخليها|نخليه|نغيرها|نغيره|غير|غيري|عدل|عدلي|' +
    'الي|بدل|بدالها|احسن|تقريبا|كله صح|غلط|الصح|ابيه|ابيها|ابي|ابغي|خلها|خله|خليه|خليها',
);
/** A negation before the value that is not meant, behind the one that is: `B, not A`, `B بدل A`. */
const NOT = new Set([...NOT_WORDS, ...['than', 'of', 'بدل', 'بدال', 'من', 'احسن'].map((word) => fold(word))]);
const WRONG = new Set(['is', 'was', 'wrong', 'to', 'but', 'الي', 'غلط', 'خطا'].map((word) => fold(word)));
/** Said before a name. */
const NAMED_BY = new Set(
  'my name is its it the under for i am im اسمي اسمه اسمها انا باسم الاسم هو هي الصح'
    .split(' ')
    .map((word) => fold(word)),
);
const MIN_SHARED_LETTERS = 3;

/**
 * A name or a text said in the place of one that is held, in a sentence that corrects: `actually can we do 12 Olaya Street
 * instead`, `لا لا قلت فهد القحطاني`. Only what stands between the words of correcting, and only where it is like what it replaces:
 * a name and nothing else, or a text with a number or a word of the one that is held.
 */
export function freeCorrection(
  draft: TurnDraft,
  words: readonly Word[],
  flow: FlowDefinition,
): Readonly<Record<string, SlotValue>> | undefined {
  const free = flow.slots.filter(({ name, type }) => (type === 'text' || type === 'name') && draft.state.slots[name]);
  const slots = free.filter((slot) => !draft.agent.owned.has(slot));
  const [slot] = slots;
  if (!slot || slots.length > 1) return undefined;
  const held = draft.state.slots[slot.name]!;
  const told = slot.type === 'name' ? toldName(words, slot) : undefined;
  if (told && told.value !== held.value) return { [slot.name]: told };
  const rest = between(words, slot, wordsOf(held.value));
  if (rest.length === 0 || rest.length === words.length) return undefined;
  const value = readSlots(rest, [slot], draft.setting.today, slot.name).values[slot.name];
  if (!value || value.value === held.value) return undefined;
  if (slot.type === 'name') {
    const name = new Set(wordsOf(value.value).map(({ text }) => text));
    const beside = rest.filter(({ text }) => !name.has(text) && !NAMED_BY.has(text));
    return beside.length === 0 ? { [slot.name]: value } : undefined;
  }
  if (!isLike(rest, wordsOf(held.value))) return undefined;
  return { [slot.name]: mendedText(held, value) };
}

/** `no, she is called Donna`; `yes but the name, don't write Dana, write Donna`. */
function toldName(words: readonly Word[], slot: SlotDefinition): SlotValue | undefined {
  if (readYesNo(words.slice(0, 2))?.answer === 'no') return calledName(words)?.value;
  return words.some((_, at) => namedUntil(words, at, slot) !== undefined) ? writtenName(words)?.value : undefined;
}

/** What is meant beside the small words of correcting. */
export function withoutAround(words: readonly Word[]): readonly Word[] {
  return withoutPhrases(words, AROUND);
}

/** The words without what stands around a new value at both ends, and without the old one where it is refused. */
function between(words: readonly Word[], slot: SlotDefinition, held: readonly Word[]): readonly Word[] {
  const names = new Set(slotNames(slot).flatMap((name) => wordsOf(name).map(({ text }) => text)));
  let rest = withoutRefused(words, held);
  for (let from = 0; rest.length > 0; rest = rest.slice(from)) {
    const yesNo = readYesNo(rest.slice(0, 3));
    const around = phraseAt(rest, 0, AROUND)?.end ?? 0;
    from = Math.max(
      around,
      yesNo?.start === 0 ? yesNo.end : 0,
      names.has(rest[0]!.text) || isFiller(rest[0]!.text) ? 1 : 0,
    );
    if (from === 0) break;
  }
  for (let end = rest.length; end > 0; end = rest.length) {
    const last = [1, 2, 3].find((count) => count <= end && phraseAt(rest, end - count, AROUND)?.end === end);
    if (!last && !isFiller(rest[end - 1]!.text)) break;
    rest = rest.slice(0, end - (last ?? 1));
  }
  return rest;
}

/** Without the old value where it is said to be wrong or not meant, and without the word that says so. */
function withoutRefused(words: readonly Word[], held: readonly Word[]): readonly Word[] {
  const size = held.length;
  const at = words.findIndex((_, i) => held.every(({ text }, k) => words[i + k]?.text === text));
  if (at < 0 || size === 0) return words;
  let start = at;
  while (start > 0 && (NAMED_BY.has(words[start - 1]!.text) || NOT.has(words[start - 1]!.text))) start -= 1;
  const isRefused = words.slice(start, at).some(({ text }) => NOT.has(text)) || WRONG.has(words[at + size]?.text ?? '');
  return isRefused ? [...words.slice(0, start), ...words.slice(at + size)] : words;
}

function isLike(said: readonly Word[], held: readonly Word[]): boolean {
  const own = new Set(held.map(({ text }) => text));
  const shares = said.some(({ text }) => text.length >= MIN_SHARED_LETTERS && !isWeak(text) && own.has(text));
  return said.length > 1 && (shares || said.some(({ text }) => isNumberWord(text)));
}
