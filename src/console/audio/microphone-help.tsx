import { Alert, Code, Stack, Text } from '@mantine/core';
import { IconMicrophoneOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { MicrophoneProblem } from './microphone-problem.ts';

/** Why there is no microphone, and what to do about it. */
export function MicrophoneHelp({ problem }: { problem: MicrophoneProblem }) {
  const { t } = useTranslation('talk');
  // Below 1024 only root may listen.
  const [here, there] = location.port ? [location.port, location.port] : ['8080', '80'];
  return (
    <Alert
      color="orange"
      ta="start"
      icon={<IconMicrophoneOff size={18} />}
      role="alert"
      title={t(`microphone.${problem}.title`)}
    >
      <Stack gap="xs">
        <Text size="sm">{t(`microphone.${problem}.text`)}</Text>
        {problem === 'insecure' && (
          <>
            <Text size="sm">{t('microphone.tunnel')}</Text>
            <Code block dir="ltr">{`ssh -L ${here}:127.0.0.1:${there} ${location.hostname}`}</Code>
            <Code block dir="ltr">{`http://localhost:${here}${location.pathname}`}</Code>
          </>
        )}
      </Stack>
    </Alert>
  );
}
