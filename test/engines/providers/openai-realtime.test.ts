import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OpenaiRealtimeStt } from '../../../src/engines/providers/openai/realtime-stt.ts';
import { hearElsewhere } from '../../../src/engines/speech-privacy.ts';
import type { SttEvent, SttOptions, SttStream } from '../../../src/engines/stt/contract.ts';
import { parts } from '../../support/ear-parts.ts';
import { RealtimeTestServer } from '../../support/realtime-server.ts';
import { amplitudeAt, tone } from '../../support/tones.ts';
import { until } from '../../support/until.ts';

const SECOND = tone(1_000, 8_000);
const HINTS = { phrases: ['track my parcel'], expect: [] };

describe('transcription sessions of OpenAI', () => {
  let server: RealtimeTestServer;
  let engine: ReturnType<typeof hearElsewhere>;
  const events: SttEvent[] = [];
  const use = (model: string): void => {
    engine = hearElsewhere(new OpenaiRealtimeStt({ ...server.settings, transcriptionModel: model }, parts().deps));
  };
  beforeEach(async () => {
    server = await RealtimeTestServer.start();
    events.length = 0;
    use('gpt-4o-transcribe');
  });
  afterEach(async () => {
    await engine.close();
    await server.close();
  });

  function listen(change: Partial<SttOptions> = {}): SttStream {
    const options = { language: 'en-US', sampleRateHz: 8_000, interim: true, ...change };
    const stream = engine.open(options, new AbortController().signal);
    void (async () => {
      for await (const event of stream) events.push(event);
    })().catch(() => {}); // closing the engine ends it
    return stream;
  }
  const say = (stream: SttStream, samples: Int16Array, sampleRateHz = 8_000): void => {
    for (let at = 0; at < samples.length; at += sampleRateHz / 50)
      stream.write({ samples: samples.subarray(at, at + sampleRateHz / 50), sampleRateHz });
    stream.flush();
  };
  const texts = (): readonly string[] => events.flatMap((event) => (event.type === 'final' ? [event.text] : []));
  const heard = (count: number) => until(() => texts().length === count, 'what was said is understood');
  const asked = () => server.listening.at(-1)?.sessions.at(-1)?.audio?.input;

  it('are answered in the order in which was spoken, whichever is done first', async () => {
    server.hears.push({ text: 'one', as: 'behind' }, { text: 'two' });
    const stream = listen();
    say(stream, SECOND);
    say(stream, SECOND);
    await heard(2);
    expect(texts()).toEqual(['one', 'two']);
    expect(events.map((event) => event.type === 'final' && [event.startMs, event.endMs])).toEqual([
      ...[[0, 1_000], [1_000, 2_000]], // biome-ignore format: rows
    ]);
  });

  it('are not believed twice of the same stretch', async () => {
    server.hears.push({ text: 'one', as: 'twice' }, { text: 'two' });
    const stream = listen();
    say(stream, SECOND);
    say(stream, SECOND);
    await heard(2);
    expect(texts()).toEqual(['one', 'two']);
  });

  it('are told a telephone as it is, and wideband at the only rate that they take', async () => {
    const whistle = tone(6_000, 16_000, { rateHz: 16_000, amplitude: 0.5 });
    say(listen({ sampleRateHz: 16_000 }), whistle, 16_000);
    await heard(1);
    expect(asked()?.format).toEqual({ type: 'audio/pcm', rate: 24_000 });
    const bytes = server.listening[0]!.audio;
    const samples = new Int16Array(new Uint8Array(bytes).buffer);
    expect(Math.abs(samples.length - 24_000)).toBeLessThan(240);
    expect(amplitudeAt(samples, 6_000, 24_000)).toBeGreaterThan(0.4);
  });

  it('take a word that is shorter than they like', async () => {
    server.hears.push({ text: 'yes' });
    say(listen(), SECOND.subarray(0, 480));
    await heard(1);
    expect(events).toMatchObject([{ text: 'yes', startMs: 0, endMs: 60 }]);
    expect(server.listening[0]!.audio.length).toBe(800);
  });

  it('hear nothing in what the service calls empty', async () => {
    server.failNext({
      ...{ type: 'error', afterBytes: 8_000 },
      of: { type: 'invalid_request_error', code: 'input_audio_buffer_commit_empty', message: '' },
    });
    server.hears.push({ text: 'never told', as: 'unsettled' });
    say(listen(), SECOND);
    await heard(1);
    expect(texts()).toEqual(['']);
  });

  it('are told by what words they may be met, and again when those change', async () => {
    const stream = listen({ hints: HINTS });
    say(stream, SECOND);
    await heard(1);
    expect(asked()?.transcription).toEqual({ model: 'gpt-4o-transcribe', language: 'en', prompt: 'track my parcel' });
    stream.hint({ phrases: ['order number'], expect: [] });
    stream.hint({ phrases: ['order number'], expect: [] });
    say(stream, SECOND);
    await heard(2);
    expect(asked()?.transcription?.prompt).toBe('order number');
    expect(server.listening[0]!.sessions.length).toBe(2);
  });

  it.each(['gpt-realtime-whisper', 'gpt-live-transcribe'])('tell %s no words that it does not take', async (model) => {
    use(model);
    say(listen({ hints: HINTS, languages: ['en-US', 'ar-SA'] }), SECOND);
    await heard(1);
    expect(asked()?.transcription).toEqual({ model });
  });

  it('say nothing where they say their own hints back', async () => {
    server.hears.push({ text: 'Track my parcel. Order number.' });
    say(listen({ hints: { phrases: ['track my parcel', 'order number'], expect: [] } }), SECOND);
    await heard(1);
    expect(texts()).toEqual(['']);
  });
});
