import type { ProviderDeps } from '../provider.ts';
import { socketUrl } from '../remote-socket.ts';
import { StreamedEars } from '../streamed-ears.ts';
import { FluxHearing } from './flux-hearing.ts';
import { fluxQuery } from './listen-query.ts';
import { authorization, type DeepgramSettings, ERROR_HEADER, fluxUrl, missingKey } from './settings.ts';

const SESSION_MS_MAX = 55 * 60_000;

/**
 * Ears of Deepgram that tell of turns. They are given silence, too, since they tell time and ends of turns by it.
 *
 * @see Deepgram API reference, "Turn-based Audio (Flux)" (`/v2/listen`)
 */
export class FluxStt extends StreamedEars {
  constructor(settings: DeepgramSettings, deps: ProviderDeps) {
    super(
      {
        ...{ name: 'deepgram', missing: missingKey(settings), sessionMsMax: SESSION_MS_MAX, feed: 'everything' },
        languages: ['en-US'],
        connect: (options, hints, events, clock) => {
          const query = fluxQuery(settings.transcriptionModel, options, hints);
          const url = socketUrl(fluxUrl(settings), '/listen', query);
          const request = { url, headers: authorization(settings), errorHeader: ERROR_HEADER, clock };
          return new FluxHearing(request, options.sampleRateHz, events);
        },
      },
      deps,
    );
  }
}
