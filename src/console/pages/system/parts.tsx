import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Noticed } from '../../parts/noticed.tsx';
import { Section } from '../../parts/page.tsx';
import { groupParts, isPartName, type PartState } from './part-groups.ts';
import classes from './parts.module.css';

const LOOKS = {
  ok: { Icon: IconCircleCheck, colour: 'var(--good)', badge: 'nidaa' },
  degraded: { Icon: IconAlertTriangle, colour: 'var(--slow)', badge: 'orange' },
  down: { Icon: IconCircleX, colour: 'var(--bad)', badge: 'red' },
} as const;

/** What works and what does not, as calls would notice it. */
export function Parts({ of }: { of: Readonly<Record<string, PartState>> }) {
  const { t } = useTranslation('system');
  const troubled = Object.values(of).filter(({ state }) => state !== 'ok').length;
  const worst = Object.values(of).some(({ state }) => state === 'down') ? 'down' : troubled > 0 ? 'degraded' : 'ok';
  const summary = troubled === 0 ? t('parts.fine') : t('parts.troubled', { count: troubled });
  return (
    <Section
      title={t('parts.title')}
      aside={
        <div role="status">
          <Badge color={LOOKS[worst].badge} size="lg">
            {summary}
          </Badge>
        </div>
      }
    >
      <Stack gap="lg">
        {groupParts(of).map(({ group, parts }) => (
          <div key={group}>
            <Title order={3} mb="xs">
              {t(`parts.groups.${group}`)}
            </Title>
            <ul className={classes['list']}>
              {parts.map((part) => (
                <Part key={part.name} name={part.name} of={part} />
              ))}
            </ul>
          </div>
        ))}
      </Stack>
    </Section>
  );
}

function Part({ name, of: { state, detail, detail_notice } }: { name: string; of: PartState }) {
  const { t } = useTranslation('system');
  const { Icon, colour } = LOOKS[state];
  return (
    <li className={classes['part']}>
      <Icon size={20} stroke={1.8} color={colour} aria-hidden style={{ flex: 'none' }} />
      <div style={{ minWidth: 0, flex: 1 }}>
        <Group justify="space-between" gap="xs" wrap="nowrap">
          <Text size="sm">{isPartName(name) ? t(`parts.names.${name}`) : name}</Text>
          <Text size="sm" c={state === 'ok' ? 'dimmed' : colour}>
            {t(`parts.states.${state}`)}
          </Text>
        </Group>
        {detail !== null && (
          <Text size="xs" c="dimmed">
            <Noticed notice={detail_notice} english={detail} />
          </Text>
        )}
      </div>
    </li>
  );
}
