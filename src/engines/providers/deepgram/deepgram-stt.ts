import type { ProviderDeps } from '../provider.ts';
import { socketUrl } from '../remote-socket.ts';
import { StreamedEars } from '../streamed-ears.ts';
import { DeepgramHearing } from './hearing.ts';
import { listenQuery } from './listen-query.ts';
import { authorization, type DeepgramSettings, ERROR_HEADER, missingKey } from './settings.ts';

const SESSION_MS_MAX = 55 * 60_000;

/**
 * Ears of Deepgram, at the telephone's rate as the telephone has it (mu-law).
 *
 * @see Deepgram API reference, "Live audio" (`/v1/listen`)
 */
export class DeepgramStt extends StreamedEars {
  constructor(settings: DeepgramSettings, deps: ProviderDeps) {
    super(
      {
        ...{ name: 'deepgram', missing: missingKey(settings), sessionMsMax: SESSION_MS_MAX },
        connect: (options, hints, events, clock) => {
          const query = listenQuery(settings.transcriptionModel, options, hints);
          const url = socketUrl(settings.baseUrl, '/listen', query);
          const request = { url, headers: authorization(settings), errorHeader: ERROR_HEADER, clock };
          return new DeepgramHearing(request, events);
        },
      },
      deps,
    );
  }
}
