import { Accordion, Button, Drawer, Group, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrunkDefinition } from '../../../core/trunk.ts';
import type { ApiError } from '../../api/client.ts';
import { useAskTagged, useChange } from '../../api/hooks.ts';
import { Failed, Shown } from '../../parts/states.tsx';
import { tellDone } from '../../parts/tell.ts';
import {
  bodyOf,
  draftOf,
  FORM_PARTS,
  type FormPart,
  NEW_TRUNK,
  partOfProblem,
  type TrunkDraft,
} from './model/trunk-draft.ts';
import { sendable } from './routing.ts';
import { HeaderFields, LimitFields, MediaFields, NumberFields, WhereFields, WhoFields } from './trunk-fields.tsx';

interface Props {
  /** A new one without it. */
  readonly id?: string;
  readonly onClose: () => void;
}

/** A trunk, all of it, to be made or changed. */
export function TrunkDrawer({ id, onClose }: Props) {
  const { t } = useTranslation('numbers');
  const { t: common } = useTranslation();
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="xl"
      title={t(id === undefined ? 'trunk.create' : 'trunk.edit')}
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      {id === undefined ? <TrunkForm start={NEW_TRUNK} onClose={onClose} /> : <Existing id={id} onClose={onClose} />}
    </Drawer>
  );
}

function Existing({ id, onClose }: { id: string; onClose: () => void }) {
  const asked = useAskTagged('getTrunk', { params: { id } });
  return (
    <Shown of={asked} height={320}>
      {({ value, tag }) => (
        <TrunkForm
          key={tag}
          id={id}
          tag={tag}
          start={draftOf((value.definition ?? { name: value.name }) as TrunkDefinition)}
          onClose={onClose}
        />
      )}
    </Shown>
  );
}

interface FormProps extends Props {
  readonly start: TrunkDraft;
  readonly tag?: string | undefined;
}
const FIELDS = {
  ...{ who: WhoFields, where: WhereFields, numbers: NumberFields, media: MediaFields },
  ...{ limits: LimitFields, headers: HeaderFields },
} as const;

function TrunkForm({ id, tag, start, onClose }: FormProps) {
  const { t } = useTranslation('numbers');
  const { t: common } = useTranslation();
  const [draft, setDraft] = useState(start);
  const [open, setOpen] = useState<string[]>(['who', 'where', 'numbers']);
  const create = useChange('createTrunk', ['listTrunks']);
  const change = useChange('changeTrunk', ['listTrunks', 'getTrunk']);
  const used = id === undefined ? create : change;
  const problem = used.error?.code === 'invalid_definition' ? partOfProblem(used.error.message) : undefined;
  const done = {
    onSuccess: () => {
      tellDone(t('trunk.saved', { name: draft.name.trim() }));
      onClose();
    },
    onError: (error: ApiError) => {
      const part = partOfProblem(error.message);
      if (part) setOpen((before) => [...new Set([...before, part])]);
    },
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = sendable(bodyOf(draft));
    if (id === undefined) create.mutate({ body }, done);
    else change.mutate({ params: { id }, body, options: { ...(tag !== undefined && { ifMatch: tag }) } }, done);
  };
  const set = (changes: Partial<TrunkDraft>) => setDraft((before) => ({ ...before, ...changes }));
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Accordion multiple value={open} onChange={setOpen} variant="contained">
          {(Object.keys(FORM_PARTS) as FormPart[]).map((part) => {
            const Fields = FIELDS[part];
            return (
              <Accordion.Item key={part} value={part}>
                <Accordion.Control style={problem === part ? { color: 'var(--bad)' } : undefined}>
                  {t(`trunk.parts.${part}`)}
                </Accordion.Control>
                <Accordion.Panel>
                  <Stack gap="sm">
                    <Fields draft={draft} set={set} isNew={id === undefined} />
                  </Stack>
                </Accordion.Panel>
              </Accordion.Item>
            );
          })}
        </Accordion>
        {used.error && <Failed error={used.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button type="submit" loading={used.isPending} disabled={draft.name.trim() === ''}>
            {t(id === undefined ? 'trunk.create' : 'trunk.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
