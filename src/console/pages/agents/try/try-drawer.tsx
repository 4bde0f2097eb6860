import { Drawer, Tabs } from '@mantine/core';
import { IconMessage, IconMicrophone, IconPhoneOutgoing } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TalkPhase } from '../../../audio/talk-state.ts';
import { CallTab } from './call-tab.tsx';
import { ChatTab } from './chat-tab.tsx';
import { TalkTab } from './talk-tab.tsx';
import classes from './try-drawer.module.css';
import { useChat } from './use-chat.ts';
import { useTalk } from './use-talk.ts';

interface Props {
  readonly agentId: string;
  /** The agent as it is edited, the value of its file; undefined: as it is saved. */
  readonly definition: object | undefined;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** An agent tried out beside its editor: by voice, by typing, by telephone. Closing it ends the call. */
export function TryDrawer({ agentId, definition, isOpen, onClose }: Props) {
  const { t } = useTranslation('talk');
  const { t: common } = useTranslation();
  const [isCalling, setCalling] = useState(false);
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      // A key that was meant for something else must not hang up.
      closeOnEscape={!isCalling}
      closeOnClickOutside={!isCalling}
      position="right"
      size={520}
      title={t('title')}
      closeButtonProps={{ 'aria-label': common('close') }}
      classNames={{ content: classes['content'], body: classes['body'] }}
    >
      <Ways agentId={agentId} definition={definition} onCalling={setCalling} />
    </Drawer>
  );
}

const RUNNING: readonly TalkPhase[] = ['microphone', 'connecting', 'talking'];
const TAB_CLASSES = { root: classes['tabs'], tab: classes['tab'], tabLabel: classes['label'] };

interface WaysProps extends Pick<Props, 'agentId' | 'definition'> {
  readonly onCalling: (isCalling: boolean) => void;
}
type Way = 'talk' | 'chat' | 'call';

/** Calls and chats outlive a change of the tab. */
function Ways({ agentId, definition, onCalling }: WaysProps) {
  const { t } = useTranslation('talk');
  const [way, setWay] = useState<Way>('talk');
  const talk = useTalk(agentId, definition);
  const chat = useChat(agentId, definition, way === 'chat');
  const isCalling = RUNNING.includes(talk.state.phase);
  useEffect(() => {
    onCalling(isCalling);
    return () => onCalling(false);
  }, [isCalling, onCalling]);
  return (
    <Tabs value={way} onChange={(wanted) => setWay(wanted as Way)} classNames={TAB_CLASSES} keepMounted={false}>
      <Tabs.List grow mb="md">
        <Tabs.Tab value="talk" leftSection={<IconMicrophone size={16} />}>
          {t('ways.talk')}
        </Tabs.Tab>
        <Tabs.Tab value="chat" leftSection={<IconMessage size={16} />}>
          {t('ways.chat')}
        </Tabs.Tab>
        <Tabs.Tab value="call" leftSection={<IconPhoneOutgoing size={16} />}>
          {t('ways.call')}
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="talk" className={classes['panel']}>
        <TalkTab talk={talk} isEdited={definition !== undefined} />
      </Tabs.Panel>
      <Tabs.Panel value="chat" className={classes['panel']}>
        <ChatTab chat={chat} />
      </Tabs.Panel>
      <Tabs.Panel value="call" className={classes['panel']}>
        <CallTab agentId={agentId} />
      </Tabs.Panel>
    </Tabs>
  );
}
