import type { ProviderDeps } from '../provider.ts';
import { socketUrl } from '../remote-socket.ts';
import { StreamedEars } from '../streamed-ears.ts';
import { ScribeHearing } from './scribe-hearing.ts';
import { scribeQuery } from './scribe-query.ts';
import { type ElevenlabsSettings, keyHeader, missingKey } from './settings.ts';

/** How old the service lets a connection get is not known; it says so when that is over, and another one goes on. */
const SESSION_MS_MAX = 55 * 60_000;

/**
 * Ears of ElevenLabs: Scribe, over WebSockets, with one language for sure or with both told apart. From the telephone as mu-law.
 *
 * @see ElevenLabs API reference, "Realtime" (`/v1/speech-to-text/realtime`)
 */
export class ElevenlabsStt extends StreamedEars {
  constructor(settings: ElevenlabsSettings, deps: ProviderDeps) {
    super(
      {
        ...{ name: 'elevenlabs', missing: missingKey(settings), sessionMsMax: SESSION_MS_MAX, tellsApart: true },
        connect: (options, hints, events, clock) => {
          const url = socketUrl(settings.baseUrl, '/speech-to-text/realtime', scribeQuery(settings, options, hints));
          const headers = settings.apiKey === undefined ? {} : keyHeader(settings.apiKey);
          return new ScribeHearing({ url, headers, clock }, options.sampleRateHz, events);
        },
      },
      deps,
    );
  }
}
