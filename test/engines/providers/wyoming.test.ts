import { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { silentLogger } from '../../../src/core/logger.ts';
import { ServiceUse } from '../../../src/core/service-use.ts';
import { isOwnNetwork, ownNetworkOnly } from '../../../src/engines/providers/wyoming/event-socket.ts';
import { EventReader, encodeEvent } from '../../../src/engines/providers/wyoming/events.ts';
import type { WyomingSettings } from '../../../src/engines/providers/wyoming/settings.ts';
import { WyomingStt } from '../../../src/engines/providers/wyoming/wyoming-stt.ts';
import { WyomingTts } from '../../../src/engines/providers/wyoming/wyoming-tts.ts';
import { hearElsewhere, speakElsewhere } from '../../../src/engines/speech-privacy.ts';
import type { SttOptions } from '../../../src/engines/stt/contract.ts';
import { sttConformance } from '../../conformance/stt.ts';
import {
  collectSpeech,
  OTHER_VOICE,
  TEST_VOICE,
  TEST_VOICE_AR,
  ttsConformance,
  ttsRequest,
} from '../../conformance/tts.ts';
import { framesOf } from '../../support/speech-clips.ts';
import { tone } from '../../support/speech-server.ts';
import { until } from '../../support/until.ts';
import { WyomingTestServer } from '../../support/wyoming-server.ts';

const SAID = 'where is my order';
const HINTS = { phrases: [SAID], expect: [] };
const speech = tone(1000, 8000);
const never = new AbortController().signal;
let server: WyomingTestServer;
const deps = { clock: systemClock, logger: silentLogger, used: () => {} };
const ears = (change: Partial<WyomingSettings> = {}) =>
  hearElsewhere(new WyomingStt({ baseUrl: server.url, streams: false, ...change }, deps));
const voice = (change: Partial<WyomingSettings> = {}) =>
  speakElsewhere(new WyomingTts({ baseUrl: server.url, streams: false, ...change }, deps));

describe('as engines', () => {
  beforeAll(async () => {
    server = await WyomingTestServer.start();
  });
  afterAll(() => server.close());
  sttConformance('wyoming', {
    ...{ make: () => ears(), language: 'en-US', foreignLanguage: 'fr-FR', hints: HINTS },
    ...{ samples: speech, text: SAID, feed: 'whole-stretches' },
  });
  ttsConformance('wyoming', () => voice(), false, 1);
});

describe('wyoming', () => {
  beforeEach(async () => {
    server = await WyomingTestServer.start();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await server.close();
  });

  const open = (options: Partial<SttOptions> = {}, engine = ears()) =>
    engine.open({ language: 'en-US', sampleRateHz: 8000, interim: false, ...options }, never);

  it.each([
    { name: 'the telephone', sampleRateHz: 8000, samples: 16_024 }, // with what the resampler held back
    { name: 'wide sound', sampleRateHz: 16_000, samples: 16_000 },
  ])('gives the server 16 kHz of $name, and the language and model', async ({ sampleRateHz, samples }) => {
    const stream = open({ language: 'ar-SA', sampleRateHz }, ears({ transcriptionModel: 'base' }));
    for (const { samples: frame } of framesOf(tone(1000, sampleRateHz))) stream.write({ samples: frame, sampleRateHz });
    stream.end();
    for await (const event of stream) expect(event).toMatchObject({ text: SAID, language: 'ar', confidence: 0.8 });
    const [{ events } = { events: [] }] = server.connections;
    expect(events[0]).toMatchObject({ type: 'transcribe', data: { name: 'base', language: 'ar' } });
    expect(events[1]).toMatchObject({ type: 'audio-start', data: { rate: 16_000, width: 2, channels: 1 } });
    expect(events.slice(2, -1).every(({ type, data }) => type === 'audio-chunk' && data['rate'] === 16_000)).toBe(true);
    expect([events.length, events.at(-1)?.type]).toEqual([13 + (samples > 16_000 ? 1 : 0), 'audio-stop']);
    expect(server.heard[0]?.length).toBe(samples);
  });

  it('hears the next words while the last ones are being understood, and answers in the order of speech', async () => {
    let release = (): void => {};
    server.waits = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.hears.push({ text: 'one' }, { text: 'two' });
    const stream = open();
    const texts: string[] = [];
    void (async () => {
      for await (const { text } of stream) texts.push(text);
    })();
    for (const frame of framesOf(speech)) stream.write(frame);
    stream.flush();
    await until(() => server.stops === 1);
    for (const frame of framesOf(speech)) stream.write(frame);
    stream.flush();
    await until(() => server.stops === 2);
    expect(texts).toEqual([]);
    release();
    await until(() => texts.length === 2);
    expect([texts, server.connections.length]).toEqual([['one', 'two'], 2]);
  });

  it('leaves a server that does not read, and says the last minute to another connection', async () => {
    server.failNext({ type: 'deaf' });
    const stream = open();
    const heard = (async () => {
      const texts: string[] = [];
      for await (const { text } of stream) texts.push(text);
      return texts;
    })();
    const frames = framesOf(tone(10_000, 8000));
    await until(() => {
      for (const frame of frames) stream.write(frame);
      return server.connections.length === 2;
    });
    stream.end();
    expect(await heard).toEqual([SAID]);
    expect(server.heard.at(-1)!.length).toBeGreaterThan(59 * 16_000);
  });

  it('counts what it sent, for the call and for all', async () => {
    const use = new ServiceUse();
    const stream = open({ used: use.tell });
    for (const frame of framesOf(speech)) stream.write(frame);
    stream.end();
    for await (const _ of stream);
    await collectSpeech(voice(), ttsRequest({ text: 'Hello.', used: use.tell }));
    expect(use.totals).toEqual({ wyoming: { requests: 2, 'audio-seconds': 1, characters: 6 } });
  });

  it.each([
    {
      name: 'the one of the catalogue',
      request: { voice: OTHER_VOICE },
      change: {},
      asks: OTHER_VOICE.providers!['wyoming'],
    },
    { name: 'the one for all', request: {}, change: { speechVoice: 'af_heart' }, asks: { name: 'af_heart' } },
    { name: 'any of its language', request: { voice: TEST_VOICE_AR }, change: {}, asks: { language: 'ar' } },
  ])('speaks with $name', async ({ request, change, asks }) => {
    const { seconds } = await collectSpeech(voice(change), ttsRequest({ text: 'Hello.', ...request }));
    expect(server.asked).toEqual([{ text: 'Hello.', voice: asks }]);
    expect(seconds).toBeCloseTo(0.3, 2);
  });

  it.each([
    { speechVoice: 'ar_JO-kareem-medium', of: TEST_VOICE, can: false },
    { speechVoice: 'ar_JO-kareem-medium', of: TEST_VOICE_AR, can: true },
    { speechVoice: 'af_heart', of: TEST_VOICE, can: true }, // no language: a name of Kokoro
    { speechVoice: undefined, of: TEST_VOICE_AR, can: true },
  ])('leaves a language that its voice does not have to the next engine: $speechVoice', ({ speechVoice, of, can }) => {
    expect(voice(speechVoice === undefined ? {} : { speechVoice }).canSpeak?.(of)).toBe(can);
  });

  it('speaks at another address than it hears at', async () => {
    await collectSpeech(voice({ baseUrl: 'tcp://127.0.0.1:1', speechUrl: server.url }), ttsRequest());
    expect(server.asked.length).toBe(1);
  });

  it.each(['203.0.114.9', '[2606:4700::1111]', '[::ffff:203.0.114.9]', '[64:ff9b::203.0.114.9]'])(
    'sends nothing to the internet, and does not even connect: %s',
    async (host) => {
      const elsewhere = { baseUrl: `tcp://${host}:10300` };
      const connecting = vi.spyOn(Socket.prototype, 'connect');
      const stream = open({}, ears(elsewhere));
      for (const frame of framesOf(speech)) stream.write(frame);
      stream.flush();
      const heard = (async () => {
        for await (const _ of stream);
      })();
      await expect(heard).rejects.toMatchObject({ code: 'transcription_failed' });
      await expect(collectSpeech(voice(elsewhere), ttsRequest())).rejects.toMatchObject({ code: 'synthesis_failed' });
      expect(connecting).not.toHaveBeenCalled();
    },
  );

  it.each([
    { found: [{ address: '192.168.7.7', family: 4 }], isTaken: true },
    {
      found: [
        { address: '192.168.7.7', family: 4 },
        { address: '203.0.114.9', family: 4 },
      ],
      isTaken: false,
    },
    { found: '10.0.0.7', isTaken: true },
    { found: '2606:4700::1111', isTaken: false },
  ])('takes a name for what it leads to: $found', ({ found, isTaken }) => {
    const look = ownNetworkOnly((_, __, callback) => callback(null, found as string, 4));
    const told = vi.fn();
    look('whisper', {}, told);
    expect(told.mock.calls[0]).toEqual([isTaken ? null : expect.any(Error), isTaken ? found : [], 4]);
  });

  it('takes a name', async () => {
    const { seconds } = await collectSpeech(
      voice({ baseUrl: server.url.replace('127.0.0.1', 'localhost') }),
      ttsRequest(),
    );
    expect(seconds).toBeGreaterThan(1);
  });

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '192.168.7.7',
    '172.20.0.3',
    '::1',
    'fd00::7',
    'fe80::7',
    '100.64.0.9',
    '::ffff:10.1.2.3',
  ])('takes an address of one’s own network: %s', (address) => expect(isOwnNetwork(address)).toBe(true));
});

describe('events', () => {
  const bytes = Buffer.concat([
    encodeEvent('describe'),
    encodeEvent('audio-chunk', { rate: 16_000 }, Buffer.from([10, 0, 10])), // a newline is a sample, too
    Buffer.from('{"type":"transcript","data":{"text":"نعم"}}\n'),
    Buffer.from('{"type":"a","data":{"x":1,"y":1},"data_length":7}\n{"y":2}'),
  ]);
  it.each([1, 2, 3, 7, 1_000])('are read in pieces of %i bytes', (size) => {
    const reader = new EventReader();
    const events = [];
    for (let at = 0; at < bytes.length; at += size) events.push(...reader.push(bytes.subarray(at, at + size)));
    expect(events.map(({ type, data, payload }) => [type, data, [...payload]])).toEqual([
      ['describe', {}, []],
      ['audio-chunk', { rate: 16_000 }, [10, 0, 10]],
      ['transcript', { text: 'نعم' }, []],
      ['a', { x: 1, y: 2 }, []],
    ]);
  });

  it('are not waited for without an end', () => {
    const reader = new EventReader();
    const push = (): unknown => [...reader.push(Buffer.alloc(600_000, 'x'))];
    expect(push()).toEqual([]);
    expect(push).toThrow('too-large');
  });
});
