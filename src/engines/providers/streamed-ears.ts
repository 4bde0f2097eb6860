import { TELEPHONE_RATE_HZ, WIDEBAND_RATE_HZ } from '../../audio/pcm.ts';
import type { Clock } from '../../core/clock.ts';
import { sentence } from '../../core/notice.ts';
import type { UsedUnit } from '../../core/service-use.ts';
import type { RemoteStt, SttFeed, SttHints, SttOptions, SttStream } from '../stt/contract.ts';
import { type Hearing, type HearingEvents, ListenStream } from './listen-stream.ts';
import { OpenStreams } from './open-streams.ts';
import type { ProviderDeps } from './provider.ts';

/** What is a service's own of ears that hear while somebody speaks. */
export interface StreamedEarsParts {
  readonly name: string;
  /** The setting that is missing. */
  readonly missing: string | undefined;
  /** A connection that is older is given up between two stretches rather than in the middle of one. */
  readonly sessionMsMax: number;
  /** Without it `new-speech`. */
  readonly feed?: SttFeed;
  /** It tells words before they are settled; without it: yes. */
  readonly interim?: boolean;
  /** That it hears; without it Arabic and English. */
  readonly languages?: readonly string[];
  /** It hears all languages of a stream; without it: one. */
  readonly tellsApart?: boolean;
  /** What its seconds of audio are: of speech that it was sent and has answered, or those for which a connection stood. */
  readonly charges?: 'speech' | 'connections';
  connect(options: SttOptions, hints: SttHints | undefined, events: HearingEvents, clock: Clock): Hearing;
}

/** Ears of a service with a connection for each stream, over which speech is sent as it is spoken and settled when the speaker pauses. */
export class StreamedEars implements RemoteStt {
  readonly name: string;
  readonly remote = true;
  readonly capabilities: RemoteStt['capabilities'];
  readonly #streams = new OpenStreams();
  #closed = false;

  constructor(
    private readonly parts: StreamedEarsParts,
    private readonly deps: ProviderDeps,
  ) {
    this.name = parts.name;
    this.capabilities = {
      interim: parts.interim ?? true,
      sampleRatesHz: [TELEPHONE_RATE_HZ, WIDEBAND_RATE_HZ],
      languages: parts.languages ?? ['ar-SA', 'en-US'],
      tellsApart: parts.tellsApart ?? false,
    };
  }

  available(language: string): ReturnType<RemoteStt['available']> {
    if (this.#closed) return { ok: false, why: sentence('engine.recogniser-closed') };
    if (this.parts.missing) return { ok: false, why: this.parts.missing };
    if (!this.capabilities.languages.some((own) => own.slice(0, 2) === language.slice(0, 2))) {
      return { ok: false, why: sentence('engine.not-for-language', { engine: this.name, language }) };
    }
    return { ok: true };
  }

  open(options: SttOptions, signal: AbortSignal): SttStream {
    const life = this.#streams.begin(this.available(options.language), signal);
    const tell = (unit: UsedUnit, amount: number): void => {
      for (const used of [this.deps.used, options.used]) used?.(this.name, unit, amount);
    };
    const tellSeconds = (seconds: number): void => tell('audio-seconds', seconds);
    return new ListenStream(options, life, {
      clock: this.deps.clock,
      sessionMsMax: this.parts.sessionMsMax,
      feed: this.parts.feed ?? 'new-speech',
      ...(this.parts.charges === 'connections' ? { stood: tellSeconds } : { answered: tellSeconds }),
      connect: (hints, events) => {
        tell('requests', 1);
        return this.parts.connect(options, hints, events, this.deps.clock);
      },
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#streams.close();
  }
}
