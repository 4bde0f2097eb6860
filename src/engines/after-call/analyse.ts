import type { AgentDefinition, FieldDefinition } from '../../core/agent.ts';
import type { AnalysedField, CallAnalysis } from '../../core/call-analysis.ts';
import { type CallEnding, mainGoal, outcomeOf, resultOf } from './call-result.ts';
import { CallTally, type Goal, type HeldValue, type ToldTurn } from './call-tally.ts';
import { summaryOf } from './summary.ts';

/**
 * What the agent wants written down of a call that is over, by what its dialogue did: no model is asked, and nothing is
 * waited for. Undefined where the agent wants nothing. Pure.
 */
export function analysisOf(
  definition: AgentDefinition,
  tally: CallTally,
  ending: CallEnding,
): CallAnalysis | undefined {
  const { afterCall } = definition;
  if (!afterCall) return undefined;
  const { outcomes = [], fields = [], summary = false } = afterCall;
  const result = resultOf(tally, ending);
  const goal = mainGoal(tally, definition);
  const outcome = outcomeOf(outcomes, { goal, meant: tally.meant, result });
  return {
    outcome: outcome?.name ?? result,
    ...(outcome?.label && { label: outcome.label }),
    ...(summary && { summary: summaryOf(definition, tally, { result, goal }) }),
    fields: fields.flatMap((field) => fieldOf(field, tally, goal)),
    by: 'dialogue',
  };
}

/** The same of turns on record. */
export function analysisOfTurns(
  definition: AgentDefinition,
  turns: readonly ToldTurn[],
  ending: CallEnding,
): CallAnalysis | undefined {
  const tally = new CallTally(definition);
  for (const turn of turns) tally.add(turn);
  return analysisOf(definition, tally, ending);
}

/** What was done counts first, the latest first; then what was agreed of something that was not done. */
function fieldOf(
  { name, from = name, label }: FieldDefinition,
  tally: CallTally,
  main: Goal | undefined,
): AnalysedField[] {
  const sources = [...(main ? [main] : []), ...tally.goals.toReversed()].map(({ values }) => values);
  const found = [...sources, tally.confirmed]
    .map((values) => ownOf(values, from))
    .find((one) => one && one.value !== '');
  return found ? [{ name, ...(label && { label }), ...found }] : [];
}

function ownOf(values: Readonly<Record<string, HeldValue>>, name: string): HeldValue | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
