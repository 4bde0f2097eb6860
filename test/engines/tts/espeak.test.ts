import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { loadVoices } from '../../../src/config/voices.ts';
import { ServiceError } from '../../../src/core/errors.ts';
import { EspeakTts, espeakArguments, espeakText } from '../../../src/engines/tts/espeak.ts';
import { collectSpeech, TEST_VOICE, TEST_VOICE_AR, ttsConformance, ttsRequest } from '../../conformance/tts.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { EVERY_TEST } from '../../support/property-runs.ts';

const installed = spawnSync('espeak-ng', ['--version'], { stdio: 'ignore' }).status === 0;

/** Systems that let a process have more are spared the test. */
const DESCRIPTORS_TRIED = 70_000;

/** The program takes a variant it does not know without a word, so what it knows is asked for. */
function variants(): string[] {
  const table = spawnSync('espeak-ng', ['--voices=variant'], { encoding: 'utf8' }).stdout;
  return [...table.matchAll(/!v\/(\S+)/gu)].map((match) => match[1]!);
}

/** A stand-in for the program: JavaScript that sees the same arguments and standard input. */
function program(source: string): readonly [string, ...string[]] {
  const header = `
    const header = (rate = 22050) => { const h = Buffer.alloc(44); h.write('RIFF'); h.writeUInt32LE(0x7ffff024, 4); h.write('WAVEfmt ', 8);
      h.writeUInt32LE(16, 16); h.writeUInt16LE(1, 20); h.writeUInt16LE(1, 22); h.writeUInt32LE(rate, 24); h.writeUInt16LE(16, 34);
      h.write('data', 36); return h; };
    const tone = (samples) => Buffer.from(Int16Array.from({ length: samples }, (_, i) => 9000 * Math.sin(i / 8)).buffer);
    const quiet = (samples) => Buffer.alloc(samples * 2);
    if (process.argv.includes('--version')) process.exit(0);`;
  return [process.execPath, '-e', `${header}${source}`, '--'];
}

describe.runIf(installed)('with espeak-ng installed', () => {
  ttsConformance('espeak', () => new EspeakTts({ clock: new FakeClock() }));

  it('speaks higher with more semitones', async () => {
    const engine = new EspeakTts({ clock: new FakeClock() });
    const crossings = async (pitchSemitones: number): Promise<number> => {
      const voice = { ...TEST_VOICE, espeak: { voice: 'en-us', pitch: 50, wordsPerMinute: 120 } };
      const { samples } = await collectSpeech(engine, ttsRequest({ text: 'oooo', voice, pitchSemitones }));
      return periodOf(samples.subarray(1600, 3200));
    };
    expect(await crossings(-12)).toBeGreaterThan(await crossings(12));
    await engine.close();
  });

  it.runIf(EVERY_TEST)('speaks with every voice of the shipped catalogue', async () => {
    const engine = new EspeakTts({ clock: new FakeClock() });
    const { list } = loadVoices(loadConfig({ env: {} }).paths.voicesFile);
    for (const voice of list) {
      const speech = await collectSpeech(engine, ttsRequest({ text: voice.sampleText, voice }));
      expect(speech.seconds, voice.id).toBeGreaterThan(1.5);
      const variant = voice.espeak.voice.split('+')[1];
      if (variant) expect(variants(), voice.id).toContain(variant);
    }
    await engine.close();
  });

  it('fails on a voice that does not exist', async () => {
    const engine = new EspeakTts({ clock: new FakeClock() });
    const voice = { ...TEST_VOICE, espeak: { ...TEST_VOICE.espeak, voice: 'xx-nowhere' } };
    await expect(collectSpeech(engine, ttsRequest({ voice }))).rejects.toMatchObject({ code: 'synthesis_failed' });
  });
});

/** Lag of the strongest self-similarity between 40 and 400 Hz, in samples at 8 kHz. */
function periodOf(samples: Int16Array): number {
  let best = { lag: 0, value: Number.NEGATIVE_INFINITY };
  for (let lag = 20; lag <= 200; lag += 1) {
    let value = 0;
    for (let i = 0; i + 200 < samples.length; i += 1) value += samples[i]! * samples[i + lag]!;
    if (value > best.value) best = { lag, value };
  }
  return best.lag;
}

describe('EspeakTts and its program', () => {
  const failures = [
    { name: 'exit code', source: 'process.stderr.write("no such voice"); process.exit(3)', code: 'synthesis_failed' },
    {
      name: 'exit code after audio',
      source: 'process.stdout.write(Buffer.concat([header(), tone(4000)]), () => process.exit(1))',
      code: 'synthesis_failed',
    },
    { name: 'not a WAV', source: 'process.stdout.write("<html>".repeat(20))', code: 'synthesis_failed' },
    { name: 'a rate nobody speaks at', source: 'process.stdout.write(header(7))', code: 'synthesis_failed' },
    { name: 'killed', source: 'process.kill(process.pid, "SIGSEGV")', code: 'synthesis_failed' },
  ];
  it.each(failures)('fails on: $name', async ({ source, code }) => {
    const engine = new EspeakTts({ clock: new FakeClock(), command: program(source) });
    await expect(collectSpeech(engine, ttsRequest())).rejects.toMatchObject({ code });
    await engine.close();
  });

  it('says what to install when the program is missing', async () => {
    const clock = new FakeClock();
    const engine = new EspeakTts({ clock, command: ['nidaa-no-such-program'] });
    expect(engine.available()).toMatchObject({ ok: false, why: expect.stringContaining('apt-get install espeak-ng') });
    await expect(collectSpeech(engine, ttsRequest())).rejects.toMatchObject({ code: 'unavailable' });
  });

  it.each([
    { name: 'never writes', source: 'setInterval(() => {}, 1000)', before: 0 },
    {
      name: 'stops writing midway',
      source: 'process.stdout.write(Buffer.concat([header(), tone(9000)])); setInterval(() => {}, 1000)',
      before: 1,
    },
  ])('gives up on a program that $name', async ({ source, before }) => {
    const clock = new FakeClock();
    const engine = new EspeakTts({ clock, command: program(source), readTimeoutMs: 500 });
    let chunks = 0;
    const stream = engine.synthesize(ttsRequest(), new AbortController().signal)[Symbol.asyncIterator]();
    for (; chunks < before; chunks += 1) expect((await stream.next()).done).toBe(false);
    const pending = stream.next();
    const outcome = expect(pending).rejects.toMatchObject({ code: 'synthesis_failed' });
    while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(500);
    await outcome;
    expect(clock.pending).toBe(0);
    await engine.close();
  });

  it('stops a program that speaks without end', async () => {
    const source = 'process.stdout.write(header()); const more = () => process.stdout.write(tone(22050), more); more()';
    const engine = new EspeakTts({ clock: new FakeClock(), command: program(source), audioMaxSeconds: 5 });
    await expect(collectSpeech(engine, ttsRequest())).rejects.toMatchObject({ code: 'synthesis_failed' });
  });

  it('ends at once when aborted while the program is silent', async () => {
    const engine = new EspeakTts({ clock: new FakeClock(), command: program('setInterval(() => {}, 1000)') });
    const abort = new AbortController();
    const run = collectSpeech(engine, ttsRequest(), abort.signal);
    setImmediate(() => abort.abort());
    expect((await run).chunks).toEqual([]);
  });

  it('fails what still runs when it is closed', async () => {
    const clock = new FakeClock();
    const engine = new EspeakTts({ clock, command: program('setInterval(() => {}, 1000)') });
    const run = collectSpeech(engine, ttsRequest()).catch((error: unknown) => error);
    while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve));
    await engine.close();
    expect(await run).toMatchObject({ code: 'unavailable' });
  });

  it('is unavailable, and no more than that, when the system has no file descriptor left', async (context) => {
    const engine = new EspeakTts({ clock: new FakeClock(), command: program('') });
    const open: number[] = [];
    try {
      while (open.length < DESCRIPTORS_TRIED) open.push(openSync('/dev/null', 'r'));
    } catch {
      // All are taken now.
    }
    try {
      if (open.length === DESCRIPTORS_TRIED) return context.skip();
      await expect(collectSpeech(engine, ttsRequest())).rejects.toMatchObject({ code: 'unavailable' });
    } finally {
      for (const descriptor of open) closeSync(descriptor);
    }
  });

  it('hands the text over on standard input, as it is', async () => {
    const source = `let text = ''; process.stdin.setEncoding('utf8').on('data', (d) => text += d).on('end', () =>
      process.exit(text === '-v مرحبا "x" $(y)' && !process.argv.includes(text) ? 0 : 9))`;
    const engine = new EspeakTts({ clock: new FakeClock(), command: program(source) });
    expect((await collectSpeech(engine, ttsRequest({ text: '-v مرحبا\n"x"\u0007$(y)\n' }))).chunks).toEqual([]);
    await engine.close();
  });

  it('survives odd pieces, and cuts the silence off both ends', async () => {
    const source = `const all = Buffer.concat([header(8000), quiet(4000), tone(8000), quiet(4000)]);
      let at = 0; const more = () => { if (at < all.length) process.stdout.write(all.subarray(at, at += 777), more); }; more()`;
    const engine = new EspeakTts({ clock: new FakeClock(), command: program(source) });
    const { samples } = await collectSpeech(engine, ttsRequest());
    expect(samples.length / 8).toBeGreaterThan(1000 + 150);
    expect(samples.length / 8).toBeLessThan(1000 + 180);
    await engine.close();
  });
});

describe('espeakArguments', () => {
  it.each([
    { name: 'as the voice says', speed: 1, semitones: 0, rate: '150', pitch: '50' },
    { name: 'faster, an octave up', speed: 2, semitones: 12, rate: '300', pitch: '99' },
    { name: 'slower, an octave down', speed: 0.5, semitones: -12, rate: '80', pitch: '0' },
    { name: 'a fifth up', speed: 1, semitones: 7, rate: '150', pitch: '79' },
  ])('$name', ({ speed, semitones, rate, pitch }) => {
    const args = espeakArguments(TEST_VOICE_AR.espeak, speed, semitones);
    expect(args.slice(0, 6)).toEqual(['-v', 'ar', '-s', rate, '-p', pitch]);
    expect(args).toContain('--stdin');
  });

  it.each(['', '-w', 'ar/../x', 'ar f2', 'ar+', 'ar;x', 'AR'])('refuses the voice name %j', (voice) => {
    expect(() => espeakArguments({ voice, pitch: 50, wordsPerMinute: 150 }, 1, 0)).toThrow(ServiceError);
  });
});

describe('espeakText', () => {
  it.each([
    ['one\ntwo\u0000\u001b[0m', 'one two [0m'],
    ['a\ud83d b', 'a b'],
    ['😀', '😀'],
    ['\u2028', ''],
  ])('%j becomes %j', (text, clean) => {
    expect(espeakText(text)).toBe(clean);
  });
});
