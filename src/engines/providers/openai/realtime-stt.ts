import { sentence } from '../../../core/notice.ts';
import type { ProviderDeps } from '../provider.ts';
import { StreamedEars } from '../streamed-ears.ts';
import { RealtimeHearing } from './realtime-hearing.ts';
import { bearer, realtimeUrl } from './realtime-url.ts';
import type { OpenaiSettings } from './settings.ts';

/** The service ends a session after an hour, some that speak its protocol after a quarter of one. */
const SESSION_MS_MAX = 10 * 60_000;

/**
 * Ears of OpenAI that are sent what is said while it is spoken (`transcription: realtime`), at the telephone's rate as the telephone
 * has it. The model tells neither words nor their times.
 *
 * @see OpenAI API reference, "Realtime", transcription sessions
 */
export class OpenaiRealtimeStt extends StreamedEars {
  constructor(settings: OpenaiSettings, deps: ProviderDeps) {
    const { transcriptionModel: model = '', baseUrl, apiKey } = settings;
    const noModel = sentence('engine.setting-not-set', { setting: 'engines.openai.transcriptionModel' });
    super(
      {
        ...{
          name: 'openai',
          missing: model === '' ? noModel : undefined,
          sessionMsMax: SESSION_MS_MAX,
          tellsApart: true,
        },
        connect: (options, hints, events, clock) => {
          const request = { url: realtimeUrl(baseUrl), headers: bearer(apiKey), clock };
          return new RealtimeHearing(request, { model, options, hints }, events);
        },
      },
      deps,
    );
  }
}
