import type { Config } from '../config/load.ts';
import { systemClock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
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
