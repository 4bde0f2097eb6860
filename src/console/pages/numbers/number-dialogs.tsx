import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChange } from '../../api/hooks.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { tellDone } from '../../parts/tell.ts';
import { isNumber } from './model/refusal.ts';
import { useAgents } from './routing.ts';

interface Props {
  /** A number that is there or is asked for; any without it. */
  readonly number?: string;
  /** The agent that has it now. */
  readonly agentId?: string;
  readonly onClose: () => void;
}

/** Has an agent answer a number: a new one, one that was asked for, or one of another agent. */
export function GiveNumber({ number: given, agentId: before, onClose }: Props) {
  const { t } = useTranslation('numbers');
  const { t: agentTexts } = useTranslation('agents');
  const agents = useAgents();
  const assign = useChange('assignNumber', ['listNumbers', 'listAgents', 'getOverview']);
  const [number, setNumber] = useState(given ?? '');
  const [agentId, setAgentId] = useState(before ?? null);
  const all = agents.items ?? [];
  const chosen = agentId ?? (all.length === 1 ? all[0]!.id : null);
  const isOk = isNumber(number.trim());
  const title = before === undefined ? t('add.title') : t('number.moveTitle', { number: `\u2066${number}\u2069` });
  const submit = () =>
    assign.mutate(
      { params: { number: number.trim() }, body: { agent_id: chosen! } },
      {
        onSuccess: ({ number: had, agent_name: name }) => {
          tellDone(t('add.done', { number: `\u2066${had}\u2069`, name }));
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title={title}
      verb={before === undefined ? t('add.give') : t('number.moveVerb')}
      isBusy={assign.isPending}
      error={assign.error}
      isReady={isOk && chosen !== null && chosen !== before}
      onClose={onClose}
      onSubmit={submit}
    >
      {before === undefined && (
        <TextInput
          label={t('add.number')}
          description={t('add.numberHint')}
          error={number !== '' && !isOk && t('add.numberWrong')}
          dir="ltr"
          placeholder="+966112345678"
          required
          maxLength={64}
          data-autofocus={given === undefined || undefined}
          value={number}
          onChange={(event) => setNumber(event.currentTarget.value)}
        />
      )}
      <Select
        label={t('add.agent')}
        description={all.find(({ id }) => id === chosen)?.status === 'draft' ? t('add.draft') : undefined}
        data={all.map(({ id, name, status }) => ({
          value: id,
          label: status === 'live' ? name : `${name} (${agentTexts(`status.${status}`)})`,
        }))}
        value={chosen}
        onChange={setAgentId}
        required
        searchable={all.length > 8}
        nothingFoundMessage={t('add.noAgent')}
        data-autofocus={given !== undefined || undefined}
        comboboxProps={{ withinPortal: true }}
      />
    </FormDialog>
  );
}
