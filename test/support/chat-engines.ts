import type { Agent, AgentDefinition } from '../../src/core/agent.ts';
import { systemClock } from '../../src/core/clock.ts';
import { type Logger, silentLogger } from '../../src/core/logger.ts';
import { createMetrics, type Metrics } from '../../src/core/metrics.ts';
import { type EngineChoice, EngineSet, type EngineSetDeps } from '../../src/engines/engine-set.ts';
import type { EngineLimits } from '../../src/engines/guard.ts';
import type { ReplyEngine, ReplyEvent, ReplyRequest } from '../../src/engines/reply/contract.ts';
import { MODEL_TOOL_LIMITS, type ModelToolLimits } from '../../src/engines/tools/contract.ts';
import type { ChatTestServer } from './chat-server.ts';
import { TEST_LIMITS } from './engine-guards.ts';
import { agentOf, compiledAgents } from './reply-agents.ts';

const LIMITS = { ...TEST_LIMITS, firstResultMs: 20_000, totalMs: 40_000, breakerFailures: 100 };

export interface ChatEnginesOptions {
  readonly reply?: readonly string[];
  readonly document?: readonly string[];
  readonly logger?: Logger;
  readonly metrics?: Metrics;
  readonly openai?: Partial<NonNullable<EngineChoice['openai']>>;
  readonly onTurn?: EngineSetDeps['onTurn'];
  readonly documents?: EngineSetDeps['documents'];
  readonly fetcher?: EngineSetDeps['fetcher'];
  readonly servers?: EngineSetDeps['servers'];
  readonly modelTools?: Partial<ModelToolLimits>;
  readonly limits?: Partial<EngineLimits>;
  readonly hedgeReplies?: boolean;
}

/** The engines of a gateway whose chat server is `server`; close them. */
export function chatEngines(server: ChatTestServer, options: ChatEnginesOptions = {}): Promise<EngineSet> {
  const {
    reply = ['openai'],
    document = ['openai', 'retrieval'],
    logger = silentLogger,
    metrics = createMetrics(),
    openai,
    onTurn,
    documents,
    fetcher,
    servers,
    modelTools,
    hedgeReplies = false,
  } = options;
  const limits = { ...LIMITS, ...options.limits };
  return EngineSet.open(
    {
      ...{
        vad: 'energy',
        stt: { ar: ['none'], en: ['none'] },
        tts: ['none'],
        speechPrivacy: 'local',
        reply,
        document,
        hedgeReplies,
      },
      openai: {
        ...{ baseUrl: server.baseUrl, apiKey: 'sk-canary-9876543210', chatModel: 'test-model' },
        ...{ firstTokenMs: 15_000, totalMs: 30_000, proposalMs: 15_000, documentPrivacy: 'redact' },
        ...openai,
      },
      modelTools: { ...MODEL_TOOL_LIMITS, ...modelTools },
      limits: { stt: limits, tts: limits, reply: limits, document: limits, afterCall: limits },
    },
    {
      ...{ clock: systemClock, logger, metrics, cacheDir: '/tmp', agents: compiledAgents },
      ...{ ...(onTurn && { onTurn }), ...(documents && { documents }) },
      ...{ ...(fetcher && { fetcher }), ...(servers && { servers }) },
    },
  );
}

export function chatAgent(change: Partial<AgentDefinition> = {}): Agent {
  return agentOf({
    ...{ name: 'Parcel desk', language: 'en-US', voice: 'emma', model: 'sada-1' },
    greeting: { en: 'Welcome to the parcel desk.', ar: 'حياك الله' },
    ...change,
  });
}

export function asked(change: Partial<ReplyRequest> = {}): ReplyRequest {
  const { agent = chatAgent() } = change;
  return { agent, text: 'hello', input: 'speech', mode: 'voice', confidence: 1, history: [], variables: {}, ...change };
}

export async function eventsOf(engine: ReplyEngine, request: ReplyRequest): Promise<ReplyEvent[]> {
  const events: ReplyEvent[] = [];
  for await (const event of engine.reply(request, new AbortController().signal)) events.push(event);
  return events;
}

/** What is said, in one string. */
export function wordsOf(events: readonly ReplyEvent[]): string {
  return events
    .map((event) => (event.type === 'text' ? event.text : ''))
    .join(' ')
    .trim();
}
