import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type ItemOf, usePages } from '../../api/hooks.ts';
import { PagedTable } from '../../parts/data-table.tsx';
import { Noticed } from '../../parts/noticed.tsx';
import { Section } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { Ltr } from '../../parts/text.tsx';
import { Ago } from '../../parts/when.tsx';
import { Fix } from './fix.tsx';
import { addressOnly, refusalOf } from './model/refusal.ts';

type Call = ItemOf<'listRefusedCalls'>;

/** Calls that came to nothing, why, and what would let the next one in. */
export function Refused() {
  const { t } = useTranslation('numbers');
  const pages = usePages('listRefusedCalls', {});
  const columns = [
    { name: t('refused.at'), cell: ({ at }: Call) => <Ago iso={at} /> },
    {
      name: t('refused.call'),
      cell: (call: Call) => (
        <div style={{ overflowWrap: 'anywhere' }}>
          <Ltr>{`${call.from || '?'} → ${call.to || '?'}`}</Ltr>
          <Text size="xs" c="dimmed" component="div">
            {call.trunk && <bdi>{call.trunk} · </bdi>}
            <Ltr>{call.source_address}</Ltr> <Ltr>{call.transport.toUpperCase()}</Ltr>
          </Text>
        </div>
      ),
    },
    { name: t('refused.why'), cell: (call: Call) => <Why call={call} /> },
  ];
  return (
    <Section title={t('tabs.refused')}>
      <Text size="sm" c="dimmed" mb="md" maw={640}>
        {t('refused.lead')}
      </Text>
      <PagedTable
        label={t('tabs.refused')}
        columns={columns}
        pages={pages}
        keyOf={({ at, sip_call_id }) => `${at} ${sip_call_id}`}
        empty={
          <Empty title={t('refused.none')}>
            <Text size="sm" c="dimmed">
              {t('refused.noneText')}
            </Text>
          </Empty>
        }
      />
    </Section>
  );
}

function Why({ call }: { call: Call }) {
  const { t } = useTranslation('numbers');
  const refusal = refusalOf(call);
  return (
    <>
      <Text size="sm">{t(`refusal.${refusal}`)}</Text>
      {call.detail !== '' && (
        <Text size="xs" c="dimmed" dir="auto">
          <Noticed notice={call.detail_notice} english={call.detail} />
        </Text>
      )}
      <div style={{ marginBlockStart: 4 }}>
        <Fix refusal={refusal} number={call.to} address={addressOnly(call.source_address)} trunk={call.trunk} />
      </div>
    </>
  );
}
