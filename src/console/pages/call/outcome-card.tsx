import { Badge, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Call } from '../../api/generated/operations.ts';
import { Section } from '../../parts/page.tsx';
import { Ltr } from '../../parts/text.tsx';
import { analysisOf } from './analysis.ts';
import { Fact, Facts } from './side-cards.tsx';

/** What came of the call, where its agent has that written down. */
export function OutcomeCard({ call }: { call: Call }) {
  const { t } = useTranslation('call');
  const analysis = analysisOf(call);
  if (!analysis) return null;
  const { outcome, summary, fields } = analysis;
  return (
    <Section
      title={t('outcome.title')}
      aside={
        outcome && (
          <Badge>
            <bdi>{outcome}</bdi>
          </Badge>
        )
      }
    >
      {summary && (
        <Text size="sm" dir="auto" mb={fields.length > 0 ? 'xs' : 0}>
          {summary}
        </Text>
      )}
      {fields.length > 0 && (
        <Facts>
          {fields.map(({ name, value }) => (
            <Fact key={name} name={<Ltr>{name}</Ltr>} isFigure={false}>
              <bdi>{value}</bdi>
            </Fact>
          ))}
        </Facts>
      )}
    </Section>
  );
}
