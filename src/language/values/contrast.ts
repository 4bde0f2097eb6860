import { fold } from '../fold.ts';
import { isFiller, isWeak } from '../lexicon/lexicon.ts';
import { digitRuns, isNumberWord, readCardinal } from '../number-words.ts';
import { PREFERENCES } from '../phrases/cues.ts';
import { phraseAt, phraseTable } from '../phrases/phrases-in.ts';
import { type Word, wordsOf } from '../words.ts';
import { withoutRepeats } from './repeated-number.ts';
import { correctionAt } from './side-talk.ts';
import { type SlotValue, same } from './slot.ts';
import { readYesNo } from './yesno.ts';

/** Between what is meant and what is not. */
const NOT = phraseTable(PREFERENCES);
const MAX_PART_WORDS = 4;
const MAX_LEAD_WORDS = 3;
/** Numbers side by side that are one number, digit by digit. */
const DICTATED = 3;
/** Said before a part that is meant: `it should be sixty`. */
const LEADS = new Set('its thats should be said هو هي الصح قصدي اقصد'.split(' ').map((word) => fold(word)));

/** A word or a number of several words, as it is compared: `sixteen` and `16` are the same. */
interface Unit {
  readonly key: string;
  readonly words: readonly Word[];
}

/**
 * A text with the part that is refused by name replaced by the one that is meant: `building sixteen, king road` with `it's sixty, not
 * sixteen` or `not sixteen, sixty`. Undefined where no part of it is refused, or nothing is said instead.
 */
export function contrasted(held: SlotValue, said: readonly Word[]): SlotValue | undefined {
  const text = unitsOf(wordsOf(held.value));
  const words = withoutRepeats(said);
  for (let at = 0; at < words.length; at += 1) {
    const not = phraseAt(words, at, NOT);
    const refused = not && refusedPart(text, words.slice(not.end));
    if (!not || !refused) continue;
    const { start, end, taken } = refused;
    const isNumber = text.slice(start, end).every(({ words: [word] }) => isNumberWord(word!.text));
    const after = words.slice(not.end + taken);
    const meant = isNumber
      ? (numberBefore(unitsOf(words.slice(0, at))) ?? numberAfter(unitsOf(after)))
      : (partIn(words.slice(0, at)) ?? partIn(after));
    if (!meant) continue;
    const before = text.slice(0, start - sharedBefore(text.slice(0, start), meant));
    const value = [...before, ...meant, ...text.slice(end + sharedAfter(text.slice(end), meant))].flatMap(
      (unit) => unit.words,
    );
    const spoken = value.map(({ raw }) => raw).join(' ');
    return { value: spoken, say: same(spoken) };
  }
  return undefined;
}

/** Where a part of a text is refused by name that was said anew before: `fourteen palm street in al nakheel | not al yasmin`. */
export function refusedAt(held: SlotValue, words: readonly Word[]): number | undefined {
  const text = unitsOf(wordsOf(held.value));
  const at = words.findIndex((_, i) => {
    const not = phraseAt(words, i, NOT);
    return not !== undefined && refusedPart(text, words.slice(not.end)) !== undefined;
  });
  return at > MAX_PART_WORDS ? at : undefined;
}

function unitsOf(words: readonly Word[]): readonly Unit[] {
  const plain = words.map(({ text }) => text);
  const units: Unit[] = [];
  for (let at = 0; at < words.length; ) {
    const number = readCardinal(plain, at);
    const end = number?.end ?? at + 1;
    units.push({ key: number?.digits ?? plain[at]!, words: words.slice(at, end) });
    at = end;
  }
  return units;
}

/** The longest beginning of the words that stands in the text, of which some word tells something. */
function refusedPart(
  text: readonly Unit[],
  words: readonly Word[],
): { readonly start: number; readonly end: number; readonly taken: number } | undefined {
  const [run] = digitRuns(words.map(({ text: word }) => word));
  if (run?.start === 0 && run.groups.length >= DICTATED) return undefined; // the number of an order, not that of a house
  for (let taken = Math.min(MAX_PART_WORDS, words.length); taken > 0; taken -= 1) {
    const part = words.slice(0, taken);
    if (part.every(({ text: word }) => isWeak(word) || isFiller(word))) continue;
    const units = unitsOf(part);
    const start = text.findIndex((_, i) => units.every(({ key }, k) => text[i + k]?.key === key));
    if (start >= 0) return { start, end: start + units.length, taken };
  }
  return undefined;
}

/** `sixty, not sixteen`. */
function numberBefore(before: readonly Unit[]): readonly Unit[] | undefined {
  const last = before.at(-1);
  return last && isNumberWord(last.words[0]!.text) ? [last] : undefined;
}

/** `not sixteen, sixty`. */
function numberAfter(after: readonly Unit[]): readonly Unit[] | undefined {
  const first = after.find(({ words: [word] }) => !isLead(word!));
  return first && isNumberWord(first.words[0]!.text) ? [first] : undefined;
}

/** All that is said, but for what leads to it: `no, it's Olaya road`. */
function partIn(words: readonly Word[]): readonly Unit[] | undefined {
  let from = 0;
  for (let passed = 1; passed > 0 && from < words.length; from += passed) {
    const yesNo = readYesNo(words.slice(from, from + MAX_LEAD_WORDS));
    const nod = yesNo?.start === 0 ? yesNo.end : 0;
    passed = Math.max(correctionAt(words, from), nod, isLead(words[from]!) ? 1 : 0);
  }
  const meant = words.slice(from);
  return meant.length > 0 && meant.length <= MAX_PART_WORDS ? unitsOf(meant) : undefined;
}

function isLead({ text }: Word): boolean {
  return LEADS.has(text) || isFiller(text) || isWeak(text);
}

/** How many units before the refused part are said again: `flat fourteen, not four` in `flat four`. */
function sharedBefore(text: readonly Unit[], meant: readonly Unit[]): number {
  for (let count = Math.min(text.length, meant.length - 1); count > 0; count -= 1) {
    const tail = text.slice(-count);
    if (tail.every(({ key }, i) => meant[i]!.key === key)) return count;
  }
  return 0;
}

/** The same behind it: `not King, Olaya road` in `King road`. */
function sharedAfter(text: readonly Unit[], meant: readonly Unit[]): number {
  return meant.length > 1 && text[0]?.key === meant.at(-1)!.key ? 1 : 0;
}
