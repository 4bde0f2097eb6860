import { type Language, languageOf } from '../core/agent.ts';
import { sentence } from '../core/notice.ts';
import { refusingStream } from './speech-privacy.ts';
import type { SttEngine, SttStream } from './stt/contract.ts';

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

  constructor(engines: { readonly [L in Language]?: SttEngine | undefined }) {
    this.#engines = { ar: engines.ar ?? noRecogniser('ar'), en: engines.en ?? noRecogniser('en') };
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

  available(language: string): ReturnType<SttEngine['available']> {
    return this.for(language).available(language);
  }

  warmUp(...[options]: Parameters<NonNullable<SttEngine['warmUp']>>): void {
    this.for(options.language).warmUp?.(options);
  }

  open(...[options, signal]: Parameters<SttEngine['open']>): SttStream {
    return this.for(options.language).open(options, signal);
  }

  async close(): Promise<void> {
    await Promise.all([...new Set(Object.values(this.#engines))].map((engine) => engine.close()));
  }
}
