import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NativeMemory, nativeMemory } from '../../../src/core/native-memory.ts';
import type { SttEngine, SttHints } from '../../../src/engines/stt/contract.ts';
import { DEBIAN_LANGUAGE_MODEL, sphinxInstalled } from '../../../src/engines/stt/model-folder.ts';
import { createPocketsphinxStt, type PocketsphinxOptions } from '../../../src/engines/stt/pocketsphinx.ts';
import { EVERY_TEST } from '../../support/property-runs.ts';
import { framesOf, joined, readClip, silence } from '../../support/speech-clips.ts';
import { until } from '../../support/until.ts';

const MB = 1024 * 1024;
/** What a thread and the garbage of this one may still hold. */
const LEFT_MB = 15;
/** A word is enough to have decoders made, with their grammar. */
const SPEECH = joined(silence(200), readClip('digits/7_jackson_0.wav'), silence(300));
const FREE: SttHints = { phrases: [], expect: ['free'] };
const WORDS = 'order parcel driver office refund weight price address hours payment'.split(' ');
const PHRASES = WORDS.flatMap((one) => WORDS.map((other) => `where is my ${one} and what about the ${other}`));
/** Grammars of the size that an agent has, no two alike. */
const large = (n: number): SttHints => ({ phrases: PHRASES.slice(n, n + 80), expect: ['digits', 'date'] });

const native = nativeMemory();
describe.skipIf(!sphinxInstalled() || native === undefined)('the memory of decoders', () => {
  const inUseMb = (): number => (native as NativeMemory).inUseBytes() / MB;
  const cacheDir = mkdtempSync(join(tmpdir(), 'nidaa-stt-'));
  afterAll(() => rmSync(cacheDir, { recursive: true, force: true }));
  const engine = (options: Partial<PocketsphinxOptions> = {}): SttEngine =>
    createPocketsphinxStt({ cacheDir, threads: 1, finalMsMax: 100_000, ...options });

  const hear = async (recogniser: SttEngine, hints: SttHints): Promise<void> => {
    const options = { language: 'en-US', sampleRateHz: 8000, interim: true, hints };
    const stream = recogniser.open(options, new AbortController().signal);
    for (const frame of framesOf(SPEECH)) stream.write(frame);
    stream.end();
    for await (const event of stream) void event;
  };

  it.skipIf(!existsSync(DEBIAN_LANGUAGE_MODEL))('is that of another process where speech is free', async () => {
    const before = inUseMb();
    const recogniser = engine();
    await hear(recogniser, FREE);
    expect(inUseMb() - before).toBeLessThan(LEFT_MB + 5); // the model and words of the other one take 85 MB
    await recogniser.close();
  });

  beforeAll(async () => {
    const first = engine(); // what the libraries keep for good
    await hear(first, large(0));
    await first.close();
  });

  it.runIf(EVERY_TEST)('is given back when the engine is closed', async () => {
    const before = inUseMb();
    for (let time = 0; time < 2; time += 1) {
      const recogniser = engine();
      await hear(recogniser, large(0));
      expect(inUseMb() - before).toBeGreaterThan(12);
      await recogniser.close();
    }
    expect(inUseMb() - before).toBeLessThan(LEFT_MB / 2);
  });

  it.runIf(EVERY_TEST)('is given back when nobody has spoken for a while, and taken again', async () => {
    const before = inUseMb();
    const recogniser = engine({ idleMs: 200 });
    await hear(recogniser, large(0));
    await until(() => inUseMb() - before < LEFT_MB, 'decoders given back', 60_000);
    await hear(recogniser, large(0));
    await recogniser.close();
  });

  it.runIf(EVERY_TEST)('is bounded, however many grammars there are', async () => {
    const recogniser = engine();
    const seen: number[] = [];
    for (let n = 0; n < 20; n += 1) {
      await hear(recogniser, large(n));
      seen.push(inUseMb());
    }
    await recogniser.close();
    // A grammar takes 5 MB here, and there are two decoders: kept all, it would be 100 MB more.
    expect((seen.at(-1) ?? 0) - (seen[11] ?? 0)).toBeLessThan(25);
  });
});
