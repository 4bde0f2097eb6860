import { Badge, Text, Tooltip } from '@mantine/core';
import { IconDialpad, IconFileText, IconPlayerTrackNext, IconTool } from '@tabler/icons-react';
import { memo, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallTurn } from '../../api/generated/operations.ts';
import { isolated } from '../../i18n/isolated.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { Ltr } from '../../parts/text.tsx';
import { scaleOf } from './answer-times.ts';
import classes from './conversation.module.css';
import { LatencyBar } from './latency-bar.tsx';

interface Props {
  readonly turns: readonly CallTurn[]; // in time
  readonly agent: string;
  readonly activeTurn: number | undefined;
  readonly isPlaying: boolean;
  readonly isLive: boolean;
  readonly onSeek: (ms: number) => void;
}

const LONG = 100;

/** What was said, who said it, how it was taken, and how long each answer took. */
export function Conversation({ turns, agent, activeTurn, isPlaying, isLive, onSeek }: Props) {
  const { t } = useTranslation('call');
  const list = useRef<HTMLOListElement>(null);
  const scaleMs = scaleOf(turns.flatMap(({ latency_ms }) => latency_ms ?? []));
  // The list scrolls to what is heard, within itself: the page stays where it is.
  useEffect(() => {
    const box = list.current;
    if (!box || activeTurn === undefined || !(isPlaying || isLive)) return;
    const row = box.querySelector<HTMLElement>(`[data-turn="${activeTurn}"]`);
    if (!row) return;
    const [top, bottom] = [row.offsetTop, row.offsetTop + row.offsetHeight];
    if (top < box.scrollTop) box.scrollTop = top - 8;
    else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight + 8;
  }, [activeTurn, isPlaying, isLive]);
  return (
    <ol
      ref={list}
      className={classes['list']}
      aria-label={t('conversation')}
      data-long={turns.length > LONG || undefined}
      aria-live={isLive ? 'polite' : undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by keyboard.
      tabIndex={0}
    >
      {turns.map((turn) => (
        <Turn key={turn.index} {...{ turn, agent, scaleMs, onSeek }} isActive={turn.index === activeTurn} />
      ))}
    </ol>
  );
}

interface TurnProps {
  readonly turn: CallTurn;
  readonly agent: string;
  readonly scaleMs: number;
  readonly isActive: boolean;
  readonly onSeek: (ms: number) => void;
}

const Turn = memo(function Turn({ turn, agent, scaleMs, isActive, onSeek }: TurnProps) {
  const { t } = useTranslation('call');
  const format = useFormat();
  const { role, text, unheard, started_ms, latency_ms, stages } = turn;
  return (
    <li className={classes['turn']} data-turn={turn.index} data-role={role} aria-current={isActive || undefined}>
      <button
        type="button"
        className={`figures ${classes['time']}`}
        onClick={() => onSeek(started_ms)}
        aria-label={t('playFrom', { time: format.clock(started_ms, 1) })}
      >
        <Ltr>{format.clock(started_ms, 1)}</Ltr>
      </button>
      <div className={classes['said']}>
        <Text size="sm" fw={600} className={classes['who']} component="div">
          {role === 'agent' ? <bdi>{agent}</bdi> : t(`roles.${role}`)}
          {turn.heard_by === 'person' && ` · ${t('toPerson')}`}
        </Text>
        <Text component="div" className={classes['words']}>
          <bdi>{text}</bdi>
          {unheard && (
            <>
              {' '}
              <Tooltip label={t('notes.unheard')}>
                <del className={classes['unheard']}>
                  <bdi>{unheard}</bdi>
                </del>
              </Tooltip>
            </>
          )}
        </Text>
        <Notes turn={turn} />
      </div>
      <div className={classes['answer']}>
        {latency_ms !== null && <LatencyBar latencyMs={latency_ms} stages={stages} scaleMs={scaleMs} />}
      </div>
    </li>
  );
});

const UNSURE = 0.5;

/** What was made of a turn. */
function Notes({ turn }: { turn: CallTurn }) {
  const { t } = useTranslation('call');
  const format = useFormat();
  const {
    input,
    understood,
    confidence,
    tools = [],
    documents = [],
    withheld = {},
    action,
    interrupted_ms,
    hedge,
  } = turn;
  const meant = turn.meant?.filter((one) => !one.startsWith('document:')) ?? [];
  const kinds = Object.keys(withheld);
  const isUnsure = confidence !== undefined && confidence < UNSURE && input !== 'keypad';
  const marks = [input === 'keypad', understood === false, isUnsure, meant[0], tools[0], documents[0], kinds[0]];
  if (![...marks, action, interrupted_ms, hedge].some((one) => one !== undefined && one !== false)) return null;
  return (
    <div className={classes['notes']}>
      {input === 'keypad' && (
        <Badge color="gray" leftSection={<IconDialpad size={12} />}>
          {t('notes.keypad')}
        </Badge>
      )}
      {meant.map((one) => (
        <Badge key={one} color="gray" variant="outline">
          <Ltr>{one.replace(/^intent:/, '')}</Ltr>
        </Badge>
      ))}
      {understood === false && <Badge color="orange">{t('notes.notUnderstood')}</Badge>}
      {isUnsure && <span>{t('notes.unsure', { share: format.percent(confidence) })}</span>}
      {tools.map(({ tool, outcome, ms }) => (
        <span key={`${tool}${ms}`} data-bad={outcome !== 'ok' || undefined}>
          <IconTool size={13} aria-hidden /> <Ltr mono>{tool}</Ltr> {format.span(ms)}
          {outcome !== 'ok' && ` · ${outcome}`}
        </span>
      ))}
      {documents.map((one) => (
        <Passage key={`${one.id}${one.quote}`} passage={one} />
      ))}
      {kinds.length > 0 && <span>{t('notes.withheld', { kinds: format.list(kinds) })}</span>}
      {hedge && <span>{t('notes.hedge', { ...hedge })}</span>}
      {interrupted_ms !== undefined && <span data-bad>{t('notes.interrupted')}</span>}
      {(action === 'transfer' || action === 'hangup') && (
        <span>
          <IconPlayerTrackNext size={13} aria-hidden className={classes['turns']} /> {t(`notes.${action}`)}
        </span>
      )}
    </div>
  );
}

/** Which document the answer was quoted from, or a model had to read; its lines, when pointed at. */
function Passage({ passage }: { passage: NonNullable<CallTurn['documents']>[number] }) {
  const { t } = useTranslation('call');
  const { number, percent } = useFormat();
  const { name, page, score, quote, said } = passage;
  return (
    <Tooltip
      label={<bdi dir="auto">{quote}</bdi>}
      multiline
      maw={420}
      events={{ hover: true, focus: true, touch: true }}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the lines are shown to who comes by keyboard too */}
      <span tabIndex={0}>
        <IconFileText size={13} aria-hidden />{' '}
        {t(said ? 'notes.fromDocument' : 'notes.readByModel', { name: isolated(name) })}
        {page > 1 && ` · ${t('notes.page', { number: number(page) })}`} · {t('notes.sure', { share: percent(score) })}
      </span>
    </Tooltip>
  );
}
