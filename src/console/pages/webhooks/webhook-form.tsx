import { Button, Checkbox, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { WEBHOOK_EVENTS, type WebhookEventType } from '../../../core/webhook.ts';
import { useAskTagged, useChange } from '../../api/hooks.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Loading } from '../../parts/states.tsx';
import { tellDone } from '../../parts/tell.ts';
import { Ltr } from '../../parts/text.tsx';
import { EVENT_GROUPS } from './event-groups.ts';

interface Draft {
  readonly url: string;
  readonly description: string;
  readonly events: readonly WebhookEventType[];
}
const isReady = ({ url, events }: Draft): boolean => /^https?:\/\/./.test(url.trim()) && events.length > 0;
const bodyOf = ({ url, description, events }: Draft) => ({
  ...{ url: url.trim(), description: description.trim() },
  events: [...events] as [WebhookEventType, ...WebhookEventType[]],
});

export function NewWebhook({ onClose, onMade }: { onClose: () => void; onMade: (secret: string) => void }) {
  const { t } = useTranslation('webhooks');
  const create = useChange('createWebhook', ['listWebhooks']);
  const [draft, setDraft] = useState<Draft>({ url: '', description: '', events: ['call.ended'] });
  const submit = () =>
    create.mutate(
      { body: bodyOf(draft) },
      {
        onSuccess: ({ secret }) => {
          onClose();
          onMade(secret);
        },
      },
    );
  return (
    <FormDialog
      title={t('create')}
      verb={t('create')}
      size="lg"
      isBusy={create.isPending}
      error={create.error}
      isReady={isReady(draft)}
      onClose={onClose}
      onSubmit={submit}
    >
      <Fields draft={draft} onChange={setDraft} />
    </FormDialog>
  );
}

export function EditWebhook({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation('webhooks');
  const { t: common } = useTranslation();
  const current = useAskTagged('getWebhook', { params: { id } });
  const change = useChange('changeWebhook', ['listWebhooks', 'getWebhook']);
  const [edited, setEdited] = useState<Draft>();
  const draft = edited ?? current.data?.value;
  const submit = () =>
    change.mutate(
      { params: { id }, body: bodyOf(draft!), options: { ifMatch: current.data?.tag } },
      {
        onSuccess: () => {
          tellDone(t('saved'));
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title={t('edit')}
      verb={common('save')}
      size="lg"
      isBusy={change.isPending}
      error={change.error ?? current.error}
      isReady={draft !== undefined && isReady(draft)}
      onClose={onClose}
      onSubmit={submit}
    >
      {draft ? <Fields draft={draft} onChange={setEdited} /> : !current.error && <Loading />}
    </FormDialog>
  );
}

function Fields({ draft, onChange }: { draft: Draft; onChange: (draft: Draft) => void }) {
  const { t } = useTranslation('webhooks');
  const { t: common } = useTranslation();
  const choose = (events: readonly WebhookEventType[]) => onChange({ ...draft, events });
  return (
    <>
      <TextInput
        label={t('url')}
        description={t('urlText')}
        placeholder="https://example.com/nidaa"
        type="url"
        dir="ltr"
        required
        maxLength={2_000}
        data-autofocus
        value={draft.url}
        onChange={(event) => onChange({ ...draft, url: event.currentTarget.value })}
      />
      <TextInput
        label={t('description')}
        dir="auto"
        maxLength={500}
        value={draft.description}
        onChange={(event) => onChange({ ...draft, description: event.currentTarget.value })}
      />
      <Checkbox.Group
        label={t('events.name')}
        value={[...draft.events]}
        onChange={(values) => choose(WEBHOOK_EVENTS.filter((one) => values.includes(one)))}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs" spacing="md">
          {EVENT_GROUPS.map(({ group, events }) => (
            <Stack key={group} gap="xs">
              <Text size="xs" c="dimmed">
                {t(`events.groups.${group}`)}
              </Text>
              {events.map((event) => (
                <Checkbox key={event} value={event} label={<Ltr mono>{event}</Ltr>} />
              ))}
            </Stack>
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      <Group gap="xs">
        <Button variant="subtle" size="compact-sm" onClick={() => choose(WEBHOOK_EVENTS)}>
          {common('all')}
        </Button>
        <Button variant="subtle" size="compact-sm" color="gray" onClick={() => choose([])}>
          {common('none')}
        </Button>
      </Group>
    </>
  );
}
