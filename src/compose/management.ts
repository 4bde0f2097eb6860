import type { FastifyInstance } from 'fastify';
import { runAsText } from '../agent-tests/text-run.ts';
import type { OneUseTokens, TalkGrant } from '../api/socket-tokens.ts';
import { SpeechEncoders } from '../audio/codecs/speech-encoders.ts';
import type { Prices } from '../billing/prices.ts';
import type { CallRegistry } from '../call/call-registry.ts';
import type { Config } from '../config/load.ts';
import type { VoiceCatalogue } from '../config/voices.ts';
import type { AgentDefinition, Language } from '../core/agent.ts';
import type { Clock } from '../core/clock.ts';
import { ServiceError } from '../core/errors.ts';
import type { QueueDesk } from '../core/job-queues.ts';
import type { Logger } from '../core/logger.ts';
import { createMetrics } from '../core/metrics.ts';
import type { Voice } from '../core/voice.ts';
import type { AgentDocuments } from '../engines/document/contract.ts';
import type { EngineSet } from '../engines/engine-set.ts';
import { PROVIDERS } from '../engines/providers/providers.ts';
import { NO_ENGINE } from '../engines/registry.ts';
import { createToolFetcher } from '../engines/reply/tool-fetcher.ts';
import { ReplySet } from '../engines/reply-set.ts';
import { createScriptChecker } from '../engines/text/coverage/script-report.ts';
import type { ToolSource } from '../engines/tools/contract.ts';
import { AgentDesk } from '../manage/agent-desk.ts';
import type { ManageDeps, SystemFacts } from '../manage/deps.ts';
import { EngineDesk } from '../manage/engine-desk.ts';
import type { LiveFeed } from '../manage/live-feed.ts';
import { manageApi } from '../manage/manage-api.ts';
import { Passwords } from '../manage/passwords.ts';
import { TestDesk } from '../manage/test-desk.ts';
import { type SpeakingEngine, VoiceDesk } from '../manage/voice-desk.ts';
import type { MediaPlane } from '../media/media-port.ts';
import { DialDesk } from '../outbound/dial-desk.ts';
import type { RecordingLibrary } from '../recordings/recording-library.ts';
import type { Store } from '../store/store.ts';
import { mayCallBy } from '../trunks/may-call.ts';
import type { OwnTests } from '../trunks/own-tests.ts';
import { conversationSettings } from './conversation-parts.ts';
import { voiceTests } from './voice-tests.ts';

/** Made into MP3 at the same time: together they have one thread. */
const RECORDINGS_AT_ONCE = 4;

export interface ManagementParts {
  readonly config: Config;
  readonly store: Store;
  readonly voices: VoiceCatalogue;
  readonly engines: EngineSet;
  readonly recordings: RecordingLibrary;
  readonly talkTokens: Pick<OneUseTokens<TalkGrant>, 'issue'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly version: string;
  readonly prices: Prices;
  readonly registry: CallRegistry;
  readonly feed: LiveFeed;
  readonly forgetSoFar: ManageDeps['forgetSoFar'];
  readonly refreshTrunks: () => Promise<void>;
  readonly tellWebhooks: () => void;
  readonly askHost: ManageDeps['askHost'];
  readonly listens: ManageDeps['sip']['listens'];
  readonly ownTests: OwnTests;
  readonly sipAddress: () => string; // host:port callers dial
  readonly media: Pick<MediaPlane, 'load'>;
  readonly queues: QueueDesk;
  readonly documents: AgentDocuments;
  readonly servers: ToolSource; // MCP
  readonly indexDocument: (id: string) => void;
  readonly errors: ManageDeps['errors'];
  readonly readiness: () => Promise<SystemFacts['parts']>;
}

export interface Management {
  /** Its routes, for the HTTP server. */
  readonly routes: (scope: FastifyInstance) => Promise<void>;
  /** Agents that came with this gateway, for others to be begun with. */
  offerAgents(shipped: readonly AgentDefinition[]): void;
  /** Idempotent; close the HTTP server first. */
  close(): Promise<void>;
}

/** Nobody waits on the line: documents that are asked for the first time are loaded before. */
const PATIENT_MS = 5_000;

/** The management API over the parts of the gateway. */
export function openManagement(parts: ManagementParts): Management {
  const { config, store, clock, logger, version, prices, registry, refreshTrunks, media, readiness, feed } = parts;
  const passwords = new Passwords(clock);
  const mp3 = new SpeechEncoders({ clock, streamsMax: RECORDINGS_AT_ONCE });
  const tried = tryEngines(parts);
  const dialDesk = new DialDesk({
    ...{ store, clock, settings: config.outbound, firstMinuteCents: prices.liveMinuteCents },
    mayCall: mayCallBy(store.trunks),
  });
  const deps = {
    ...{
      store,
      clock,
      logger,
      version,
      passwords,
      registry,
      agentDesk: tried.desk,
      testDesk: tried.testDesk,
      dialDesk,
      feed,
    },
    sip: { ...config.sip, listens: parts.listens },
    ...{ retention: config.retention, countryCode: config.outbound.countryCode },
    ...speechDesks(parts),
    ...{ queueDesk: parts.queues, errors: parts.errors },
    talk: { tokens: parts.talkTokens, minuteCents: prices.liveMinuteCents },
    documents: { accountBytesMax: config.documents.accountMb * 1024 * 1024, index: parts.indexDocument },
    ...{ webhookHosts: config.webhooks.allowedHosts, tellWebhooks: parts.tellWebhooks },
    ...{ recordings: parts.recordings, mp3, refreshTrunks, askHost: parts.askHost, forgetSoFar: parts.forgetSoFar },
    system: async () => ({ parts: await readiness(), media: media.load(), dataFolder: config.dataDir }),
  };
  return {
    routes: (scope) => manageApi(scope, deps),
    offerAgents: (shipped) => tried.desk.offer(shipped),
    close: async () => void (await Promise.all([passwords.close(), tried.close(), mp3.close()])),
  };
}

interface Tried {
  readonly desk: AgentDesk;
  readonly testDesk: TestDesk;
  close(): Promise<void>;
}

/** Engines of their own, opened when the first agent is tried: its limits and faults are no caller's. */
function tryEngines(parts: ManagementParts): Tried {
  const { config, store, voices, clock, logger, ownTests, sipAddress, servers } = parts;
  let replies: ReplySet | undefined;
  const { httpTools, mcp } = config.engines;
  const agents = parts.engines.drafts;
  const desk = new AgentDesk({
    ...{ agents, clock, voices, allowedHosts: httpTools.allowedHosts, pronunciation: createScriptChecker(config.text) },
    ...{ defaultVoices: config.speech.defaultVoice, servers: Object.keys(mcp) },
    openTryEngine: (onTurn) => {
      const own = {
        ...{ clock, logger, metrics: createMetrics(), fetcher: createToolFetcher(httpTools), onTurn, agents },
        ...{ documents: parts.documents, documentsMs: PATIENT_MS, servers },
      };
      replies = ReplySet.open(config.engines, own);
      return replies;
    },
  });
  const settings = conversationSettings(config);
  const own = { clock, logger, choice: config.engines };
  const testDesk = new TestDesk({
    ...{ rows: store.agentTests, clock, logger },
    byVoice: voiceTests({ numbers: store.numbers, clock, ownTests, sipAddress }),
    asText: (agent, tests, wish) =>
      runAsText(agent, tests, { ...own, settings, agents, documents: parts.documents }, wish),
  });
  return { desk, testDesk, close: async () => void (await Promise.all([testDesk.close(), replies?.close()])) };
}

/** Voices as callers hear them, and the engines one by one. */
function speechDesks(parts: ManagementParts): Pick<ManageDeps, 'voiceDesk' | 'engineDesk'> {
  const { clock, config, engines, voices } = parts;
  const desk = voiceDesk(parts);
  const voiceOf = (language: Language): Voice | undefined => voices.get(config.speech.defaultVoice[language]);
  const engineDesk = new EngineDesk({
    ...{ clock, voiceOf, members: engines.members, compile: (agent) => engines.compile(agent) },
    say: (language, text, rateHz, signal) => {
      const voice = voiceOf(language);
      if (!voice) throw new ServiceError('unknown_voice', language);
      const how = { voice, text, speed: 1, pitchSemitones: 0, privacy: config.engines.speechPrivacy };
      return desk.samples(how, rateHz, signal);
    },
  });
  return { voiceDesk: desk, engineDesk };
}

/** The voices of calls: who plays one hears what callers hear. */
function voiceDesk({ config, voices, engines }: ManagementParts): VoiceDesk {
  const elsewhere = new Set(PROVIDERS.filter(({ tts }) => tts).map(({ name }) => name));
  const [first, ...others] = config.engines.tts
    .filter((name) => name !== NO_ENGINE)
    .map((name): SpeakingEngine => ({ name, place: elsewhere.has(name) ? 'remote' : 'local' }));
  return new VoiceDesk({
    ...{ voices, normalizer: engines.normalizer, byDefault: config.engines.speechPrivacy },
    speakingOf: (speechPrivacy) => engines.speechFor({ definition: { speechPrivacy } }).speaking,
    engines: { remote: first, local: [first, ...others].find((one) => one?.place === 'local') },
  });
}
