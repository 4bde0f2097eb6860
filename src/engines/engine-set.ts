import { join } from 'node:path';
import { type Agent, languageOf, tagsOf } from '../core/agent.ts';
import { OperatorError } from '../core/errors.ts';
import type { DocumentReader } from './document/contract.ts';
import { ModelReader } from './document/model-reader.ts';
import { createDocumentReader } from './document/retrieval-reader.ts';
import type { EngineMember } from './engine-member.ts';
import { type Capability, EngineGuard, type EngineLimits } from './guard.ts';
import { guardDocuments } from './guarded-engines.ts';
import { type ChatServerSettings, chatClientOf } from './openai/chat-server.ts';
import { OpenaiDocumentModel } from './openai/document-model.ts';
import type { LocalProvider, LocalSettings } from './providers/provider.ts';
import { LOCAL_PROVIDERS } from './providers/providers.ts';
import { NO_ENGINE } from './registry.ts';
import { CompiledAgents } from './reply/compiled-agent.ts';
import { LearntFiles } from './reply/learnt-files.ts';
import { LearntByDrafts } from './reply/learnt-keep.ts';
import type { ReplyByAgent } from './reply-by-agent.ts';
import { ReplySet, type ReplySetDeps } from './reply-set.ts';
import { type SpeechChoice, type SpeechEngines, SpeechSet, type SpeechSetDeps } from './speech-set.ts';
import type { SpeechLoad } from './stt/speech-load.ts';
import type { SttByLanguage } from './stt-by-language.ts';
import type { TextNormalizer } from './text/contract.ts';
import { createNormalizer } from './text/normalize/speakable-normalizer.ts';
import type { SpeechStyle } from './text/normalize/speech-style.ts';
import type { ModelToolLimits } from './tools/contract.ts';
import type { TtsEngine } from './tts/contract.ts';
import type { TurnEndModel } from './turn-end/contract.ts';
import { usedMetric } from './used-metric.ts';
import type { VadEngine, VoiceModel } from './vad/contract.ts';
import { createVadEngine, type VadEngineName } from './vad/vad-engines.ts';

/** Which engines serve, by name, in order of preference; the same shape as `engines` in the configuration. */
export interface EngineChoice extends SpeechChoice {
  readonly vad: VadEngineName;
  readonly reply: readonly string[];
  /** `retrieval`, `openai` or both; `none` reads no documents. */
  readonly document: readonly string[];
  readonly openai?: ChatServerSettings;
  readonly modelTools?: ModelToolLimits;
  readonly limits: { readonly [C in Capability]: EngineLimits };
}

export interface EngineSetDeps extends ReplySetDeps, SpeechSetDeps {
  readonly speechStyle?: Partial<SpeechStyle>; // how numbers are said; default as in the configuration
}

/** Drafts that are ready at a time: a person has one or two. */
const DRAFTS_MAX = 16;

/** Every engine of the gateway, each behind its guard, in its order of fallback. Phone calls and the API share them. */
export class EngineSet {
  private constructor(
    readonly vad: VadEngine,
    private readonly speech: SpeechSet,
    readonly reply: ReplyByAgent,
    readonly normalizer: TextNormalizer,
    /** Undefined where no model is configured. */
    readonly turnEnd: TurnEndModel | undefined,
    /** Judges beside `vad`; undefined where no model is configured. */
    readonly voice: VoiceModel | undefined,
    /** Undefined where no engine is configured. */
    readonly documents: DocumentReader | undefined,
    /** Makes an agent ready in steps that hold nobody up, unless it is. Never rejects. */
    readonly compile: (agent: Agent) => Promise<void>,
    /** Agents that are checked and tried and that nobody calls. */
    readonly drafts: CompiledAgents,
    /** Every engine that is configured, by itself. */
    readonly members: readonly EngineMember[],
    private readonly registries: readonly { close(): Promise<void> }[],
  ) {}

  /** @throws OperatorError when an engine is named that does not exist. */
  static async open(choice: EngineChoice, deps: EngineSetDeps): Promise<EngineSet> {
    const guard = (capability: Capability, name: string, place?: 'remote'): EngineGuard =>
      new EngineGuard(capability, name, choice.limits[capability], deps, place);
    const speech = new SpeechSet(choice, deps);
    const { cacheDir, clock, logger } = deps;
    const learnt = new LearntByDrafts(new LearntFiles({ folder: join(cacheDir, 'learnt'), clock, logger }));
    const agents = new CompiledAgents(learnt.called);
    const replies = ReplySet.open(choice, { agents, ...deps });
    const documents = openDocuments(choice, deps, guard);
    const turnEnd = localModel(choice, 'turn-end', (one, settings) => one.turnEnd?.(settings, deps));
    const voice = localModel(choice, 'vad', (one, settings) => one.vad?.(settings, deps));
    return new EngineSet(
      await createVadEngine(choice.vad),
      speech,
      replies.engine,
      createNormalizer(deps.speechStyle),
      turnEnd,
      voice,
      documents?.reader,
      (agent) => replies.prepare(agent),
      new CompiledAgents(learnt, DRAFTS_MAX),
      [...speech.members(), ...replies.members(), ...(documents?.members ?? [])],
      [speech, replies, ...(documents ? [documents] : []), ...(turnEnd ? [turnEnd] : []), ...(voice ? [voice] : [])],
    );
  }

  /** Ears for whom no agent decides. */
  get stt(): SttByLanguage {
    return this.speech.byDefault.hearing;
  }
  /** Voices for whom no agent decides. */
  get tts(): TtsEngine {
    return this.speech.byDefault.speaking;
  }
  /** Ears and voices for calls of this agent, as its `speechPrivacy` allows. */
  speechFor(agent: Parameters<SpeechSet['for']>[0]): SpeechEngines {
    return this.speech.for(agent);
  }
  /** How much speech the embedded recogniser has to follow; undefined where it is not used. */
  speechLoad(): SpeechLoad | undefined {
    return this.speech.load();
  }

  /** A call of this agent rings: connections are made, and it is compiled in steps if nobody has talked to it yet. Never rejects. */
  prepare(agent: Agent): Promise<void> {
    const { hearing, speaking } = this.speechFor(agent);
    hearing.warmUp({ language: agent.definition.language, languages: tagsOf(agent.definition) });
    speaking.warmUp?.();
    this.turnEnd?.warmUp();
    this.voice?.warmUp();
    return this.compile(agent);
  }

  /** Why no conversation can be held with `agent` now, or undefined. No recogniser is no obstacle: the keypad serves. */
  problemFor(agent: Agent): string | undefined {
    const spoken = this.speechFor(agent).speaking.available();
    if (!spoken.ok) return spoken.why;
    const answered = this.reply.availableFor(agent);
    return answered.ok ? undefined : `${agent.definition.name}: ${answered.why}`;
  }

  /** Whether callers of this agent can be understood by voice. */
  hears(agent: Agent): boolean {
    return this.speechFor(agent).hearing.available(languageOf(agent.definition.language)).ok;
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.registries.map((registry) => registry.close()));
  }
}

/** Of the first of the local providers that can. */
function localModel<M>(
  choice: EngineChoice,
  capability: 'turn-end' | 'vad',
  make: (provider: LocalProvider, settings: LocalSettings) => M | undefined,
): M | undefined {
  for (const provider of LOCAL_PROVIDERS) {
    const settings = (choice as unknown as Readonly<Record<string, LocalSettings | undefined>>)[provider.name];
    if (settings && provider.lacks(settings, { capability }) === undefined) return make(provider, settings);
  }
  return undefined;
}

interface DocumentEngines {
  readonly reader: DocumentReader;
  readonly members: readonly EngineMember[];
  close(): Promise<void>;
}

const DOCUMENT_ENGINES = ['retrieval', 'openai', NO_ENGINE];

/** Retrieval finds the lines in any case; with `openai` a model reads them, behind the boundary and the guard. */
function openDocuments(
  choice: EngineChoice,
  deps: EngineSetDeps,
  guard: (capability: 'document', name: string, place?: 'remote') => EngineGuard,
): DocumentEngines | undefined {
  const unknown = choice.document.find((name) => !DOCUMENT_ENGINES.includes(name));
  if (unknown !== undefined) {
    throw new OperatorError(`engines.document: expected one of ${DOCUMENT_ENGINES.join(', ')}, got ${unknown}`);
  }
  const names = choice.document.filter((name) => name !== NO_ENGINE);
  if (names.length === 0) return undefined;
  const { clock, logger } = deps;
  const { concurrency, queue } = choice.limits.document;
  const retrieval = createDocumentReader({ clock, logger, limits: { threads: concurrency, queue } });
  const close = async (): Promise<void> => retrieval.close();
  const member = (
    engine: string,
    place: 'local' | 'remote',
    reader: DocumentReader,
    own?: EngineGuard,
  ): EngineMember => ({
    ...{ capability: 'document', engine, place, order: names.indexOf(engine) + 1 },
    ...{ made: () => reader, get: () => reader, retry: async () => own?.retry() },
  });
  if (names[0] !== 'openai') {
    const own = guard('document', 'retrieval');
    const reader = guardDocuments(retrieval, own);
    return { reader, members: [member('retrieval', 'local', reader, own)], close };
  }
  const fallback = names.includes('retrieval');
  const parts = {
    ...{ retrieval, logger, guard: guard('document', 'openai', 'remote') },
    model: new OpenaiDocumentModel(
      chatClientOf(choice.openai, { clock, logger, used: usedMetric(deps.metrics, 'document', 'openai') }),
    ),
    privacy: choice.openai?.documentPrivacy ?? 'redact',
  };
  const members = [
    member('openai', 'remote', new ModelReader({ ...parts, fallback: false }), parts.guard),
    ...(fallback ? [member('retrieval', 'local', retrieval)] : []),
  ];
  return { reader: new ModelReader({ ...parts, fallback }), members, close };
}
