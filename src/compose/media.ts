import type { Config } from '../config/load.ts';
import { systemClock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
import type { MediaPlane } from '../media/media-port.ts';
import { createMediaPlane } from '../media/plane/media-plane.ts';
import type { ChosenSrtp } from '../media/srtp/choose-srtp.ts';
import { advertisedAddress } from './advertised-address.ts';
import { recordingSeal } from './recordings.ts';

/** The media plane as the configuration wants it. */
export function openMedia(config: Config, srtp: ChosenSrtp, logger: Logger, metrics: Metrics): Promise<MediaPlane> {
  const { media, sip } = config;
  const advertiseAddress = advertisedAddress(sip.host, sip.externalAddress);
  return createMediaPlane({
    bindAddress: sip.host,
    ...(advertiseAddress !== undefined && { advertiseAddress }),
    ...{ io: media.io, srtp },
    portMin: media.rtpPorts.min,
    portMax: media.rtpPorts.max,
    ...{ callsPerWorker: media.callsPerWorker, rtpTimeoutMs: media.rtpTimeoutMs },
    ...(media.workers !== 'auto' && { workers: media.workers }),
    ...{ maxLatenessP99Ms: media.maxLatenessP99Ms, maxCpuPercent: media.maxCpuPercent },
    queueMs: media.playoutQueueMs,
    jitter: { minMs: media.jitterMinMs, maxMs: media.jitterMaxMs },
    ...(media.comfortNoiseDb !== 'off' && { comfortNoiseDb: media.comfortNoiseDb }),
    ...recordingSeal(config),
    ...{ logger, metrics, clock: systemClock },
  });
}
