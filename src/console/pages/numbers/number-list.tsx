import { Anchor, Badge, Button, Group, Text, TextInput } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { PagedTable } from '../../parts/data-table.tsx';
import { Section } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { Ltr } from '../../parts/text.tsx';
import { useWho } from '../../session/session.tsx';
import { StatusBadge } from '../agents/status-badge.tsx';
import { GiveNumber } from './number-dialogs.tsx';
import { NumberMenu } from './number-menu.tsx';
import { type NumberEntry, useAgents, useNumbers } from './routing.ts';

const SEARCHED_FROM = 8;

/** Every number, and who answers it. */
export function NumberList() {
  const { t } = useTranslation('numbers');
  const { may } = useWho();
  const [numbers, agents] = [useNumbers(), useAgents()];
  const [isAdding, setAdding] = useState(false);
  const [sought, setSought] = useState('');
  const agentOf = (id: string) => agents.items?.find((agent) => agent.id === id);
  const words = sought.trim().toLowerCase();
  const isSought = ({ number, agent_name }: NumberEntry): boolean =>
    number.toLowerCase().includes(words) || agent_name.toLowerCase().includes(words);
  const add = may('agents') && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
      {t('add.verb')}
    </Button>
  );
  const columns = [
    { name: t('map.number'), cell: ({ number }: NumberEntry) => <Ltr>{number}</Ltr> },
    {
      name: t('add.agent'),
      cell: ({ agent_id, agent_name }: NumberEntry) => (
        <Anchor component={Link} to={`/agents/${agent_id}`} size="sm">
          <bdi>{agent_name}</bdi>
        </Anchor>
      ),
    },
    {
      name: t('number.state'),
      cell: ({ agent_id, enabled }: NumberEntry) => {
        const agent = agentOf(agent_id);
        if (!enabled) return <Badge color="orange">{t('off.state')}</Badge>;
        return agent && <StatusBadge status={agent.status} />;
      },
    },
    {
      ...{ name: t('number.actions'), isBare: true, isFigure: true },
      cell: (entry: NumberEntry) => <NumberMenu entry={entry} agent={agentOf(entry.agent_id)} />,
    },
  ];
  const isLong = (numbers.items?.length ?? 0) >= SEARCHED_FROM;
  return (
    <Section title={t('tabs.numbers')} aside={add}>
      {isLong && (
        <Group mb="sm">
          <TextInput
            aria-label={t('number.search')}
            placeholder={t('number.search')}
            leftSection={<IconSearch size={16} />}
            value={sought}
            onChange={(event) => setSought(event.currentTarget.value)}
            w={280}
            maw="100%"
          />
        </Group>
      )}
      <PagedTable
        label={t('tabs.numbers')}
        columns={columns}
        pages={{ ...numbers, items: words === '' ? numbers.items : numbers.items?.filter(isSought) }}
        keyOf={({ number }) => number}
        empty={
          <Empty title={t(words === '' ? 'number.none' : 'number.notFound')}>
            {words === '' && (
              <Text size="sm" c="dimmed">
                {t('number.noneText')}
              </Text>
            )}
          </Empty>
        }
      />
      {isAdding && <GiveNumber onClose={() => setAdding(false)} />}
    </Section>
  );
}
