import { Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Call } from '../../api/generated/operations.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { Section } from '../../parts/page.tsx';
import { Ltr } from '../../parts/text.tsx';
import { mosGrade, type QualityStrip, qualityOf, qualityStrip } from './quality.ts';
import classes from './quality-card.module.css';
import { Fact, Facts } from './side-cards.tsx';

/** How well both sides heard each other. */
export function QualityCard({ call, onSeek }: { call: Call; onSeek: (ms: number) => void }) {
  const { t } = useTranslation('call');
  const format = useFormat();
  const quality = qualityOf(call.quality);
  if (!quality) return null;
  const { mos, lossPercent, jitterMs, roundTripMs, remoteLossPercent, codec, srtpSuite, packets, outer } = quality;
  const strip = qualityStrip(call.quality_over_time);
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
          {strip ? (
            <Strip strip={strip} onSeek={onSeek} />
          ) : (
            <div className={classes['scale']} aria-hidden dir="ltr">
              <span data-grade={mosGrade(mos)} style={{ width: `${((mos - 1) / 3.5) * 100}%` }} />
            </div>
          )}
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
          {outer && (
            <>
              <Text size="sm" fw={600} mt="md" mb={4}>
                {t('quality.outer')}
              </Text>
              <Facts>
                <Fact name={t('quality.mos')}>
                  <span data-grade={mosGrade(outer.mos)}>
                    {format.number(outer.mos, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} ·{' '}
                    {t(`quality.grades.${mosGrade(outer.mos)}`)}
                  </span>
                </Fact>
                <Fact name={t('quality.loss')}>{percent(outer.lossPercent)}</Fact>
                <Fact name={t('quality.jitter')}>{format.span(outer.jitterMs)}</Fact>
                {outer.roundTripMs !== undefined && (
                  <Fact name={t('quality.roundTrip')}>{format.span(outer.roundTripMs)}</Fact>
                )}
              </Facts>
            </>
          )}
        </>
      )}
    </Section>
  );
}

const [WIDTH, HEIGHT] = [300, 56];

/** MOS as a line, what was lost as bars below it. A click goes there. */
function Strip({ strip, onSeek }: { strip: QualityStrip; onSeek: (ms: number) => void }) {
  const { t } = useTranslation('call');
  const format = useFormat();
  const { lines, losses, worst, untilMs } = strip;
  const figure = format.number(worst.mos, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const told = t('quality.worst', { mos: figure, time: format.clock(worst.atMs) });
  return (
    <>
      <button
        type="button"
        dir="ltr"
        className={classes['strip']}
        aria-label={`${t('quality.strip')}. ${told}`}
        onClick={({ currentTarget, clientX, detail }) => {
          const { left, width } = currentTarget.getBoundingClientRect();
          onSeek(detail === 0 ? worst.atMs : ((clientX - left) / width) * untilMs);
        }}
      >
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
          {losses.map(({ x, width, height, percent }) => (
            <rect
              key={x}
              x={x * WIDTH}
              width={Math.max(1, width * WIDTH - 1)}
              y={HEIGHT * (1 - height)}
              height={HEIGHT * height}
              data-grade={percent < 2 ? 'slow' : 'bad'}
            />
          ))}
          {lines.map((line) => (
            <polyline
              key={line[0]![0]}
              points={line.map(([x, y]) => `${x * WIDTH},${3 + y * (HEIGHT - 6)}`).join(' ')}
            />
          ))}
        </svg>
      </button>
      <Text size="xs" c="dimmed" mb="xs">
        {told}
      </Text>
    </>
  );
}
