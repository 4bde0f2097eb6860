import { Anchor, Badge, Text } from '@mantine/core';
import { IconPhoneIncoming, IconPhoneOutgoing } from '@tabler/icons-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Ltr } from '../../parts/text.tsx';
import { otherSide } from '../call/actions.tsx';
import { endGrade } from '../call/ends.ts';
import { Clock } from './clock.tsx';
import type { LevelHub } from './level-hub.ts';
import { LevelStrip, type StripColours } from './level-strip.tsx';
import type { LiveRow } from './live-book.ts';
import classes from './live-row.module.css';

interface Props {
  readonly row: LiveRow;
  readonly hub: LevelHub;
  readonly colours: StripColours | undefined;
  readonly isOpen: boolean;
  readonly onOpen: (id: string) => void;
}

const COLUMNS = 48;
const HEIGHT = 32;

/** One call: drawn anew only where something of it is new; its meter and its clock draw themselves. */
export const LiveCallRow = memo(function LiveCallRow({ row, hub, colours, isOpen, onOpen }: Props) {
  const { t } = useTranslation('live');
  const isIn = row.direction === 'inbound';
  const Icon = isIn ? IconPhoneIncoming : IconPhoneOutgoing;
  const number = otherSide(row) || t('unknown');
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the link in it is for keys, the rest of the row for mice.
    <li
      className={classes['row']}
      data-over={row.end !== undefined || undefined}
      data-open={isOpen || undefined}
      onClick={() => onOpen(row.id)}
    >
      <div className={classes['who']}>
        <Icon size={18} role="img" aria-label={t(`directions.${row.direction}`)} className={classes['way']} />
        <div className={classes['names']}>
          <Anchor
            component={Link}
            to={`?call=${row.id}`}
            replace
            fw={600}
            onClick={(event) => event.stopPropagation()}
            aria-label={t('open', { number: `\u2066${number}\u2069`, agent: `\u2068${row.agent}\u2069` })}
          >
            <Ltr>{number}</Ltr>
          </Anchor>
          <Text size="xs" c="dimmed" truncate>
            <bdi>{row.agent}</bdi>
          </Text>
        </div>
      </div>
      <div className={classes['meter']}>
        <LevelStrip {...{ hub, colours, callId: row.id, columns: COLUMNS, height: HEIGHT }} />
      </div>
      <Words row={row} />
      <div className={classes['state']}>
        <CallState row={row} />
      </div>
      <Text fw={600} component="div" className={classes['timer']}>
        <Clock since={row.answeredAt ?? row.startedAt} until={row.end?.atMs} />
      </Text>
    </li>
  );
});

/** Rings, is talked on, or how it ended. */
export function CallState({ row }: { row: Pick<LiveRow, 'answeredAt' | 'end'> }) {
  const { t } = useTranslation('live');
  const { t: ofCall } = useTranslation('call');
  if (row.end) {
    const { reason } = row.end;
    const colour = { good: 'nidaa', quiet: 'gray', slow: 'orange', bad: 'red' }[endGrade(reason)];
    return <Badge color={colour}>{ofCall(`ends.${reason as 'busy'}`, { defaultValue: reason || t('over') })}</Badge>;
  }
  if (row.answeredAt === null) return <Badge color="gray">{t('rings')}</Badge>;
  return (
    <Badge color="nidaa" leftSection={<span className={classes['pulse']} />}>
      {t('talking')}
    </Badge>
  );
}

/** What is being said, dimmed; else what was said last. */
function Words({ row: { interim, last } }: { row: LiveRow }) {
  const { t } = useTranslation('live');
  const role = interim ? 'caller' : last?.role;
  const text = interim || last?.text;
  return (
    <div className={classes['words']} data-interim={interim !== '' || undefined}>
      {role && (
        <Text span size="xs" className={classes['role']} data-role={role}>
          {t(`roles.${role}`)}
        </Text>
      )}
      <Text size="sm" lineClamp={2}>
        <bdi>{text}</bdi>
      </Text>
    </div>
  );
}
