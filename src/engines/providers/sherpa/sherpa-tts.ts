import { languageOf } from '../../../core/agent.ts';
import { ServiceError } from '../../../core/errors.ts';
import { sentence } from '../../../core/notice.ts';
import type { Voice } from '../../../core/voice.ts';
import type { TtsEngine, TtsRequest, TtsStream } from '../../tts/contract.ts';
import { ModelOf, type SherpaDeps } from './model-choice.ts';
import type { SherpaSettings, VoiceAtSherpa, VoiceSettings } from './settings.ts';
import { SpokenParts } from './spoken-parts.ts';

/** Of what is made of the same settings: another one is another sound. */
const REVISION = 1;
const SPOKEN = /[\p{L}\p{N}]/u;
const SPEED = { min: 0.5, max: 2 } as const;

/** Voices from models on this machine's disk: the one a voice names, else the first of its language. Pitch is the model's own. */
export class SherpaTts implements TtsEngine {
  readonly name = 'sherpa';
  readonly #models: readonly ModelOf<VoiceSettings>[];
  #closed = false;

  constructor(settings: SherpaSettings, deps: SherpaDeps) {
    this.#models = settings.voices.map((own) => new ModelOf(own, 'voice', settings, deps));
  }

  available(): ReturnType<TtsEngine['available']> {
    if (this.#closed) return { ok: false, why: sentence('engine.synthesiser-closed') };
    const whys = this.#models.map(({ why }) => why);
    if (whys.length === 0) return { ok: false, why: sentence('engine.no-model-voices') };
    return whys.includes(undefined) ? { ok: true } : { ok: false, why: whys[0] ?? '' };
  }

  soundOf(voice: Voice): string {
    const model = this.#modelFor(voice)?.own;
    return JSON.stringify([REVISION, model?.model, model?.files, this.#speakerOf(voice)]);
  }

  canSpeak(voice: Voice): boolean {
    const model = this.#modelFor(voice);
    return model !== undefined && model.why === undefined;
  }

  warmUp(): void {
    if (!this.#closed) for (const model of this.#models) model.warmUp();
  }

  async *synthesize(request: TtsRequest, signal: AbortSignal): TtsStream {
    if (this.#closed) throw new ServiceError('unavailable');
    if (signal.aborted || !SPOKEN.test(request.text)) return;
    const process = this.#modelFor(request.voice)?.process() ?? `sherpa has no voice for ${request.voice.language}`;
    if (typeof process === 'string') throw new ServiceError('unavailable', '', { cause: new Error(process) });
    const parts = new SpokenParts();
    const job = process.open(parts);
    const stop = (): void => parts.end();
    signal.addEventListener('abort', stop, { once: true });
    try {
      const { text, speed, sampleRateHz: rateHz } = request;
      job.post({
        ...{ type: 'speak', text, rateHz, speaker: this.#speakerOf(request.voice) },
        speed: Math.min(SPEED.max, Math.max(SPEED.min, speed)),
      });
      for await (const samples of parts.samples()) {
        if (signal.aborted) return;
        yield samples;
      }
      if (parts.count === 0 && !signal.aborted) {
        throw new ServiceError('synthesis_failed', '', { cause: new Error('no sound for a text with words') });
      }
    } finally {
      signal.removeEventListener('abort', stop);
      job.drop();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#models.map((model) => model.close()));
  }

  #modelFor(voice: Voice): ModelOf<VoiceSettings> | undefined {
    const { model } = ownOf(voice);
    const named = model === undefined ? undefined : this.#models.find(({ own }) => own.model === model);
    return named ?? this.#models.find((one) => one.serves(languageOf(voice.language)));
  }

  #speakerOf(voice: Voice): number {
    return ownOf(voice).speaker ?? this.#modelFor(voice)?.own.speaker ?? 0;
  }
}

function ownOf({ providers }: Voice): VoiceAtSherpa {
  return (providers?.['sherpa'] as VoiceAtSherpa | undefined) ?? {};
}
