import { TELEPHONE_RATE_HZ, WIDEBAND_RATE_HZ } from '../../../audio/pcm.ts';
import type { UsedUnit } from '../../../core/service-use.ts';
import type { RemoteStt, SttHints, SttOptions, SttStream } from '../../stt/contract.ts';
import { OpenStreams } from '../open-streams.ts';
import type { ProviderDeps } from '../provider.ts';
import { ServiceRest } from '../service-rest.ts';
import { Hearing, type HearingEvents } from './hearing.ts';
import { listenQuery } from './listen-query.ts';
import { ListenStream } from './listen-stream.ts';
import { authorization, type DeepgramSettings, ERROR_HEADER, missingKey, socketUrl } from './settings.ts';

/**
 * Ears of Deepgram: speech is sent as it is spoken, at the telephone's rate as the telephone has it (mu-law), and is settled when the
 * speaker pauses.
 *
 * @see Deepgram API reference, "Live audio" (`/v1/listen`)
 */
export class DeepgramStt implements RemoteStt {
  readonly name = 'deepgram';
  readonly remote = true;
  readonly capabilities = {
    interim: true,
    sampleRatesHz: [TELEPHONE_RATE_HZ, WIDEBAND_RATE_HZ],
    languages: ['ar-SA', 'en-US'],
  };
  readonly #streams = new OpenStreams();
  readonly #rest: ServiceRest;
  #closed = false;

  constructor(
    private readonly settings: DeepgramSettings,
    private readonly deps: ProviderDeps,
  ) {
    this.#rest = new ServiceRest(deps.clock);
  }

  available(language: string): ReturnType<RemoteStt['available']> {
    if (this.#closed) return { ok: false, why: 'the recogniser is closed' };
    const missing = missingKey(this.settings);
    if (missing) return { ok: false, why: missing };
    if (!/^(ar|en)\b/.test(language)) {
      return { ok: false, why: `deepgram is not asked for ${language}: choose another engine under engines.stt` };
    }
    return this.#rest.available();
  }

  open(options: SttOptions, signal: AbortSignal): SttStream {
    const life = this.#streams.begin(this.available(options.language), signal);
    const tell = (unit: UsedUnit, amount: number): void => {
      for (const used of [this.deps.used, options.used]) used?.(this.name, unit, amount);
    };
    return new ListenStream(options, life, {
      clock: this.deps.clock,
      connect: (hints, events) => {
        tell('requests', 1);
        return this.#connect(options, hints, events);
      },
      failed: (failure) => this.#rest.after(failure),
      answered: (seconds) => tell('audio-seconds', seconds),
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#streams.close();
  }

  #connect(options: SttOptions, hints: SttHints | undefined, events: HearingEvents): Hearing {
    const { baseUrl, transcriptionModel } = this.settings;
    const url = socketUrl(baseUrl, '/listen', listenQuery(transcriptionModel, options, hints));
    const request = { url, headers: authorization(this.settings), errorHeader: ERROR_HEADER };
    return new Hearing({ ...request, clock: this.deps.clock }, events);
  }
}
