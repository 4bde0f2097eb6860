import {
  ActionIcon,
  Button,
  NumberInput,
  PasswordInput,
  Select,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { NumberRule } from '../../../core/trunk.ts';
import type { TrunkDraft } from './model/trunk-draft.ts';
import classes from './trunks.module.css';

export interface FieldsProps {
  readonly draft: TrunkDraft;
  readonly set: (changes: Partial<TrunkDraft>) => void;
  readonly isNew: boolean;
}
type TextKey = { [K in keyof TrunkDraft]: TrunkDraft[K] extends string ? K : never }[keyof TrunkDraft];

/** A field of text by its name in the draft; what is written in it goes from left to right. */
function Line({ of, draft, set, ...more }: Pick<FieldsProps, 'draft' | 'set'> & { of: TextKey; placeholder?: string }) {
  const { t } = useTranslation('numbers');
  return (
    <TextInput
      label={t(`trunk.fields.${of as 'name'}`)}
      dir="ltr"
      maxLength={128}
      value={draft[of]}
      onChange={(event) => set({ [of]: event.currentTarget.value })}
      {...more}
    />
  );
}

function Secret({ of, draft, set, isNew }: FieldsProps & { of: 'password' | 'inboundPassword' }) {
  const { t } = useTranslation('numbers');
  return (
    <PasswordInput
      label={t('trunk.fields.password')}
      description={isNew ? undefined : t('trunk.passwordStays')}
      dir="ltr"
      maxLength={200}
      autoComplete="new-password"
      value={draft[of]}
      onChange={(event) => set({ [of]: event.currentTarget.value })}
      visibilityToggleButtonProps={{ 'aria-label': t('trunk.showPassword') }}
    />
  );
}

/** Who it is, and how its calls are known. */
export function WhoFields(props: FieldsProps) {
  const { draft, set, isNew } = props;
  const { t } = useTranslation('numbers');
  return (
    <>
      <TextInput
        label={t('trunk.fields.name')}
        description={isNew ? t('trunk.nameHint') : t('trunk.nameStays')}
        required
        disabled={!isNew}
        dir="ltr"
        maxLength={64}
        value={draft.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <TagsInput
        label={t('trunk.fields.sources')}
        description={t('trunk.sourcesHint')}
        dir="ltr"
        placeholder={draft.sources.length === 0 ? '203.0.113.0/28' : undefined}
        splitChars={[',', ' ']}
        acceptValueOnBlur
        value={[...draft.sources]}
        onChange={(sources) => set({ sources })}
      />
      <Switch
        label={t('trunk.fields.digest')}
        checked={draft.auth === 'digest'}
        onChange={(event) => set({ auth: event.currentTarget.checked ? 'digest' : 'none' })}
      />
      {draft.auth === 'digest' && (
        <div className={classes['pair']}>
          <Line of="inboundUser" {...{ draft, set }} />
          <Secret of="inboundPassword" {...props} />
        </div>
      )}
      <Line of="certificateName" {...{ draft, set }} placeholder="sbc1.example.net" />
    </>
  );
}

/** Where its calls go, and who we are there. */
export function WhereFields(props: FieldsProps) {
  const { draft, set } = props;
  const { t } = useTranslation('numbers');
  const { hosts } = draft;
  const setHost = (index: number, changes: Partial<(typeof hosts)[number]>) =>
    set({ hosts: hosts.map((host, at) => (at === index ? { ...host, ...changes } : host)) });
  return (
    <>
      {hosts.map((host, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing else of their own
        <div key={index} className={classes['row']}>
          <TextInput
            label={t('trunk.fields.host')}
            dir="ltr"
            placeholder="sip:sbc1.example.net:5060"
            value={host.uri}
            onChange={(event) => setHost(index, { uri: event.currentTarget.value })}
          />
          <Count
            label={t('trunk.fields.priority')}
            value={host.priority}
            max={65_535}
            onChange={(priority) => setHost(index, { priority })}
          />
          <Count
            label={t('trunk.fields.weight')}
            value={host.weight}
            max={65_535}
            onChange={(weight) => setHost(index, { weight })}
          />
          <Remove onClick={() => set({ hosts: hosts.filter((_, at) => at !== index) })} />
        </div>
      ))}
      <Add onClick={() => set({ hosts: [...hosts, { uri: '', priority: 10, weight: 1 }] })}>{t('trunk.addHost')}</Add>
      <div className={classes['pair']}>
        <Select
          label={t('trunk.fields.transport')}
          data={['udp', 'tcp', 'tls'].map((value) => ({ value, label: value.toUpperCase() }))}
          value={draft.transport}
          allowDeselect={false}
          onChange={(value) => set({ transport: value as TrunkDraft['transport'] })}
        />
        <Count
          label={t('trunk.fields.pingSeconds')}
          value={draft.pingSeconds}
          max={3_600}
          onChange={(pingSeconds) => set({ pingSeconds })}
        />
        <Line of="user" {...{ draft, set }} />
        <Secret of="password" {...props} />
        <Line of="realm" {...{ draft, set }} placeholder="carrier.example" />
        <Line of="fromUser" {...{ draft, set }} />
        <Line of="fromDomain" {...{ draft, set }} />
      </div>
      <Switch
        label={t('trunk.fields.registers')}
        description={t('trunk.registersHint')}
        checked={draft.registers}
        onChange={(event) => set({ registers: event.currentTarget.checked })}
      />
      {draft.registers && (
        <Count
          label={t('trunk.fields.expiresSeconds')}
          value={draft.expiresSeconds}
          min={60}
          max={86_400}
          onChange={(expiresSeconds) => set({ expiresSeconds })}
        />
      )}
    </>
  );
}

/** How numbers are written there, and which may be called. */
export function NumberFields({ draft, set }: FieldsProps) {
  const { t } = useTranslation('numbers');
  return (
    <>
      <TagsInput
        label={t('trunk.fields.prefixes')}
        description={t('trunk.prefixesHint')}
        dir="ltr"
        placeholder={draft.prefixes.length === 0 ? '+966' : undefined}
        splitChars={[',', ' ']}
        acceptValueOnBlur
        value={[...draft.prefixes]}
        onChange={(prefixes) => set({ prefixes })}
      />
      <Rules title={t('trunk.fields.numbersIn')} rules={draft.numbersIn} onChange={(numbersIn) => set({ numbersIn })} />
      <Rules
        title={t('trunk.fields.numbersOut')}
        rules={draft.numbersOut}
        onChange={(numbersOut) => set({ numbersOut })}
      />
      <Select
        label={t('trunk.fields.callerId')}
        data={[
          { value: 'from', label: 'From' },
          { value: 'p-asserted-identity', label: 'P-Asserted-Identity' },
          { value: 'remote-party-id', label: 'Remote-Party-ID' },
        ]}
        value={draft.callerId}
        allowDeselect={false}
        onChange={(value) => set({ callerId: value as TrunkDraft['callerId'] })}
      />
    </>
  );
}

function Rules(props: { title: string; rules: readonly NumberRule[]; onChange: (rules: NumberRule[]) => void }) {
  const { title, rules, onChange } = props;
  const { t } = useTranslation('numbers');
  const put = (index: number, rule: NumberRule) => onChange(rules.map((one, at) => (at === index ? rule : one)));
  const without = ({ digits: _, ...rule }: NumberRule): NumberRule => rule;
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0, display: 'grid', gap: 8, minWidth: 0 }}>
      <Text component="legend" size="sm" fw={500} mb={4}>
        {title}
      </Text>
      {rules.map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing else of their own
        <div key={index} className={classes['rule']}>
          <TextInput
            label={t('trunk.rule.match')}
            dir="ltr"
            value={rule.match}
            onChange={(event) => put(index, { ...rule, match: event.currentTarget.value })}
          />
          <TextInput
            label={t('trunk.rule.replace')}
            dir="ltr"
            value={rule.replace}
            onChange={(event) => put(index, { ...rule, replace: event.currentTarget.value })}
          />
          <NumberInput
            label={t('trunk.rule.digits')}
            min={1}
            max={40}
            hideControls
            allowDecimal={false}
            value={rule.digits ?? ''}
            onChange={(digits) => put(index, typeof digits === 'number' ? { ...rule, digits } : without(rule))}
          />
          <TextInput
            label={t('trunk.rule.example')}
            dir="ltr"
            placeholder="0512345678 -> +966512345678"
            value={rule.example ?? ''}
            onChange={({ currentTarget: { value } }) => {
              const { example: _, ...rest } = rule;
              put(index, value === '' ? rest : { ...rest, example: value });
            }}
          />
          <Remove onClick={() => onChange(rules.filter((_, at) => at !== index))} />
        </div>
      ))}
      <Add onClick={() => onChange([...rules, { match: '', replace: '' }])}>{t('trunk.rule.add')}</Add>
    </fieldset>
  );
}

export function MediaFields({ draft, set }: FieldsProps) {
  const { t } = useTranslation('numbers');
  return (
    <>
      <div className={classes['pair']}>
        <Select
          label={t('trunk.fields.encryption')}
          data={(['none', 'allow', 'require'] as const).map((value) => ({
            value,
            label: t(`trunk.encryption.${value}`),
          }))}
          value={draft.encryption}
          allowDeselect={false}
          onChange={(value) => set({ encryption: value as TrunkDraft['encryption'] })}
        />
        <Select
          label={t('trunk.fields.dtmf')}
          data={(['auto', 'rfc4733', 'info', 'inband'] as const).map((value) => ({
            value,
            label: t(`trunk.dtmf.${value}`),
          }))}
          value={draft.dtmf}
          allowDeselect={false}
          onChange={(value) => set({ dtmf: value as TrunkDraft['dtmf'] })}
        />
      </div>
      {(['keysInClear', 'dtls'] as const).map((name) => (
        <Switch
          key={name}
          label={t(`trunk.fields.${name}`)}
          description={t(`trunk.${name}Hint`)}
          checked={draft[name]}
          onChange={(event) => set({ [name]: event.currentTarget.checked })}
        />
      ))}
    </>
  );
}

export function LimitFields({ draft, set }: FieldsProps) {
  const { t } = useTranslation('numbers');
  const names = ['callsIn', 'callsOut', 'callsPerSecondIn', 'callsPerSecondOut'] as const;
  return (
    <div className={classes['pair']}>
      {names.map((name) => (
        <Count
          key={name}
          label={t(`trunk.fields.${name}`)}
          value={draft.limits[name]}
          max={100_000}
          isDecimal={name.includes('PerSecond')}
          onChange={(value) => set({ limits: { ...draft.limits, [name]: value } })}
        />
      ))}
    </div>
  );
}

export function HeaderFields({ draft, set }: FieldsProps) {
  const { t } = useTranslation('numbers');
  const { headersOut } = draft;
  const put = (index: number, changes: Partial<(typeof headersOut)[number]>) =>
    set({ headersOut: headersOut.map((one, at) => (at === index ? { ...one, ...changes } : one)) });
  return (
    <>
      <TagsInput
        label={t('trunk.fields.headersIn')}
        description={t('trunk.headersInHint')}
        dir="ltr"
        splitChars={[',', ' ']}
        acceptValueOnBlur
        value={[...draft.headersIn]}
        onChange={(headersIn) => set({ headersIn })}
      />
      {headersOut.map(({ name, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing else of their own
        <div key={index} className={classes['rule']} style={{ gridTemplateColumns: '1fr 1fr auto' }}>
          <TextInput
            label={t('trunk.fields.header')}
            dir="ltr"
            placeholder="X-Ticket"
            value={name}
            onChange={(event) => put(index, { name: event.currentTarget.value })}
          />
          <TextInput
            label={t('trunk.fields.headerValue')}
            dir="ltr"
            placeholder="{ticket}"
            value={value}
            onChange={(event) => put(index, { value: event.currentTarget.value })}
          />
          <Remove onClick={() => set({ headersOut: headersOut.filter((_, at) => at !== index) })} />
        </div>
      ))}
      <Add onClick={() => set({ headersOut: [...headersOut, { name: '', value: '' }] })}>{t('trunk.addHeader')}</Add>
    </>
  );
}

interface CountProps {
  readonly label: string;
  readonly value: number;
  readonly min?: number;
  readonly max: number;
  readonly isDecimal?: boolean;
  readonly onChange: (value: number) => void;
}

function Count({ label, value, min = 0, max, isDecimal = false, onChange }: CountProps) {
  return (
    <NumberInput
      {...{ label, value, min, max }}
      allowDecimal={isDecimal}
      allowNegative={false}
      hideControls
      onChange={(typed) => onChange(typeof typed === 'number' ? typed : min)}
    />
  );
}

function Remove({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation('numbers');
  return (
    <ActionIcon variant="subtle" color="red" size={36} onClick={onClick} aria-label={t('trunk.removeRow')}>
      <IconTrash size={16} />
    </ActionIcon>
  );
}

function Add({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <div>
      <Button variant="subtle" size="compact-sm" leftSection={<IconPlus size={14} />} onClick={onClick}>
        {children}
      </Button>
    </div>
  );
}
