import type { PartState } from '../api/routes/health.ts';
import type { Config } from '../config/load.ts';
import { systemClock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
import { sentence } from '../core/notice.ts';
import { RtpengineEdge } from '../media/edge/rtpengine-edge.ts';
import { advertisedAddress } from './advertised-address.ts';

/** The media edge as the configuration wants it; undefined where media leaves by itself. Asked once before anybody calls. */
export async function openMediaEdge(
  { media, sip }: Config,
  logger: Logger,
  metrics: Metrics,
): Promise<RtpengineEdge | undefined> {
  if (!media.edge) return undefined;
  const {
    innerInterface: inner,
    outerInterface: outer,
    ownAddress = advertisedAddress(sip.host),
    ...rest
  } = media.edge;
  const edge = new RtpengineEdge({
    ...rest,
    ...(ownAddress !== undefined && { ownAddress }),
    ...(inner !== undefined && outer !== undefined && { interfaces: { inner, outer } }),
    ...{ clock: systemClock, logger, metrics },
  });
  await edge.meet();
  return edge;
}

/** For `readyz`: none answers, or not all. */
export function edgeState({ problem, engines }: Pick<RtpengineEdge, 'problem' | 'engines'>): PartState {
  if (problem !== undefined) return { state: 'down', detail: problem };
  const down = engines.filter(({ state }) => state === 'down').map(({ name }) => name);
  if (down.length === 0) return { state: 'ok' };
  const counts = { down: down.length, engines: engines.length, edges: down.join(', ') };
  return { state: 'degraded', detail: sentence('part.edge-some', counts) };
}
