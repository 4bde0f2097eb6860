import type { ProviderDeps } from '../provider.ts';
import { socketUrl } from '../remote-socket.ts';
import { StreamedEars } from '../streamed-ears.ts';
import { SonioxHearing } from './hearing.ts';
import { authorization, LISTEN_PATH, missingKey, type SonioxSettings } from './settings.ts';
import { startRequest } from './start-request.ts';

/** The service ends a session after five hours. */
const SESSION_MS_MAX = 2 * 60 * 60_000;

/**
 * Ears of Soniox, which hear Arabic and English in one stream, at the telephone's rate as the telephone has it (mu-law).
 *
 * @see Soniox API reference, "WebSocket API" (speech to text)
 */
export class SonioxStt extends StreamedEars {
  constructor(settings: SonioxSettings, deps: ProviderDeps) {
    super(
      {
        ...{ name: 'soniox', missing: missingKey(settings), sessionMsMax: SESSION_MS_MAX, charges: 'connections' },
        tellsApart: true,
        connect: (options, hints, events, clock) => {
          const url = socketUrl(settings.baseUrl, LISTEN_PATH);
          const start = startRequest(settings.transcriptionModel, options, hints);
          return new SonioxHearing({ url, headers: authorization(settings), clock }, start, events);
        },
      },
      deps,
    );
  }
}
