import { TELEPHONE_RATE_HZ, WIDEBAND_RATE_HZ } from '../../../audio/pcm.ts';
import { sentence } from '../../../core/notice.ts';
import type { SttEngine, SttOptions, SttStream } from '../../stt/contract.ts';
import { OpenStreams } from '../open-streams.ts';
import { ModelOf, type SherpaDeps } from './model-choice.ts';
import { findModel } from './model-files.ts';
import { kindOf } from './model-kinds.ts';
import type { EarSettings, SherpaSettings } from './settings.ts';
import { SherpaStream } from './sherpa-stream.ts';

/** Ears from models on this machine's disk: of each language the first of `engines.sherpa.ears` that has it. */
export class SherpaStt implements SttEngine {
  readonly name = 'sherpa';
  readonly capabilities: SttEngine['capabilities'];
  readonly #models: readonly ModelOf<EarSettings>[];
  readonly #streams = new OpenStreams();
  #closed = false;

  constructor(
    settings: SherpaSettings,
    private readonly deps: SherpaDeps,
  ) {
    this.#models = settings.ears.map((own) => new ModelOf(own, 'ears', settings, deps));
    const streams = settings.ears.some((own) => {
      const found = findModel(own, settings.modelsDir, 'ears');
      return found.ok && kindOf(found.model.kind).streams === true;
    });
    this.capabilities = {
      interim: streams,
      sampleRatesHz: [TELEPHONE_RATE_HZ, WIDEBAND_RATE_HZ],
      languages: [...new Set(settings.ears.flatMap((own) => own.languages))],
      tellsApart: this.#modelFor('ar') !== undefined && this.#modelFor('ar') === this.#modelFor('en'),
    };
  }

  available(language: string): ReturnType<SttEngine['available']> {
    if (this.#closed) return { ok: false, why: sentence('engine.recogniser-closed') };
    const model = this.#modelFor(language);
    const tag = language.slice(0, 2).toLowerCase();
    const why = model ? model.why : sentence('engine.no-model-ears', { tag });
    return why === undefined ? { ok: true } : { ok: false, why };
  }

  warmUp({ language }: Pick<SttOptions, 'language'>): void {
    if (!this.#closed) this.#modelFor(language)?.warmUp();
  }

  open(options: SttOptions, signal: AbortSignal): SttStream {
    const life = this.#streams.begin(this.available(options.language), signal);
    const process = this.#closed ? undefined : this.#modelFor(options.language)?.process();
    return new SherpaStream(options, life, typeof process === 'string' ? undefined : process, this.deps.clock);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#streams.close();
    await Promise.all(this.#models.map((model) => model.close()));
  }

  #modelFor(language: string): ModelOf<EarSettings> | undefined {
    return this.#models.find((model) => model.serves(language));
  }
}
