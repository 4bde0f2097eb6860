import { TELEPHONE_RATE_HZ } from '../../../audio/pcm.ts';
import type { Voice } from '../../../core/voice.ts';
import type { ProviderDeps } from '../provider.ts';
import { socketUrl } from '../remote-socket.ts';
import { StreamedTts } from '../streamed-tts.ts';
import { authorization, type DeepgramSettings, ERROR_HEADER, missingKey } from './settings.ts';
import { Speaking } from './speaking.ts';

/** Of what the adapter makes of the same settings: another one is another sound. */
const REVISION = 1;
const SPEED_MIN = 0.7;
const SPEED_MAX = 1.5;

/**
 * Speech of Deepgram. Pitch is not known to the API and is left out. A voice speaks one language; there is none for Arabic.
 *
 * @see Deepgram API reference, "Text to speech WebSocket" (`/v1/speak`)
 */
export class DeepgramTts extends StreamedTts<string> {
  constructor(settings: DeepgramSettings, { clock, ...deps }: ProviderDeps) {
    const modelOf = (voice: Voice): string => modelOfVoice(voice) ?? settings.speechModel;
    super(
      {
        ...{ name: 'deepgram', missing: missingKey(settings) },
        usualAddress: speakUrl(settings, settings.speechModel, TELEPHONE_RATE_HZ, 1),
        canSpeak: (voice) => {
          const [, language] = /-([a-z]{2})$/.exec(modelOf(voice)) ?? [];
          return language === undefined || voice.language.startsWith(language);
        },
        soundOf: (voice) => [REVISION, settings.baseUrl, modelOf(voice)],
        sentence: ({ text, voice, speed }, rateHz) => ({
          ...{ address: speakUrl(settings, modelOf(voice), rateHz, speed), sentence: text },
        }),
        connect: (url) => new Speaking({ url, headers: authorization(settings), errorHeader: ERROR_HEADER, clock }),
      },
      { clock, ...deps },
    );
  }
}

function modelOfVoice({ providers }: Voice): string | undefined {
  return (providers?.['deepgram'] as { readonly model: string } | undefined)?.model;
}

function speakUrl({ baseUrl }: DeepgramSettings, model: string, rateHz: number, speed: number): string {
  const encoding = rateHz === TELEPHONE_RATE_HZ ? 'mulaw' : 'linear16';
  const query = new URLSearchParams({ model, encoding, sample_rate: String(rateHz), mip_opt_out: 'true' });
  if (speed !== 1) query.set('speed', String(Math.min(SPEED_MAX, Math.max(SPEED_MIN, speed))));
  return socketUrl(baseUrl, '/speak', query);
}
