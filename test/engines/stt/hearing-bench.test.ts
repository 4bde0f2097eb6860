import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configFolder } from '../../support/config-folder.ts';
import { ROOT } from '../../support/gateway.ts';
import { EVERY_TEST } from '../../support/property-runs.ts';
import { SpeechTestServer } from '../../support/speech-server.ts';
import { tone } from '../../support/tones.ts';

interface Edits {
  readonly words: number;
  readonly substitutions: number;
  readonly deletions: number;
  readonly insertions: number;
}
/** `npm run bench:hearing`. */
interface Score {
  readonly align: (said: readonly string[], heard: readonly string[]) => Edits;
  readonly wordErrors: (all: readonly Edits[]) => Edits & { readonly rate?: number };
  readonly comparedWords: (text: string) => readonly string[];
  readonly digitsIn: (text: string) => string;
  readonly percentile: (values: readonly number[], share: number) => number | undefined;
}
interface Labels {
  readonly labelOf: (line: string, folder?: string) => string | { readonly endMs?: number; readonly digits?: string };
  readonly telephoneBand: (samples: Int16Array) => Int16Array;
}
const bench = (file: string): Promise<unknown> =>
  import(new URL(`../../../scripts/bench/hearing/${file}`, import.meta.url).href);
const { align, wordErrors, comparedWords, digitsIn, percentile } = (await bench('score.mjs')) as Score;
const { labelOf, telephoneBand } = (await bench('labels.mjs')) as Labels;

describe('the score', () => {
  const words = (text: string): string[] => text.split(' ').filter(Boolean);
  it.each([
    { said: 'where is my order', heard: 'where is my order', edits: [0, 0, 0] },
    { said: 'where is my order', heard: '', edits: [0, 4, 0] },
    { said: '', heard: 'hello there', edits: [0, 0, 2] },
    { said: 'where is my order', heard: 'where is order', edits: [0, 1, 0] },
    { said: 'where is my order', heard: 'where is all my order', edits: [0, 0, 1] },
    { said: 'where is my order', heard: 'where was my border', edits: [2, 0, 0] },
    { said: 'a b c d', heard: 'b c d e', edits: [0, 1, 1] }, // a is gone and e is new: two edits, not four
    { said: 'a b c', heard: 'x a c c', edits: [1, 0, 1] },
    { said: 'a a b', heard: 'a b b b', edits: [1, 0, 1] },
  ])('$said | $heard', ({ said, heard, edits: [substitutions, deletions, insertions] }) => {
    expect(align(words(said), words(heard))).toEqual({
      ...{ words: words(said).length, substitutions, deletions, insertions },
    });
  });

  it('is the sum of all errors over the sum of all words, and may be above one', () => {
    const all = [align(['a', 'b', 'c'], ['a', 'x']), align(['d'], ['d']), align(['e'], ['e', 'f', 'g', 'h'])];
    expect(wordErrors(all)).toEqual({ words: 5, substitutions: 1, deletions: 1, insertions: 3, rate: 1 });
    expect(wordErrors([align(['a'], ['b', 'c', 'd'])]).rate).toBe(3);
    expect(wordErrors([]).rate).toBeUndefined();
  });

  it.each([
    { one: "Where's my ORDER?", other: 'wheres my order' },
    { one: 'أهلاً، أبغى الغاء الطّلب في المدرسة', other: 'اهلا ابغي الغا الطلب في المدرسه' },
    { one: 'my number is 4521', other: 'my number is four five two one' },
    { one: 'forty five twenty one', other: '4521' },
    { one: 'رقمي ٤٥', other: 'رقمي خمسة وأربعين' },
  ])('takes "$one" for "$other"', ({ one, other }) => {
    expect(comparedWords(one)).toEqual(comparedWords(other));
  });

  it('forgives neither an article nor a joined particle', () => {
    expect(align(comparedWords('the order'), comparedWords('order'))).toMatchObject({ deletions: 1 });
    expect(align(comparedWords('والطلب'), comparedWords('الطلب'))).toMatchObject({ substitutions: 1 });
  });

  it('finds every digit', () => {
    expect(digitsIn('it is zero five five, and one two')).toBe('05512');
    expect(digitsIn('رقمي صفر خمسة خمسة')).toBe('055');
    expect(digitsIn('no number')).toBe('');
  });

  it('ranks', () => {
    const values = [30, 10, 20, 40];
    expect([0, 0.25, 0.5, 0.51, 0.95, 1].map((share) => percentile(values, share))).toEqual([10, 10, 20, 30, 40, 40]);
    expect(percentile([], 0.5)).toBeUndefined();
    expect(values).toEqual([30, 10, 20, 40]);
  });
});

describe('labels', () => {
  it.each([
    ['a.wav\ten\thello', { name: 'a.wav', language: 'en', text: 'hello' }],
    ['a.wav\tar\tرقمي ٤\t4\t1200', { digits: '4', endMs: 1200 }],
    ['a.wav\ten\thello\t\t900', { endMs: 900 }],
  ])('%j', (line, row) => {
    expect(labelOf(line)).toMatchObject(row);
  });

  it.each([
    ['\ten\thello', 'no file'],
    ['a.wav\tfr\tbonjour', 'en or ar'],
    ['a.wav\ten\t', 'no text'],
    ['a.wav\ten\thello\tfour', 'figures'],
    ['a.wav\ten\thello\t\t1.2 s', 'milliseconds'],
    ['a.wav\ten\thello\t\t\tmore', 'columns'],
  ])('%j is no row', (line, why) => {
    expect(labelOf(line)).toContain(why);
  });

  it('limits what was recorded in wideband to 300-3400 Hz', () => {
    const gainDb = (hz: number): number => {
      const power = (samples: Int16Array): number =>
        samples.subarray(2_000, 6_000).reduce((sum, sample) => sum + sample ** 2, 1);
      const sine = tone(hz, 8_000);
      return 10 * Math.log10(power(telephoneBand(sine)) / power(sine));
    };
    for (const hz of [400, 1_000, 3_300]) expect(Math.abs(gainDb(hz))).toBeLessThan(0.5);
    for (const hz of [60, 200, 3_600]) expect(gainDb(hz)).toBeLessThan(-40);
  });
});

describe('hearing by a service', () => {
  const CLIP = new URL('../../fixtures/speech/phrases/slt_16.wav', import.meta.url);
  const SAID = 'متى تفتحون؟ رقمي ٤٥٢١';

  /** Runs the bench over a folder with one Arabic clip, a file that is none and one that is not there. */
  async function hear(privacy: 'local' | 'remote', server: SpeechTestServer) {
    const folder = configFolder({
      'nidaa.yaml': `engines:
  speechPrivacy: ${privacy}
  stt: { ar: openai, en: none }
  openai: { baseUrl: ${server.baseUrl}, transcriptionModel: whisper-1 }
`,
      'labels.tsv': `# one of three\nclip.wav\tar\t${SAID}\t4521\nbad.wav\tar\tلا\ngone.wav\tar\tلا\n`,
      'bad.wav': 'no audio',
    });
    writeFileSync(join(folder.dir, 'clip.wav'), readFileSync(CLIP));
    const env = { ...process.env, NIDAA_CONFIG: join(folder.dir, 'nidaa.yaml'), NIDAA_DATA_DIR: join(folder.dir, 'd') };
    const child = spawn(process.execPath, ['scripts/bench/hearing.mjs', folder.dir, '--json'], { env, cwd: ROOT });
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += String(chunk);
    });
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    folder.remove();
    return { code, ...(JSON.parse(out) as { groups: Record<string, unknown>[]; unheard: Record<string, string>[] }) };
  }

  it.runIf(EVERY_TEST)('is measured over a call, and what cannot be heard is named', async () => {
    const server = await SpeechTestServer.start();
    server.language = 'arabic';
    server.hears = () => 'متي تفتحون رقمي اربعه خمسه اثنين واحد';
    const { code, groups, unheard } = await hear('remote', server);
    await server.close();
    expect(groups).toMatchObject([
      { language: 'ar', engine: 'openai', files: 1, unanswered: 0, words: { words: 7, rate: 0 }, digits: { right: 1 } },
    ]);
    const { p50 } = groups[0]!['endOfTurnMs'] as { p50: number };
    expect(p50).toBeGreaterThan(100);
    expect(unheard.map(({ name }) => name).sort()).toEqual(['bad.wav', 'gone.wav']);
    expect(code).toBe(1);
  });

  it.runIf(EVERY_TEST)('takes the word of the configuration: without it nothing is sent', async () => {
    const server = await SpeechTestServer.start();
    const { groups, unheard } = await hear('local', server);
    await server.close();
    expect(groups).toEqual([]);
    expect(unheard[0]).toMatchObject({ name: 'clip.wav', why: expect.stringContaining('speechPrivacy: remote') });
    expect(server.arrivals).toBe(0);
  });
});
