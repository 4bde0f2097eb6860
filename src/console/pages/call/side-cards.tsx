import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Call } from '../../api/generated/operations.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { Noticed } from '../../parts/noticed.tsx';
import { Section } from '../../parts/page.tsx';
import { Ltr } from '../../parts/text.tsx';
import { costGroups, costOf } from './cost.ts';
import classes from './side-cards.module.css';

/** Names and what belongs to them, figures at the end of their line. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={classes['facts']}>{children}</dl>;
}

export function Fact({
  name,
  children,
  isFigure = true,
}: {
  name: ReactNode;
  children: ReactNode;
  isFigure?: boolean;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd data-figure={isFigure || undefined}>{children}</dd>
    </div>
  );
}

/** Where the call came from, by which rule, and its names elsewhere. */
export function RouteCard({ call }: { call: Call }) {
  const { t } = useTranslation('call');
  const { source, answered_by } = call;
  return (
    <Section title={t('route.title')}>
      <Facts>
        <Fact name={t('route.from')}>
          <Ltr>{call.from || '—'}</Ltr>
        </Fact>
        <Fact name={t('route.to')}>
          <Ltr>{call.to || '—'}</Ltr>
        </Fact>
        {source && (
          <Fact name={t('route.by')}>
            {t(`route.kinds.${source.kind as 'trunk'}`, { defaultValue: source.kind })}
            {source.name && (
              <>
                {' '}
                <bdi>{source.name}</bdi>
              </>
            )}
          </Fact>
        )}
        {answered_by && <Fact name={t('route.answeredBy')}>{t(`route.who.${answered_by}`)}</Fact>}
        {call.end?.detail && (
          <Fact name={t('route.end')} isFigure={false}>
            <Noticed notice={call.end.detail_notice} english={call.end.detail} />
          </Fact>
        )}
        {call.dtmf !== '' && (
          <Fact name={t('route.keys')}>
            <Ltr mono>{call.dtmf}</Ltr>
          </Fact>
        )}
      </Facts>
    </Section>
  );
}

export function CostCard({ call }: { call: Call }) {
  const { t } = useTranslation('call');
  const format = useFormat();
  return (
    <Section title={t('cost.title')} aside={<Text fw={600}>{format.money(costOf(call))}</Text>}>
      {call.cost_lines.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('cost.none')}
        </Text>
      ) : (
        <Facts>
          {costGroups(call.cost_lines).map(({ kind, count, cents }) => (
            <Fact
              key={kind}
              name={
                <>
                  {t(`cost.kinds.${kind as 'call-minute'}`, { defaultValue: kind })}
                  <span className={classes['count']}> × {format.number(count)}</span>
                </>
              }
            >
              {format.money(cents)}
            </Fact>
          ))}
        </Facts>
      )}
    </Section>
  );
}

/** What services that charge count of the call, whoever pays them. */
export function ServicesCard({ services }: { services: Call['services'] }) {
  const { t } = useTranslation('call');
  const format = useFormat();
  const used = Object.entries(services ?? {});
  if (used.length === 0) return null;
  return (
    <Section title={t('services.title')}>
      <Facts>
        {used.map(([service, units]) =>
          Object.entries(units).map(([unit, amount]) => (
            <Fact
              key={`${service} ${unit}`}
              name={
                <>
                  <Ltr>{service}</Ltr> {t(`services.units.${unit as 'tokens'}`, { defaultValue: unit })}
                </>
              }
            >
              {format.number(amount)}
            </Fact>
          )),
        )}
      </Facts>
    </Section>
  );
}

/** What was not let out of the house. */
export function PrivacyCard({ withheld }: { withheld: Call['withheld'] }) {
  const { t } = useTranslation('call');
  const format = useFormat();
  const kinds = Object.entries(withheld);
  if (kinds.length === 0) return null;
  return (
    <Section title={t('privacy.title')}>
      <Text size="sm" c="dimmed" mb="xs">
        {t('privacy.text')}
      </Text>
      <Facts>
        {kinds.map(([kind, count]) => (
          <Fact key={kind} name={t(`privacy.kinds.${kind as 'Iqama'}`, { defaultValue: kind })}>
            {format.number(count)}
          </Fact>
        ))}
      </Facts>
    </Section>
  );
}

/** Names and values: what a call out was ordered with, what the dialogue knew at its end. */
export function ValuesCard({ title, values }: { title: string; values: Readonly<Record<string, string>> | null }) {
  const found = Object.entries(values ?? {});
  if (found.length === 0) return null;
  return (
    <Section title={title}>
      <Facts>
        {found.map(([name, value]) => (
          <Fact key={name} name={<Ltr>{name}</Ltr>} isFigure={false}>
            <bdi>{value}</bdi>
          </Fact>
        ))}
      </Facts>
    </Section>
  );
}

export function TransfersCard({ transfers }: { transfers: Call['transfers'] }) {
  const { t } = useTranslation('call');
  const format = useFormat();
  if (transfers.length === 0) return null;
  return (
    <Section title={t('transfers.title')}>
      <ol className={classes['transfers']}>
        {transfers.map(({ target, by, outcome, detail, detail_notice, started_ms, joined_ms, ended_ms }) => (
          <li key={`${started_ms}${target}`}>
            <Facts>
              <Fact name={<Ltr>{format.clock(started_ms, 1)}</Ltr>}>
                <Ltr>{target}</Ltr>
              </Fact>
              <Fact name={t('transfers.outcome')}>
                <span data-bad={(outcome !== 'joined' && outcome !== 'transferred') || undefined}>
                  {t(`transfers.outcomes.${outcome as 'joined'}`, { defaultValue: outcome })}
                </span>
              </Fact>
              <Fact name={t('transfers.by')}>{t(`transfers.ways.${by as 'refer'}`, { defaultValue: by })}</Fact>
              {joined_ms !== null && ended_ms !== null && (
                <Fact name={t('transfers.talk')}>{format.clock(ended_ms - joined_ms)}</Fact>
              )}
              {detail && (
                <Fact name={t('transfers.detail')} isFigure={false}>
                  <Noticed notice={detail_notice} english={detail} />
                </Fact>
              )}
            </Facts>
          </li>
        ))}
      </ol>
    </Section>
  );
}
