import { afterEach, expect, it } from 'vitest';
import { DeepgramStt } from '../../src/engines/providers/deepgram/deepgram-stt.ts';
import { SonioxStt } from '../../src/engines/providers/soniox/soniox-stt.ts';
import { hearElsewhere } from '../../src/engines/speech-privacy.ts';
import type { SttEngine, SttEvent, SttOptions } from '../../src/engines/stt/contract.ts';
import { SttByLanguage } from '../../src/engines/stt-by-language.ts';
import { DeepgramTestServer } from '../support/deepgram-server.ts';
import { KEY, parts } from '../support/ear-parts.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { LogCapture } from '../support/log-capture.ts';
import { SonioxTestServer } from '../support/soniox-server.ts';
import { until } from '../support/until.ts';

const started: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of started.splice(0)) await one.close();
});

/** Deepgram as a recogniser of one language. */
async function deepgram(): Promise<{ server: DeepgramTestServer; engine: SttEngine }> {
  const server = await DeepgramTestServer.start();
  server.key = KEY;
  const engine = hearElsewhere(new DeepgramStt(server.settings, parts().deps));
  started.push(server, engine);
  return { server, engine };
}

/** Ears that tell languages apart. */
async function soniox(): Promise<{ server: SonioxTestServer; engine: SttEngine }> {
  const server = await SonioxTestServer.start();
  server.key = KEY;
  const engine = hearElsewhere(new SonioxStt(server.settings, parts().deps));
  started.push(server, engine);
  return { server, engine };
}

/** A call in which both languages may be spoken. */
function call(engines: { ar: SttEngine; en: SttEngine }, language: 'ar-SA' | 'en-US') {
  const deps = { clock: new FakeClock(), logger: new LogCapture().logger };
  const used: Record<string, number> = {};
  const options: SttOptions = {
    ...{ language, languages: ['ar-SA', 'en-US'], sampleRateHz: 8000, interim: true },
    used: (engine, unit, amount) => {
      used[`${engine} ${unit}`] = (used[`${engine} ${unit}`] ?? 0) + amount;
    },
  };
  const abort = new AbortController();
  started.unshift({ close: async () => abort.abort() });
  const stream = new SttByLanguage(engines, deps).open(options, abort.signal);
  const finals: Extract<SttEvent, { type: 'final' }>[] = [];
  void (async () => {
    for await (const event of stream) if (event.type === 'final') finals.push(event);
  })();
  /** A second of speech, and the agent's answer to it. */
  const turn = async (): Promise<void> => {
    const expected = finals.length + 1;
    for (let n = 0; n < 50; n += 1) {
      stream.write({ samples: Int16Array.from({ length: 160 }, (_, i) => (i % 2 ? 8000 : -8000)), sampleRateHz: 8000 });
    }
    stream.flush();
    await until(() => finals.length >= expected, 'a final');
    stream.hint({ phrases: [], expect: [] });
  };
  return { stream, finals, used, turn };
}

it('two of one language each: both are paid for the first turn, and one from then on', async () => {
  const [ar, en] = [await deepgram(), await deepgram()];
  ar.server.otherwise = { text: 'وات ار يور اوبنينغ اورز' };
  en.server.otherwise = { text: 'what are your opening hours' };
  const { finals, used, turn } = call({ ar: ar.engine, en: en.engine }, 'ar-SA');
  await turn();
  expect(finals).toMatchObject([{ text: 'what are your opening hours', language: 'en' }]);
  await until(() => ar.server.open === 0, 'the other hangs up');
  await turn();
  await turn();
  expect(finals.map(({ startMs, endMs }) => [startMs, Math.round(endMs / 10) * 10])).toEqual([
    ...[[0, 1000], [1000, 2000], [2000, 3000]], // biome-ignore format: rows
  ]);
  const languages = [ar, en].map(({ server }) => server.connections.map(({ query }) => query.get('language')));
  expect(languages).toEqual([['ar-SA'], ['en-US']]);
  const seconds = (server: DeepgramTestServer): number =>
    server.listening.reduce((sum, { audio }) => sum + audio.length / 8000, 0);
  expect([seconds(ar.server), seconds(en.server)]).toEqual([1, 3]);
  expect(used['deepgram audio-seconds']).toBeCloseTo(4, 1);
});

it('one of one language, and one who tells them apart: asked about what sounds misheard, and from two sentences on alone', async () => {
  const [ar, en] = [await soniox(), await deepgram()];
  en.server.otherwise = { text: 'what are your opening hours' };
  ar.server.otherwise = { text: 'متى تفتحون يوم الخميس', languages: ['ar', 'ar', 'ar', 'ar'] };
  // Who knows more than the first should hear the first turn worse than who is expected.
  ar.server.hears.push({ text: '' });
  const { finals, used, turn } = call({ ar: ar.engine, en: en.engine }, 'en-US');
  await turn();
  await until(() => ar.server.open === 0, 'the other hangs up');
  en.server.otherwise = { text: 'mata tafta hoon yomal' };
  await turn();
  await turn();
  await turn();
  expect(finals.map(({ text, language }) => [text, language])).toEqual([
    ['what are your opening hours', 'en'],
    ...Array.from({ length: 3 }, () => ['متى تفتحون يوم الخميس', 'ar']),
  ]);
  await until(() => en.server.open === 0, 'who heard at first hangs up');
  expect(used['deepgram audio-seconds']).toBeCloseTo(3, 1);
  expect(used['soniox audio-seconds']).toBeGreaterThanOrEqual(0);
});
