import { Alert, Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { IconAlertCircle, IconUpload } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../../api/client.ts';
import { useAsk, useChange } from '../../../api/hooks.ts';
import { useFormat } from '../../../i18n/use-format.ts';
import { Confirm } from '../../../parts/confirm.tsx';
import { Meter } from '../../../parts/meter.tsx';
import { Empty, ErrorText, Shown } from '../../../parts/states.tsx';
import { Written } from '../../../parts/text.tsx';
import { ACCEPTED, type Room } from './chosen-files.ts';
import { type AgentDocument, DocumentItem } from './document-item.tsx';
import classes from './documents.module.css';
import { type Refused, type Uploads, useUploads } from './use-uploads.ts';

type List = Answer<'listAgentDocuments'>;
/** While something is read: a page takes a part of a second. */
const READING_MS = 1_000;

/** Files that the agent answers from. They are kept with it at once, and are no part of what is saved here. */
export function DocumentsPanel({ agentId, canEdit }: { agentId: string; canEdit: boolean }) {
  const [isReading, setReading] = useState(true);
  const list = useAsk('listAgentDocuments', { params: { id: agentId } }, isReading ? { everyMs: READING_MS } : {});
  const uploads = useUploads(agentId);
  const waits = list.data?.items.some(({ state }) => state === 'queued' || state === 'indexing') ?? false;
  if (waits !== isReading && list.data) setReading(waits);
  return (
    <Shown of={list} height={200}>
      {(found) => <Documents {...{ agentId, canEdit, uploads }} list={found} />}
    </Shown>
  );
}

interface Props {
  readonly agentId: string;
  readonly canEdit: boolean;
  readonly uploads: Uploads;
  readonly list: List;
}

function Documents({ agentId, canEdit, uploads, list: { items, limits, used } }: Props) {
  const { t } = useTranslation('agents');
  const { bytes, number } = useFormat();
  const [leaving, setLeaving] = useState<AgentDocument>();
  const remove = useChange('deleteAgentDocument', ['listAgentDocuments']);
  const names = items.map(({ name }) => name);
  const room: Room = { names, documentsMax: limits.documents, fileBytesMax: limits.file_bytes };
  return (
    <Stack gap="sm">
      {items.length === 0 ? (
        <Empty title={t('documents.none')}>
          <Text size="sm" c="dimmed">
            {t('documents.noneYet')}
          </Text>
        </Empty>
      ) : (
        <ul className={classes['list']}>
          {items.map((one) => (
            <DocumentItem key={one.id} document={one} canEdit={canEdit} onDelete={() => setLeaving(one)} />
          ))}
        </ul>
      )}
      {canEdit && <DropPlace {...{ uploads, room }} isFull={items.length >= limits.documents} />}
      <RefusedFiles {...{ uploads }} />
      <div>
        <Text size="xs" c="dimmed" className="figures">
          {t('documents.used', {
            ...{ count: items.length, number: number(items.length), max: number(limits.documents) },
            ...{ used: bytes(used.account_bytes), account: bytes(limits.account_bytes) },
          })}
        </Text>
        <Meter share={used.account_bytes / limits.account_bytes} label={t('documents.meter')} />
      </div>
      <Confirm
        title={t('documents.deleteTitle')}
        text={
          <>
            <Written>{leaving?.name ?? ''}</Written>
            <Text size="sm" c="dimmed" mt="xs">
              {t('documents.deleteText')}
            </Text>
          </>
        }
        verb={t('documents.deleteVerb')}
        opened={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        act={() => remove.mutateAsync({ params: { id: agentId, document: leaving!.id } })}
      />
    </Stack>
  );
}

function DropPlace({ uploads, room, isFull }: { uploads: Uploads; room: Room; isFull: boolean }) {
  const { t } = useTranslation('agents');
  const { bytes } = useFormat();
  const [isOver, setOver] = useState(false);
  const isClosed = isFull || uploads.sending !== undefined;
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    if (!isClosed) void uploads.send([...event.dataTransfer.files], room);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files are dropped here; the button within is for everybody
    <div
      className={classes['drop']}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(!isClosed);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Group gap="sm" justify="center">
        <FileButton onChange={(files) => void uploads.send(files, room)} accept={ACCEPTED} multiple>
          {(props) => (
            <Button
              {...props}
              variant="default"
              leftSection={<IconUpload size={16} />}
              loading={uploads.sending !== undefined}
              disabled={isFull}
            >
              {t('documents.add')}
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed" aria-live="polite">
          {uploads.sending !== undefined
            ? t('documents.sending', { name: uploads.sending })
            : isFull
              ? t('documents.full')
              : t('documents.drop', { size: bytes(room.fileBytesMax) })}
        </Text>
      </Group>
    </div>
  );
}

function RefusedFiles({ uploads: { refused, forget } }: { uploads: Uploads }) {
  const { t } = useTranslation('agents');
  if (refused.length === 0) return null;
  return (
    <Alert
      color="red"
      role="alert"
      icon={<IconAlertCircle size={18} />}
      title={t('documents.refused', { count: refused.length })}
      withCloseButton
      closeButtonLabel={t('documents.understood')}
      onClose={forget}
    >
      <ul className={classes['refused']}>
        {refused.map((one) => (
          <RefusedFile key={one.name} {...one} />
        ))}
      </ul>
    </Alert>
  );
}

function RefusedFile({ name, why }: Refused) {
  const { t } = useTranslation('agents');
  return (
    <li>
      <bdi>{name}</bdi>
      {typeof why === 'string' ? <Text size="sm">{t(`documents.objections.${why}`)}</Text> : <ErrorText error={why} />}
    </li>
  );
}
