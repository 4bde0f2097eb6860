import { Alert, Button, Tabs, Text } from '@mantine/core';
import { IconInfoCircle, IconMicrophone } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { Page } from '../../parts/page.tsx';
import { useWho } from '../../session/session.tsx';
import { AgentTry } from './agent-try.tsx';
import { CoverageTry } from './coverage-try.tsx';
import { DocumentsTry } from './documents-try.tsx';
import { NormaliseTry } from './normalise-try.tsx';
import { RedactTry } from './redact-try.tsx';
import { SpeechTry } from './speech-try.tsx';
import { TranscribeTry } from './transcribe-try.tsx';

const TRIES = {
  speech: SpeechTry,
  transcribe: TranscribeTry,
  normalise: NormaliseTry,
  coverage: CoverageTry,
  redact: RedactTry,
  documents: DocumentsTry,
} as const satisfies Record<string, () => ReactNode>;
const NAMES = Object.keys(TRIES) as (keyof typeof TRIES)[];

/** What the public API does, tried from here as a program would: with a token of its own, for the price of programs. */
export default function PlaygroundPage() {
  const { t } = useTranslation('playground');
  const { may } = useWho();
  const [query, setQuery] = useSearchParams();
  const [isTrying, setTrying] = useState(false);
  const asked = query.get('tab');
  const name = NAMES.find((one) => one === asked) ?? NAMES[0]!;
  if (!may('agents')) {
    return (
      <Page title={t('title')}>
        <Alert color="gray" icon={<IconInfoCircle size={18} />}>
          <Text size="sm">{t('mayNot')}</Text>
        </Alert>
      </Page>
    );
  }
  const talk = (
    <Button variant="default" leftSection={<IconMicrophone size={16} />} onClick={() => setTrying(true)}>
      {t('tryAgent')}
    </Button>
  );
  return (
    <Page title={t('title')} lead={t('lead')} actions={talk}>
      <Tabs value={name} onChange={(tab) => setQuery({ tab: tab ?? NAMES[0]! }, { replace: true })} keepMounted={false}>
        <Tabs.List mb="lg">
          {NAMES.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`tabs.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {NAMES.map((one) => {
          const Try = TRIES[one];
          return (
            <Tabs.Panel key={one} value={one}>
              <Try />
            </Tabs.Panel>
          );
        })}
      </Tabs>
      <AgentTry isOpen={isTrying} onClose={() => setTrying(false)} />
    </Page>
  );
}
