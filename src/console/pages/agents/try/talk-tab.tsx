import { Anchor, Button, Center, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconMicrophone, IconRefresh } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { MicrophoneHelp } from '../../../audio/microphone-help.tsx';
import { MICROPHONE_PROBLEMS } from '../../../audio/microphone-problem.ts';
import { microphoneProblemNow } from '../../../audio/sound.ts';
import { medianEarMs, type TalkLine, type TalkProblem, type TalkState } from '../../../audio/talk-state.ts';
import { useFormat } from '../../../i18n/use-format.ts';
import { Figure } from '../../../parts/page.tsx';
import { Failed } from '../../../parts/states.tsx';
import { Ltr } from '../../../parts/text.tsx';
import { Said, type SaidLine } from './said.tsx';
import { TalkControls } from './talk-controls.tsx';
import type { Talk } from './use-talk.ts';
import { Waits } from './waits.tsx';

/** A call with the agent, by the microphone of this device. */
export function TalkTab({ talk, isEdited }: { talk: Talk; isEdited: boolean }) {
  const { t } = useTranslation('talk');
  const { phase, lines, problem } = talk.state;
  const isOver = phase === 'ended' || phase === 'failed';
  const shown = useMemo(() => lines.map(saidOf), [lines]);
  if (phase === 'idle') return <Before onStart={talk.start} isEdited={isEdited} />;
  return (
    <Stack gap="sm" h="100%" mih={0}>
      {!isOver && <TalkControls talk={talk} />}
      {problem && <Problem problem={problem} />}
      {isOver && <After state={talk.state} again={talk.start} />}
      {lines.length > 0 ? (
        <Said lines={shown} label={t('conversation')} />
      ) : (
        !isOver && <Center style={{ flex: 1 }}>{<Text c="dimmed">{t('quiet')}</Text>}</Center>
      )}
    </Stack>
  );
}

const saidOf = (line: TalkLine): SaidLine => ({
  ...{ id: line.id, role: line.role, text: line.text, interim: line.interim, isOver: line.isOver },
  facts: line.role === 'agent' && (line.isOver || line.isCut) ? <Waits line={line} /> : undefined,
});

function Before({ onStart, isEdited }: { onStart: () => void; isEdited: boolean }) {
  const { t } = useTranslation('talk');
  const problem = microphoneProblemNow();
  return (
    <Center style={{ flex: 1 }}>
      <Stack align="center" gap="md" maw={420} ta="center">
        {problem ? (
          <MicrophoneHelp problem={problem} />
        ) : (
          <Button size="lg" radius="xl" leftSection={<IconMicrophone size={22} />} onClick={onStart}>
            {t('start')}
          </Button>
        )}
        <Text size="sm" c="dimmed">
          {t(isEdited ? 'startEdited' : 'startSaved')} {t('startNote')}
        </Text>
        <Text size="sm" c="dimmed">
          {t('headphones')}
        </Text>
      </Stack>
    </Center>
  );
}

function Problem({ problem }: { problem: TalkProblem }) {
  const { t, i18n } = useTranslation('talk');
  const own = MICROPHONE_PROBLEMS.find((one) => problem.code === `microphone.${one}`);
  if (own) return <MicrophoneHelp problem={own} />;
  const key = `problems.${problem.code}`;
  const known = i18n.exists(key, { ns: 'talk' }) ? t(key as 'problems.lost') : problem.message;
  return <Failed error={{ ...problem, message: known, name: 'ApiError', status: 0 }} />;
}

/** What there is to say of a call that is over. */
function After({ state: { end, lines, callId, minuteCents }, again }: { state: TalkState; again: () => void }) {
  const { t, i18n } = useTranslation('talk');
  const { t: common } = useTranslation();
  const { clock, span, money } = useFormat();
  const ear = medianEarMs(lines);
  const reason = `ends.${end?.reason}`;
  return (
    <Stack gap="sm">
      {end && (
        <>
          <Text fw={600} role="status">
            {i18n.exists(reason, { ns: 'talk' }) ? t(reason as 'ends.caller-hangup') : t('over')}
          </Text>
          <SimpleGrid cols={3} spacing="sm">
            <Figure name={t('length')}>
              <Ltr>{clock(end.seconds * 1_000)}</Ltr>
            </Figure>
            <Figure name={t('medianEar')}>{ear === undefined ? '–' : <Ltr>{span(ear)}</Ltr>}</Figure>
            <Figure name={t('minute')}>{minuteCents === undefined ? '–' : <Ltr>{money(minuteCents)}</Ltr>}</Figure>
          </SimpleGrid>
        </>
      )}
      <Group gap="sm">
        <Button leftSection={<IconRefresh size={16} />} onClick={again}>
          {callId ? t('again') : common('again')}
        </Button>
        {callId && (
          <Anchor component={Link} to={`/calls/${callId}`} size="sm">
            {t('openCall')}
          </Anchor>
        )}
      </Group>
    </Stack>
  );
}
