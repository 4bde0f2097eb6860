import type { ProviderDeps } from '../provider.ts';
import { StreamedEars } from '../streamed-ears.ts';
import { WyomingHearing } from './hearing.ts';
import type { WyomingSettings } from './settings.ts';

/**
 * Ears of a server of one's own network (faster-whisper, Vosk), which get 16 kHz while somebody speaks.
 *
 * @see Wyoming protocol, "Speech to Text"
 */
export class WyomingStt extends StreamedEars {
  constructor({ baseUrl, transcriptionModel, streams }: WyomingSettings, deps: ProviderDeps) {
    super(
      {
        ...{ name: 'wyoming', missing: undefined, interim: streams, feed: 'whole-stretches' },
        sessionMsMax: Number.POSITIVE_INFINITY, // each stretch has its own connection
        connect: ({ language }, _, events, clock) => {
          const name = transcriptionModel === undefined ? {} : { name: transcriptionModel };
          const wanted = { ...name, language: language.slice(0, 2) };
          return new WyomingHearing(
            { url: baseUrl, clock },
            wanted,
            streams ? events : { ...events, interim: () => {} },
          );
        },
      },
      deps,
    );
  }
}
