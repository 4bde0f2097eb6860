import type { DialogueState } from './dialogue-state.ts';
import { giveUp } from './misunderstood.ts';
import { examplesText, questionOf } from './questions.ts';
import type { TurnDraft } from './turn-draft.ts';

/** Of what there is too much of without progress: turns. */
type Measure =
  /** In a row after which everything was as before. */
  | 'still'
  /** Since something was done or a question answered. */
  | 'idle'
  /** That came back to a place the talk had left, since then. */
  | 'returns';

interface Way {
  readonly of: Measure;
  readonly turns: number;
  readonly go: (draft: TurnDraft) => void;
}

/** Where a dialogue gets nowhere, another way is taken: at so many turns of a measure, each once; a person, or the end, at last. */
const WAYS: readonly Way[] = [
  { of: 'returns', turns: 2, go: askDifferently },
  { of: 'returns', turns: 4, go: giveUp },
  { of: 'still', turns: 8, go: giveUp },
  { of: 'idle', turns: 24, go: giveUp },
];
/** Places that are remembered: a talk that is in a circle longer than this ends by the turns it takes. */
const MAX_PLACES = 16;

/**
 * Progress is a value, another question that was not asked before, or something done or answered. The same answer once more is
 * none, nor is a place where the talk has been since something was last done.
 */
export function measureProgress(draft: TurnDraft, before: DialogueState): void {
  const served = servedAnew(draft, before);
  const [from, to] = [placeOf(before), placeOf(draft.state)];
  const moved = served || from !== to;
  const known = served ? [] : before.places;
  const isReturn = !served && moved && known.includes(to);
  const counts: Readonly<Record<Measure, number>> = {
    still: moved ? 0 : before.still + 1,
    idle: served ? 0 : before.idle + 1,
    returns: served ? 0 : before.returns + (isReturn ? 1 : 0),
  };
  const places = moved && !isReturn ? [...known, to].slice(-MAX_PLACES) : known;
  draft.set({ ...counts, places });
  if (draft.action !== undefined) return;
  const isDue = ({ of, turns }: Way): boolean =>
    of === 'returns' ? isReturn && counts[of] === turns : counts[of] >= turns;
  WAYS.find(isDue)?.go(draft);
}

/** Whether something was done or answered that was not just before. */
function servedAnew(draft: TurnDraft, before: DialogueState): boolean {
  const done = draft.done.map(({ flow, slots }) => [flow, ...Object.values(slots).map(({ value }) => value)]);
  const known = draft.meant.filter((id) => id.startsWith('knowledge:'));
  const answers = [...known, ...done, ...draft.quoted].join(' ');
  if (answers !== '') draft.set({ lastAnswers: answers });
  return draft.tool !== undefined || (answers !== '' && answers !== before.lastAnswers);
}

function placeOf({ pending, flow, slots, confirmed, digits, later, noInput }: DialogueState): string {
  return JSON.stringify([pending, flow, slots, confirmed, digits, later, noInput]);
}

const READ_BACK: ReadonlySet<DialogueState['pending']['kind']> = new Set(['confirm-flow', 'confirm-slot']);

/** What can be done here, and a person, said once; in the middle of a question the question as it is asked who did not understand it. */
function askDifferently(draft: TurnDraft): void {
  if (READ_BACK.has(draft.state.pending.kind)) return; // what is read back is said in one way
  draft.dropLastQuestion();
  if (draft.state.pending.kind === 'open') return draft.stock('help', { examples: examplesText(draft) });
  draft.set({ attempts: draft.state.attempts + 1 });
  questionOf(draft);
}
