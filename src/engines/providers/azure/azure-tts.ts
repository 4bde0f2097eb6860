import { TELEPHONE_RATE_HZ } from '../../../audio/pcm.ts';
import type { ProviderDeps } from '../provider.ts';
import { StreamedTts } from '../streamed-tts.ts';
import { newId } from './messages.ts';
import { type AzureSettings, missingKey, requestHeaders, speakingUrl } from './settings.ts';
import { type AzureSentence, Speaking } from './speaking.ts';
import { ssmlOf } from './ssml.ts';
import { speaksLanguage, voiceName } from './voices.ts';

/** Of what the adapter makes of the same settings: another one is another sound. */
const REVISION = 1;
const OUTPUT_FORMATS = { telephone: 'raw-8khz-8bit-mono-mulaw', wide: 'raw-24khz-16bit-mono-pcm' } as const;

/**
 * Speech of Azure, in both languages; it tells where each word is. All voices are said over the same connections.
 *
 * @see Azure "Speech Synthesis Markup Language", and the messages of its Speech SDK
 */
export class AzureTts extends StreamedTts<AzureSentence> {
  constructor(settings: AzureSettings, deps: ProviderDeps) {
    const address = speakingUrl(settings);
    super(
      {
        ...{ name: 'azure', missing: missingKey(settings), usualAddress: address },
        canSpeak: (voice) => {
          const name = voiceName(voice);
          return name !== undefined && speaksLanguage(name, voice.language);
        },
        soundOf: (voice) => [REVISION, settings.baseUrl, voiceName(voice), voice.language],
        sentence: (request, rateHz) => {
          const ssml = ssmlOf(request, voiceName(request.voice) ?? '');
          const outputFormat = rateHz === TELEPHONE_RATE_HZ ? OUTPUT_FORMATS.telephone : OUTPUT_FORMATS.wide;
          return { address, sentence: { text: request.text, ssml, outputFormat } };
        },
        connect: (url) => new Speaking({ url, headers: requestHeaders(settings, newId()), clock: deps.clock }),
      },
      deps,
    );
  }
}
