import type { SlotDefinition } from '../../core/agent.ts';
import { firstPhraseJoined, phraseAt, phraseTable, type Span } from '../../language/phrases/phrases-in.ts';
import { minutesOf } from '../../language/values/opening-hours.ts';
import { timeValue } from '../../language/values/time.ts';
import type { Word } from '../../language/words.ts';
import { namedUntil } from './slot-names.ts';
import type { TurnDraft } from './turn-draft.ts';
import type { Values } from './values.ts';

const SAME = phraseTable('same|نفس|بنفس|لنفس');

/** How long after what was booked last: a place behind it, and a length of time on either side. */
const BEHIND = phraseTable(
  'after that|after that one|after her|after him|after hers|after his|after it|after them|later|' +
    'بعدها|بعده|بعدهم|بعدي|وراها|وراه|وراهم|وراي|عقبها|عقبه|عقبهم',
);
const LENGTHS: readonly (readonly [table: ReturnType<typeof phraseTable>, minutes: number])[] = (
  [
    ['an hour and a half|ساعه ونص|بساعه ونص', 90],
    ['half an hour|half hour|thirty minutes|نص ساعه|بنص ساعه|نصف ساعه|بنصف ساعه', 30],
    ['a quarter of an hour|fifteen minutes|ربع ساعه|بربع ساعه', 15],
    ['two hours|ساعتين|بساعتين', 120],
    ['an hour|one hour|ساعه|بساعه|بساعه وحده', 60],
  ] as const
).map(([phrases, minutes]) => [phraseTable(phrases), minutes]);
const MINUTES_A_DAY = 24 * 60;

/** `the same day, half an hour after her, on my number`: values that are named by those of what was done last. */
export function asBefore(draft: TurnDraft, words: readonly Word[], slots: readonly SlotDefinition[]): Values {
  const { lastDone, memory } = draft.state;
  const said: Values = { ...memory, ...lastDone?.slots };
  const values: Record<string, Values[string]> = {};
  for (const slot of slots) {
    const before = said[slot.name];
    if (!before || draft.agent.owned.has(slot)) continue;
    const after = slot.type === 'time' && lastDone ? minutesAfter(words) : undefined;
    const shifted = after === undefined ? undefined : later(before.value, after);
    if (shifted) values[slot.name] = shifted;
    else if (isCalledSame(words, slot)) values[slot.name] = before;
  }
  return values;
}

function isCalledSame(words: readonly Word[], slot: SlotDefinition): boolean {
  for (let span = firstPhraseJoined(words, SAME); span; span = firstPhraseJoined(words, SAME, span.end))
    if (namedUntil(words, span.end, slot) !== undefined) return true;
  return false;
}

/** `half an hour after her`, `بعدها بنص ساعة`: both have to be said, side by side. */
function minutesAfter(words: readonly Word[]): number | undefined {
  const behind = firstPhraseJoined(words, BEHIND);
  if (!behind) return undefined;
  for (const [table, minutes] of LENGTHS) if (lengthBeside(words, behind, table)) return minutes;
  return undefined;
}

function lengthBeside(words: readonly Word[], { start, end }: Span, table: ReturnType<typeof phraseTable>): boolean {
  if (phraseAt(words, end, table)) return true;
  return words.slice(0, start).some((_, at) => phraseAt(words, at, table)?.end === start);
}

function later(time: string, minutes: number): Values[string] | undefined {
  const minute = (minutesOf(time) ?? MINUTES_A_DAY) + minutes;
  return minute < MINUTES_A_DAY ? timeValue(Math.floor(minute / 60), minute % 60) : undefined;
}
