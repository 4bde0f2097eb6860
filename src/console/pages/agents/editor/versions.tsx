import { Button, Drawer, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAsk, usePages } from '../../../api/hooks.ts';
import { useFormat } from '../../../i18n/use-format.ts';
import { Confirm } from '../../../parts/confirm.tsx';
import { Failed, Loading, Shown } from '../../../parts/states.tsx';
import type { DraftState } from '../model/draft-store.ts';
import { DiffView } from './diff-view.tsx';
import { comparedTexts, writtenText } from './open-draft.ts';
import type { Saving } from './use-saving.ts';
import classes from './versions.module.css';

interface Props {
  readonly saving: Saving;
  /** The draft, as it is written. */
  readonly mine: Pick<DraftState, 'text' | 'value'>;
  readonly canEdit: boolean;
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Takes the text of a version into the editor. */
  readonly onTake: (text: string) => void;
}

/** What was saved before: each version beside the draft, to be taken up or put in force again. */
export function Versions({ opened, onClose, ...rest }: Props) {
  const { t } = useTranslation('agents');
  const { t: common } = useTranslation();
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={t('versions.title')}
      position="right"
      size="xl"
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      {opened && <List {...rest} onClose={onClose} />}
    </Drawer>
  );
}

function List(props: Omit<Props, 'opened'>) {
  const { t } = useTranslation('agents');
  const { t: common } = useTranslation();
  const format = useFormat();
  const { agent } = props.saving;
  const pages = usePages('listAgentVersions', {}, { id: agent.id });
  const [chosen, setChosen] = useState<number>();
  if (!pages.items) return pages.error ? <Failed error={pages.error} again={pages.again} /> : <Loading />;
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t('versions.text')}
      </Text>
      <div className={classes['list']}>
        {pages.items.map(({ version, created_at }) => (
          <UnstyledButton
            key={version}
            className={classes['version']}
            aria-pressed={version === chosen}
            onClick={() => setChosen(version === chosen ? undefined : version)}
          >
            <Text size="sm" fw={600} className="figures">
              {t('version', { version })}
            </Text>
            <Text size="xs" c="dimmed">
              {format.dateTime(created_at)}
            </Text>
            {version === agent.version && (
              <Text size="xs" c="var(--good)">
                {t('versions.now')}
              </Text>
            )}
          </UnstyledButton>
        ))}
        {pages.hasMore && (
          <Button variant="subtle" size="xs" loading={pages.isLoadingMore} onClick={pages.more}>
            {common('more')}
          </Button>
        )}
      </div>
      {chosen !== undefined && <One key={chosen} version={chosen} {...props} />}
    </Stack>
  );
}

function One({ version, saving, mine, canEdit, onTake, onClose }: Omit<Props, 'opened'> & { version: number }) {
  const { t } = useTranslation('agents');
  const { agent } = saving;
  const asked = useAsk('getAgentVersion', { params: { id: agent.id, version: String(version) } });
  const [isAsking, setAsking] = useState(false);
  return (
    <Shown of={asked}>
      {(shown) => {
        const text = writtenText(shown);
        return (
          <Stack gap="sm">
            <Text fw={600} size="sm">
              {t('versions.diff', { version })}
            </Text>
            <DiffView {...comparedTexts(shown, mine)} label={t('versions.diff', { version })} />
            {canEdit && (
              <Group gap="xs">
                <Button
                  variant="default"
                  onClick={() => {
                    onTake(text);
                    onClose();
                  }}
                >
                  {t('versions.take')}
                </Button>
                {version !== agent.version && (
                  <Button variant="light" onClick={() => setAsking(true)}>
                    {t('versions.restore')}
                  </Button>
                )}
              </Group>
            )}
            <Confirm
              title={t('versions.restore')}
              text={t('versions.restoreText', { version })}
              verb={t('versions.restore')}
              isDangerous={false}
              opened={isAsking}
              onClose={() => setAsking(false)}
              act={async () => {
                await saving.restore(version);
                onClose();
              }}
            />
          </Stack>
        );
      }}
    </Shown>
  );
}
