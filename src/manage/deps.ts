import type { OneUseTokens, TalkGrant } from '../api/socket-tokens.ts';
import type { CallRegistry } from '../call/call-registry.ts';
import type { Clock } from '../core/clock.ts';
import type { ErrorRing } from '../core/error-ring.ts';
import type { QueueDesk } from '../core/job-queues.ts';
import type { Logger } from '../core/logger.ts';
import type { Notice } from '../core/notice.ts';
import type { DialDesk } from '../outbound/dial-desk.ts';
import type { RecordingLibrary } from '../recordings/recording-library.ts';
import type { RetentionDays } from '../store/retention-rows.ts';
import type { Store } from '../store/store.ts';
import type { explainCall } from '../trunks/explain-call.ts';
import type { explainCallOut } from '../trunks/explain-call-out.ts';
import type { AgentDesk } from './agent-desk.ts';
import type { EngineDesk } from './engine-desk.ts';
import type { LiveFeed } from './live-feed.ts';
import type { Passwords } from './passwords.ts';
import type { BothSides } from './recording-mp3.ts';
import type { TestDesk } from './test-desk.ts';
import type { VoiceDesk } from './voice-desk.ts';

/** How this gateway is, as far as it knows itself. */
export interface SystemFacts {
  readonly parts: Readonly<Record<string, { readonly state: 'ok' | 'degraded' | 'down'; readonly detail?: string }>>;
  readonly media: {
    readonly calls: number;
    readonly capacity: number;
    readonly threads: number;
    readonly cpuPercent: number;
    readonly tickLatenessP99Ms: number;
  };
  readonly dataFolder: string;
}

/** What the management API works with. */
export interface ManageDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly version: string;
  readonly passwords: Passwords;
  readonly agentDesk: AgentDesk;
  readonly testDesk: TestDesk;
  readonly voiceDesk: VoiceDesk;
  readonly engineDesk: EngineDesk;
  readonly queueDesk: QueueDesk;
  /** The latest errors of this gateway's log. */
  readonly errors: Pick<ErrorRing, 'list' | 'since' | 'keptMax'>;
  /** Where calls by talk socket get their tokens, and what a minute of a call costs. */
  readonly talk: { readonly tokens: Pick<OneUseTokens<TalkGrant>, 'issue'>; readonly minuteCents: number };
  readonly dialDesk: DialDesk;
  readonly feed: LiveFeed;
  readonly recordings: Pick<RecordingLibrary, 'find' | 'peaks' | 'removeOf'>;
  /** Has this node's journal of charges forget what was said so far. @returns whether it has. */
  readonly forgetSoFar: () => Promise<boolean>;
  /** Of recordings, apart from that of speech: a few at once, `unavailable` beyond. */
  readonly mp3: BothSides;
  /** What decides on calls in, as it is configured; `realm`: of passwords. */
  readonly sip: Parameters<typeof explainCall>[1] & {
    readonly realm: string;
    readonly directHosts: Parameters<typeof explainCallOut>[0]['sip']['directHosts'];
    readonly transports: readonly string[];
    readonly externalAddress?: string;
    readonly listens: () => {
      readonly port: number;
      readonly rtpPorts: { readonly min: number; readonly max: number };
    };
  };
  /** OPTIONS to a host, from where calls go out. Never rejects. */
  readonly askHost: (
    nextHop: string,
  ) => Promise<{ readonly status: number; readonly reason: string } | { readonly failed: Notice }>;
  /** Trunks that were changed are in force. Never rejects. */
  readonly refreshTrunks: () => Promise<void>;
  /** Hosts that are not public and may be told all the same. */
  readonly webhookHosts: readonly string[];
  /** Documents of agents: what an account may keep, and what has one read. */
  readonly documents: { readonly accountBytesMax: number; readonly index: (id: string) => void };
  /** Of numbers that are written without one. */
  readonly countryCode: string;
  /** How long what is personal is kept where accounts say nothing. */
  readonly retention: RetentionDays;
  /** Something waits to be told. */
  readonly tellWebhooks: () => void;
  readonly system: () => Promise<SystemFacts>;
  /** Calls of this gateway that go on. */
  readonly registry: Pick<CallRegistry, 'list'>;
}
