import { Anchor, Text, VisuallyHidden } from '@mantine/core';
import { IconDeviceLandlinePhone } from '@tabler/icons-react';
import { type CSSProperties, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Ltr } from '../../parts/text.tsx';
import { useWho } from '../../session/session.tsx';
import { StatusBadge } from '../agents/status-badge.tsx';
import { LightSign } from './light.tsx';
import classes from './map.module.css';
import { GAP, type Line, layOut } from './model/map-layout.ts';
import { placesCalls, takesCalls, trunkState } from './model/trunk-state.ts';
import { NumberMenu } from './number-menu.tsx';
import type { Agent, NumberEntry, Phone, Trunk } from './routing.ts';

type Sender =
  | { readonly kind: 'trunk'; readonly id: string; readonly trunk: Trunk }
  | { readonly kind: 'phones'; readonly id: 'phones'; readonly phones: readonly Phone[] };
/** What the pointer or the focus is on: its lines stand out. */
interface Picked {
  readonly kind: 'sender' | 'number' | 'agent';
  readonly id: string;
}

interface Props {
  readonly trunks: readonly Trunk[];
  readonly phones: readonly Phone[];
  readonly numbers: readonly NumberEntry[];
  readonly agents: readonly Agent[];
}

/** Who calls in, the numbers, and the agents that answer, with the lines between them. */
export function RouteMap({ trunks, phones, numbers, agents }: Props) {
  const { t } = useTranslation('numbers');
  const { may } = useWho();
  const [picked, setPicked] = useState<Picked>();
  const layout = useMemo(() => {
    const senders: Sender[] = trunks.map((trunk) => ({ kind: 'trunk', id: trunk.id, trunk }));
    if (phones.length > 0) senders.push({ kind: 'phones', id: 'phones', phones });
    const byName = [...agents].sort((one, other) => one.name.localeCompare(other.name)); // so that a change moves no card
    return layOut(senders, numbers, byName);
  }, [trunks, phones, numbers, agents]);
  const agentOf = new Map(agents.map((agent) => [agent.id, agent]));
  const isLive = (id: string | undefined): boolean => id !== undefined && agentOf.get(id)?.status === 'live';
  const agentOfLine = new Map([
    ...layout.numbers.map(({ of }) => [of.number, of.agent_id] as const),
    ...layout.more.map(({ of }) => [`${of.id} more`, of.id] as const),
  ]);
  const off = new Set(numbers.filter(({ enabled }) => !enabled).map(({ number }) => number));
  const on = (kind: Picked['kind'], id: string) => ({
    ...{ onPointerEnter: () => setPicked({ kind, id }), onPointerLeave: () => setPicked(undefined) },
    ...{ onFocus: () => setPicked({ kind, id }), onBlur: () => setPicked(undefined) },
  });
  const isShown = (key: string): boolean =>
    picked?.kind === 'number' ? picked.id === key : picked?.kind === 'agent' && agentOfLine.get(key) === picked.id;
  const numberLine = (line: Line) => ({
    line,
    isShown: isShown(line.key),
    isBroken: !isLive(agentOfLine.get(line.key)) || off.has(line.key),
  });
  const senderLine = (line: Line) => {
    const sender = layout.senders.find(({ of }) => of.id === line.key)?.of;
    const isIn = sender?.kind !== 'trunk' || (sender.trunk.enabled && takesCalls(sender.trunk.definition));
    return { line, isBroken: !isIn, isShown: picked?.kind === 'sender' && picked.id === line.key };
  };
  return (
    <div className={classes['map']} style={{ '--height': `${layout.height}px` } as CSSProperties}>
      <div className={classes['column']}>
        <Head>{t('map.senders')}</Head>
        <ul className={classes['cards']} aria-label={t('map.senders')}>
          {layout.senders.map(({ of, top }) => (
            <li key={of.id} className={classes['card']} data-kind="sender" style={at(top)} {...on('sender', of.id)}>
              {of.kind === 'trunk' ? <TrunkCard trunk={of.trunk} /> : <PhonesCard phones={of.phones} />}
            </li>
          ))}
          {layout.senders.length === 0 && (
            <li className={classes['nobody']}>
              <Text size="sm" c="dimmed">
                {t('map.nobody')}
              </Text>
              {may('account') && (
                <Anchor component={Link} to="/numbers?tab=connect" size="sm">
                  {t('map.connect')}
                </Anchor>
              )}
            </li>
          )}
        </ul>
      </div>
      <Lines width={GAP.senders} height={layout.height} lines={layout.fromSenders.map(senderLine)}>
        {layout.toNumbers.map((line) => (
          <Curve key={line.key} {...numberLine(line)} />
        ))}
        {layout.senders.length > 0 && layout.toNumbers.length > 0 && (
          <circle cx={layout.hub.x} cy={layout.hub.y} r={5} className={classes['hub']} />
        )}
      </Lines>
      <div className={classes['column']}>
        <Head>{t('map.numbers')}</Head>
        <ul className={classes['cards']} aria-label={t('map.numbers')}>
          {layout.numbers.map(({ of, top }) => (
            <li
              key={of.number}
              className={classes['card']}
              data-kind="number"
              style={at(top)}
              {...on('number', of.number)}
            >
              <span className={classes['text']}>
                <Ltr>{of.number}</Ltr>
                <span className={classes['answeredBy']}>
                  {t('map.answeredBy')} <bdi>{of.agent_name}</bdi>
                </span>
                {!of.enabled && <Off />}
              </span>
              <NumberMenu entry={of} agent={agentOf.get(of.agent_id)} />
            </li>
          ))}
          {layout.more.map(({ of, top, count }) => (
            <li key={of.id} className={classes['card']} data-kind="number" data-more style={at(top)}>
              <Anchor component={Link} to="/numbers?tab=numbers" size="sm">
                {t('map.more', { count })}
                <VisuallyHidden> {of.name}</VisuallyHidden>
              </Anchor>
            </li>
          ))}
          {layout.numbers.length === 0 && (
            <li className={classes['nobody']}>
              <Text size="sm" c="dimmed">
                {t('map.noNumbers')}
              </Text>
            </li>
          )}
        </ul>
      </div>
      <Lines width={GAP.agents} height={layout.height} lines={layout.toAgents.map(numberLine)} />
      <div className={classes['column']}>
        <Head>{t('map.agents')}</Head>
        <ul className={classes['cards']} aria-label={t('map.agents')}>
          {layout.agents.map(({ of, top }) => (
            <li key={of.id} className={classes['card']} data-kind="agent" style={at(top)} {...on('agent', of.id)}>
              <span className={classes['text']}>
                <Anchor component={Link} to={`/agents/${of.id}`} size="sm" fw={600} className={classes['cut']}>
                  <bdi>{of.name}</bdi>
                </Anchor>
                {of.numbers.length === 0 && <span className={classes['small']}>{t('map.noNumber')}</span>}
              </span>
              <StatusBadge status={of.status} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

const at = (top: number): CSSProperties => ({ '--top': `${top}px` }) as CSSProperties;

function Head({ children }: { children: string }) {
  return (
    <Text size="sm" c="dimmed" mb="xs" aria-hidden>
      {children}
    </Text>
  );
}

function TrunkCard({ trunk }: { trunk: Trunk }) {
  const { t } = useTranslation('numbers');
  const { light, hosts } = trunkState(trunk.status);
  const answerMs = hosts.find((host) => host.answerMs !== undefined)?.answerMs;
  const [comesIn, goesOut] = [takesCalls(trunk.definition), placesCalls(trunk.definition)];
  const way = comesIn && goesOut ? 'both' : comesIn ? 'in' : 'out';
  return (
    <span className={classes['text']}>
      <Anchor component={Link} to="/numbers?tab=trunks" size="sm" fw={600} className={classes['cut']}>
        <bdi>{trunk.name}</bdi>
      </Anchor>
      <span className={classes['small']}>
        {trunk.enabled ? <LightSign light={light} answerMs={answerMs} /> : <Off />} · {t(`map.ways.${way}`)}
      </span>
    </span>
  );
}

function PhonesCard({ phones }: { phones: readonly Phone[] }) {
  const { t } = useTranslation('numbers');
  const count = phones.filter(({ contacts }) => contacts.length > 0).length;
  return (
    <>
      <IconDeviceLandlinePhone size={20} stroke={1.6} aria-hidden />
      <span className={classes['text']}>
        <Anchor component={Link} to="/numbers?tab=phones" size="sm" fw={600}>
          {t('tabs.phones')}
        </Anchor>
        <span className={classes['small']}>{t('map.phonesHere', { count, of: phones.length })}</span>
      </span>
    </>
  );
}

interface Drawn {
  readonly line: Line;
  readonly isShown: boolean;
  /** No call takes it now. */
  readonly isBroken: boolean;
}

/** Kept, and takes no calls. */
function Off() {
  const { t } = useTranslation('numbers');
  return (
    <Text span size="xs" fw={600} c="orange.8">
      {t('off.state')}
    </Text>
  );
}

function Lines(props: { width: number; height: number; lines: readonly Drawn[]; children?: React.ReactNode }) {
  const { width, height, lines, children } = props;
  return (
    <svg className={classes['lines']} width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden>
      {lines.map((drawn) => (
        <Curve key={drawn.line.key} {...drawn} />
      ))}
      {children}
    </svg>
  );
}

function Curve({ line, isShown, isBroken }: Drawn) {
  return <path d={line.d} className={classes['line']} data-shown={isShown} data-broken={isBroken} />;
}
