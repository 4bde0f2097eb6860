import { Anchor, Grid, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Answer } from '../../api/client.ts';
import { useAsk } from '../../api/hooks.ts';
import { useLiveRefresh } from '../../api/live.ts';
import { usePreferences } from '../../i18n/preferences-provider.tsx';
import { useFormat } from '../../i18n/use-format.ts';
import { LiveDot } from '../../parts/live-dot.tsx';
import { Figure, Page, Section } from '../../parts/page.tsx';
import { Shown } from '../../parts/states.tsx';
import { Checklist } from './checklist.tsx';
import { concernsOf } from './concerns.ts';
import { DayBars } from './day-bars.tsx';
import { Measures } from './measures.tsx';
import classes from './overview.module.css';
import { Problems } from './problems.tsx';
import { setUpOf } from './set-up.ts';
import { StateLine } from './state-line.tsx';
import { TrunkLights } from './trunks.tsx';

type Overview = Answer<'getOverview'>;
/** Days begin and hours pass without an event. */
const EVERY_MS = 60_000;
const CHANGES = ['call.started', 'call.answered', 'call.ended', 'trunk.changed', 'alert'] as const;

/** What goes on, how it went, what it costs, and what is wrong. */
export default function OverviewPage() {
  const { t } = useTranslation('overview');
  const { preferences } = usePreferences();
  const overview = useAsk('getOverview', { query: { time_zone: preferences.timeZone } }, { everyMs: EVERY_MS });
  useLiveRefresh(['getOverview', 'getAccount'], CHANGES);
  return (
    <Page title={t('title')}>
      <Shown of={overview} height={520}>
        {(one) => <View overview={one} />}
      </Shown>
    </Page>
  );
}

function View({ overview }: { overview: Overview }) {
  const { t } = useTranslation('overview');
  const account = useAsk('getAccount', {});
  const setUp = setUpOf(overview.checklist);
  const concerns = concernsOf(overview, account.data?.balance_alert_cents ?? null);
  return (
    <Stack gap="lg">
      {(!setUp || concerns.length > 0) && <StateLine concerns={concerns} />}
      {setUp && <Checklist setUp={setUp} />}
      <Grid gap="lg" align="stretch" className={classes['cards']}>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <CallsCard calls={overview.calls} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, xs: 7, md: 4 }}>
          <Section title={t('measures.title')} aside={<Aside>{t('measures.day')}</Aside>}>
            <Measures overview={overview} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, xs: 5, md: 3 }}>
          <MoneyCard money={overview.money} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 8 }} id="problems">
          <Section title={t('problems.title')}>
            <Problems problems={overview.problems} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Section title={t('trunks.title')} aside={<More to="/numbers">{t('trunks.more')}</More>}>
            <TrunkLights trunks={overview.trunks} />
          </Section>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

function CallsCard({ calls }: { calls: Overview['calls'] }) {
  const { t } = useTranslation('overview');
  const format = useFormat();
  return (
    <Section title={t('calls.title')} aside={<More to="/live">{t('calls.live')}</More>}>
      <Group gap="xl" mb="md">
        <Figure name={t('calls.now')}>
          <span className={classes['now']}>
            {format.number(calls.live)}
            {calls.live > 0 && <LiveDot />}
          </span>
        </Figure>
        <Figure name={t('calls.today')}>{format.number(calls.today)}</Figure>
      </Group>
      <DayBars days={calls.days} />
    </Section>
  );
}

function MoneyCard({ money }: { money: Overview['money'] }) {
  const { t } = useTranslation('overview');
  const format = useFormat();
  const held = money.reserved_cents;
  return (
    <Section title={t('money.title')} aside={<More to="/account">{t('money.more')}</More>}>
      <Stack gap="md">
        <Figure name={t('money.balance')} note={held > 0 && t('money.held', { money: format.money(held) })}>
          <span data-low={money.available_cents <= 0 || undefined} className={classes['balance']}>
            {format.money(money.balance_cents)}
          </span>
        </Figure>
        <Figure name={t('money.today')}>{format.money(money.spent_today_cents)}</Figure>
        <Figure name={t('money.month')}>{format.money(money.spent_month_cents)}</Figure>
      </Stack>
    </Section>
  );
}

function Aside({ children }: { children: string }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}

function More({ to, children }: { to: string; children: string }) {
  return (
    <Anchor component={Link} to={to} size="sm">
      {children}
    </Anchor>
  );
}
