import type { ServiceDeps } from '../api/deps.ts';
import { SharedTalkTokens, sharedSocketTokens } from '../api/shared-tokens.ts';
import type { TranscribeSocketParts } from '../api/transcribe-socket/socket.ts';
import { ClipDecoder } from '../audio/codecs/clip-decoder.ts';
import { SpeechEncoders } from '../audio/codecs/speech-encoders.ts';
import type { Billing } from '../billing/billing.ts';
import type { Prices } from '../billing/prices.ts';
import type { Config } from '../config/load.ts';
import type { VoiceCatalogue } from '../config/voices.ts';
import type { Clock } from '../core/clock.ts';
import type { Descriptors } from '../core/descriptors.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
import { SharedUse } from '../core/shared-use.ts';
import type { EngineSet } from '../engines/engine-set.ts';
import { createCoverageChecker } from '../engines/text/coverage/coverage-checker.ts';
import { createRedactor } from '../engines/text/redact/redactor.ts';
import type { RedisServer } from '../store/redis-server.ts';
import type { Store } from '../store/store.ts';
import { boardInPostgres, boardInRedis } from '../store/use-boards.ts';

interface Parts {
  readonly config: Config;
  readonly store: Store;
  readonly billing: Billing;
  readonly engines: EngineSet;
  readonly voices: VoiceCatalogue;
  readonly prices: Prices;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly descriptors: Descriptors;
  readonly metrics: Metrics;
  readonly redis: RedisServer | undefined;
}

export interface PublicApi {
  readonly service: ServiceDeps;
  readonly socket: TranscribeSocketParts;
  /** Ends the codec threads. Idempotent; close the HTTP server first. */
  close(): Promise<void>;
}

/** What the public API works with: the engines of the phone calls, the same accounts and prices, and codecs of its own. */
export async function openPublicApi(parts: Parts): Promise<PublicApi> {
  const { config, store, billing, engines, voices, prices, clock, logger } = parts;
  const { requestsPerMinute, requestBurst, requestsInFlightPerAccount, corsOrigins } = config.api;
  const encoders = new SpeechEncoders();
  const decoder = new ClipDecoder();
  const { redis } = parts;
  const gateway = (): string => store.gateways.id;
  const board = redis ? boardInRedis(redis.asking, gateway) : boardInPostgres(store.pool, gateway);
  const sharedUse = new SharedUse({ board, clock, logger });
  sharedUse.start();
  const service: ServiceDeps = {
    ...{ clock, voices, prices, encoders, decoder, descriptors: parts.descriptors },
    ...(engines.documents && { documents: engines.documents }),
    settings: {
      ...{ requestsPerMinute, requestBurst, requestsInFlightPerAccount, corsOrigins },
      gateAgentsList: config.billing.gateAgentsList,
      defaultVoice: config.speech.defaultVoice,
    },
    ...{ tokens: store.tokens, agents: store.agents, idempotency: store.idempotency },
    ...{ ledger: billing.ledger, charges: billing.ledger },
    sharedUse,
    socketTokens: sharedSocketTokens(store.oneUseTokens, clock),
    talkTokens: new SharedTalkTokens(store.oneUseTokens, clock),
    ...{ stt: engines.stt, tts: engines.tts, reply: engines.reply, normalizer: engines.normalizer },
    redactor: createRedactor(),
    coverage: createCoverageChecker({ normalizer: engines.normalizer }),
  };
  const socket: TranscribeSocketParts = {
    ...{ clock, logger, metrics: parts.metrics, stt: engines.stt, vad: engines.vad },
    ...{ sessions: billing.sessionBook, tokens: store.tokens, socketTokens: service.socketTokens, limits: config.api },
    socketCounts: sharedUse.counts('sockets'),
  };
  return {
    service,
    socket,
    close: async () => {
      sharedUse.close();
      await Promise.all([encoders.close(), decoder.close()]);
    },
  };
}
