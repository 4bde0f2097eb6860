import { Anchor, Grid, Group, Kbd, Stack, Text } from '@mantine/core';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams, useSearchParams } from 'react-router';
import type { Call, CallTurn } from '../../api/generated/operations.ts';
import { useAsk } from '../../api/hooks.ts';
import { Page, Section } from '../../parts/page.tsx';
import { Empty, Loading, Shown } from '../../parts/states.tsx';
import { Written } from '../../parts/text.tsx';
import { CallActions, otherSide } from './actions.tsx';
import { CallFigures, CallLead } from './call-head.tsx';
import { Controls } from './controls.tsx';
import { Conversation } from './conversation.tsx';
import { LadderCard } from './ladder-card.tsx';
import { StageLegend } from './latency-bar.tsx';
import { onRecording } from './on-recording.ts';
import { OutcomeCard } from './outcome-card.tsx';
import { QualityCard } from './quality-card.tsx';
import { useRecordingSource } from './recording-source.ts';
import { sceneOf } from './scene.ts';
import { CostCard, PrivacyCard, RouteCard, ServicesCard, TransfersCard, ValuesCard } from './side-cards.tsx';
import { Timeline } from './timeline.tsx';
import { TimelineLegend } from './timeline-legend.tsx';
import { useCallKeys } from './use-call-keys.ts';
import { useEnding, useLiveTurns, useTalkMs } from './use-live-call.ts';
import { usePlayer } from './use-player.ts';
import { neighbour, turnAt } from './words.ts';

/** Until the end is on record, which is told before it is written, and the recording is ready. */
const PENDING_MS = 1_500;
const LIVE_MS = 10_000;
/** All that the gateway keeps: lanes are zoomed into. */
const PEAK_PAIRS = 12_000;

/** One call: its sound and words over time, how it was answered, what it cost, its signalling. */
export default function CallPage() {
  const { id = '' } = useParams();
  return <Asked key={id} id={id} />;
}

function Asked({ id }: { id: string }) {
  const { t } = useTranslation('call');
  const [everyMs, setEveryMs] = useState<number>();
  const asked = useAsk('getCall', { params: { id } }, { everyMs });
  const call = asked.data;
  const isEnding = useEnding(id, call !== undefined && call.ended_at === null);
  const isSoon = isEnding || (call?.ended_at != null && call.recording === 'pending');
  // A call of another gateway on the same database tells nothing here: it is looked at now and then.
  const wantedMs = isSoon ? PENDING_MS : call?.ended_at === null ? LIVE_MS : undefined;
  useEffect(() => setEveryMs(wantedMs), [wantedMs]);
  const timed = useMemo(() => call && onRecording(call), [call]);
  if (timed) return <View call={timed} />;
  return (
    <Page title={t('title')}>
      <Shown of={asked} height={480}>
        {() => null}
      </Shown>
    </Page>
  );
}

function View({ call }: { call: Call }) {
  const { t } = useTranslation('call');
  const title = otherSide(call) || t('title');
  const [query] = useSearchParams();
  const isReady = call.recording === 'ready' && call.ended_at !== null;
  const peaks = useAsk('getCallPeaks', { params: { id: call.id }, query: { pairs: PEAK_PAIRS } }, { enabled: isReady });
  const turns = useLiveTurns(call);
  const talkMs = useTalkMs(call);
  const drawn = useMemo(
    () => sceneOf({ ...call, talk_ms: talkMs }, turns, isReady ? peaks.data : undefined),
    [call, talkMs, turns, isReady, peaks.data],
  );
  const { source, isFailed } = useRecordingSource(call.id, isReady);
  const player = usePlayer(drawn.durationMs, Math.max(0, Number(query.get('t')) * 1_000 || 0));
  const activeTurn = useActiveTurn(player, turns);
  const [zoom, setZoom] = useState({ step: 0, by: 1 });
  const zoomBy = useCallback((by: number) => setZoom(({ step }) => ({ step: step + 1, by })), []);
  const step = (by: 1 | -1) => {
    const to = neighbour(turns, player.nowMs(), by);
    if (to !== undefined) player.seek(to);
    else if (by === -1) player.seek(0);
  };
  useCallKeys({ toggle: player.toggle, by: (ms) => player.seek(player.nowMs() + ms), step, zoom: zoomBy });
  const isLive = call.ended_at === null;
  useEffect(() => {
    if (isLive) player.seek(drawn.durationMs);
  }, [isLive, drawn.durationMs, player]);
  const said = turns.find(({ index }) => index === activeTurn);
  const isErased = call.erased_at !== null;
  const isTalked = !isErased && (isLive || call.answered_at !== null || isReady);
  return (
    <Page title={title} lead={<CallLead call={call} />} actions={<CallActions call={call} player={player} />}>
      <CallFigures call={call} talkMs={talkMs} />
      {isTalked && (
        <Section>
          {/* biome-ignore lint/a11y/useMediaCaption: the conversation below is what is heard, in words. */}
          <audio ref={player.audio} src={source} preload="metadata" />
          <Controls {...{ player, step, durationMs: drawn.durationMs }} hasSound={source !== undefined} zoom={zoomBy} />
          {isReady && peaks.isPending ? (
            <Loading height={238} />
          ) : (
            <Timeline
              {...{ scene: drawn, player, activeTurn, zoom }}
              onSeek={player.seek}
              saidNow={said ? `${t(`roles.${said.role}`)}: ${said.text}` : ''}
            />
          )}
          <Group justify="space-between" gap="xs" mt="xs">
            <SoundNote call={call} isBroken={player.isBroken || isFailed} />
            <TimelineLegend marks={drawn.marks} hasAnswers={drawn.gaps.length > 0} />
          </Group>
        </Section>
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          {isTalked ? (
            <Section title={t('conversation')} aside={drawn.gaps.length > 0 && <StageLegend />}>
              {turns.length === 0 ? (
                <Empty title={t(isLive ? 'nothingYet' : call.transcript_erased_at ? 'forgotten' : 'nothingSaid')} />
              ) : (
                <Conversation
                  {...{ turns, activeTurn, isLive, agent: call.agent, isPlaying: player.isPlaying }}
                  onSeek={player.seek}
                />
              )}
            </Section>
          ) : (
            <WhyNothing call={call} />
          )}
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Cards call={call} isTalked={isTalked} onSeek={player.seek} />
        </Grid.Col>
      </Grid>
      {!isLive && !isErased && <LadderCard callId={call.id} />}
      <Text size="sm">
        <Anchor component={Link} to="/calls">
          {t('toCalls')}
        </Anchor>
      </Text>
    </Page>
  );
}

function Cards({ call, isTalked, onSeek }: { call: Call; isTalked: boolean; onSeek: (ms: number) => void }) {
  const { t } = useTranslation('call');
  return (
    <Stack gap="lg">
      <OutcomeCard call={call} onSeek={onSeek} />
      <TransfersCard transfers={call.transfers} />
      <ValuesCard title={t('values.slots')} values={call.slots} />
      <ValuesCard title={t('values.variables')} values={call.variables} />
      {isTalked && <QualityCard call={call} onSeek={onSeek} />}
      <PrivacyCard withheld={call.withheld} />
      <CostCard call={call} />
      <ServicesCard services={call.services} />
      {call.erased_at === null && <RouteCard call={call} />}
    </Stack>
  );
}

/** In the place of the words: it was erased, or nobody answered. */
function WhyNothing({ call }: { call: Call }) {
  const { t } = useTranslation('call');
  const isErased = call.erased_at !== null;
  const { reason, detail } = call.end ?? {};
  return (
    <Section>
      <Empty title={isErased || !reason ? t('erased') : t(`ends.${reason as 'busy'}`, { defaultValue: reason })}>
        <Text size="sm" c="dimmed">
          {t(isErased ? 'erasedText' : 'unansweredText')}
        </Text>
        {!isErased && detail && <Written size="sm">{detail}</Written>}
      </Empty>
    </Section>
  );
}

/** Why there is no sound, and which keys there are. */
function SoundNote({ call, isBroken }: { call: Call; isBroken: boolean }) {
  const { t } = useTranslation('call');
  const isOver = call.ended_at !== null;
  if (isBroken || (isOver && call.recording !== 'ready')) {
    const why = isBroken ? 'broken' : (call.recording ?? 'none');
    return (
      <Text size="sm" c={isBroken || why === 'failed' ? 'var(--bad)' : 'dimmed'} role="status">
        {t(`sound.${why as 'none'}`)}
      </Text>
    );
  }
  if (!isOver) return null;
  return (
    <Text size="xs" c="dimmed" visibleFrom="sm" component="div">
      <Kbd size="xs">{t('keys.space')}</Kbd> {t('keys.play')} · <Kbd size="xs">J</Kbd> <Kbd size="xs">K</Kbd>{' '}
      {t('keys.turns')} · <Kbd size="xs">←</Kbd> <Kbd size="xs">→</Kbd> {t('keys.seconds')} · <Kbd size="xs">+</Kbd>{' '}
      <Kbd size="xs">-</Kbd> {t('keys.zoom')}
    </Text>
  );
}

/** The turn that is heard; told anew only where it is another one. */
function useActiveTurn(player: ReturnType<typeof usePlayer>, turns: readonly CallTurn[]): number | undefined {
  const [active, setActive] = useState<number>();
  useEffect(() => {
    const look = (ms: number) => setActive(ms > 0 ? turnAt(turns, ms) : undefined);
    look(player.nowMs());
    return player.watch(look);
  }, [player, turns]);
  return active;
}
