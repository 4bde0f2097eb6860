import type { Voice } from '../../../core/voice.ts';
import type { ProviderDeps } from '../provider.ts';
import { StreamedTts } from '../streamed-tts.ts';
import { type Synthesize, WyomingSentence } from './sentence.ts';
import { speechUrlOf, type WyomingSettings } from './settings.ts';

/** Of what the adapter makes of the same settings: another one is another sound. */
const REVISION = 1;
/** As Piper names its voices: `ar_JO-kareem-medium`. */
const LANGUAGE = /^([a-z]{2})_[A-Z]{2}-/;

/**
 * Speech of a server of one's own network (Piper, Kokoro), at the rate that its model has. The protocol knows neither speed nor pitch.
 *
 * @see Wyoming protocol, "Text to Speech"
 */
export class WyomingTts extends StreamedTts<Synthesize> {
  constructor(settings: WyomingSettings, { clock, ...deps }: ProviderDeps) {
    const address = speechUrlOf(settings);
    super(
      {
        ...{ name: 'wyoming', missing: undefined, usualAddress: address },
        canSpeak: (voice) => {
          const [, language] = LANGUAGE.exec(speakerOf(voice, settings).name ?? '') ?? [];
          return language === undefined || voice.language.startsWith(language);
        },
        soundOf: (voice) => [REVISION, address, speakerOf(voice, settings)],
        sentence: ({ text, voice }) => ({ address, sentence: { text, voice: speakerOf(voice, settings) } }),
        connect: (url) => new WyomingSentence({ url, clock }),
      },
      { clock, ...deps },
    );
  }

  /** A connection is made for each sentence. */
  override warmUp(): void {}
}

function speakerOf({ providers, language }: Voice, { speechVoice }: WyomingSettings): Synthesize['voice'] {
  const own = providers?.['wyoming'] as { readonly name: string; readonly speaker?: string } | undefined;
  if (own) return own;
  return speechVoice === undefined ? { language: language.slice(0, 2) } : { name: speechVoice };
}
