import { Anchor, Drawer, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Call } from '../../api/generated/operations.ts';
import { useAsk } from '../../api/hooks.ts';
import { Failed, Loading } from '../../parts/states.tsx';
import { Ltr } from '../../parts/text.tsx';
import { useWho } from '../../session/session.tsx';
import { otherSide } from '../call/actions.tsx';
import classes from './call-drawer.module.css';
import { HangUp, SaySomething, SendTo } from './call-orders.tsx';
import { Clock } from './clock.tsx';
import { LevelStrip, type StripColours } from './level-strip.tsx';
import { Listen } from './listen.tsx';
import { CallState } from './live-row.tsx';
import { Said } from './said.tsx';
import type { LiveCalls } from './use-live-calls.ts';

interface Props {
  readonly id: string;
  readonly calls: LiveCalls;
  readonly colours: StripColours | undefined;
  readonly onClose: () => void;
}

/** One of the calls: its words as they come, and what can be done with it. */
export function LiveCallDrawer({ id, calls, colours, onClose }: Props) {
  const { t } = useTranslation('live');
  const { t: common } = useTranslation();
  const asked = useAsk('getCall', { params: { id } });
  const call = asked.data;
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={call ? <Ltr>{otherSide(call) || t('unknown')}</Ltr> : t('call')}
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      {call && <Body {...{ call, calls, colours }} />}
      {!call && (asked.error ? <Failed error={asked.error} again={() => void asked.refetch()} /> : <Loading />)}
    </Drawer>
  );
}

/** The newest are at the right: of a narrow page the oldest are cut off. */
const COLUMNS = 220;
const HEIGHT = 72;

function Body({ call, calls, colours }: { call: Call } & Pick<Props, 'calls' | 'colours'>) {
  const { t } = useTranslation('live');
  const { may } = useWho();
  const row = calls.rows.find((one) => one.id === call.id);
  const endedMs = row?.end?.atMs ?? (call.ended_at ? Date.parse(call.ended_at) : undefined);
  const isOver = endedMs !== undefined;
  const answeredAt = row?.answeredAt ?? call.answered_at;
  const end = isOver ? { reason: row?.end?.reason ?? call.end?.reason ?? '', atMs: endedMs } : undefined;
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <CallState row={{ answeredAt, end }} />
          <Anchor component={Link} to={`/agents/${call.agent_id}`} size="sm">
            <bdi>{call.agent}</bdi>
          </Anchor>
        </Group>
        <Text fw={600} component="div">
          <Clock since={answeredAt ?? call.started_at} until={endedMs} />
        </Text>
      </Group>
      {!isOver && (
        <div className={classes['meter']}>
          <LevelStrip {...{ hub: calls.hub, callId: call.id, colours, columns: COLUMNS, height: HEIGHT }} />
        </div>
      )}
      <Said call={call} interim={row?.interim ?? ''} />
      {isOver ? (
        <Text size="sm">
          {t('ended')}{' '}
          <Anchor component={Link} to={`/calls/${call.id}`} size="sm">
            {t('toCall')}
          </Anchor>
        </Text>
      ) : (
        may('calls') && (
          <>
            <SaySomething callId={call.id} />
            <SendTo callId={call.id} />
            <Group justify="space-between">
              <Listen callId={call.id} />
              <HangUp callId={call.id} />
            </Group>
          </>
        )
      )}
    </Stack>
  );
}
