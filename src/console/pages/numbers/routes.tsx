import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Section } from '../../parts/page.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { useWho } from '../../session/session.tsx';
import { Explain } from './explain.tsx';
import { RouteMap } from './map.tsx';
import { GiveNumber } from './number-dialogs.tsx';
import { useAgents, useNumbers, usePhones, useTrunks } from './routing.ts';

/** The way of calls as a picture, and of one call in words. */
export function Routes() {
  const { t } = useTranslation('numbers');
  const { may } = useWho();
  const [isAdding, setAdding] = useState(false);
  const add = may('agents') && (
    <Button size="xs" variant="light" leftSection={<IconPlus size={14} />} onClick={() => setAdding(true)}>
      {t('add.verb')}
    </Button>
  );
  return (
    <div style={{ display: 'grid', gap: 'var(--mantine-spacing-lg)', gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Section title={t('map.title')} aside={add}>
        <Picture />
      </Section>
      {may('account') && <Explain />}
      {isAdding && <GiveNumber onClose={() => setAdding(false)} />}
    </div>
  );
}

function Picture() {
  const { t } = useTranslation('numbers');
  const [trunks, phones, numbers, agents] = [useTrunks(), usePhones(), useNumbers(), useAgents()];
  const asked = [trunks, phones, numbers, agents];
  const failed = asked.find(({ error, items }) => error && !items);
  if (failed?.error) {
    const again = () => {
      for (const one of asked) one.again();
    };
    return <Failed error={failed.error} again={again} />;
  }
  if (!trunks.items || !phones.items || !numbers.items || !agents.items) return <Loading height={240} />;
  if (agents.items.length === 0) {
    return (
      <Empty title={t('map.noAgents')}>
        <Text size="sm" c="dimmed">
          {t('map.noAgentsText')}
        </Text>
        <Button component={Link} to="/agents" variant="light">
          {t('map.toAgents')}
        </Button>
      </Empty>
    );
  }
  return <RouteMap trunks={trunks.items} phones={phones.items} numbers={numbers.items} agents={agents.items} />;
}
