import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/core/logger.ts';
import { failoverTts } from '../../../src/engines/failover-tts.ts';
import { AzureTts } from '../../../src/engines/providers/azure/azure-tts.ts';
import { ElevenlabsTts } from '../../../src/engines/providers/elevenlabs/elevenlabs-tts.ts';
import { speakElsewhere } from '../../../src/engines/speech-privacy.ts';
import type { TtsEngine } from '../../../src/engines/tts/contract.ts';
import { ScriptedTts } from '../../../src/engines/tts/scripted.ts';
import { ttsRequest } from '../../conformance/tts.ts';
import { AzureTestServer } from '../../support/azure-server.ts';
import { ElevenlabsTestServer } from '../../support/elevenlabs-server.ts';
import { FakeClock } from '../../support/fake-clock.ts';

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
