import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Labels, labelIn, outcomeGrade, type Result } from './outcome.ts';

interface Outcome {
  readonly outcome: string | null;
  readonly outcome_label?: Labels;
}

/** How an outcome is called: as its agent calls it, else by what it is. */
export function useOutcomeName(): (call: Outcome) => string {
  const { t, i18n } = useTranslation('call');
  return ({ outcome, outcome_label }) =>
    labelIn(outcome_label, i18n.language) ?? t(`results.${outcome as Result}`, { defaultValue: outcome ?? '' });
}

const COLOURS = { good: 'nidaa', quiet: 'gray', slow: 'orange', bad: 'red' } as const;

export function OutcomeBadge({ call }: { call: Outcome }) {
  const nameOf = useOutcomeName();
  if (call.outcome === null) return null;
  return (
    <Badge color={COLOURS[outcomeGrade(call.outcome)]} variant="light">
      <bdi>{nameOf(call)}</bdi>
    </Badge>
  );
}
