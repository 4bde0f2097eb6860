import { Button, Group, NumberInput, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../api/client.ts';
import { useAskTagged, useChange } from '../../api/hooks.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Section } from '../../parts/page.tsx';
import { Failed, Shown } from '../../parts/states.tsx';
import { tellDone } from '../../parts/tell.ts';
import { changeOf, type Draft, draftOf, KEPT, type NumberField, shortened } from './settings-draft.ts';

type Account = Answer<'getAccount'>;
/** What is said about a field stands below it, so that fields beside each other are level. */
const FIELD_ORDER: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];
const ZONES = Intl.supportedValuesOf('timeZone');

/** How the account is called, how much it may use, and how long it keeps what is personal. */
export function Settings() {
  const asked = useAskTagged('getAccount', {});
  return (
    <Shown of={asked}>
      {({ value, tag }) => <Form key={tag} account={value} tag={tag} again={() => void asked.refetch()} />}
    </Shown>
  );
}

function Form({ account, tag, again }: { account: Account; tag: string | undefined; again: () => void }) {
  const { t } = useTranslation('account');
  const { t: common } = useTranslation();
  const [draft, setDraft] = useState(() => draftOf(account));
  const [isAsking, setAsking] = useState(false);
  const save = useChange('changeAccount', ['getAccount']);
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const change = changeOf(account, draft);
  const gone = change ? shortened(account, change) : [];
  const go = async () => {
    await save.mutateAsync({ body: change!, options: { ifMatch: tag } });
    tellDone(t('settings.saved'));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!change) return;
    if (gone.length > 0) setAsking(true);
    else void go().catch(() => undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <Section title={t('settings.account')}>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              label={t('settings.name')}
              required
              dir="auto"
              maxLength={100}
              value={draft.name}
              onChange={(event) => set({ name: event.currentTarget.value })}
            />
            <Select
              label={t('settings.timeZone')}
              description={t('settings.timeZoneText')}
              inputWrapperOrder={FIELD_ORDER}
              searchable
              allowDeselect={false}
              data={ZONES.includes(draft.timeZone) ? ZONES : [draft.timeZone, ...ZONES]}
              value={draft.timeZone}
              onChange={(timeZone) => timeZone !== null && set({ timeZone })}
            />
          </SimpleGrid>
        </Section>
        <Limits draft={draft} set={set} />
        <Retention draft={draft} set={set} byDefault={account.retention_default} />
        {save.error && <Failed error={save.error} again={save.error.code === 'edited_meanwhile' ? again : undefined} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" disabled={!change} onClick={() => setDraft(draftOf(account))}>
            {t('settings.undo')}
          </Button>
          <Button type="submit" disabled={!change || draft.name.trim() === ''} loading={save.isPending}>
            {common('save')}
          </Button>
        </Group>
      </Stack>
      <Confirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('settings.forgetTitle')}
        text={
          <Stack gap="xs">
            {gone.map(([name, count]) => (
              <Text key={name} size="sm">
                {t(`settings.forget.${name}`, { count })}
              </Text>
            ))}
          </Stack>
        }
        verb={t('settings.forgetVerb')}
        act={go}
      />
    </form>
  );
}

interface PartProps {
  readonly draft: Draft;
  readonly set: (part: Partial<Draft>) => void;
}

function Limits({ draft, set }: PartProps) {
  const { t } = useTranslation('account');
  return (
    <Section title={t('settings.limits')}>
      <Text size="sm" c="dimmed" mb="md">
        {t('settings.limitsText')}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        <Field
          label={t('settings.callsAtOnce')}
          value={draft.callsAtOnce}
          onChange={(callsAtOnce) => set({ callsAtOnce })}
        />
        <Field label={t('settings.callsADay')} value={draft.callsADay} onChange={(callsADay) => set({ callsADay })} />
        <Field
          label={t('settings.spendADay')}
          value={draft.spendADay}
          onChange={(spendADay) => set({ spendADay })}
          isMoney
        />
        <Field
          label={t('settings.requestsAMinute')}
          description={t('settings.requestsAMinuteText')}
          value={draft.requestsAMinute}
          onChange={(requestsAMinute) => set({ requestsAMinute })}
        />
        <Field
          label={t('settings.alert')}
          description={t('settings.alertText')}
          placeholder={t('settings.noAlert')}
          value={draft.alertBelow}
          onChange={(alertBelow) => set({ alertBelow })}
          isMoney
        />
      </SimpleGrid>
    </Section>
  );
}

function Retention({ draft, set, byDefault }: PartProps & { readonly byDefault: Account['retention_default'] }) {
  const { t } = useTranslation('account');
  return (
    <Section title={t('settings.retention')}>
      <Text size="sm" c="dimmed" mb="md">
        {t('settings.retentionText')}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {KEPT.map((name) => (
          <Field
            key={name}
            label={t(`settings.kept.${name}`)}
            description={t(`settings.keptText.${name}`)}
            placeholder={
              byDefault[name] === null ? t('settings.forEver') : t('settings.byDefault', { count: byDefault[name] })
            }
            value={draft.days[name]}
            onChange={(days) => set({ days: { ...draft.days, [name]: days } })}
            isDays
          />
        ))}
      </SimpleGrid>
    </Section>
  );
}

interface FieldProps {
  readonly label: string;
  readonly description?: string;
  readonly placeholder?: string;
  readonly value: NumberField;
  readonly onChange: (value: NumberField) => void;
  readonly isMoney?: boolean;
  readonly isDays?: boolean;
}

/** A number, or nothing: then there is no limit, and nothing is deleted by itself. */
function Field({ isMoney = false, isDays = false, ...field }: FieldProps) {
  const { t } = useTranslation('account');
  return (
    <NumberInput
      placeholder={t('settings.noLimit')}
      {...field}
      inputWrapperOrder={FIELD_ORDER}
      min={isDays ? 1 : 0}
      max={isDays ? 36_500 : 1_000_000}
      decimalScale={isMoney ? 2 : 0}
      prefix={isMoney ? '$' : undefined}
      thousandSeparator=","
      hideControls
    />
  );
}
