import { TELEPHONE_RATE_HZ } from '../../../audio/pcm.ts';
import { sentence } from '../../../core/notice.ts';
import type { Voice } from '../../../core/voice.ts';
import type { TtsRequest } from '../../tts/contract.ts';
import type { HttpService } from '../http-service.ts';
import type { ProviderDeps } from '../provider.ts';
import { StreamedTts } from '../streamed-tts.ts';
import { httpOf } from './api.ts';
import { type AskedSentence, SentenceRequest } from './sentence-request.ts';
import { type ElevenlabsSettings, missingKey } from './settings.ts';

/** Of what the adapter makes of the same settings: another one is another sound. */
const REVISION = 1;
const SPEED_MIN = 0.7;
const SPEED_MAX = 1.2;
/** Models that take a language; others tell it from the text, or know none but English. */
const TAKES_LANGUAGE = /_v2_5$|_v3$/;
const ENGLISH_ONLY = /^eleven_(?:turbo|flash)_v2$|monolingual|english/;

/** What of the service speaks as a voice of the catalogue. */
interface Speaker {
  readonly voice: string;
  readonly model: string;
  readonly language: string | undefined; // where the model takes one
}

/**
 * Speech of ElevenLabs: one request a sentence, whose sound comes in pieces with the times of its letters. Texts are normalised before
 * they come here; the service is told to leave them as they are. Pitch is not known to the API.
 *
 * @see ElevenLabs API reference, "Stream speech with timing" (`/v1/text-to-speech/{voice_id}/stream/with-timestamps`)
 */
export class ElevenlabsTts extends StreamedTts<AskedSentence> {
  readonly #http: HttpService;

  constructor(settings: ElevenlabsSettings, deps: ProviderDeps) {
    const http = httpOf(settings, deps.clock);
    const noVoice = settings.speechVoice
      ? undefined
      : sentence('engine.setting-not-set', { setting: 'engines.elevenlabs.speechVoice' });
    super(
      {
        ...{ name: 'elevenlabs', missing: missingKey(settings) ?? noVoice, usualAddress: '' },
        canSpeak: (voice) => voice.language.startsWith('en') || !ENGLISH_ONLY.test(speakerOf(voice, settings).model),
        soundOf: (voice) => [REVISION, settings.baseUrl, speakerOf(voice, settings)],
        sentence: (request, rateHz) => {
          const speaker = speakerOf(request.voice, settings);
          const sentence = { text: request.text, body: bodyOf(request, speaker) };
          return { address: pathOf(speaker, rateHz, settings.zeroRetention), sentence };
        },
        connect: (path) => new SentenceRequest(http, path),
      },
      deps,
    );
    this.#http = http;
  }

  override warmUp(): void {
    if (this.available().ok) this.#http.warmUp('/models');
  }
}

function speakerOf({ providers, language }: Voice, { speechVoice = '', speechModel }: ElevenlabsSettings): Speaker {
  const own = providers?.['elevenlabs'] as { readonly voice: string; readonly model?: string } | undefined;
  const model = own?.model ?? speechModel;
  return {
    ...{ voice: own?.voice ?? speechVoice, model },
    language: TAKES_LANGUAGE.test(model) ? language.slice(0, 2) : undefined,
  };
}

function pathOf({ voice }: Speaker, rateHz: number, zeroRetention: boolean): string {
  const query = new URLSearchParams({ output_format: rateHz === TELEPHONE_RATE_HZ ? 'ulaw_8000' : `pcm_${rateHz}` });
  if (zeroRetention) query.set('enable_logging', 'false');
  return `/text-to-speech/${encodeURIComponent(voice)}/stream/with-timestamps?${query}`;
}

function bodyOf({ text, speed }: TtsRequest, { model, language }: Speaker): string {
  return JSON.stringify({
    ...{ text, model_id: model, apply_text_normalization: 'off' },
    ...(language !== undefined && { language_code: language }),
    ...(speed !== 1 && { voice_settings: { speed: Math.min(SPEED_MAX, Math.max(SPEED_MIN, speed)) } }),
  });
}
