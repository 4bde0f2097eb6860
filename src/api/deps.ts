import type { FastifyInstance } from 'fastify';
import type { Ledger } from '../billing/ledger.ts';
import type { Prices } from '../billing/prices.ts';
import type { Agent, Language } from '../core/agent.ts';
import type { VoiceDirectory } from '../core/agent-voice.ts';
import type { Clock } from '../core/clock.ts';
import type { DescriptorSupply } from '../core/descriptors.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
import type { SharedUse } from '../core/shared-use.ts';
import type { DocumentReader } from '../engines/document/contract.ts';
import type { ReplyEngine } from '../engines/reply/contract.ts';
import type { SttEngine } from '../engines/stt/contract.ts';
import type { CoverageChecker, Redactor, TextNormalizer } from '../engines/text/contract.ts';
import type { TtsEngine } from '../engines/tts/contract.ts';
import type { IdempotencyRows } from '../store/idempotency.ts';
import type { TokenIdentity } from '../store/tokens.ts';
import type { AudioType } from './audio-type.ts';
import type { AudioFormat } from './formats.ts';
import type { ReadinessCheck } from './routes/health.ts';
import type { SipSocketParts } from './sip-socket.ts';
import type { OneUseTokens, TalkGrant } from './socket-tokens.ts';
import type { StreamCalls } from './streams/stream-calls.ts';
import type { TranscribeSocketParts } from './transcribe-socket/socket.ts';

export interface ApiSettings {
  readonly requestsPerMinute: number; // of one token
  readonly requestBurst: number;
  readonly requestsInFlightPerAccount: number;
  readonly corsOrigins: readonly string[]; // none: CORS is off
  /** The agents list asks for credit although it costs nothing. */
  readonly gateAgentsList: boolean;
  readonly defaultVoice: { readonly [L in Language]: string };
}

/** What the public operations work with. A capability that is absent answers `unavailable`. */
export interface ServiceDeps {
  readonly clock: Clock;
  readonly settings: ApiSettings;
  readonly tokens: { authenticate(presented: string | undefined): Promise<TokenIdentity | undefined> };
  readonly agents: {
    list(accountId: string): Promise<readonly Agent[]>;
    get(accountId: string, id: string): Promise<Agent | undefined>;
  };
  readonly idempotency: Pick<IdempotencyRows, 'begin' | 'complete' | 'abandon'>;
  readonly ledger: Pick<Ledger, 'charge' | 'raise' | 'reserve' | 'settle' | 'release' | 'balance'>;
  /** What a request that died with its gateway had already paid, see `Payments`. */
  readonly charges: Pick<Ledger, 'paidBy'>;
  readonly prices: Prices;
  readonly voices: VoiceDirectory;
  /** Limits of accounts over all gateways; without it this one keeps them by itself. */
  readonly sharedUse?: SharedUse;
  readonly socketTokens: OneUseTokens<TokenIdentity>;
  readonly talkTokens: OneUseTokens<TalkGrant>;
  readonly tts: TtsEngine;
  /** `for` gives the engine of one language, whose rates may differ from the others'. */
  readonly stt: SttEngine & { for?(language: string): SttEngine };
  readonly reply: ReplyEngine;
  readonly normalizer: TextNormalizer;
  readonly coverage?: CoverageChecker;
  readonly redactor?: Redactor;
  readonly documents?: DocumentReader;
  /** Requests are refused while this process has too few left. */
  readonly descriptors?: DescriptorSupply;
  readonly encoders: SpeechEncoders;
  readonly decoder: AudioDecoder;
}

export interface ApiDeps {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly version: string;
  readonly readiness: ReadinessCheck;
  /** Without it only health and metrics are served. */
  readonly service?: ServiceDeps;
  /** Served beside `service`, whose tokens and limits it shares. */
  readonly socket?: TranscribeSocketParts;
  readonly streams?: StreamCalls;
  /** SIP over WebSocket, where it is served. */
  readonly sipSocket?: SipSocketParts;
  /** The management API, where it is served: it brings its own routes, and its own ways of knowing who asks. */
  readonly manage?: (scope: FastifyInstance) => Promise<void>;
}

/** Speech in one file format. The audio of both ways is the same; only lengths in headers differ. */
export interface SpeechEncoder {
  contentType(sampleRateHz: number): string;
  /** A whole file, with true lengths where the format has them. */
  file(pcm: Int16Array, sampleRateHz: number, signal: AbortSignal): Promise<Uint8Array>;
  /**
   * Bytes as they become ready; all of them in order are one file. Chunks are never empty; a slow reader slows `pcm`.
   * Failure: whatever `pcm` throws, or ServiceError `synthesis_failed`.
   */
  stream(pcm: AsyncIterable<Int16Array>, sampleRateHz: number, signal: AbortSignal): AsyncIterable<Uint8Array>;
}
export type SpeechEncoders = { readonly [F in AudioFormat]?: SpeechEncoder };

export interface Clip {
  readonly bytes: Uint8Array;
  readonly type: AudioType; // by its first bytes, else as declared
}
export interface DecodedClip {
  readonly samples: Int16Array; // mono
  readonly sampleRateHz: number; // as asked
  readonly seconds: number; // of the clip before any change of rate
}

/** Uploaded audio to samples. Work that holds a core for more than a few milliseconds belongs into a worker. */
export interface AudioDecoder {
  /**
   * Failure: throws ServiceError `invalid_audio`, `unsupported_audio` (a codec that is not read), `audio_too_long` (above
   * `maxSeconds` by more than encoders pad) or `unavailable`. Aborting `signal` rejects.
   */
  decode(
    clip: Clip,
    wanted: { readonly sampleRateHz: number; readonly maxSeconds: number },
    signal: AbortSignal,
  ): Promise<DecodedClip>;
}
