import { Anchor, Button, Collapse, Group, Text, TextInput } from '@mantine/core';
import { IconCheck, IconPhoneIncoming, IconX } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Answer, ApiError } from '../../api/client.ts';
import { useAsk } from '../../api/hooks.ts';
import { Section } from '../../parts/page.tsx';
import { Failed } from '../../parts/states.tsx';
import { Ltr, WithCode } from '../../parts/text.tsx';
import classes from './explain.module.css';
import { Fix } from './fix.tsx';
import { type Step, sourceParts, stepsOf } from './model/explained.ts';
import { refusalOf } from './model/refusal.ts';

export interface Asked {
  readonly number: string;
  readonly address: string;
  readonly caller?: string;
  readonly digest?: string;
}
type Explained = Answer<'explainCall'>;

/** What happens when a number is called from an address, step by step. */
export function Explain() {
  const { t } = useTranslation('numbers');
  const [form, setForm] = useState({ number: '', address: '', caller: '', digest: '' });
  const [asked, setAsked] = useState<Asked>();
  const [showsMore, setShowsMore] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { number, address, caller, digest } = form;
    setAsked({
      ...{ number: number.trim(), address: address.trim() },
      ...(caller !== '' && { caller }),
      ...(digest !== '' && { digest }),
    });
  };
  const line = (name: keyof typeof form, placeholder: string, isRequired = false) => (
    <TextInput
      label={t(`explain.${name}`)}
      dir="ltr"
      placeholder={placeholder}
      required={isRequired}
      maxLength={name === 'address' ? 64 : 100}
      value={form[name]}
      onChange={(event) => setForm({ ...form, [name]: event.currentTarget.value })}
    />
  );
  const isReady = form.number.trim() !== '' && form.address.trim() !== '';
  return (
    <Section title={t('explain.title')}>
      <Text size="sm" c="dimmed" mb="sm">
        {t('explain.lead')}
      </Text>
      <form onSubmit={submit}>
        <div className={classes['form']}>
          {line('number', '+966112345678', true)}
          {line('address', '203.0.113.7', true)}
          <Button type="submit" leftSection={<IconPhoneIncoming size={16} />} disabled={!isReady}>
            {t('explain.go')}
          </Button>
        </div>
        <Anchor
          component="button"
          type="button"
          size="sm"
          mt="xs"
          onClick={() => setShowsMore(!showsMore)}
          aria-expanded={showsMore}
        >
          {t('explain.more')}
        </Anchor>
        <Collapse expanded={showsMore}>
          <div className={classes['form']}>
            {line('caller', '+966501234567')}
            {line('digest', 'reception')}
          </div>
        </Collapse>
      </form>
      {asked && <Explanation key={JSON.stringify(asked)} asked={asked} />}
    </Section>
  );
}

/** The answer; asked anew after something of it was mended. */
export function Explanation({ asked }: { asked: Asked }) {
  const explained = useAsk('explainCall', { query: asked });
  return (
    <div aria-live="polite" className={classes['answer']}>
      {explained.error && !explained.data && (
        <Failed error={explained.error as ApiError} again={() => void explained.refetch()} />
      )}
      {explained.data && <Way asked={asked} explained={explained.data} />}
    </div>
  );
}

function Way({ asked, explained }: { asked: Asked; explained: Explained }) {
  const { t } = useTranslation('numbers');
  const steps = stepsOf(explained);
  return (
    <>
      <ol className={classes['steps']}>
        {steps.map((step) => (
          <li key={step.kind} data-state={step.state}>
            <Sign state={step.state} />
            <div>
              <Text size="sm" component="div" fw={step.kind === 'answer' && step.state === 'yes' ? 600 : undefined}>
                <Said step={step} asked={asked} explained={explained} />
              </Text>
              {step.state === 'no' && <Refused asked={asked} explained={explained} />}
            </div>
          </li>
        ))}
      </ol>
      {explained.taken && (
        <Text size="xs" c="dimmed" mt="xs">
          {t('explain.note')}
        </Text>
      )}
    </>
  );
}

function Sign({ state }: { state: Step['state'] }) {
  const { t } = useTranslation('numbers');
  return (
    <span className={classes['sign']} role="img" aria-label={t(`explain.states.${state}`)}>
      {state === 'yes' && <IconCheck size={16} stroke={2.5} />}
      {state === 'no' && <IconX size={16} stroke={2.5} />}
    </span>
  );
}

function Said({ step, asked, explained }: { step: Step; asked: Asked; explained: Explained }) {
  const { t } = useTranslation('numbers');
  const { called, agent, agent_id } = explained;
  const agentName = agent_id ? (
    <Anchor component={Link} to={`/agents/${agent_id}`} size="sm">
      <bdi>{agent}</bdi>
    </Anchor>
  ) : (
    <bdi>{agent}</bdi>
  );
  if (step.kind === 'sender') {
    const { kind, name } = sourceParts(explained.source);
    const sender = step.state === 'yes' ? kind : explained.sender === 'challenge' ? 'challenge' : 'refused';
    return (
      <>
        <Ltr mono>{asked.address}</Ltr> {t(`explain.senders.${sender}`)} <bdi>{name}</bdi>
      </>
    );
  }
  if (step.state === 'open') return t(`explain.open.${step.kind}`);
  if (step.kind === 'number') {
    const isRewritten = called !== asked.number;
    return (
      <>
        {isRewritten && (
          <>
            {t('explain.rewritten')} <Ltr mono>{`${asked.number} → ${called}`}</Ltr>.{' '}
          </>
        )}
        <Ltr mono>{called}</Ltr> {step.state === 'yes' ? t('explain.isOf') : t('explain.isNobodys')}{' '}
        {step.state === 'yes' && agentName}
      </>
    );
  }
  if (step.kind === 'agent') return t(step.state === 'yes' ? 'explain.isLive' : 'explain.isNotLive');
  return (
    <>
      {t('explain.answers')} {agentName}
    </>
  );
}

function Refused({ asked, explained }: { asked: Asked; explained: Explained }) {
  const { t } = useTranslation('numbers');
  const refusal = refusalOf(explained);
  return (
    <Group gap="sm" mt={4}>
      <Text size="sm" c="dimmed">
        <WithCode text={t(`refusal.${refusal}`)} />
      </Text>
      <Fix
        refusal={refusal}
        number={explained.called}
        address={asked.address}
        agentId={explained.agent_id}
        trunk={sourceParts(explained.source).name}
      />
    </Group>
  );
}
