import { isFiller, isWeak } from '../../../language/lexicon/lexicon.ts';
import { digitRuns } from '../../../language/number-words.ts';
import { languageWish } from '../../../language/spoken-language.ts';
import { readSlots } from '../../../language/values/slot-filling.ts';
import { readYesNo } from '../../../language/values/yesno.ts';
import type { Word } from '../../../language/words.ts';
import { actOf, type Heard } from '../acts/act.ts';
import { fits } from '../fitting.ts';
import type { TurnDraft } from '../turn-draft.ts';
import { NEARNESS } from '../understanding.ts';
import { identifies } from '../values.ts';

/** Words beside a value that may still belong to it: `tomorrow would suit`. */
const MAX_BESIDE_VALUE = 1;

/**
 * Why the words are certain without a model, or undefined. Such a turn is answered at once, and no model changes what it
 * means: digits and values that the question asked for, a bare yes or no, danger, prohibitions, an example word by word.
 */
export function certainReading(draft: TurnDraft, heard: Heard): string | undefined {
  const { pending, flow } = draft.state;
  const { words } = heard;
  if (words.length === 0) return 'nothing was said';
  if (languageWish(heard.text) !== undefined) return 'a language is asked for';
  if (actOf(heard, 'trouble')) return 'somebody is in trouble';
  if (heard.acts.some((act) => act.type === 'forbid' && act.sure)) return 'something is forbidden';
  if ((pending.kind === 'open' || isYesNoAsked(draft)) && onlyYesNo(words)) return 'a yes or no';
  if (pending.kind === 'slot' && answersOnly(draft, heard)) return 'the value that was asked for';
  const [top] = heard.guesses;
  if (top && top.score >= NEARNESS.certain && (pending.kind === 'open' || top.meaning.kind === 'stock'))
    return flow === undefined || top.meaning.kind === 'stock' ? 'an example of what is meant' : undefined;
  return undefined;
}

function isYesNoAsked({ state, slot }: TurnDraft): boolean {
  const { kind } = state.pending;
  return kind === 'confirm-flow' || kind === 'confirm-slot' || kind === 'choose' || slot?.type === 'yesno';
}

function onlyYesNo(words: readonly Word[]): boolean {
  const read = readYesNo(words);
  if (!read) return false;
  const others = words.filter((_, at) => at < read.start || at >= read.end);
  return others.every((word) => isSmall(word) || readYesNo([word])?.answer === read.answer);
}

function isSmall({ text }: Word): boolean {
  return isWeak(text) || isFiller(text);
}

function answersOnly(draft: TurnDraft, { words }: Heard): boolean {
  const { slot } = draft;
  if (!slot) return false;
  if (identifies(slot)) {
    const runs = digitRuns(words.map(({ text }) => text));
    const said = runs.reduce((sum, { start, end }) => sum + end - start, 0);
    if (said * 2 > words.length) return true;
  }
  if (slot.type !== 'name' && !fits(draft, { words })) return false;
  const { values, rest } = readSlots(words, [slot], draft.setting.today, slot.name);
  return values[slot.name] !== undefined && rest.filter((word) => !isSmall(word)).length <= MAX_BESIDE_VALUE;
}
