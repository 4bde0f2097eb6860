import type { ProviderDeps } from '../provider.ts';
import { StreamedEars } from '../streamed-ears.ts';
import { AzureHearing } from './hearing.ts';
import { newId } from './messages.ts';
import { type AzureSettings, hearingUrl, missingKey, requestHeaders } from './settings.ts';
import { LISTEN_PATH, listenQuery } from './speech-context.ts';

/** The service ends connections after ten minutes. */
const SESSION_MS_MAX = 9 * 60_000;

/**
 * Ears of Azure Speech: at the telephone's rate speech goes out as the telephone has it (mu-law), every stretch a turn of its own.
 *
 * @see Azure "Speech Service WebSocket protocol"
 */
export class AzureStt extends StreamedEars {
  constructor(settings: AzureSettings, deps: ProviderDeps) {
    super(
      {
        ...{ name: 'azure', missing: missingKey(settings), sessionMsMax: SESSION_MS_MAX, tellsApart: true },
        connect: (options, hints, events, clock) => {
          const url = hearingUrl(settings, LISTEN_PATH, listenQuery(options));
          const request = { url, headers: requestHeaders(settings, newId()), clock };
          return new AzureHearing(request, options, hints, events);
        },
      },
      deps,
    );
  }
}
