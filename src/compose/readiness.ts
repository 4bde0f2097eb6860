import type { PartState } from '../api/routes/health.ts';
import type { Billing } from '../billing/billing.ts';
import type { Descriptors } from '../core/descriptors.ts';
import { sentence } from '../core/notice.ts';
import type { EngineSet } from '../engines/engine-set.ts';
import type { SpeechLoad } from '../engines/stt/speech-load.ts';
import type { Jobs } from '../jobs/queues.ts';
import type { RtpengineEdge } from '../media/edge/rtpengine-edge.ts';
import type { MediaPlane, MediaPlaneLoad } from '../media/media-port.ts';
import type { Store } from '../store/store.ts';
import { edgeState } from './media-edge.ts';
import type { MetricsListener } from './metrics-listener.ts';
import type { Signalling } from './signalling.ts';

const LEASE_PARTS: Readonly<Record<Billing['leaseState'], PartState>> = {
  held: { state: 'ok' },
  unsure: { state: 'down', detail: sentence('part.lease-unsure') },
  displaced: { state: 'down', detail: sentence('part.lease-displaced') },
};

export interface ReadyParts {
  readonly store: Store;
  readonly signalling: Signalling;
  readonly media: MediaPlane;
  readonly edge: Pick<RtpengineEdge, 'problem' | 'engines'> | undefined;
  readonly engines: EngineSet;
  readonly billing: Billing;
  readonly jobs: Pick<Jobs, 'problem'>;
  readonly metricsState: MetricsListener['state'];
  readonly descriptors: Descriptors;
}

function mediaState({ calls, capacity, threads, threadsDown }: MediaPlaneLoad): PartState {
  if (threadsDown > 0) {
    const detail = sentence('part.media-threads', { down: threadsDown, threads });
    return { state: threadsDown < threads ? 'degraded' : 'down', detail };
  }
  return calls < capacity ? { state: 'ok' } : { state: 'degraded', detail: sentence('full.every-line') };
}

/** Late for everybody is said while it begins: another gateway can take the next calls. */
function hearingState(load: SpeechLoad | undefined): PartState {
  if (!load?.behind) return { state: 'ok' };
  const detail = sentence('part.speech-behind', { stretches: load.stretches, ms: Math.round(load.finalMs) });
  return { state: 'degraded', detail };
}

/** Every part, and what is missing. */
export async function readiness({
  store,
  signalling,
  media,
  edge,
  engines,
  billing,
  jobs,
  metricsState,
  descriptors,
}: ReadyParts): Promise<Record<string, PartState>> {
  const of = (own: { ok: true } | { ok: false; why: string }, missing: PartState['state']): PartState =>
    own.ok ? { state: 'ok' } : { state: missing, detail: own.why };
  return {
    database: (await store.isUp()) ? { state: 'ok' } : { state: 'down', detail: sentence('part.database-silent') },
    billing: billing.health.degraded ? { state: 'degraded', detail: sentence('part.charges-wait') } : { state: 'ok' },
    node: LEASE_PARTS[billing.leaseState],
    sip: signalling.problem === undefined ? { state: 'ok' } : { state: 'down', detail: signalling.problem },
    media: mediaState(media.load()),
    ...(edge && { edge: edgeState(edge) }),
    recording: of(media.load().recording, 'degraded'),
    synthesis: of(engines.tts.available(), 'down'),
    reply: of(engines.reply.available(), 'down'),
    transcription_en: of(engines.stt.available('en-US'), 'degraded'),
    transcription_load: hearingState(engines.speechLoad()),
    transcription_ar: of(engines.stt.available('ar-SA'), 'degraded'),
    jobs: jobs.problem === undefined ? { state: 'ok' } : { state: 'degraded', detail: jobs.problem },
    metrics: of(metricsState, 'degraded'),
    descriptors: descriptors.short ? { state: 'degraded', detail: sentence('full.no-descriptors') } : { state: 'ok' },
  };
}
