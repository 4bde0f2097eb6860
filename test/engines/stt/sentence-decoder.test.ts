import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { SttHints } from '../../../src/engines/stt/contract.ts';
import { sphinxInstalled } from '../../../src/engines/stt/model-folder.ts';
import { createPocketsphinxStt } from '../../../src/engines/stt/pocketsphinx.ts';
import { confidenceOf } from '../../../src/engines/stt/sentence-decoder.ts';
import { someOf } from '../../support/property-runs.ts';
import { framesOf, joined, readClip, silence } from '../../support/speech-clips.ts';

const cacheDir = mkdtempSync(join(tmpdir(), 'nidaa-stt-'));
afterAll(() => rmSync(cacheDir, { recursive: true, force: true }));

/** What nobody says who is asked for an order: only free speech can hear it. */
const OTHER: SttHints = { phrases: ['my parcel is broken'], expect: ['free'] };
const SENTENCES = [
  ...['i would like to book an appointment please', 'can i cancel my appointment', 'what are your opening hours'],
  ...[
    'i want to speak to an agent',
    'where is the main menu',
    'track my order please',
    'is there somebody who can help me',
  ],
];
const SAID_LAST: Readonly<Record<string, string>> = { slt_06: 'track my order', slt_12: 'cancel my appointment' };
const clip = (name: string): Int16Array => joined(silence(200), readClip(`phrases/${name}.wav`), silence(300));

describe.skipIf(!sphinxInstalled())('speech that is no phrase of an agent', () => {
  const never = new AbortController().signal;
  /** Without a language model of any English: what an agent's callers say needs none. */
  const engine = createPocketsphinxStt({ cacheDir, threads: 1, finalMsMax: 100_000, languageModel: '/nowhere' });
  afterAll(() => engine.close());
  const hear = async (samples: Int16Array, hints: SttHints): Promise<{ text: string; confidence: number }[]> => {
    const stream = engine.open({ language: 'en-US', sampleRateHz: 8000, interim: false, hints }, never);
    for (const frame of framesOf(samples)) stream.write(frame);
    stream.end();
    const finals = [];
    for await (const event of stream) if (event.type === 'final') finals.push(event);
    return finals;
  };

  it.each(
    someOf(
      [
        { name: 'slt_06', said: 'track my order' },
        { name: 'rms_16', said: 'opening hours' },
        { name: 'slt_12', said: 'cancel my appointment' },
      ],
      3,
    ),
  )('is heard by the sentences of its callers: $said', async ({ name, said }) => {
    const [final, ...more] = await hear(clip(name), { ...OTHER, sentences: SENTENCES });
    expect(final?.text).toContain(said);
    expect(final?.confidence).toBeGreaterThan(0.35);
    expect(more).toEqual([]);
  });

  it('is nothing without them', async () => {
    expect(await hear(clip('slt_06'), OTHER)).toMatchObject([{ text: '', confidence: 0 }]);
  });

  it('is nothing where it is none of those sentences either', async () => {
    const finals = await hear(
      joined(silence(200), readClip('read/LJ006-0161.wav').subarray(0, 8 * 4_000), silence(300)),
      {
        ...OTHER,
        sentences: SENTENCES,
      },
    );
    expect(finals.every(({ text, confidence }) => text === '' || confidence < 0.35)).toBe(true);
  });

  it('is nothing of several people at once', async () => {
    const voices = ['slt_06', 'rms_16', 'slt_12', 'rms_04'].map((name) => readClip(`phrases/${name}.wav`));
    const mixed = Int16Array.from({ length: 24_000 }, (_, at) =>
      voices.reduce((sum, voice) => sum + (voice[at % voice.length] ?? 0) / 2, 0),
    );
    expect(await hear(mixed, { ...OTHER, sentences: SENTENCES })).toMatchObject([{ text: '' }]);
  });

  it('ends no process where much is heard at once after a pause', async () => {
    const hints = { ...OTHER, sentences: SENTENCES };
    const [first] = await hear(readClip('read/LJ011-0202.wav'), hints);
    expect(first).toBeDefined();
    const [next] = await hear(joined(silence(1000), clip('slt_06')), hints);
    expect(next?.text).toContain('track my order');
  });

  it.each(someOf(['slt_06', 'slt_12'], 2))('is heard as it is spoken as it is at once: %s', async (name) => {
    const long = joined(silence(1500), clip(name)); // so long that it is followed
    const hints = { ...OTHER, sentences: SENTENCES };
    const stream = engine.open({ language: 'en-US', sampleRateHz: 8000, interim: false, hints }, never);
    for (const frame of framesOf(long)) {
      stream.write(frame);
      await new Promise((resolve) => setImmediate(resolve)); // pieces come one by one, and are heard in between
    }
    stream.end();
    const followed = [];
    for await (const event of stream) if (event.type === 'final') followed.push(event.text);
    const [atOnce] = await hear(long, hints);
    expect(followed.join(' ')).toContain(SAID_LAST[name]);
    expect(atOnce?.text).toContain(SAID_LAST[name]);
  });

  it('leaves no file behind', () => {
    const folder = readdirSync(join(cacheDir, 'speech-model-en'));
    expect(folder.filter((name) => name.startsWith('sentences'))).toEqual([]);
  });

  it('of any kind is nothing where there is no language model', async () => {
    expect(await hear(clip('slt_06'), { phrases: [], expect: ['free'] })).toMatchObject([{ text: '' }]);
  });
});

describe('the confidence in a sentence', () => {
  it('grows with how likely it is among all others', () => {
    const all = [-80, -50, -41, -30, 0].map(confidenceOf);
    expect(all).toEqual([...all].sort((a, b) => a - b));
    expect(all[2]).toBeCloseTo(0.5, 5);
  });
});
