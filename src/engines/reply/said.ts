import { isOnlyName } from '../../language/values/name.ts';
import type { Heard } from './acts/act.ts';
import { type SaidAct, saidAct } from './acts/said-acts.ts';
import type { TurnDraft } from './turn-draft.ts';

/** From which likelihood on an act is believed; found by letting one writer's sentences judge the other's. */
const LEAST: Readonly<Partial<Record<SaidAct, number>>> = { yes: 0.75, bye: 0.5 };
const LEAST_OTHER = 0.6;
/** Where a value is asked for, which may be like leaving; a name may be like anything. */
const LEAVES_ASKED = 0.8;
const FREE = 0.85;

/** Whether a sentence does this, as far as sentences of callers tell. */
export function says(draft: TurnDraft, { words }: Pick<Heard, 'words'>, act: SaidAct): boolean {
  if (draft.slot?.type === 'name' && isOnlyName(words)) return false; // لين is also until
  return words.length > 0 && howLikely(words, act) >= leastFor(draft, act);
}

/** How likely a sentence does this, 0..1; 0 where it rather does something else. */
export function howLikely(words: Heard['words'], act: SaidAct): number {
  const said = saidAct(words);
  return said.act === act ? said.share : 0;
}

function leastFor({ slot, state }: TurnDraft, act: SaidAct): number {
  const least = LEAST[act] ?? LEAST_OTHER;
  if (state.pending.kind !== 'slot') return least;
  if (slot?.type === 'text' || slot?.type === 'name') return FREE;
  return act === 'leave' ? LEAVES_ASKED : least;
}
