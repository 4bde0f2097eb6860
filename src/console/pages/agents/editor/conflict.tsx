import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldName } from '../../../../config/agent-text/yaml-document.ts';
import type { DraftStore } from '../model/draft-store.ts';
import { mergeChanges } from '../model/merge.ts';
import { DiffView } from './diff-view.tsx';
import { comparedTexts, type Loaded, putInto, writtenText } from './open-draft.ts';

interface Props {
  readonly store: DraftStore;
  readonly theirs: Loaded;
  /** With the text that the draft goes on with. */
  readonly onSettle: (text: string) => void;
  readonly onClose: () => void;
}

/** Somebody else has saved first: what they have, what is here, and which of it goes on. */
export function Conflict({ store, theirs, onSettle, onClose }: Props) {
  const { t } = useTranslation('agents');
  const { t: common } = useTranslation();
  const { base, value, text } = store.state();
  const saved = theirs.value.definition;
  const written = writtenText(theirs.value);
  const merged = useMemo(() => mergeChanges(base.value, saved, value), [base, saved, value]);
  const canMerge = merged.conflicts.length === 0;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('conflict.title')}
      size="xl"
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      <Stack gap="md">
        <Alert color="orange" icon={<IconUsers size={18} />}>
          <Text size="sm">{t('conflict.text', { version: theirs.value.version })}</Text>
        </Alert>
        <Text size="sm" fw={600}>
          {t('conflict.diff')}
        </Text>
        <DiffView {...comparedTexts(theirs.value, { text, value })} label={t('conflict.diff')} />
        {!canMerge && (
          <Text size="sm" c="dimmed">
            {t('conflict.both')} <bdi dir="ltr">{merged.conflicts.slice(0, 8).map(fieldName).join(', ')}</bdi>
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="subtle" color="gray" onClick={onClose}>
            {t('conflict.later')}
          </Button>
          <Button variant="default" onClick={() => onSettle(written)}>
            {t('conflict.theirs')}
          </Button>
          <Button variant={canMerge ? 'default' : 'filled'} onClick={() => onSettle(text)}>
            {t('conflict.mine')}
          </Button>
          {canMerge && <Button onClick={() => onSettle(putInto(text, merged.value))}>{t('conflict.merge')}</Button>}
        </Group>
      </Stack>
    </Modal>
  );
}
