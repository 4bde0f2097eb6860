import { Anchor, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Answer } from '../../api/client.ts';
import { Empty } from '../../parts/states.tsx';
import classes from './trunks.module.css';

type Trunk = Answer<'getOverview'>['trunks'][number];

/** A light a trunk, with its state in words. */
export function TrunkLights({ trunks }: { trunks: readonly Trunk[] }) {
  const { t } = useTranslation('overview');
  if (trunks.length === 0) {
    return (
      <Empty title={t('trunks.none')}>
        <Text size="sm" c="dimmed">
          {t('trunks.noneText')}
        </Text>
        <Anchor component={Link} to="/numbers" size="sm">
          {t('trunks.add')}
        </Anchor>
      </Empty>
    );
  }
  return (
    <ul className={classes['list']}>
      {trunks.map(({ id, name, state, registration }) => (
        <li key={id}>
          <Group gap="xs" wrap="nowrap">
            <span className={classes['light']} data-state={state} aria-hidden />
            <Text dir="auto" truncate className={classes['name']}>
              {name}
            </Text>
            <Text size="sm" c={state === 'down' ? 'var(--bad)' : 'dimmed'} className={classes['state']}>
              {t(`trunks.states.${state}`)}
            </Text>
          </Group>
          {registration && (
            <Text size="xs" c="dimmed" className={classes['note']}>
              {t('trunks.registration')}{' '}
              {t(`trunks.registrations.${registration as 'registered'}`, { defaultValue: registration })}
            </Text>
          )}
        </li>
      ))}
    </ul>
  );
}
