import { ActionIcon, Button, Center, Group, Loader, Stack, Switch, Text, TextInput, Tooltip } from '@mantine/core';
import { IconRefresh, IconSend, IconVolumeOff } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failed } from '../../../parts/states.tsx';
import { type ChatLine, inputOf } from './chat-state.ts';
import { Said, type SaidLine } from './said.tsx';
import type { Chat } from './use-chat.ts';
import { Why } from './why.tsx';

/** The agent by typing: what it answers, and why. Free of charge. */
export function ChatTab({ chat }: { chat: Chat }) {
  const { t } = useTranslation('talk');
  const keyed = t('input.keypad');
  const silent = t('input.silence');
  const lines = useMemo(() => chat.lines.map((line) => saidOf(line, keyed, silent)), [chat.lines, keyed, silent]);
  return (
    <Stack gap="sm" h="100%" mih={0}>
      {lines.length === 0 && !chat.error ? (
        <Center style={{ flex: 1 }}>
          <Loader size="sm" />
        </Center>
      ) : (
        <Said lines={lines} label={t('conversation')} />
      )}
      {chat.isBusy && lines.length > 0 && (
        <Text size="sm" c="dimmed" role="status">
          {t('thinking')}
        </Text>
      )}
      {chat.error && <Failed error={chat.error} again={chat.again} />}
      {chat.isOver ? (
        <Group justify="space-between">
          <Text size="sm" c="dimmed" role="status">
            {t('chatOver')}
          </Text>
          <Button leftSection={<IconRefresh size={16} />} onClick={chat.restart}>
            {t('restart')}
          </Button>
        </Group>
      ) : (
        <Compose chat={chat} />
      )}
    </Stack>
  );
}

const saidOf = ({ id, role, text, input, tried }: ChatLine, keyed: string, silent: string): SaidLine => ({
  ...{ id, role, isOver: true },
  text: text === '' && input === 'silence' ? silent : text,
  facts: tried ? <Why tried={tried} /> : input === 'keypad' ? keyed : undefined,
});

function Compose({ chat }: { chat: Chat }) {
  const { t } = useTranslation('talk');
  const [text, setText] = useState('');
  const [wantsKeys, setWantsKeys] = useState(false);
  const send = (said: string) => {
    chat.send(said.trim(), inputOf(said, wantsKeys));
    setText('');
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '' && !chat.isBusy) send(text);
      }}
    >
      <Group gap="xs" wrap="nowrap">
        <TextInput
          style={{ flex: 1 }}
          dir={wantsKeys ? 'ltr' : 'auto'}
          value={text}
          inputMode={wantsKeys ? 'tel' : 'text'}
          maxLength={4_000}
          autoComplete="off"
          data-autofocus
          aria-label={t(wantsKeys ? 'typeKeys' : 'type')}
          placeholder={t(wantsKeys ? 'typeKeys' : 'type')}
          error={wantsKeys && text !== '' && inputOf(text, true) !== 'keypad' ? t('noKeys') : undefined}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <ActionIcon type="submit" size={36} loading={chat.isBusy} disabled={text.trim() === ''} aria-label={t('send')}>
          <IconSend size={18} className="points" />
        </ActionIcon>
      </Group>
      <Group justify="space-between" mt="xs" gap="xs">
        <Switch
          size="xs"
          label={t('asKeys')}
          checked={wantsKeys}
          onChange={({ currentTarget }) => setWantsKeys(currentTarget.checked)}
        />
        <Group gap="xs">
          <Tooltip label={t('silenceNote')}>
            <Button
              size="xs"
              variant="default"
              disabled={chat.isBusy}
              leftSection={<IconVolumeOff size={15} />}
              onClick={() => chat.send('', 'silence')}
            >
              {t('silence')}
            </Button>
          </Tooltip>
          <Button size="xs" variant="default" leftSection={<IconRefresh size={15} />} onClick={chat.restart}>
            {t('restart')}
          </Button>
        </Group>
      </Group>
    </form>
  );
}
