import { Button, Card, Group, Loader, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconGridDots, IconMicrophone, IconMicrophoneOff, IconPhoneOff } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../i18n/use-format.ts';
import { LevelMeter } from '../../../parts/level-meter.tsx';
import { Ltr } from '../../../parts/text.tsx';
import type { Talk } from './use-talk.ts';

/** Of a call that goes on: how long, who is heard, and what can be done. */
export function TalkControls({ talk }: { talk: Talk }) {
  const { t } = useTranslation('talk');
  const { phase, callId } = talk.state;
  const isTalking = phase === 'talking';
  const [hasKeys, setKeys] = useState(false);
  return (
    <Card padding="sm">
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Group gap="xs" role="status">
            {!isTalking && <Loader size="xs" />}
            <Text fw={600} size="sm">
              {t(`phases.${phase as 'talking'}`)}
            </Text>
          </Group>
          {isTalking && <Timer key={callId} />}
        </Group>
        <SimpleGrid cols={2} spacing="sm">
          {(['own', 'agent'] as const).map((side) => (
            <Stack gap={4} key={side}>
              <Text size="xs" c="dimmed">
                {t(side === 'own' ? 'who.caller' : 'who.agent')}
              </Text>
              <LevelMeter level={talk.levels[side]} colour={side === 'own' ? 'var(--caller)' : 'var(--agent)'} />
            </Stack>
          ))}
        </SimpleGrid>
        <Group gap="xs">
          <Button
            size="xs"
            variant={talk.isMuted ? 'filled' : 'default'}
            color="orange"
            aria-pressed={talk.isMuted}
            disabled={!isTalking}
            leftSection={talk.isMuted ? <IconMicrophoneOff size={15} /> : <IconMicrophone size={15} />}
            onClick={() => talk.mute(!talk.isMuted)}
          >
            {t('mute')}
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={!isTalking}
            aria-expanded={hasKeys}
            leftSection={<IconGridDots size={15} />}
            onClick={() => setKeys(!hasKeys)}
          >
            {t('keys')}
          </Button>
          <Button size="xs" color="red" ms="auto" leftSection={<IconPhoneOff size={15} />} onClick={talk.hangUp}>
            {t('hangUp')}
          </Button>
        </Group>
        {hasKeys && <Keys onPress={talk.press} isDisabled={!isTalking} />}
      </Stack>
    </Card>
  );
}

function Timer() {
  const { clock } = useFormat();
  const [startMs] = useState(() => Date.now());
  const [nowMs, setNow] = useState(startMs);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  return (
    <Text size="sm" className="figures" c="dimmed">
      <Ltr>{clock(nowMs - startMs)}</Ltr>
    </Text>
  );
}

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const;

/** The keys of a telephone. */
function Keys({ onPress, isDisabled }: { onPress: (key: string) => void; isDisabled: boolean }) {
  const { t } = useTranslation('talk');
  return (
    <SimpleGrid cols={3} spacing={6} dir="ltr" maw={220} mx="auto" role="group" aria-label={t('keys')}>
      {KEYS.map((key) => (
        <Button key={key} variant="default" px={0} disabled={isDisabled} onClick={() => onPress(key)} aria-label={key}>
          {key}
        </Button>
      ))}
    </SimpleGrid>
  );
}
