import { Anchor, Text } from '@mantine/core';
import { IconMicrophone, IconPhoneIncoming, IconPhoneOutgoing } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ItemOf } from '../../api/hooks.ts';
import { useFormat } from '../../i18n/use-format.ts';
import type { Column } from '../../parts/data-table.tsx';
import { LiveDot } from '../../parts/live-dot.tsx';
import { Ltr } from '../../parts/text.tsx';
import { Ago } from '../../parts/when.tsx';
import { otherSide } from '../call/actions.tsx';
import { EndBadge } from '../call/call-head.tsx';
import { OutcomeBadge } from '../call/outcome-name.tsx';
import { useTalkMs } from '../call/use-live-call.ts';
import classes from './calls.module.css';
import { marked } from './filters.ts';

export type ListedCall = ItemOf<'listCalls'>;
type Columns = Readonly<
  Record<'who' | 'agent' | 'began' | 'said' | 'end' | 'outcome' | 'lasted' | 'cost' | 'sound', Column<ListedCall>>
>;

/** Every column that a list of calls may have. */
export function useCallColumns(search: string | undefined): Columns {
  const { t } = useTranslation('calls');
  const format = useFormat();
  return useMemo(
    () => ({
      who: { name: t('columns.who'), cell: (call) => <Who call={call} search={search} /> },
      agent: { name: t('columns.agent'), isExtra: true, cell: ({ agent }) => <bdi>{agent}</bdi> },
      began: { name: t('columns.began'), isExtra: true, cell: ({ started_at }) => <Ago iso={started_at} /> },
      said: { name: t('columns.said'), isExtra: true, cell: (call) => <LastWords call={call} /> },
      end: { name: t('columns.end'), isExtra: true, cell: (call) => <EndBadge call={call} /> },
      outcome: { name: t('columns.outcome'), isExtra: true, cell: (call) => <OutcomeBadge call={call} /> },
      lasted: { name: t('columns.lasted'), isFigure: true, cell: (call) => <Lasted call={call} /> },
      cost: { name: t('columns.cost'), isFigure: true, isExtra: true, cell: (call) => format.money(call.cost_cents) },
      sound: {
        ...{ name: t('columns.sound'), isBare: true, isExtra: true },
        cell: ({ recording }) =>
          recording === 'ready' ? (
            <IconMicrophone size={16} className={classes['sound']} role="img" aria-label={t('recorded')} />
          ) : null,
      },
    }),
    [t, format, search],
  );
}

export const columnsOf = (columns: Columns, names: readonly (keyof Columns)[]): Column<ListedCall>[] =>
  names.map((name) => columns[name]);

/** Which way and who, and where the page is narrow, when and by which agent. */
function Who({ call, search }: { call: ListedCall; search: string | undefined }) {
  const { t } = useTranslation('calls');
  const isIn = call.direction === 'inbound';
  const Icon = isIn ? IconPhoneIncoming : IconPhoneOutgoing;
  const { excerpt } = call;
  const at = excerpt ? `?t=${excerpt.started_ms / 1_000}` : '';
  return (
    <div className={classes['who']}>
      <Icon size={18} role="img" aria-label={t(`directions.${call.direction}`)} className={classes['way']} />
      <div>
        <Anchor component={Link} to={`/calls/${call.id}${at}`} fw={600} data-call>
          {call.ended_at === null && <LiveDot label={t('states.live')} inlineEnd="0.5rem" />}
          <Ltr>{otherSide(call) || t('unknown')}</Ltr>
        </Anchor>
        <div className={classes['below']}>
          <Text size="xs" c="dimmed">
            <bdi>{call.agent}</bdi> · <Ago iso={call.started_at} />
          </Text>
          <EndBadge call={call} /> <OutcomeBadge call={call} />
        </div>
        {excerpt && search !== undefined && <Excerpt text={excerpt.text} search={search} atMs={excerpt.started_ms} />}
      </div>
    </div>
  );
}

function Excerpt({ text, search, atMs }: { text: string; search: string; atMs: number }) {
  const format = useFormat();
  const pieces = marked(text, search);
  return (
    <Text size="sm" c="dimmed" className={classes['excerpt']} component="div">
      <Ltr>{format.clock(atMs)}</Ltr>{' '}
      <bdi>
        {pieces.map(({ text: piece, isHit }, n) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, which never move.
          isHit ? <mark key={n}>{piece}</mark> : <span key={n}>{piece}</span>,
        )}
      </bdi>
    </Text>
  );
}

function LastWords({ call }: { call: ListedCall }) {
  const words = call.last_words;
  if (!words) return null;
  return (
    <Text size="sm" dir="auto" lineClamp={1} className={classes['last']} data-role={words.role}>
      {words.text}
    </Text>
  );
}

function Lasted({ call }: { call: ListedCall }) {
  const format = useFormat();
  const talkMs = useTalkMs(call);
  return <>{call.answered_at === null ? '—' : format.clock(talkMs)}</>;
}
