import { Anchor, Button, Group, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { Section } from '../../parts/page.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { useWho } from '../../session/session.tsx';
import { useTrunks } from './routing.ts';
import { TrunkCard } from './trunk-card.tsx';
import { TrunkDrawer } from './trunk-drawer.tsx';
import classes from './trunks.module.css';

/** Carriers and exchanges, and how each is just now; `?edit=ID` opens one. */
export function Trunks() {
  const { t } = useTranslation('numbers');
  const { may } = useWho();
  const trunks = useTrunks();
  const [query, setQuery] = useSearchParams();
  const [isMaking, setMaking] = useState(false);
  const edited = query.get('edit');
  const close = () => {
    setMaking(false);
    setQuery({ tab: 'trunks' }, { replace: true });
  };
  const make = may('account') && (
    <Group gap="xs">
      <Button variant="default" component={Link} to="/numbers?tab=connect">
        {t('trunk.byRecipe')}
      </Button>
      <Button leftSection={<IconPlus size={16} />} onClick={() => setMaking(true)}>
        {t('trunk.create')}
      </Button>
    </Group>
  );
  return (
    <Section title={t('tabs.trunks')} aside={make}>
      <Text size="sm" c="dimmed" mb="md" maw={640}>
        {t('trunk.lead')}
      </Text>
      {trunks.items === undefined &&
        (trunks.error ? <Failed error={trunks.error} again={trunks.again} /> : <Loading />)}
      {trunks.items?.length === 0 && (
        <Empty title={t('trunk.none')}>
          <Text size="sm" c="dimmed">
            {t('trunk.noneText')}
          </Text>
          {may('account') && (
            <Anchor component={Link} to="/numbers?tab=connect" size="sm">
              {t('map.connect')}
            </Anchor>
          )}
        </Empty>
      )}
      <div className={classes['list']}>
        {trunks.items?.map((trunk) => (
          <TrunkCard key={trunk.id} trunk={trunk} onEdit={() => setQuery({ tab: 'trunks', edit: trunk.id })} />
        ))}
      </div>
      {isMaking && <TrunkDrawer onClose={close} />}
      {edited !== null && may('account') && <TrunkDrawer key={edited} id={edited} onClose={close} />}
    </Section>
  );
}
