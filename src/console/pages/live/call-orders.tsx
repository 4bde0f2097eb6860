import { Button, Group, SegmentedControl, TextInput } from '@mantine/core';
import { IconArrowForwardUp, IconMessage, IconNote, IconPhoneOff } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChange } from '../../api/hooks.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Failed } from '../../parts/states.tsx';
import { tellDone } from '../../parts/tell.ts';

const SAID_CHARS_MAX = 500;
const TARGET_CHARS_MAX = 300;

const MODES = ['say', 'note'] as const;
type Mode = (typeof MODES)[number];
const ICONS = { say: IconMessage, note: IconNote };

/** Has the agent say something now, or know something that the caller does not hear. */
export function SaySomething({ callId }: { callId: string }) {
  const { t } = useTranslation('live');
  const [text, setText] = useState('');
  const [mode, setMode] = useState<Mode>('say');
  const say = useChange('sayOnCall');
  const Icon = ICONS[mode];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') return;
    const onSuccess = () => {
      setText('');
      if (mode === 'note') tellDone(t('note.done'));
    };
    say.mutate({ params: { id: callId }, body: { text, mode } }, { onSuccess });
  };
  return (
    <form onSubmit={submit}>
      <SegmentedControl
        size="xs"
        mb="xs"
        aria-label={t('say.modes')}
        data={MODES.map((value) => ({ value, label: t(`${value}.mode`) }))}
        value={mode}
        onChange={(value) => {
          say.reset();
          setMode(value as Mode);
        }}
      />
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          label={t(`${mode}.label`)}
          description={t(`${mode}.note`)}
          dir="auto"
          styles={{ root: { flex: 1 }, label: { direction: 'inherit' } }}
          maxLength={SAID_CHARS_MAX}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button
          type="submit"
          variant="default"
          leftSection={<Icon size={16} />}
          loading={say.isPending}
          disabled={text.trim() === ''}
        >
          {t(`${mode}.verb`)}
        </Button>
      </Group>
      {say.error && <Problem error={say.error} />}
    </form>
  );
}

/** Puts the caller through to somebody. */
export function SendTo({ callId }: { callId: string }) {
  const { t } = useTranslation('live');
  const [target, setTarget] = useState('');
  const send = useChange('transferCall', ['getCall']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (target.trim() === '') return;
    send.mutate(
      { params: { id: callId }, body: { target: target.trim() } },
      {
        onSuccess: () => {
          tellDone(t('transfer.done'));
          setTarget('');
        },
      },
    );
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          label={t('transfer.label')}
          description={t('transfer.note')}
          placeholder="+966501234567"
          dir="ltr"
          styles={{ root: { flex: 1 }, label: { direction: 'inherit' } }}
          maxLength={TARGET_CHARS_MAX}
          value={target}
          onChange={({ currentTarget }) => setTarget(currentTarget.value)}
        />
        <Button
          type="submit"
          variant="default"
          leftSection={<IconArrowForwardUp size={16} />}
          loading={send.isPending}
          disabled={target.trim() === ''}
        >
          {t('transfer.verb')}
        </Button>
      </Group>
      {send.error && <Problem error={send.error} />}
    </form>
  );
}

function Problem({ error }: { error: Parameters<typeof Failed>[0]['error'] }) {
  return (
    <div style={{ marginBlockStart: '0.5rem' }}>
      <Failed error={error} />
    </div>
  );
}

export function HangUp({ callId }: { callId: string }) {
  const { t } = useTranslation('call');
  const [isAsked, setAsked] = useState(false);
  const hangUp = useChange('hangUp', ['getCall', 'listCalls']);
  return (
    <>
      <Button color="red" leftSection={<IconPhoneOff size={16} />} onClick={() => setAsked(true)}>
        {t('hangup.verb')}
      </Button>
      <Confirm
        {...{ opened: isAsked, onClose: () => setAsked(false), title: t('hangup.title'), verb: t('hangup.verb') }}
        text={t('hangup.text')}
        act={() => hangUp.mutateAsync({ params: { id: callId } })}
      />
    </>
  );
}
