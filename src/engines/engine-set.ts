import type { Agent, Language } from '../core/agent.ts';
import { languageOf } from '../core/agent.ts';
import { OperatorError } from '../core/errors.ts';
import type { DocumentReader } from './document/contract.ts';
import { ModelReader } from './document/model-reader.ts';
import { createDocumentReader } from './document/retrieval-reader.ts';
import { failoverStt, failoverTts } from './failover.ts';
import { type Capability, EngineGuard, type EngineLimits } from './guard.ts';
import { guardDocuments, guardTts } from './guarded-engines.ts';
import { guardStt } from './guarded-stt.ts';
import { type ChatServerSettings, chatClientOf } from './openai/chat-server.ts';
import { OpenaiDocumentModel } from './openai/document-model.ts';
import { EngineRegistry, NO_ENGINE } from './registry.ts';
import type { ReplyByAgent } from './reply-by-agent.ts';
import { ReplySet, type ReplySetDeps } from './reply-set.ts';
import type { SttEngine } from './stt/contract.ts';
import { createPocketsphinxStt } from './stt/pocketsphinx.ts';
import type { SpeechLoad } from './stt/speech-load.ts';
import { SttByLanguage } from './stt-by-language.ts';
import type { TextNormalizer } from './text/contract.ts';
import { createNormalizer } from './text/normalize/speakable-normalizer.ts';
import type { SpeechStyle } from './text/normalize/speech-style.ts';
import type { TtsEngine } from './tts/contract.ts';
import { EspeakTts } from './tts/espeak.ts';
import { EspeakProcess } from './tts/espeak-process.ts';
import type { VadEngine } from './vad/contract.ts';
import { createVadEngine, type VadEngineName } from './vad/vad-engines.ts';

/** Which engines serve, by name, in order of preference; the same shape as `engines` in the configuration. */
export interface EngineChoice {
  readonly vad: VadEngineName;
  readonly stt: { readonly [L in Language]: readonly string[] };
  readonly tts: readonly string[];
  readonly reply: readonly string[];
  /** `retrieval`, `openai` or both; `none` reads no documents. */
  readonly document: readonly string[];
  readonly openai?: ChatServerSettings;
  readonly limits: { readonly [C in Capability]: EngineLimits };
}

export interface EngineSetDeps extends ReplySetDeps {
  readonly cacheDir: string; // for what engines prepare once, such as acoustic models
  readonly speechStyle?: Partial<SpeechStyle>; // how numbers are said; default as in the configuration
  /** Gives a synthesiser a memory; below the choice among several, since each sounds otherwise. */
  readonly remember?: (engine: TtsEngine) => TtsEngine;
}

/** Every engine of the gateway, each behind its guard, in its order of fallback. Phone calls and the API share them. */
export class EngineSet {
  private constructor(
    readonly vad: VadEngine,
    readonly stt: SttByLanguage,
    readonly tts: TtsEngine,
    readonly reply: ReplyByAgent,
    readonly normalizer: TextNormalizer,
    /** Undefined where no engine is configured. */
    readonly documents: DocumentReader | undefined,
    /** How much speech the embedded recogniser has to follow; undefined where it is not used. */
    readonly speechLoad: () => SpeechLoad | undefined,
    /** A call of this agent rings: connections are made, and it is compiled if nobody has talked to it yet, in steps. Never rejects. */
    readonly prepare: (agent: Agent) => Promise<void>,
    private readonly registries: readonly { close(): Promise<void> }[],
  ) {}

  /** @throws OperatorError when an engine is named that does not exist. */
  static async open(choice: EngineChoice, deps: EngineSetDeps): Promise<EngineSet> {
    const { clock, logger, cacheDir, remember = (engine: TtsEngine) => engine } = deps;
    const guard = (capability: Capability, name: string, place?: 'remote'): EngineGuard =>
      new EngineGuard(capability, name, choice.limits[capability], deps, place);
    let embedded: ReturnType<typeof createPocketsphinxStt> | undefined;
    const stt = new EngineRegistry<SttEngine>('engines.stt').register('pocketsphinx', () => {
      embedded = createPocketsphinxStt({ cacheDir, clock, logger });
      return guardStt(embedded, guard('stt', 'pocketsphinx'));
    });
    const tts = new EngineRegistry<TtsEngine>('engines.tts').register('espeak', () =>
      remember(
        guardTts(new EspeakProcess({ direct: new EspeakTts({ clock }), clock, logger }), guard('tts', 'espeak')),
      ),
    );
    const replies = ReplySet.open(choice, deps);
    const recogniser = (language: Language): SttEngine | undefined => {
      const engines = stt.list(choice.stt[language]);
      return engines.length > 0 ? failoverStt(engines, logger) : undefined;
    };
    const documents = openDocuments(choice, deps, guard);
    const hearing = new SttByLanguage({ ar: recogniser('ar'), en: recogniser('en') });
    const speaking = failoverTts(tts.list(choice.tts), logger);
    const prepared = (agent: Agent): Promise<void> => {
      hearing.warmUp({ language: agent.definition.language });
      speaking.warmUp?.();
      return replies.prepare(agent);
    };
    return new EngineSet(
      await createVadEngine(choice.vad),
      hearing,
      speaking,
      replies.engine,
      createNormalizer(deps.speechStyle),
      documents?.reader,
      () => embedded?.load(),
      prepared,
      [stt, tts, replies, ...(documents ? [documents] : [])],
    );
  }

  /** Why no conversation can be held with `agent` now, or undefined. No recogniser is no obstacle: the keypad serves. */
  problemFor(agent: Agent): string | undefined {
    const spoken = this.tts.available();
    if (!spoken.ok) return spoken.why;
    const answered = this.reply.availableFor(agent);
    return answered.ok ? undefined : `${agent.definition.name}: ${answered.why}`;
  }

  /** Whether callers of this agent can be understood by voice. */
  hears(agent: Agent): boolean {
    return this.stt.available(languageOf(agent.definition.language)).ok;
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.registries.map((registry) => registry.close()));
  }
}

const DOCUMENT_ENGINES = ['retrieval', 'openai', NO_ENGINE];

/** Retrieval finds the lines in any case; with `openai` a model reads them, behind the boundary and the guard. */
function openDocuments(
  choice: EngineChoice,
  deps: EngineSetDeps,
  guard: (capability: 'document', name: string, place?: 'remote') => EngineGuard,
): { readonly reader: DocumentReader; close(): Promise<void> } | undefined {
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
  if (names[0] !== 'openai') return { reader: guardDocuments(retrieval, guard('document', 'retrieval')), close };
  const reader = new ModelReader({
    ...{ retrieval, logger, guard: guard('document', 'openai', 'remote'), fallback: names.includes('retrieval') },
    model: new OpenaiDocumentModel(chatClientOf(choice.openai, { clock, logger })),
    privacy: choice.openai?.documentPrivacy ?? 'redact',
  });
  return { reader, close };
}
