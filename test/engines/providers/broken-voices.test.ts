import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/core/logger.ts';
import { failoverTts } from '../../../src/engines/failover-tts.ts';
import { AzureTts } from '../../../src/engines/providers/azure/azure-tts.ts';
import { DeepgramTts } from '../../../src/engines/providers/deepgram/deepgram-tts.ts';
import { ElevenlabsTts } from '../../../src/engines/providers/elevenlabs/elevenlabs-tts.ts';
import { OpenaiTts } from '../../../src/engines/providers/openai/speech.ts';
import { SherpaTts } from '../../../src/engines/providers/sherpa/sherpa-tts.ts';
import { WyomingTts } from '../../../src/engines/providers/wyoming/wyoming-tts.ts';
import { speakElsewhere } from '../../../src/engines/speech-privacy.ts';
import type { TtsEngine } from '../../../src/engines/tts/contract.ts';
import { ScriptedTts } from '../../../src/engines/tts/scripted.ts';
import { clauseStarts } from '../../../src/language/sentence-pieces.ts';
import { ttsRequest } from '../../conformance/tts.ts';
import { AzureTestServer } from '../../support/azure-server.ts';
import { DeepgramTestServer } from '../../support/deepgram-server.ts';
import { ElevenlabsTestServer } from '../../support/elevenlabs-server.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { pausedSpeech } from '../../support/paused-speech.ts';
import { ScriptedModel } from '../../support/scripted-model.ts';
import { SpeechTestServer } from '../../support/speech-server.ts';
import { tinyVits } from '../../support/tiny-models.ts';
import { until } from '../../support/until.ts';
import { WyomingTestServer } from '../../support/wyoming-server.ts';

const TEXT = 'Your parcel, number four, comes to you on Monday.';
const RATE = 8_000;
const LETTER = 480; // samples: 60 ms, spaces too
const never = new AbortController().signal;

/** A tone where there are letters, nothing between words: what is heard of it can be told to the sample. */
const sound = Int16Array.from({ length: TEXT.length * LETTER }, (_, i) =>
  TEXT[Math.floor(i / LETTER)] === ' ' ? 0 : Math.round(6_000 * Math.sin(i * 0.35)),
);
/** Words with where their sound begins and ends, in samples. */
const words = [...TEXT.matchAll(/\S+/g)].map(({ index, 0: word }) => ({
  ...{ word, from: index * LETTER, to: (index + word.length) * LETTER },
}));
/** Less silence than this after a word does not tell that it is over. */
const UNSURE = RATE * 0.03;

interface Voice {
  readonly engine: TtsEngine;
  breakAfter(samples: number): void;
  close(): Promise<void>;
}

async function elevenlabs(): Promise<Voice> {
  const server = await ElevenlabsTestServer.start();
  server.speaks = () => sound;
  const deps = { clock: new FakeClock(), logger: silentLogger, used: () => {} };
  return {
    engine: speakElsewhere(new ElevenlabsTts(server.settings, deps)),
    breakAfter: (afterBytes) => server.failSpeaking({ type: 'cut', afterBytes }),
    close: () => server.close(),
  };
}

async function azure(): Promise<Voice> {
  const server = await AzureTestServer.start();
  server.speaks = () => sound;
  const deps = { clock: new FakeClock(), logger: silentLogger, used: () => {} };
  const engine = speakElsewhere(new AzureTts(server.settings, deps));
  return {
    engine,
    breakAfter: (afterBytes) => server.failNext({ type: 'cut', afterBytes }),
    close: async () => {
      await engine.close();
      await server.close();
    },
  };
}

describe.each([
  { name: 'elevenlabs, over HTTP', start: elevenlabs },
  { name: 'azure, over a WebSocket', start: azure },
])('a sentence of $name that breaks off', ({ start }) => {
  let voice: Voice;
  beforeEach(async () => {
    voice = await start();
  });
  afterEach(() => voice.close());

  it('is said to its end by the next voice, wherever it is: no word twice, at most one missing', async () => {
    let broken = 0;
    for (let cut = 1_000; cut < sound.length; cut += 1_333) {
      voice.breakAfter(cut);
      const next = new ScriptedTts();
      let heard = 0;
      for await (const chunk of failoverTts([voice.engine, next], silentLogger).synthesize(
        ttsRequest({ text: TEXT }),
        never,
      )) {
        const isPause = chunk.length === RATE * 0.2 && chunk.every((sample) => sample === 0);
        if (next.requests.length === 0 && !isPause) heard += chunk.length;
      }
      const rest = (next.requests[0]?.text ?? '').split(' ').filter((word) => word !== '');
      const again = words.slice(words.length - rest.length).map(({ word }) => word);
      expect(rest, `at ${heard}`).toEqual(again);
      const from = words.length - rest.length;
      const twice = words.slice(from).filter(({ to }) => to + UNSURE <= heard);
      const missing = words.slice(0, from).filter(({ to }) => to > heard);
      expect([twice, missing.length > 1], `of ${heard} samples`).toEqual([[], false]);
      broken += Number(next.requests.length > 0);
    }
    expect(broken).toBeGreaterThan(10);
  });
});

/** A voice that tells no times, and speaks with pauses at its clauses. */
interface PausingVoice {
  readonly engine: TtsEngine;
  /** The next sentence is this one. */
  says(text: string): void;
  /** It breaks off. @param samples - of the telephone. */
  breakAfter(samples: number): void | Promise<void>;
  close(): Promise<void>;
}

async function openai(): Promise<PausingVoice> {
  const server = await SpeechTestServer.start();
  server.speaks = (text) => pausedSpeech(text, 24_000);
  return {
    engine: speakElsewhere(new OpenaiTts(server.settings, deps())),
    says: () => {},
    breakAfter: (samples) => server.failNextAt('/speech', { type: 'cut', afterBytes: samples * 6 }),
    close: () => server.close(),
  };
}

async function deepgram(): Promise<PausingVoice> {
  const server = await DeepgramTestServer.start();
  server.speaks = (text, _speed, rateHz) => pausedSpeech(text, rateHz);
  const engine = speakElsewhere(new DeepgramTts(server.settings, deps()));
  return {
    ...{ engine, says: () => {} },
    breakAfter: async (afterBytes) => {
      server.hangUp(1000); // a connection that is kept has no fault
      await until(() => server.open === 0);
      server.failNext({ type: 'cut', afterBytes });
    },
    close: async () => {
      await engine.close();
      await server.close();
    },
  };
}

async function wyoming(): Promise<PausingVoice> {
  const server = await WyomingTestServer.start();
  server.speaks = (text) => pausedSpeech(text, server.rateHz);
  const bytesOf = (samples: number): number => Math.round((samples * server.rateHz) / 8_000) * 2;
  return {
    engine: speakElsewhere(new WyomingTts({ baseUrl: server.url, streams: false }, deps())),
    says: () => {},
    breakAfter: (samples) => server.failNext({ type: 'cut', afterBytes: bytesOf(samples) }),
    close: () => server.close(),
  };
}

async function sherpa(): Promise<PausingVoice> {
  const modelsDir = mkdtempSync(join(tmpdir(), 'nidaa-models-'));
  tinyVits(join(modelsDir, 'voice'));
  const model = new ScriptedModel();
  const clock = new FakeClock();
  const voices = [{ model: 'voice', kind: 'vits' as const, languages: ['en'], speaker: 0 }];
  const settings = { threads: 1, idleMinutes: 0, ears: [], voices, modelsDir };
  const engine = new SherpaTts(settings, { clock, logger: silentLogger, start: model.start, lacking: () => undefined });
  return {
    engine,
    says: (text) => {
      clock.advance(600_000); // its rest is over
      model.sound = pausedSpeech(text, 8_000);
    },
    breakAfter: (samples) => {
      model.crashAfter = samples;
      model.faults.push('crash');
    },
    close: async () => {
      await engine.close();
      rmSync(modelsDir, { recursive: true });
    },
  };
}

const deps = () => ({ clock: new FakeClock(), logger: silentLogger, used: () => {} });

describe.each([
  { name: 'openai, over HTTP', start: openai },
  { name: 'deepgram, over a WebSocket', start: deepgram },
  { name: 'wyoming, over TCP', start: wyoming },
  { name: 'sherpa, a process', start: sherpa },
])('a sentence of $name, which tells no times, that breaks off', ({ start }) => {
  const SAID = [
    'Thank you for calling, this is the clinic, how can I help you today?',
    'We are open from nine to five, Sunday to Thursday, and closed on Friday.',
    'Please tell me your name, then your date of birth, and I will look for your file.',
  ];
  const text = 'Your parcel left us today, it comes to you on Monday, and the driver will call you before.';
  const lengthOf = (said: string): number => pausedSpeech(said, RATE).length;
  const clauses = [0, ...clauseStarts(text)].map((from) => ({ from, at: lengthOf(text.slice(0, from)) }));
  let voice: PausingVoice;
  beforeEach(async () => {
    voice = await start();
  });
  afterEach(() => voice.close());

  it('is said from its clause on by the next voice: no word is left out, and at most a clause and a little twice', async () => {
    const next = new ScriptedTts();
    const engine = failoverTts([voice.engine, next], silentLogger);
    const heardOf = async (said: string): Promise<number> => {
      voice.says(said);
      let heard = 0;
      for await (const chunk of engine.synthesize(ttsRequest({ text: said }), never)) {
        if (next.requests.length === 0) heard += chunk.length;
      }
      return heard - (next.requests.length > 0 ? RATE * 0.2 : 0); // the pause between the voices
    };
    for (const said of SAID) await heardOf(said);
    expect(next.requests).toEqual([]);
    const whole = lengthOf(text);
    let [twice, inAll] = [0, 0];
    for (let cut = 2_003; cut < whole; cut += 4_001) {
      await voice.breakAfter(cut);
      next.requests.length = 0;
      const heard = await heardOf(text);
      const from = text.length - next.requests[0]!.text.length;
      const clause = clauses.findIndex((one) => one.from === from);
      expect(clauses[clause]?.at, `of ${heard} samples`).toBeLessThanOrEqual(heard);
      const isFarBeyond = (clauses[clause + 2]?.at ?? Infinity) < heard - RATE * 0.2;
      expect(isFarBeyond, `again from ${from} after ${heard} samples`).toBe(false);
      twice += heard - clauses[clause]!.at;
      inAll += heard;
    }
    expect(twice / inAll).toBeLessThan(0.6);
  });
});
