import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SHIPPED_CONFIG_DIR } from '../../../src/config/load.ts';
import { loadVoices } from '../../../src/config/voices.ts';
import { silentLogger } from '../../../src/core/logger.ts';
import { failoverTts } from '../../../src/engines/failover-tts.ts';
import { cachedTts, soundKey } from '../../../src/engines/tts/cached.ts';
import type { TtsEngine, TtsRequest } from '../../../src/engines/tts/contract.ts';
import { EspeakTts } from '../../../src/engines/tts/espeak.ts';
import { ScriptedTts, scriptedMarks } from '../../../src/engines/tts/scripted.ts';
import { SpeechCache } from '../../../src/engines/tts/speech-cache.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { until } from '../../support/until.ts';

let folder: string;
let clock: FakeClock;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nidaa-speech-'));
  clock = new FakeClock();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (limits: { bytesMax?: number; unusedMsMax?: number } = {}) =>
  SpeechCache.open({ folder, clock, logger: silentLogger, ...limits });
const samples = (n: number, value = 7) => new Int16Array(n).fill(value);
const files = () => readdirSync(folder).filter((name) => name.endsWith('.pcm'));

describe('SpeechCache', () => {
  it('gives back what it was given, also after a restart', async () => {
    const cache = await open();
    expect(await cache.get('a')).toBeUndefined();
    await cache.put('a', Int16Array.of(1, -2, 32_767, -32_768));
    const again = await open();
    expect([...(await again.get('a'))!]).toEqual([1, -2, 32_767, -32_768]);
    expect(await again.get('b')).toBeUndefined();
    expect(again.counters).toMatchObject({ hits: 1, misses: 1 });
  });

  it('holds a sentence once for all who say it, and a new one after it was replaced', async () => {
    await (await open()).put('a', samples(100));
    const cache = await open();
    const [one, other] = await Promise.all([cache.get('a'), cache.get('a')]);
    expect(one).toHaveLength(100);
    expect(other).toBe(one);
    expect(await cache.get('a')).toBe(one);
    expect(cache.counters.hits).toBe(3);
    await cache.put('a', samples(50, 9));
    expect([...(await cache.get('a'))!]).toEqual([...samples(50, 9)]);
  });

  it('forgets in memory what left the disk', async () => {
    const cache = await open({ bytesMax: 1_000 });
    await cache.put('a', samples(400));
    const held = await cache.get('a');
    await cache.put('b', samples(400));
    expect([held?.length, await cache.get('a')]).toEqual([400, undefined]);
  });

  it('marks a file as used once a minute, however often it is', async () => {
    const cache = await open();
    await cache.put('a', samples(100));
    const file = join(folder, files()[0]!);
    const markedMs = (): number => Math.round(statSync(file).mtimeMs);
    const put = clock.utc().getTime();
    await until(() => markedMs() === put, 'the file is marked when it is written');
    clock.advance(59_000);
    await cache.get('a');
    await cache.put('b', samples(100)); // takes longer than a mark
    expect(markedMs()).toBe(put);
    clock.advance(1_000);
    await cache.get('a');
    await until(() => markedMs() === put + 60_000, 'it is marked a minute later');
  });

  it('stays within its bytes: the longest unused leave', async () => {
    const cache = await open({ bytesMax: 3_000 });
    for (const key of ['a', 'b', 'c']) await cache.put(key, samples(450));
    await cache.get('a');
    await cache.put('d', samples(450)); // four of 920 bytes are too many
    expect(await cache.get('b')).toBeUndefined();
    for (const key of ['a', 'c', 'd']) expect(await cache.get(key), key).toBeDefined();
    expect(cache.bytes).toBeLessThanOrEqual(3_000);
    await cache.put('huge', samples(2_000));
    expect(cache.counters.skipped).toBe(1);
    expect((await open({ bytesMax: 1_000 })).bytes).toBeLessThanOrEqual(1_000);
    expect(files()).toHaveLength(1);
  });

  it('replaces a key without counting it twice', async () => {
    const cache = await open();
    await cache.put('a', samples(100));
    await cache.put('a', samples(50, 9));
    expect([...(await cache.get('a'))!]).toEqual([...samples(50, 9)]);
    expect(cache.bytes).toBe(26 + 100);
  });

  it('forgets what nobody asks for', async () => {
    const cache = await open({ unusedMsMax: 1_000 });
    await cache.put('a', samples(10));
    clock.advance(1_500);
    await cache.put('b', samples(10));
    expect(await cache.get('a')).toBeUndefined();
    expect(await cache.get('b')).toBeDefined();
  });

  it.each([
    { name: 'cut short', damage: (path: string) => truncateSync(path, 30) },
    { name: 'cut to nothing', damage: (path: string) => truncateSync(path, 0) },
    { name: 'cut inside its head', damage: (path: string) => truncateSync(path, 11) },
    {
      name: 'with a bit flipped',
      damage: (path: string) => {
        const bytes = readFileSync(path);
        bytes[40]! ^= 1;
        writeFileSync(path, bytes);
      },
    },
    { name: 'gone', damage: (path: string) => rmSync(path) },
    { name: 'of something else', damage: (path: string) => writeFileSync(path, 'hello, I am not audio at all!!') },
  ])('a file that is $name is a miss, and is mended', async ({ damage }) => {
    await (await open()).put('a', samples(100));
    const cache = await open();
    damage(join(folder, files()[0]!));
    expect(await cache.get('a')).toBeUndefined();
    expect(cache.counters.damaged).toBe(1);
    expect(files()).toEqual([]);
    await cache.put('a', samples(100));
    expect(await cache.get('a')).toHaveLength(100);
  });

  it('clears away what an earlier run left half written, and touches nothing else', async () => {
    writeFileSync(join(folder, `${'a'.repeat(64)}.pcm.0011.part`), 'half');
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    await open();
    expect(readdirSync(folder)).toEqual(['notes.txt']);
  });

  it('fails no one when the folder is gone', async () => {
    const cache = await open();
    rmSync(folder, { recursive: true });
    await cache.put('a', samples(10));
    expect(await cache.get('a')).toBeUndefined();
  });
});

describe('cachedTts', () => {
  const voices = loadVoices(`${SHIPPED_CONFIG_DIR}/voices.yaml`);
  const request: TtsRequest = {
    ...{ text: 'Hello.', voice: voices.get('emma')!, sampleRateHz: 8_000, speed: 1, pitchSemitones: 0 },
  };
  const never = new AbortController().signal;
  const speak = async (tts: ReturnType<typeof cachedTts>, one = request, signal = never): Promise<number[]> => {
    const all: number[] = [];
    for await (const chunk of tts.synthesize(one, signal)) all.push(...chunk);
    return all;
  };

  it('writes a sentence when it is said again, and does not synthesise it a third time', async () => {
    const engine = new ScriptedTts({ msPerChar: 20 });
    const cache = await open();
    const tts = cachedTts(engine, cache);
    const first = await speak(tts);
    expect(files()).toEqual([]);
    expect(await speak(tts)).toEqual(first);
    while (cache.counters.writes === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await speak(tts)).toEqual(first);
    expect(engine.requests).toHaveLength(2);
  });

  it.each<[string, Partial<TtsRequest>]>([
    ['text', { text: 'Hello!' }],
    ['rate', { sampleRateHz: 16_000 }],
    ['speed', { speed: 1.1 }],
    ['pitch', { pitchSemitones: 1 }],
    ['voice', { voice: voices.list.find((voice) => voice.id !== 'emma')! }],
    ['tuning of the voice', { voice: { ...request.voice, espeak: { ...request.voice.espeak, pitch: 1 } } }],
  ])('another %s is another sound', (_name, change) => {
    const [e, f] = [new EspeakTts({ clock }), new ScriptedTts()];
    expect(soundKey(e, { ...request, ...change })).not.toBe(soundKey(e, request));
    expect(soundKey(f, request)).not.toBe(soundKey(e, request));
  });

  it('another engine, model or setting is another sound; what a fallback spoke is never said in the name of the first', async () => {
    const cache = await open();
    const broken = new ScriptedTts({ failOn: { Hello: 'at-once' } });
    const spare: TtsEngine = Object.assign(new ScriptedTts({ msPerChar: 20 }), { name: 'spare' });
    const both = failoverTts([cachedTts(broken, cache), cachedTts(spare, cache)], silentLogger);
    for (let i = 0; i < 2; i += 1) await speak(both);
    await until(() => cache.counters.writes === 1);
    const mended = new ScriptedTts({ msPerChar: 30 });
    const again = await speak(failoverTts([cachedTts(mended, cache), cachedTts(spare, cache)], silentLogger));
    expect([mended.requests.length, again.length]).toEqual([1, 6 * 30 * 8]);
    const slower: TtsEngine = Object.assign(new ScriptedTts({ msPerChar: 25 }), { name: 'spare' });
    expect((await speak(cachedTts(slower, cache))).length).toBe(6 * 25 * 8);
  });

  it('gives the marks back, in the first chunk', async () => {
    const engine = new ScriptedTts({ msPerChar: 20, marks: true });
    const cache = await open();
    const tts = cachedTts(engine, cache);
    const two = { ...request, text: 'Hello there. مرحبا بك' };
    for (let i = 0; i < 2; i += 1) await speak(tts, two);
    await until(() => cache.counters.writes === 1);
    for (const memory of [cache, await open()]) {
      const marks: unknown[] = [];
      for await (const chunk of cachedTts(engine, memory).synthesize(two, never)) marks.push(chunk.marks);
      expect(marks).toEqual([scriptedMarks(two, 20), ...marks.slice(1).map(() => undefined)]);
    }
    expect(engine.requests).toHaveLength(2);
  });

  it('keeps nothing of a sentence that was cut off or failed', async () => {
    const engine = new ScriptedTts({ msPerChar: 200, failOn: { Bad: 'midway' } });
    const cache = await open();
    const tts = cachedTts(engine, cache);
    for (let i = 0; i < 3; i += 1) {
      const abort = new AbortController();
      for await (const _ of tts.synthesize(request, abort.signal)) abort.abort();
      await expect(speak(tts, { ...request, text: 'Bad' })).rejects.toThrow();
    }
    expect(cache.counters.writes + cache.counters.skipped).toBe(0);
    expect(files()).toEqual([]);
  });
});
