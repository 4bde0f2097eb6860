import type { PcmFrame } from '../../audio/pcm.ts';
import { createResampler, type Resampler } from '../../audio/resampler.ts';
import type { SttEngine, SttEvent, SttFeed, SttHints, SttOptions, SttStream } from './contract.ts';
import { hearingRate } from './hearing-rate.ts';

/**
 * A stream that is written audio of `options.sampleRateHz`, whichever rates the engine takes: it is opened at the best of those
 * that the audio can fill.
 */
export function openAtRate(engine: SttEngine, options: SttOptions, signal: AbortSignal): SttStream {
  const sampleRateHz = hearingRate(engine, options.sampleRateHz);
  if (sampleRateHz === options.sampleRateHz) return engine.open(options, signal);
  const inner = engine.open({ ...options, sampleRateHz }, signal);
  return new ResampledStt(engine, inner, createResampler(options.sampleRateHz, sampleRateHz));
}

/** A stream whose engine hears at another rate. What the filter holds back is 1.5 ms. */
class ResampledStt implements SttStream {
  constructor(
    private readonly engine: SttEngine,
    private readonly inner: SttStream,
    private readonly resampler: Resampler,
  ) {}

  get feed(): SttFeed {
    return this.inner.feed ?? 'whole-stretches';
  }
  get tellsApart(): boolean {
    return this.inner.tellsApart ?? this.engine.capabilities.tellsApart ?? false;
  }
  write({ samples }: PcmFrame): void {
    this.inner.write({ samples: this.resampler.push(samples), sampleRateHz: this.resampler.toHz });
  }
  flush(): void {
    this.inner.flush();
  }
  hint(hints: SttHints): void {
    this.inner.hint(hints);
  }
  end(): void {
    this.inner.end();
  }
  [Symbol.asyncIterator](): AsyncIterator<SttEvent> {
    return this.inner[Symbol.asyncIterator]();
  }
}
