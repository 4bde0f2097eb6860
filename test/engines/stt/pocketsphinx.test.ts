import { getEventListeners } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { SttEvent, SttHints, SttStream } from '../../../src/engines/stt/contract.ts';
import { DEBIAN_LANGUAGE_MODEL, sphinxInstalled } from '../../../src/engines/stt/model-folder.ts';
import { createPocketsphinxStt } from '../../../src/engines/stt/pocketsphinx.ts';
import { sttConformance } from '../../conformance/stt.ts';
import { EVERY_TEST, LONG } from '../../support/property-runs.ts';
import { amplified, framesOf, joined, readClip, silence } from '../../support/speech-clips.ts';

const cacheDir = mkdtempSync(join(tmpdir(), 'nidaa-stt-'));
afterAll(() => rmSync(cacheDir, { recursive: true, force: true }));
/** A busy machine is slow, not stuck. */
const engine = () => createPocketsphinxStt({ cacheDir, threads: 1, finalMsMax: 100_000 });
/** One for all that do not close it: its models take longer to load than most clips to hear. */
const shared = engine();
afterAll(() => shared.close());
const never = new AbortController().signal;
const SUPPORT: SttHints = {
  phrases: ['track my order', 'opening hours', 'speak to an agent', 'cancel my appointment', 'what is the price'],
  expect: ['digits', 'yesno'],
};
const spoken = (file: string): Int16Array => joined(silence(200), readClip(file), silence(300));

async function collect(stream: SttStream): Promise<SttEvent[]> {
  const events: SttEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

describe.skipIf(!sphinxInstalled())('pocketsphinx', () => {
  sttConformance('pocketsphinx', {
    slow: true,
    ...{ make: engine, engine: shared },
    language: 'en-US',
    foreignLanguage: 'ar-SA',
    hints: SUPPORT,
    samples: spoken('phrases/slt_06.wav'),
    text: 'track my order',
  });

  const hear = async (hints: SttHints, ...clips: readonly Int16Array[]): Promise<string[]> => {
    const stream = shared.open({ language: 'en-US', sampleRateHz: 8000, interim: false, hints }, never);
    for (const clip of clips) {
      for (const frame of framesOf(clip)) stream.write(frame);
      stream.flush();
    }
    stream.end();
    return (await collect(stream)).map((event) => event.text);
  };

  it('understands real digits, and writes them as digits', async () => {
    const files = ['digits/7_jackson_0.wav', 'spelling/five.wav', 'spelling/four.wav', 'spelling/six.wav'];
    expect(await hear({ phrases: [], expect: ['digits'] }, ...files.map(spoken))).toEqual(['7', '5', '4', '6']);
    expect(shared.load()).toMatchObject({ stretches: 0 });
    expect(shared.load().finalMs).toBeGreaterThan(0);
  });

  it.each(EVERY_TEST ? [0, -20, -30] : [-20])('understands a phrase %i dB softer', async (gainDb) => {
    expect(await hear(SUPPORT, amplified(spoken('phrases/slt_06.wav'), gainDb))).toEqual(['track my order']);
  });

  it.runIf(EVERY_TEST)('answers something else with the empty text', async () => {
    const files = ['read/lv_0930.wav', ...(EVERY_TEST ? ['read/LJ042-0094.wav', 'read/brooklyn.wav'] : [])];
    expect(await hear(SUPPORT, ...files.map(spoken))).toEqual(files.map(() => ''));
  });

  it.runIf(EVERY_TEST)('understands other phrases after a hint', async () => {
    const stream = shared.open({ language: 'en-US', sampleRateHz: 8000, interim: false, hints: SUPPORT }, never);
    for (const frame of framesOf(spoken('phrases/rms_14.wav'))) stream.write(frame);
    stream.flush();
    stream.hint({ phrases: ['reset my password', 'main menu'], expect: [] });
    for (const frame of framesOf(spoken('phrases/rms_14.wav'))) stream.write(frame);
    stream.end();
    const texts = (await collect(stream)).map((event) => event.text);
    expect(texts[0]).not.toBe('reset my password');
    expect(texts[1]).toBe('reset my password');
  });

  it('refuses other sample rates and streams beyond its limit', async () => {
    const recogniser = createPocketsphinxStt({ cacheDir, threads: 1, streamsMax: 1 });
    const wide = recogniser.open({ language: 'en-US', sampleRateHz: 16_000, interim: false }, never);
    await expect(collect(wide)).rejects.toMatchObject({ code: 'transcription_failed' });
    const first = recogniser.open({ language: 'en-US', sampleRateHz: 8000, interim: false }, never);
    const second = recogniser.open({ language: 'en-US', sampleRateHz: 8000, interim: false }, never);
    await expect(collect(second)).rejects.toMatchObject({ code: 'unavailable' });
    first.end();
    expect(await collect(first)).toEqual([]);
    await recogniser.close();
  });

  it('has a stream for every call that a gateway carries', async () => {
    const recogniser = createPocketsphinxStt({ cacheDir, threads: 1 });
    const options = { language: 'en-US', sampleRateHz: 8000, interim: false, hints: SUPPORT } as const;
    const streams = Array.from({ length: 1_200 }, () => recogniser.open(options, never));
    for (const stream of streams) stream.end();
    expect((await Promise.all(streams.map(collect))).flat()).toEqual([]);
    await recogniser.close();
  });

  it.runIf(EVERY_TEST)('closes at any moment of its start without taking the process along', async () => {
    for (const waitMs of LONG ? [0, 5, 10, 20, 30, 40, 60, 90] : [0, 30]) {
      const recogniser = engine();
      const stream = recogniser.open({ language: 'en-US', sampleRateHz: 8000, interim: true, hints: SUPPORT }, never);
      const failure = collect(stream).catch((error: unknown) => error);
      for (const frame of framesOf(spoken('phrases/slt_06.wav'))) stream.write(frame);
      stream.flush();
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      await recogniser.close();
      expect(await failure).toMatchObject({ code: 'unavailable' });
    }
  });

  it.runIf(EVERY_TEST)(
    'leaves the native library in the process: what it hooks into printf cannot be taken out again',
    async () => {
      const recogniser = engine();
      const stream = recogniser.open({ language: 'en-US', sampleRateHz: 8000, interim: false, hints: SUPPORT }, never);
      for (const frame of framesOf(spoken('phrases/slt_06.wav'))) stream.write(frame);
      stream.end();
      await collect(stream);
      await recogniser.close();
      expect(readFileSync('/proc/self/maps', 'utf8')).toContain('libpocketsphinx.so');
    },
  );

  it('leaves nothing on a signal that outlives its streams', async () => {
    const { signal } = new AbortController();
    for (let n = 0; n < 3; n += 1) {
      const stream = shared.open({ language: 'en-US', sampleRateHz: 8000, interim: false, hints: SUPPORT }, signal);
      stream.end();
      await collect(stream);
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('is honest about Arabic', async () => {
    const answer = shared.available('ar-SA');
    expect(answer.ok ? '' : answer.why).toContain('engines.stt.ar');
    const stream = shared.open({ language: 'ar-SA', sampleRateHz: 8000, interim: false }, never);
    await expect(collect(stream)).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe.skipIf(!sphinxInstalled() || !existsSync(DEBIAN_LANGUAGE_MODEL))('pocketsphinx, free speech', () => {
  const FREE: SttHints = { phrases: [], expect: ['free'] };
  const open = (recogniser: ReturnType<typeof engine>, interim: boolean): SttStream =>
    recogniser.open({ language: 'en-US', sampleRateHz: 8000, interim, hints: FREE }, never);

  if (EVERY_TEST)
    sttConformance('pocketsphinx, free speech', {
      ...{ make: engine, engine: shared },
      language: 'en-US',
      foreignLanguage: 'ar-SA',
      hints: FREE,
      samples: spoken('phrases/slt_06.wav'),
      text: 'track my order',
    });

  it.runIf(EVERY_TEST)('gives the same finals with interims and without', async () => {
    const read = EVERY_TEST ? ['read/LJ011-0202.wav', 'read/lv_0930.wav'] : [];
    const clips = ['phrases/slt_06.wav', 'phrases/slt_08.wav', ...read].map(spoken);
    const finalsOf = async (interim: boolean): Promise<string[]> => {
      const stream = open(shared, interim);
      for (const clip of clips) {
        for (const frame of framesOf(clip)) stream.write(frame);
        stream.flush();
      }
      stream.end();
      return (await collect(stream)).filter((event) => event.type === 'final').map((event) => event.text);
    };
    const plain = await finalsOf(false);
    expect(await finalsOf(true)).toEqual(plain);
    expect(plain).toContain('check my account balance');
  });

  it.runIf(EVERY_TEST)('gives interims to more speakers than it has decoders, as decoders become free', async () => {
    const recogniser = createPocketsphinxStt({ cacheDir, threads: 1, freeDecodersMax: 1 });
    const speak = async (): Promise<void> => {
      const stream = open(recogniser, true);
      const reader = stream[Symbol.asyncIterator]();
      for (const frame of framesOf(spoken('phrases/slt_06.wav'))) stream.write(frame);
      expect((await reader.next()).value).toMatchObject({ type: 'interim' });
      stream.end();
      let last: SttEvent | undefined;
      for (let next = await reader.next(); !next.done; next = await reader.next()) last = next.value;
      expect(last).toMatchObject({ type: 'final', text: 'track my order' });
    };
    await Promise.all([speak(), speak(), speak()]);
    await recogniser.close();
  });

  it.runIf(EVERY_TEST)('ends at any moment of an interim', async () => {
    const recogniser = engine();
    const stream = open(recogniser, true);
    const failure = collect(stream).catch((error: unknown) => error);
    const other = open(recogniser, true);
    for (const frame of framesOf(spoken('phrases/slt_06.wav'))) other.write(frame);
    for await (const event of other) {
      expect(event.type).toBe('interim');
      for (const frame of framesOf(joined(spoken('phrases/slt_06.wav'), spoken('phrases/slt_08.wav')))) {
        stream.write(frame);
      }
      break;
    }
    await recogniser.close();
    expect(await failure).toMatchObject({ code: 'unavailable' });
  });
});

describe('pocketsphinx without its parts', () => {
  it('says what to do when its folder cannot be made', () => {
    const file = join(cacheDir, 'a-file');
    writeFileSync(file, '');
    const recogniser = createPocketsphinxStt({ cacheDir: join(file, 'cache'), threads: 1 });
    const answer = recogniser.available('en-US');
    expect(answer.ok ? '' : answer.why).toMatch(/dataDir|libpocketsphinx3/);
  });
});
