import type { Agent, Language } from '../core/agent.ts';
import { languageOf } from '../core/agent.ts';
import { failoverReply, failoverStt, failoverTts } from './failover.ts';
import { type Capability, EngineGuard, type EngineLimits, type GuardDeps } from './guard.ts';
import { guardReply, guardTts } from './guarded-engines.ts';
import { guardStt } from './guarded-stt.ts';
import { EngineRegistry } from './registry.ts';
import type { ReplyEngine } from './reply/contract.ts';
import type { Fetcher } from './reply/http-tool.ts';
import { createScriptedReplyEngine } from './reply/scripted-dialogue.ts';
import type { SttEngine } from './stt/contract.ts';
import { createPocketsphinxStt } from './stt/pocketsphinx.ts';
import { SttByLanguage } from './stt-by-language.ts';
import type { TextNormalizer } from './text/contract.ts';
import { createNormalizer } from './text/normalize/speakable-normalizer.ts';
import type { TtsEngine } from './tts/contract.ts';
import { EspeakTts } from './tts/espeak.ts';
import type { VadEngine } from './vad/contract.ts';
import { createVadEngine, type VadEngineName } from './vad/vad-engines.ts';

/** Which engines serve, by name, in order of preference; the same shape as `engines` in the configuration. */
export interface EngineChoice {
  readonly vad: VadEngineName;
  readonly stt: { readonly [L in Language]: readonly string[] };
  readonly tts: readonly string[];
  readonly reply: readonly string[];
  readonly limits: { readonly [C in Exclude<Capability, 'document'>]: EngineLimits };
}

export interface EngineSetDeps extends GuardDeps {
  readonly cacheDir: string; // for what engines prepare once, such as acoustic models
  readonly fetcher?: Fetcher; // HTTP tools of agents
}

/** Every engine of the gateway, each behind its guard, in its order of fallback. Phone calls and the API share them. */
export class EngineSet {
  private constructor(
    readonly vad: VadEngine,
    readonly stt: SttByLanguage,
    readonly tts: TtsEngine,
    readonly reply: ReplyEngine,
    readonly normalizer: TextNormalizer,
    private readonly registries: readonly { close(): Promise<void> }[],
  ) {}

  /** @throws OperatorError when an engine is named that does not exist. */
  static async open(choice: EngineChoice, deps: EngineSetDeps): Promise<EngineSet> {
    const { clock, logger, cacheDir, fetcher } = deps;
    const guard = (capability: Exclude<Capability, 'document'>, name: string): EngineGuard =>
      new EngineGuard(capability, name, choice.limits[capability], deps);
    const stt = new EngineRegistry<SttEngine>('engines.stt').register('pocketsphinx', () =>
      guardStt(createPocketsphinxStt({ cacheDir, clock, logger }), guard('stt', 'pocketsphinx')),
    );
    const tts = new EngineRegistry<TtsEngine>('engines.tts').register('espeak', () =>
      guardTts(new EspeakTts({ clock }), guard('tts', 'espeak')),
    );
    const reply = new EngineRegistry<ReplyEngine>('engines.reply').register('scripted', () =>
      guardReply(createScriptedReplyEngine({ clock, ...(fetcher && { fetcher }) }), guard('reply', 'scripted')),
    );
    const recogniser = (language: Language): SttEngine | undefined => {
      const engines = stt.list(choice.stt[language]);
      return engines.length > 0 ? failoverStt(engines, logger) : undefined;
    };
    return new EngineSet(
      await createVadEngine(choice.vad),
      new SttByLanguage({ ar: recogniser('ar'), en: recogniser('en') }),
      failoverTts(tts.list(choice.tts), logger),
      failoverReply(reply.list(choice.reply), logger),
      createNormalizer(),
      [stt, tts, reply],
    );
  }

  /** Why no conversation can be held with `agent` now, or undefined. No recogniser is no obstacle: the keypad serves. */
  problemFor(agent: Agent): string | undefined {
    const spoken = this.tts.available();
    if (!spoken.ok) return spoken.why;
    const answered = this.reply.available();
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
