import { Alert, Button, Group, Progress, Text } from '@mantine/core';
import { IconPhoneOutgoing, IconPlayerPlay } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../api/client.ts';
import { useAsk, useChange } from '../../api/hooks.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Noticed } from '../../parts/noticed.tsx';
import { Section } from '../../parts/page.tsx';
import { Empty, Failed } from '../../parts/states.tsx';
import { Dialogue } from './dialogue.tsx';
import { doneShare, rowsOf } from './model/results.ts';
import { RunCounts } from './run-sign.tsx';
import { Runs } from './runs.tsx';
import classes from './tests.module.css';
import type { Editing } from './use-tests.ts';

const WATCH_MS = 1_000;
const RUNS_SHOWN = 50;
type Mode = 'text' | 'voice';

interface Props {
  readonly agent: Answer<'getAgent'>;
  readonly editing: Editing;
  readonly canRun: boolean;
  readonly onLine: (line: number) => void;
}

/** The dialogues with what came of each: of the last run, or of one that was picked; and the runs. */
export function Results({ agent, editing, canRun, onLine }: Props) {
  const { t } = useTranslation('tests');
  const client = useQueryClient();
  const params = { id: agent.id };
  const [isWatching, setWatching] = useState(false);
  const [isCalling, setCalling] = useState(false);
  const [picked, setPicked] = useState<string>();
  const runs = useAsk('listAgentTestRuns', { params, query: { limit: RUNS_SHOWN } });
  const shownId = picked ?? runs.data?.items[0]?.id;
  const shown = useAsk(
    'getAgentTestRun',
    { params: { id: agent.id, run: shownId ?? '' } },
    { enabled: shownId !== undefined, ...(isWatching && { everyMs: WATCH_MS }) },
  );
  const start = useChange('runAgentTests', ['listAgentTestRuns']);
  const run = shownId === undefined ? undefined : shown.data;
  const isRunning = run?.state === 'running';
  useEffect(() => {
    setWatching(isRunning);
    if (!isRunning) void client.invalidateQueries({ queryKey: ['listAgentTestRuns'] });
  }, [isRunning, client]);
  const { text, isChanged, checked } = editing;
  const hold = (mode: Mode, only?: string) => {
    const body = { mode, ...(isChanged && { yaml: text }), ...(only !== undefined && { only: [only] as [string] }) };
    return start.mutateAsync({ params, body }).then((begun) => setPicked(begun.id));
  };
  const canHold = canRun && !start.isPending && !isRunning && checked.problems.length === 0;
  const isLive = agent.status === 'live';
  const rows = rowsOf(checked.dialogues, run?.dialogues ?? []);
  const begin = (mode: Mode, only?: string) => void hold(mode, only).catch(() => undefined); // told below
  return (
    <div className={classes['results']}>
      <Section
        title={t('results.title')}
        aside={
          canRun && (
            <Group gap="xs">
              <Button
                size="xs"
                leftSection={<IconPlayerPlay size={16} />}
                disabled={!canHold || checked.dialogues.length === 0}
                loading={start.isPending}
                onClick={() => begin('text')}
              >
                {t('results.runAll')}
              </Button>
              <Button
                size="xs"
                variant="default"
                leftSection={<IconPhoneOutgoing size={16} />}
                disabled={!canHold || !isLive || checked.dialogues.length === 0}
                title={isLive ? undefined : t('results.onlyLive')}
                onClick={() => setCalling(true)}
              >
                {t('results.runVoice')}
              </Button>
            </Group>
          )
        }
      >
        {start.error && (
          <div style={{ marginBlockEnd: 12 }}>
            <Failed error={start.error} />
          </div>
        )}
        {run && (
          <div className={classes['head']} role="status" aria-live="polite">
            <RunCounts run={run} />
            <Text span size="sm" c="dimmed">
              {t(`modes.${run.mode}`)}
            </Text>
            {isRunning && (
              <Progress value={doneShare(run) * 100} aria-label={t('results.progress')} w="100%" size="sm" />
            )}
            {run.why !== null && (
              <Alert color="orange" w="100%" p="xs">
                <Text size="sm" dir="auto">
                  <Noticed notice={run.why_notice} english={run.why} />
                </Text>
              </Alert>
            )}
          </div>
        )}
        {rows.length === 0 && (
          <Empty title={t('results.none')}>
            <Text size="sm" c="dimmed">
              {t('results.noneText')}
            </Text>
          </Empty>
        )}
        <ul className={classes['dialogues']}>
          {rows.map((row) => (
            <Dialogue
              key={row.name}
              row={row}
              onLine={onLine}
              {...(canHold && row.dialogue && { onRun: () => begin('text', row.name) })}
            />
          ))}
        </ul>
      </Section>
      <Runs runs={runs} shownId={shownId} onPick={setPicked} />
      <Confirm
        title={t('voice.title')}
        text={t('voice.text', { count: checked.dialogues.length })}
        verb={t('voice.verb')}
        isDangerous={false}
        opened={isCalling}
        onClose={() => setCalling(false)}
        act={() => hold('voice')}
      />
    </div>
  );
}
