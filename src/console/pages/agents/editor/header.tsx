import { ActionIcon, Badge, Button, Group, Menu, SegmentedControl, Text, Title } from '@mantine/core';
import {
  IconArrowBackUp,
  IconChevronLeft,
  IconDots,
  IconDownload,
  IconHistory,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Ltr } from '../../../parts/text.tsx';
import { StatusBadge } from '../status-badge.tsx';
import classes from './editor.module.css';
import type { Saving } from './use-saving.ts';

export type View = 'form' | 'both' | 'yaml';
interface Props {
  readonly name: string;
  readonly saving: Saving;
  readonly isChanged: boolean;
  readonly canEdit: boolean;
  readonly canSave: boolean;
  readonly view: View;
  readonly views: readonly View[];
  readonly tryButton: ReactNode;
  readonly onSave: () => void;
  readonly onView: (view: View) => void;
  readonly onVersions: () => void;
  readonly onDownload: () => void;
  readonly onDiscard: () => void;
  readonly onDelete: () => void;
}

/** Which agent it is and in which state, and what can be done with the draft. */
export function Header(props: Props) {
  const { name, saving, isChanged, view, views, tryButton, onView } = props;
  const { t } = useTranslation('agents');
  const { agent } = saving;
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="sm" miw={0} wrap="nowrap" style={{ flex: '1 1 18rem' }}>
        <ActionIcon component={Link} to="/agents" variant="subtle" color="gray" size="lg" aria-label={t('back')}>
          <IconChevronLeft size={20} className={classes['back']} />
        </ActionIcon>
        <div style={{ minWidth: 0 }}>
          <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
            <bdi>{name}</bdi>
          </Title>
          <Group gap={8} mt={2}>
            <StatusBadge status={agent.status} />
            <Text size="xs" c="dimmed" className="figures">
              {t('version', { version: agent.version })}
            </Text>
            {agent.numbers.length > 0 && (
              <Text size="xs" c="dimmed">
                <Ltr>{agent.numbers.join(', ')}</Ltr>
              </Text>
            )}
            {isChanged && (
              <Badge size="sm" color="orange">
                {t('unsaved')}
              </Badge>
            )}
          </Group>
        </div>
      </Group>
      <Group gap="xs">
        <SegmentedControl
          size="xs"
          aria-label={t('views.title')}
          data={views.map((one) => ({ value: one, label: t(`views.${one}`) }))}
          value={view}
          onChange={(next) => onView(next as View)}
        />
        {tryButton}
        <Buttons {...props} />
        <More {...props} />
      </Group>
    </Group>
  );
}

/** A draft is saved and published; what is live is changed for callers by saving. */
function Buttons({ saving, isChanged, canEdit, canSave, onSave }: Props) {
  const { t } = useTranslation('agents');
  const { agent, busy, publish } = saving;
  if (!canEdit) return null;
  const isLive = agent.status === 'live';
  return (
    <>
      <Button
        variant={isLive ? 'filled' : 'default'}
        onClick={onSave}
        loading={busy === 'save'}
        disabled={!isChanged || !canSave || busy !== undefined}
      >
        {t(isLive ? 'save.live' : 'save.draft')}
      </Button>
      {!isLive && (
        <Button onClick={() => void publish()} loading={busy === 'publish'} disabled={!canSave || busy !== undefined}>
          {t(agent.status === 'paused' ? 'resume' : 'publish')}
        </Button>
      )}
    </>
  );
}

function More({ saving, isChanged, canEdit, onVersions, onDownload, onDiscard, onDelete }: Props) {
  const { t } = useTranslation('agents');
  const { t: common } = useTranslation();
  const { agent, pause, publish } = saving;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t('more')}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconHistory size={16} />} onClick={onVersions}>
          {t('versions.title')}
        </Menu.Item>
        <Menu.Item leftSection={<IconDownload size={16} />} onClick={onDownload}>
          {t('downloadYaml')}
        </Menu.Item>
        {canEdit && (
          <>
            <Menu.Item leftSection={<IconArrowBackUp size={16} />} onClick={onDiscard} disabled={!isChanged}>
              {t('discard')}
            </Menu.Item>
            <Menu.Divider />
            {agent.status === 'live' && (
              <Menu.Item leftSection={<IconPlayerPause size={16} />} onClick={() => void pause()}>
                {t('pause')}
              </Menu.Item>
            )}
            {agent.status === 'paused' && (
              <Menu.Item leftSection={<IconPlayerPlay size={16} />} onClick={() => void publish()}>
                {t('resume')}
              </Menu.Item>
            )}
            <Menu.Item leftSection={<IconTrash size={16} />} color="red" onClick={onDelete}>
              {common('delete')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
