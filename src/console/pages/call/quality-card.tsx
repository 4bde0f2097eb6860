import { Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Call } from '../../api/generated/operations.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { Section } from '../../parts/page.tsx';
import { Ltr } from '../../parts/text.tsx';
import { mosGrade, qualityOf } from './quality.ts';
import classes from './quality-card.module.css';
import { Fact, Facts } from './side-cards.tsx';

/** How well both sides heard each other. */
export function QualityCard({ call }: { call: Call }) {
  const { t } = useTranslation('call');
  const format = useFormat();
  const quality = qualityOf(call.quality);
  if (!quality) return null;
  const { mos, lossPercent, jitterMs, roundTripMs, remoteLossPercent, codec, srtpSuite, packets } = quality;
  const percent = (value: number): string => format.percent(value / 100, 1);
  return (
    <Section
      title={t('quality.title')}
      aside={
        codec && (
          <Text size="sm" c="dimmed">
            <Ltr>{srtpSuite ? `${codec} · SRTP` : codec}</Ltr>
          </Text>
        )
      }
    >
      {packets.received === 0 ? (
        <Text size="sm" c="dimmed">
          {t('quality.nothing')}
        </Text>
      ) : (
        <>
          <Group justify="space-between" align="baseline" mb={4}>
            <Text size="xl" fw={600} className="figures" data-grade={mosGrade(mos)}>
              {format.number(mos, { minimumFractionDigits: 1, maximumFractionDigits: 1 })}
              <Text span size="sm" c="dimmed" fw={400}>
                {' '}
                MOS · {t(`quality.grades.${mosGrade(mos)}`)}
              </Text>
            </Text>
          </Group>
          <div className={classes['scale']} aria-hidden dir="ltr">
            <span data-grade={mosGrade(mos)} style={{ width: `${((mos - 1) / 3.5) * 100}%` }} />
          </div>
          <Facts>
            <Fact name={t('quality.loss')}>{percent(lossPercent)}</Fact>
            <Fact name={t('quality.jitter')}>{format.span(jitterMs)}</Fact>
            {roundTripMs !== undefined && <Fact name={t('quality.roundTrip')}>{format.span(roundTripMs)}</Fact>}
            {remoteLossPercent !== undefined && (
              <Fact name={t('quality.remoteLoss')}>{percent(remoteLossPercent)}</Fact>
            )}
            <Fact name={t('quality.packets')}>
              <Ltr>
                {format.number(packets.received)} / {format.number(packets.sent)}
              </Ltr>
            </Fact>
          </Facts>
        </>
      )}
    </Section>
  );
}
