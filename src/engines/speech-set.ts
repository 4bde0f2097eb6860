import type { AgentDefinition, Language, SpeechPrivacy } from '../core/agent.ts';
import { OperatorError } from '../core/errors.ts';
import type { EngineMember } from './engine-member.ts';
import { failoverStt } from './failover.ts';
import { failoverTts } from './failover-tts.ts';
import { type Capability, EngineGuard, type EngineLimits, type GuardDeps } from './guard.ts';
import { guardTts } from './guarded-engines.ts';
import { guardStt } from './guarded-stt.ts';
import type { LocalProvider, LocalSettings, Provider, ProviderDeps, ServerSettings } from './providers/provider.ts';
import { LOCAL_PROVIDERS, PROVIDERS } from './providers/providers.ts';
import { EngineRegistry, NO_ENGINE } from './registry.ts';
import { hearElsewhere, speakElsewhere, withheldStt, withheldTts } from './speech-privacy.ts';
import type { SttEngine } from './stt/contract.ts';
import { createPocketsphinxStt } from './stt/pocketsphinx.ts';
import type { SpeechLoad } from './stt/speech-load.ts';
import { SttByLanguage } from './stt-by-language.ts';
import type { TtsEngine } from './tts/contract.ts';
import { EspeakTts } from './tts/espeak.ts';
import { EspeakProcess } from './tts/espeak-process.ts';
import { usedMetric } from './used-metric.ts';

/** What of `engines` in the configuration hears and speaks; beside it a section for each provider. */
export interface SpeechChoice {
  readonly stt: { readonly [L in Language]: readonly string[] };
  readonly tts: readonly string[];
  readonly speechPrivacy: SpeechPrivacy;
  readonly limits: { readonly [C in 'stt' | 'tts']: EngineLimits };
}

export interface SpeechSetDeps extends GuardDeps {
  readonly cacheDir: string; // for what engines prepare once, such as acoustic models
  /** Gives a synthesiser a memory; below the choice among several, since each sounds otherwise. */
  readonly remember?: (engine: TtsEngine) => TtsEngine;
}

/** Ears and voices in their order of fallback. */
export interface SpeechEngines {
  readonly hearing: SttByLanguage;
  readonly speaking: TtsEngine;
}

/**
 * Every recogniser and synthesiser of the gateway, each once and behind its guard. What may be used depends on who is called:
 * where `speechPrivacy` is `local`, a service is named in vain, and without an agent or a configuration that says `remote` it is
 * not even made.
 */
export class SpeechSet {
  readonly #chosen = new Map<SpeechPrivacy, SpeechEngines>();
  readonly #stt: EngineRegistry<SttEngine>;
  readonly #tts: EngineRegistry<TtsEngine>;
  /** Those of `tts` without their memory. */
  readonly #speaking = new Map<string, TtsEngine>();
  readonly #guards = new Map<string, EngineGuard>(); // of those that were made
  #embedded: ReturnType<typeof createPocketsphinxStt> | undefined;

  /** @throws OperatorError when an engine is named that does not exist. */
  constructor(
    private readonly choice: SpeechChoice,
    private readonly deps: SpeechSetDeps,
    providers: readonly Provider[] = PROVIDERS,
    local: readonly LocalProvider[] = LOCAL_PROVIDERS,
  ) {
    const { clock, logger, cacheDir } = deps;
    const remember = (engine: TtsEngine): TtsEngine => {
      this.#speaking.set(engine.name, engine);
      return deps.remember?.(engine) ?? engine;
    };
    this.#stt = new EngineRegistry<SttEngine>('engines.stt').register('pocketsphinx', () => {
      this.#embedded = createPocketsphinxStt({ cacheDir, clock, logger });
      return guardStt(this.#embedded, this.#guard('stt', 'pocketsphinx'));
    });
    this.#tts = new EngineRegistry<TtsEngine>('engines.tts').register('espeak', () =>
      remember(
        guardTts(new EspeakProcess({ direct: new EspeakTts({ clock }), clock, logger }), this.#guard('tts', 'espeak')),
      ),
    );
    for (const { name, stt, tts } of providers) {
      const made = <E>(make: (settings: ServerSettings, deps: ProviderDeps) => E, capability: 'stt' | 'tts'): E =>
        make(this.#settingsOf(name), {
          clock,
          logger,
          used: usedMetric(this.deps.metrics, capability, name),
        });
      if (stt)
        this.#stt.register(name, () => guardStt(hearElsewhere(made(stt, 'stt')), this.#guard('stt', name, 'remote')));
      if (tts) {
        this.#tts.register(name, () =>
          remember(guardTts(speakElsewhere(made(tts, 'tts')), this.#guard('tts', name, 'remote'))),
        );
      }
    }
    for (const { name, stt, tts } of local) {
      const own = (): LocalSettings => this.#localSettingsOf(name);
      this.#stt.register(name, () => guardStt(stt(own(), { clock, logger }), this.#guard('stt', name)));
      this.#tts.register(name, () => remember(guardTts(tts(own(), { clock, logger }), this.#guard('tts', name))));
    }
    this.#remote = new Set(providers.map(({ name }) => name));
    this.byDefault = this.#choose(choice.speechPrivacy);
  }

  readonly #remote: ReadonlySet<string>;
  /** For whom no agent decides: the public API. */
  readonly byDefault: SpeechEngines;

  /** Ears and voices for calls of this agent. */
  for({ definition }: { readonly definition: Pick<AgentDefinition, 'speechPrivacy'> }): SpeechEngines {
    return this.#choose(definition.speechPrivacy ?? this.choice.speechPrivacy);
  }

  /** Every one that is configured, by itself; voices without their memory. */
  members(): readonly EngineMember[] {
    const place = (engine: string) => (this.#remote.has(engine) ? 'remote' : 'local') as 'remote' | 'local';
    const named = (names: readonly string[]) => [...new Set(names)].filter((name) => name !== NO_ENGINE);
    const hearing = (['en', 'ar'] as const).flatMap((language) =>
      named(this.choice.stt[language]).map((engine, index) => ({
        ...{ capability: 'stt' as const, language, engine, place: place(engine), order: index + 1 },
        ...{ made: () => this.#stt.made(engine), get: () => this.#stt.get(engine) },
        retry: async () => this.#guards.get(`stt ${engine}`)?.retry(),
      })),
    );
    const speaking = named(this.choice.tts).map((engine, index) => ({
      ...{ capability: 'tts' as const, engine, place: place(engine), order: index + 1 },
      retry: async () => this.#guards.get(`tts ${engine}`)?.retry(),
      made: () => this.#tts.made(engine) && this.#speaking.get(engine),
      get: () => {
        const remembering = this.#tts.get(engine);
        return this.#speaking.get(engine) ?? remembering;
      },
    }));
    return [...hearing, ...speaking];
  }

  /** How much speech the embedded recogniser has to follow; undefined where it is not used. */
  load(): SpeechLoad | undefined {
    return this.#embedded?.load();
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#stt.close(), this.#tts.close()]);
  }

  #choose(privacy: SpeechPrivacy): SpeechEngines {
    const known = this.#chosen.get(privacy);
    if (known) return known;
    const { choice, deps } = this;
    const listed = <E extends { close(): Promise<void> }>(
      registry: EngineRegistry<E>,
      names: readonly string[],
      withheld: (name: string) => E,
    ): E[] => {
      if (privacy === 'remote') return registry.list(names);
      return names.flatMap((name) =>
        this.#remote.has(name) && registry.names.includes(name) ? [withheld(name)] : registry.list([name]),
      );
    };
    const recogniser = (language: Language): SttEngine | undefined => {
      const engines = listed(this.#stt, choice.stt[language], withheldStt);
      return engines.length > 0 ? failoverStt(engines, deps.logger) : undefined;
    };
    const engines = {
      hearing: new SttByLanguage({ ar: recogniser('ar'), en: recogniser('en') }, deps),
      speaking: failoverTts(listed(this.#tts, choice.tts, withheldTts), deps.logger),
    };
    this.#chosen.set(privacy, engines);
    return engines;
  }

  #settingsOf(name: string): ServerSettings {
    const settings = (this.choice as unknown as Readonly<Record<string, ServerSettings | undefined>>)[name];
    if (!settings) throw new OperatorError(`engines.${name}: expected its settings, baseUrl among them`);
    return settings;
  }

  #localSettingsOf(name: string): LocalSettings {
    const settings = (this.choice as unknown as Readonly<Record<string, LocalSettings | undefined>>)[name];
    if (!settings) throw new OperatorError(`engines.${name}: expected its settings, models among them`);
    return settings;
  }

  #guard(capability: Capability & ('stt' | 'tts'), name: string, place?: 'remote'): EngineGuard {
    const guard = new EngineGuard(capability, name, this.choice.limits[capability], this.deps, place);
    this.#guards.set(`${capability} ${name}`, guard);
    return guard;
  }
}
