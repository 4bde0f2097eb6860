import { Alert, Badge, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAsk } from '../../api/hooks.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { Section } from '../../parts/page.tsx';
import { Shown } from '../../parts/states.tsx';
import { CopyIcon, Ltr } from '../../parts/text.tsx';
import { type Ladder, ladderOf, type Rung } from './ladder.ts';
import classes from './ladder-card.module.css';

/** The SIP messages of a call: who sent what to whom, when, and each in full. */
export function LadderCard({ callId }: { callId: string }) {
  const { t } = useTranslation('call');
  const asked = useAsk('getCallLadder', { params: { id: callId } });
  return (
    <Section title={t('ladder.title')}>
      <Shown of={asked}>
        {({ items }) =>
          items.some(({ messages }) => messages.length > 0) ? (
            <Drawn ladder={ladderOf(items)} />
          ) : (
            <Text size="sm" c="dimmed">
              {t('ladder.none')}
            </Text>
          )
        }
      </Shown>
    </Section>
  );
}

function Drawn({ ladder }: { ladder: Ladder }) {
  const { t } = useTranslation('call');
  const [picked, setPicked] = useState(ladder.rungs[0]?.key);
  const message = ladder.rungs.find(({ key }) => key === picked);
  return (
    <div className={classes['split']}>
      <Rungs ladder={ladder} picked={picked} onPick={setPicked} />
      {message && (
        <section className={classes['message']} dir="ltr" aria-label={t('ladder.message')}>
          <Group justify="space-between" wrap="nowrap" gap="xs" mb={4}>
            <Group gap="xs" miw={0}>
              <Text size="xs" c="dimmed" className={classes['peer']}>
                {message.peer}
              </Text>
              {message.isAgain && <Badge color="orange">{t('ladder.again')}</Badge>}
            </Group>
            <CopyIcon value={wholeOf(message)} />
          </Group>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by keyboard. */}
          <pre tabIndex={0}>{wholeOf(message)}</pre>
        </section>
      )}
    </div>
  );
}

const wholeOf = ({ line, text }: Rung): string => `${line}\n${text}`.trimEnd();

const [COLUMN, ROW, EDGE, TOP] = [170, 30, 88, 40];

function Rungs({
  ladder,
  picked,
  onPick,
}: {
  ladder: Ladder;
  picked: string | undefined;
  onPick: (key: string) => void;
}) {
  const { t } = useTranslation('call');
  const { columns, rungs } = ladder;
  const width = EDGE * 2 + (columns.length - 1) * COLUMN;
  const xOf = (column: number): number => EDGE + column * COLUMN;
  const skipped = rungs.reduce((sum, rung) => sum + rung.skipped, 0);
  return (
    <div className={classes['scroll']} dir="ltr">
      <div className={classes['ladder']} style={{ width, height: TOP + rungs.length * ROW + 12 }}>
        <svg width={width} height={TOP + rungs.length * ROW + 12} aria-hidden>
          {columns.map(({ name, isGateway }, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name that is theirs alone.
            <g key={n}>
              <text
                x={xOf(n)}
                y={16}
                textAnchor="middle"
                className={classes['name']}
                data-gateway={isGateway || undefined}
              >
                {isGateway ? 'Nidaa' : name || t('ladder.unknown')}
              </text>
              <line x1={xOf(n)} x2={xOf(n)} y1={26} y2={TOP + rungs.length * ROW + 6} className={classes['rail']} />
            </g>
          ))}
          {rungs.map((rung, n) => (
            <Arrow key={rung.key} rung={rung} from={xOf(rung.from)} to={xOf(rung.to)} y={TOP + n * ROW + ROW - 8} />
          ))}
        </svg>
        {rungs.map((rung, n) => (
          <RungButton
            key={rung.key}
            {...{ rung, onPick }}
            isPicked={rung.key === picked}
            top={TOP + n * ROW}
            start={Math.min(xOf(rung.from), xOf(rung.to))}
            width={Math.abs(xOf(rung.to) - xOf(rung.from))}
          />
        ))}
      </div>
      {skipped > 0 && (
        <Alert color="gray" mt="xs" p="xs">
          {t('ladder.skipped', { count: skipped })}
        </Alert>
      )}
    </div>
  );
}

function Arrow({ rung, from, to, y }: { rung: Rung; from: number; to: number; y: number }) {
  const way = to > from ? -1 : 1;
  return (
    <g className={classes['arrow']} data-grade={rung.grade} data-again={rung.isAgain || undefined}>
      <line x1={from} x2={to} y1={y} y2={y} />
      <polygon points={`${to},${y} ${to + way * 8},${y - 4} ${to + way * 8},${y + 4}`} />
    </g>
  );
}

interface RungProps {
  readonly rung: Rung;
  readonly isPicked: boolean;
  readonly top: number;
  readonly start: number;
  readonly width: number;
  readonly onPick: (key: string) => void;
}

function RungButton({ rung, isPicked, top, start, width, onPick }: RungProps) {
  const { t } = useTranslation('call');
  const format = useFormat();
  const seconds = format.number(rung.ms / 1_000, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
  return (
    <button
      type="button"
      className={classes['rung']}
      style={{ insetBlockStart: top, height: ROW }}
      aria-pressed={isPicked}
      onClick={() => onPick(rung.key)}
    >
      <span className={`figures ${classes['time']}`}>
        <Ltr>{seconds}</Ltr>
      </span>
      <span className={classes['label']} style={{ insetInlineStart: start, width }} data-grade={rung.grade}>
        {rung.label}
        {rung.grade !== 'request' && rung.of !== '' && <small> {rung.of}</small>}
        {rung.hasSdp && <small className={classes['sdp']}>SDP</small>}
        {rung.isAgain && <small>{t('ladder.againShort')}</small>}
      </span>
    </button>
  );
}
