import { type Language, languageOf } from '../core/agent.ts';
import { sentence } from '../core/notice.ts';
import { refusingStream } from './speech-privacy.ts';
import type { SttEngine, SttStream } from './stt/contract.ts';
import { type TwoEarsDeps, twoEars } from './two-ears.ts';

/** Refuses whatever is asked of it, and says which setting would change that. */
function noRecogniser(language: Language): SttEngine {
  const why = sentence('engine.no-recogniser', { tag: language });
  return {
    name: 'none',
    capabilities: { interim: false, sampleRatesHz: [], languages: [] },
    available: () => ({ ok: false, why }),
    open: () => refusingStream(why),
    close: async () => {},
  };
}

/** Speech recognition for the whole gateway: each language has its own engine, or honestly none. */
export class SttByLanguage implements SttEngine {
  readonly name = 'by-language';
  readonly capabilities: SttEngine['capabilities'];
  readonly #engines: Readonly<Record<Language, SttEngine>>;

  readonly #both: Partial<Record<Language, SttEngine>> = {};

  /** @param deps - for calls in both languages; without it each call is heard in one. */
  constructor(engines: { readonly [L in Language]?: SttEngine | undefined }, deps?: TwoEarsDeps) {
    this.#engines = { ar: engines.ar ?? noRecogniser('ar'), en: engines.en ?? noRecogniser('en') };
    if (deps && engines.ar && engines.en) {
      this.#both = { ar: twoEars(this.#engines, 'ar', deps), en: twoEars(this.#engines, 'en', deps) };
    }
    const all = Object.values(this.#engines);
    this.capabilities = {
      interim: all.some((engine) => engine.capabilities.interim),
      sampleRatesHz: [...new Set(all.flatMap((engine) => engine.capabilities.sampleRatesHz))],
      languages: [...new Set(all.flatMap((engine) => engine.capabilities.languages))],
    };
  }

  /** The engine that serves a language tag such as `ar-SA`. */
  for(language: string): SttEngine {
    return this.#engines[languageOf(language)];
  }

  /** The engine for calls in which any of `languages` may be spoken, and `language` is expected. */
  forCall(language: string, languages: readonly string[]): SttEngine {
    const isOne = new Set([language, ...languages].map(languageOf)).size === 1;
    return (isOne ? undefined : this.#both[languageOf(language)]) ?? this.for(language);
  }

  available(language: string): ReturnType<SttEngine['available']> {
    return this.for(language).available(language);
  }

  warmUp(...[options]: Parameters<NonNullable<SttEngine['warmUp']>>): void {
    this.forCall(options.language, options.languages ?? []).warmUp?.(options);
  }

  open(...[options, signal]: Parameters<SttEngine['open']>): SttStream {
    return this.forCall(options.language, options.languages ?? []).open(options, signal);
  }

  async close(): Promise<void> {
    await Promise.all([...new Set(Object.values(this.#engines))].map((engine) => engine.close()));
  }
}
