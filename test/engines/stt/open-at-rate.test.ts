import { describe, expect, it } from 'vitest';
import type { PcmFrame } from '../../../src/audio/pcm.ts';
import { silentLogger } from '../../../src/core/logger.ts';
import { failoverStt } from '../../../src/engines/failover.ts';
import type { SttEngine, SttEvent, SttFeed } from '../../../src/engines/stt/contract.ts';
import { hearingRate } from '../../../src/engines/stt/hearing-rate.ts';
import { openAtRate } from '../../../src/engines/stt/open-at-rate.ts';
import { HandSource, outcomeOf, settle } from '../../support/engine-guards.ts';
import { amplitudeAt, tone } from '../../support/tones.ts';

const never = new AbortController().signal;
const OPTIONS = { language: 'en-US', interim: true };
const final = (text: string): SttEvent => ({ type: 'final', text, confidence: 1, startMs: 0, endMs: 20 });

/** A recogniser that keeps the audio it is given. */
function recogniser(sampleRatesHz: readonly number[], feed?: SttFeed) {
  const streams: { rateHz: number; frames: PcmFrame[]; did: string[]; source: HandSource<SttEvent> }[] = [];
  const engine: SttEngine = {
    name: String(sampleRatesHz),
    capabilities: { interim: true, sampleRatesHz, languages: ['en'] },
    available: () => (sampleRatesHz.length > 0 ? { ok: true } : { ok: false, why: 'withheld' }),
    open: ({ sampleRateHz }, signal) => {
      const stream = { rateHz: sampleRateHz, frames: [] as PcmFrame[], did: [] as string[] };
      const source = new HandSource<SttEvent>();
      streams.push({ ...stream, source });
      return {
        ...(feed && { feed }),
        write: ({ samples, sampleRateHz: rateHz }) =>
          stream.frames.push({ samples: samples.slice(), sampleRateHz: rateHz }),
        flush: () => stream.did.push('flush'),
        hint: ({ phrases }) => stream.did.push(`hint ${phrases}`),
        end: () => stream.did.push('end'),
        [Symbol.asyncIterator]: () => source.start(signal),
      };
    },
    close: async () => {},
  };
  return { engine, streams };
}

/** 1 kHz and 6 kHz, 20 ms a frame. */
const SOUND = ((low, high) => low.map((sample, i) => sample + high[i]!))(
  tone(1_000, 16_000, { rateHz: 16_000, amplitude: 0.2 }),
  tone(6_000, 16_000, { rateHz: 16_000, amplitude: 0.2 }),
);
const frames = Array.from({ length: 50 }, (_, n) => ({
  samples: SOUND.slice(n * 320, (n + 1) * 320),
  sampleRateHz: 16_000,
}));

/** What a stream was given: its rate, whole frames of 20 ms, and how much there is of both tones. */
function given({ rateHz, frames: all }: ReturnType<typeof recogniser>['streams'][number]) {
  expect(all.every(({ samples, sampleRateHz }) => sampleRateHz === rateHz && samples.length === rateHz / 50)).toBe(
    true,
  );
  const samples = Int16Array.from(all.slice(2).flatMap((frame) => [...frame.samples]));
  const has = (hz: number): boolean => amplitudeAt(samples, hz, rateHz) > 0.15;
  return { rateHz, frames: all.length, low: has(1_000), high: has(rateHz === 16_000 ? 6_000 : 2_000) };
}

describe('hearingRate', () => {
  it.each([
    { rates: [8_000, 16_000], availableHz: 16_000, is: 16_000 },
    { rates: [8_000, 16_000], availableHz: 48_000, is: 16_000 },
    { rates: [8_000, 16_000], availableHz: 11_025, is: 8_000 },
    { rates: [8_000, 11_025], availableHz: 16_000, is: 8_000 }, // 20 ms of it are no whole samples
    { rates: [8_000], availableHz: 16_000, is: 8_000 },
    { rates: [16_000], availableHz: 8_000, is: 8_000 },
    { rates: [], availableHz: 16_000, is: 8_000 },
  ])('is $is of $rates where there is audio of $availableHz', ({ rates, availableHz, is }) => {
    expect(hearingRate(recogniser(rates).engine, availableHz)).toBe(is);
  });
});

describe('a stream opened at a rate', () => {
  it('is the own one of an engine that takes the rate', () => {
    const { engine, streams } = recogniser([8_000, 16_000]);
    const stream = openAtRate(engine, { ...OPTIONS, sampleRateHz: 16_000 }, never);
    for (const frame of frames) stream.write(frame);
    expect(given(streams[0]!)).toEqual({ rateHz: 16_000, frames: 50, low: true, high: true });
    expect(streams[0]!.frames).toEqual(frames);
  });

  it('gives another what it takes, and is otherwise what that is', async () => {
    const { engine, streams } = recogniser([8_000], 'everything');
    const stream = openAtRate(engine, { ...OPTIONS, sampleRateHz: 16_000 }, never);
    expect(stream.feed).toBe('everything');
    const run = outcomeOf(stream);
    stream.hint({ phrases: ['yes'], expect: [] });
    for (const frame of frames) stream.write(frame);
    stream.flush();
    stream.end();
    expect(given(streams[0]!)).toEqual({ rateHz: 8_000, frames: 50, low: true, high: false });
    expect(streams[0]!.did).toEqual(['hint yes', 'flush', 'end']);
    streams[0]!.source.give(final('yes')).end();
    expect(await run).toEqual({ results: [final('yes')] });
  });
});

describe('several recognisers of different rates', () => {
  it('are heard by each at its best, and what one died of is given to the next at that one’s', async () => {
    const [wide, narrow] = [recogniser([8_000, 16_000]), recogniser([8_000])];
    const engine = failoverStt([wide.engine, narrow.engine], silentLogger);
    expect(engine.capabilities.sampleRatesHz).toEqual([8_000, 16_000]);
    const stream = engine.open({ ...OPTIONS, sampleRateHz: 16_000 }, never);
    const run = outcomeOf(stream);
    for (const frame of frames.slice(0, 25)) stream.write(frame);
    wide.streams[0]!.source.fail(new Error('gone'));
    await settle();
    for (const frame of frames.slice(25)) stream.write(frame);
    expect(given(wide.streams[0]!)).toEqual({ rateHz: 16_000, frames: 25, low: true, high: true });
    expect(given(narrow.streams[0]!)).toEqual({ rateHz: 8_000, frames: 50, low: true, high: false });
    const late = { ...final('late'), startMs: 500, endMs: 1_000 } as SttEvent;
    narrow.streams[0]!.source.give(late).end();
    expect(await run).toEqual({ results: [late] });
  });

  it.each([
    { name: 'the first takes the rate of telephones alone', rates: [[8_000], [8_000, 16_000]], are: [8_000] },
    { name: 'the first is withheld', rates: [[], [8_000, 16_000]], are: [8_000, 16_000] },
    { name: 'none is left', rates: [[], []], are: [] },
  ])('say the rates of the one that hears: $name', ({ rates, are }) => {
    const engines = rates.map((list) => recogniser(list).engine);
    expect(failoverStt(engines, silentLogger).capabilities.sampleRatesHz).toEqual(are);
  });
});
