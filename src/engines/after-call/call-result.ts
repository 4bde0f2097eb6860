import type { AgentDefinition, OutcomeDefinition } from '../../core/agent.ts';
import type { CallResult } from '../../core/call-result.ts';
import type { CallTally, Goal } from './call-tally.ts';

/** How a call ended, as its record has it. */
export interface CallEnding {
  readonly party: string;
  readonly reason: string;
  readonly answeredBy?: string | null;
  readonly transfers?: readonly { readonly outcome: string }[] | null;
}

/** Ends that nobody wanted. */
const FAULTS = new Set([
  ...['internal', 'engine-failed', 'media-failed', 'media-timeout', 'signalling-lost', 'ack-timeout'],
  ...['session-expired', 'interrupted', 'shutdown', 'credit-exhausted'],
]);
const THROUGH = new Set(['joined', 'transferred']);

/** What an answered call came to. */
export function resultOf(tally: CallTally, { party, reason, answeredBy, transfers }: CallEnding): CallResult {
  if (answeredBy === 'machine') return 'machine';
  if (reason === 'transferred' || transfers?.some(({ outcome }) => THROUGH.has(outcome))) return 'transferred';
  if (tally.goals.length > 0) return 'done';
  if (FAULTS.has(reason)) return 'failed';
  if (tally.sentOn) return 'unreached';
  const byCaller = party === 'caller' || party === 'callee';
  if (tally.open !== undefined && byCaller) return 'hung-up';
  if (tally.begun.length > 0) return 'given-up';
  if (tally.questions.length > 0) return 'answered';
  if (tally.said === 0) return 'nothing-said';
  if (tally.judged === 0) return 'answered'; // by a model that speaks for itself
  if (tally.understood === 0) return 'not-understood';
  return byCaller ? 'hung-up' : 'given-up';
}

/** What was done of all that was: the last that changes something, which is what is read back, else the last. */
export function mainGoal({ goals }: CallTally, { flows = [] }: AgentDefinition): Goal | undefined {
  const readsBack = (name: string): boolean => flows.some((flow) => flow.name === name && flow.confirm !== undefined);
  return goals.findLast(({ flow }) => readsBack(flow)) ?? goals.at(-1);
}

/** The first of the agent's outcomes that holds. */
export function outcomeOf(
  outcomes: readonly OutcomeDefinition[],
  facts: { readonly goal: Goal | undefined; readonly meant: readonly string[]; readonly result: CallResult },
): OutcomeDefinition | undefined {
  return outcomes.find(({ done, meant, result }) => {
    if (!done && !meant && !result) return false;
    if (done && !(facts.goal && done.includes(facts.goal.flow))) return false;
    if (meant && !meant.some((name) => facts.meant.includes(name))) return false;
    return !result || result.includes(facts.result);
  });
}
