import { Anchor, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Call } from '../../api/generated/operations.ts';
import { Section } from '../../parts/page.tsx';
import { labelIn } from './outcome.ts';
import { OutcomeBadge } from './outcome-name.tsx';
import { Fact, Facts } from './side-cards.tsx';

/** What came of the call, where its agent has that written down; a value leads to the words that it rests on. */
export function OutcomeCard({ call, onSeek }: { call: Call; onSeek: (ms: number) => void }) {
  const { t, i18n } = useTranslation('call');
  const { outcome, summary, fields, analysis, turns } = call;
  if (outcome === null && summary === null && fields.length === 0) return null;
  return (
    <Section title={t('outcome.title')} aside={<OutcomeBadge call={call} />}>
      {summary && (
        <Text size="sm" dir="auto" mb={fields.length > 0 ? 'xs' : 0}>
          {summary}
        </Text>
      )}
      {fields.length > 0 && (
        <Facts>
          {fields.map(({ name, label, value, turn, words }) => {
            const at = turns.find(({ index }) => index === turn)?.started_ms;
            return (
              <Fact key={name} name={<bdi>{labelIn(label, i18n.language) ?? name}</bdi>} isFigure={false}>
                <bdi>{value}</bdi>
                {at !== undefined && (
                  <Anchor
                    component="button"
                    size="xs"
                    c="dimmed"
                    display="block"
                    ms="auto"
                    onClick={() => onSeek(at)}
                    aria-label={t('outcome.listen', { words })}
                  >
                    <bdi>“{words}”</bdi>
                  </Anchor>
                )}
              </Fact>
            );
          })}
        </Facts>
      )}
      {analysis?.state === 'pending' && (
        <Text size="xs" c="dimmed" mt="xs">
          {t('outcome.pending')}
        </Text>
      )}
    </Section>
  );
}
