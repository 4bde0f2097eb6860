import { Card, SimpleGrid, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../api/client.ts';
import { useAsk } from '../../api/hooks.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { Meter } from '../../parts/meter.tsx';
import { Figure } from '../../parts/page.tsx';

type Account = Answer<'getAccount'>;
const DAYS_LOW = 3;

const isLow = ({ available_cents, balance_cents, balance_alert_cents }: Account): boolean =>
  available_cents <= 0 || balance_cents < (balance_alert_cents ?? 0);

/** The balance, how long it lasts, and today against what a day may have. */
export function Credit({ account }: { account: Account }) {
  const { t } = useTranslation('account');
  const format = useFormat();
  const { today, limits } = account;
  return (
    <Card component="section" aria-label={t('credit.title')}>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="lg" verticalSpacing="lg">
        <Figure
          name={t('credit.balance')}
          note={account.reserved_cents > 0 && t('credit.held', { money: format.money(account.reserved_cents) })}
        >
          <Text inherit span c={isLow(account) ? 'var(--bad)' : undefined}>
            {format.money(account.balance_cents)}
          </Text>
        </Figure>
        <Forecast />
        <Figure
          name={t('credit.today')}
          note={<Against value={today.spent_cents} max={limits.spend_a_day_cents} show={format.money} />}
        >
          {format.money(today.spent_cents)}
        </Figure>
        <Figure
          name={t('credit.calls')}
          note={
            <>
              <Against value={today.calls} max={limits.calls_a_day} show={format.number} />
              <Text size="xs" inherit>
                {t('credit.now', { count: today.calls_now })}
              </Text>
            </>
          }
        >
          {format.number(today.calls)}
        </Figure>
      </SimpleGrid>
      {account.available_cents <= 0 && (
        <Text size="sm" c="var(--bad)" mt="md" role="status">
          {t('credit.none')}
        </Text>
      )}
    </Card>
  );
}

function Forecast() {
  const { t } = useTranslation('account');
  const format = useFormat();
  const { data } = useAsk('getForecast', {}, { everyMs: 60_000 });
  const left = data?.days_left;
  if (left === undefined || left === null) {
    return (
      <Figure name={t('credit.lasts')} note={data && t('credit.unspent', { count: data.days })}>
        {'—'}
      </Figure>
    );
  }
  const pace = t('credit.pace', { money: format.money(Math.round(data!.cents_a_day)) });
  return (
    <Figure
      name={t('credit.lasts')}
      note={
        <>
          {pace}
          {data!.empty_at !== null && left < 1_000 && ` · ${t('credit.until', { day: format.day(data!.empty_at) })}`}
        </>
      }
    >
      <Text inherit span c={left < DAYS_LOW ? 'var(--bad)' : undefined}>
        {t('credit.days', { count: Math.floor(left), shown: format.number(Math.floor(left)) })}
      </Text>
    </Figure>
  );
}

/** A value of a day against what the account allows itself. */
function Against({ value, max, show }: { value: number; max: number | null; show: (value: number) => string }) {
  const { t } = useTranslation('account');
  if (max === null) return t('credit.noLimit');
  return (
    <>
      {t('credit.of', { max: show(max) })}
      <Meter share={max === 0 ? 1 : value / max} label={t('credit.of', { max: show(max) })} />
    </>
  );
}
