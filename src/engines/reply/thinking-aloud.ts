import { digitRuns } from '../../language/number-words.ts';
import { AUXILIARIES, HESITATIONS } from '../../language/phrases/cues.ts';
import { firstPhrase, phraseTable } from '../../language/phrases/phrases-in.ts';
import type { Heard } from './acts/act.ts';
import type { TurnDraft } from './turn-draft.ts';

const HESITATES = phraseTable(HESITATIONS);
const VERBS = phraseTable(AUXILIARIES);

/** `one minute, my cousin is sending it`: who waits tells what for, and no free text has such a verb in it. */
export function tellsWhy(draft: TurnDraft, { words }: Heard): boolean {
  if (draft.slot?.type !== 'text' || draft.state.pending.kind !== 'slot') return false;
  const opening = firstPhrase(words, HESITATES);
  if (!opening || opening.start > 1) return false;
  const rest = words.slice(opening.end);
  return firstPhrase(rest, VERBS) !== undefined && digitRuns(rest.map(({ text }) => text)).length === 0;
}
