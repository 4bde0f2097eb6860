import { Anchor, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { addressOf } from '../../api/client.ts';
import { type ItemOf, usePages } from '../../api/hooks.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { PagedTable } from '../../parts/data-table.tsx';
import { Download } from '../../parts/download.tsx';
import { Section } from '../../parts/page.tsx';
import { dayAfter, dayIn, daysUntil } from '../../parts/stacked-days.ts';
import { Empty } from '../../parts/states.tsx';
import { Written } from '../../parts/text.tsx';
import { callOfCharge, isChargeKind } from './charge-kinds.ts';

type Entry = ItemOf<'listLedger'>;
/** As far back as the table is saved. */
const SAVED_DAYS = 90;

/** What moved the balance, and what it was afterwards. */
export function Ledger() {
  const { t } = useTranslation('account');
  const { t: common } = useTranslation();
  const format = useFormat();
  const pages = usePages('listLedger', {});
  const to = dayAfter(dayIn('UTC', Date.now()));
  const [from] = daysUntil(to, SAVED_DAYS + 1);
  const columns = [
    { name: t('ledger.when'), cell: ({ created_at }: Entry) => <Text size="sm">{format.dateTime(created_at)}</Text> },
    { name: t('ledger.what'), cell: (entry: Entry) => <What of={entry} /> },
    {
      ...{ name: t('ledger.amount'), isFigure: true },
      cell: ({ cents }: Entry) => (
        <Text size="sm" c={cents > 0 ? 'var(--good)' : undefined} fw={cents > 0 ? 600 : undefined}>
          {format.money(cents, true)}
        </Text>
      ),
    },
    {
      ...{ name: t('ledger.balance'), isFigure: true, isExtra: true },
      cell: (entry: Entry) => format.money(entry.balance_after_cents),
    },
  ];
  const save = (
    <Download
      address={addressOf('exportLedger', { query: { from: `${from}T00:00:00Z`, to: `${to}T00:00:00Z` } })}
      fileName={`ledger-since-${from}.csv`}
    >
      {t('ledger.save', { count: SAVED_DAYS })}
    </Download>
  );
  return (
    <Section title={t('tabs.ledger')} aside={save}>
      <PagedTable
        label={t('tabs.ledger')}
        columns={columns}
        pages={pages}
        keyOf={({ seq }) => String(seq)}
        empty={
          <Empty title={t('ledger.empty')}>
            <Text size="sm" c="dimmed">
              {common('pages.account')}
            </Text>
          </Empty>
        }
      />
    </Section>
  );
}

function What({ of: { id, kind, note } }: { of: Entry }) {
  const { t } = useTranslation('account');
  const call = callOfCharge(id);
  const name = isChargeKind(kind) ? t(`kinds.${kind}`) : kind === 'topup' ? t('kinds.topup') : kind;
  return (
    <Group gap="xs">
      {call === undefined ? (
        <Text size="sm">{name}</Text>
      ) : (
        <Anchor component={Link} to={`/calls/${call}`} size="sm">
          {name}
        </Anchor>
      )}
      {note !== '' && (
        <Written size="sm" c="dimmed">
          {note}
        </Written>
      )}
    </Group>
  );
}
