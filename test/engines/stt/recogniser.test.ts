import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type SoundMean, TELEPHONE_MEAN } from '../../../src/engines/stt/cepstral-mean.ts';
import type { SttHints } from '../../../src/engines/stt/contract.ts';
import { prepareModel, sphinxInstalled } from '../../../src/engines/stt/model-folder.ts';
import type { FromWorker } from '../../../src/engines/stt/pocketsphinx-protocol.ts';
import { Recogniser } from '../../../src/engines/stt/recogniser.ts';
import { loadSphinxLibrary, type SphinxLibrary } from '../../../src/engines/stt/sphinx-library.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { EVERY_TEST } from '../../support/property-runs.ts';
import { amplified, joined, readClip, silence, speechClips } from '../../support/speech-clips.ts';

const PIECE_SAMPLES = 480;
const SUPPORT: SttHints = {
  phrases: ['track my order', 'opening hours', 'speak to an agent', 'cancel my appointment', 'what is the price'],
  expect: ['digits', 'yesno'],
};
const spoken = (file: string): Int16Array => joined(silence(200), readClip(file), silence(300));

/** The recogniser of one thread, in this one. */
class Rig {
  readonly said: FromWorker[] = [];
  /** Frames of 10 ms that its decoders heard. */
  frames = 0;
  readonly #cacheDir = mkdtempSync(join(tmpdir(), 'nidaa-stt-'));
  readonly recogniser: Recogniser;
  #ids = 0;

  constructor(liveDecodersMax: number) {
    const native = loadSphinxLibrary();
    const library: SphinxLibrary = {
      ...native,
      processFrames: (decoder, count) => {
        this.frames += count;
        return native.processFrames(decoder, count);
      },
    };
    const model = prepareModel(this.#cacheDir);
    const setup = { model, liveDecodersMax, fillerWeight: 0.02, minFit: -17, idleMs: 30_000, free: false };
    const say = (message: FromWorker): number => this.said.push(message);
    this.recogniser = new Recogniser(setup, library, readFileSync(model.dictionary), say, new FakeClock());
  }

  begin(hints = SUPPORT, sound?: SoundMean): number {
    this.#ids += 1;
    const request = { interim: true, sound };
    this.recogniser.handle({ type: 'begin', id: this.#ids, hints, ...request });
    return this.#ids;
  }
  give(id: number, samples: Int16Array): void {
    for (let at = 0; at < samples.length; at += PIECE_SAMPLES)
      this.recogniser.handle({ type: 'audio', id, samples: samples.slice(at, at + PIECE_SAMPLES) });
  }
  work(): void {
    while (this.recogniser.work());
  }
  /** @returns the final. */
  finish(id: number): FromWorker | undefined {
    this.recogniser.handle({ type: 'finish', id });
    this.work();
    return this.finalOf(id);
  }
  finalOf(id: number): FromWorker | undefined {
    return this.said.find((message) => message.type === 'final' && message.id === id);
  }
  /** All of a stretch at once. */
  hear(samples: Int16Array, hints = SUPPORT): FromWorker | undefined {
    const id = this.begin(hints);
    this.give(id, samples);
    return this.finish(id);
  }
  interims(id: number): string[] {
    return this.said.flatMap((message) => (message.type === 'interim' && message.id === id ? [message.text] : []));
  }
  close(): void {
    this.recogniser.close();
    rmSync(this.#cacheDir, { recursive: true, force: true });
  }
}
/** What was said in it, whoever said it. */
const words = (final: FromWorker | undefined): unknown => ({ ...final, id: 0 });

describe.skipIf(!sphinxInstalled())('Recogniser', () => {
  const rig = sphinxInstalled() ? new Rig(2) : (undefined as never);
  afterAll(() => rig?.close());

  it.runIf(EVERY_TEST)(
    'hears speech while it is spoken: at its end next to nothing of it is left, whether the caller is known or not',
    () => {
      const left = (file: string, sound?: SoundMean): number => {
        const id = rig.begin(SUPPORT, sound);
        rig.give(id, spoken(file));
        rig.work();
        rig.frames = 0;
        rig.finish(id);
        return rig.frames / 2; // by words, and by any sounds
      };
      expect(left('digits/7_jackson_0.wav')).toBeLessThan(10);
      expect(left('phrases/slt_06.wav')).toBeLessThan(10);
      expect(left('phrases/slt_06.wav', { values: TELEPHONE_MEAN, frames: 200 })).toBeLessThan(10);
    },
  );

  it('hears the first words of an unknown caller again when more is known of how they sound, those of a known one once', () => {
    const heard = (sound?: SoundMean): number => {
      rig.frames = 0;
      const id = rig.begin(SUPPORT, sound);
      rig.give(id, spoken('phrases/slt_06.wav'));
      rig.finish(id);
      return rig.frames / 2;
    };
    const once = heard({ values: TELEPHONE_MEAN, frames: 200 });
    expect(heard()).toBeGreaterThanOrEqual(once + 40);
    expect(heard()).toBeLessThanOrEqual(once + 150);
  });

  it.runIf(EVERY_TEST)('guesses the first words of an unknown caller as soon as those of a known one', () => {
    const samples = spoken('phrases/slt_06.wav');
    const after = (sound?: SoundMean): number => {
      const id = rig.begin(SUPPORT, sound);
      let ms = 0;
      for (; ms < samples.length / 8 && !rig.interims(id).some((text) => text.startsWith('track')); ms += 60) {
        rig.give(id, samples.slice(ms * 8, (ms + 60) * 8));
        rig.work();
      }
      rig.recogniser.handle({ type: 'drop', id });
      return ms;
    };
    expect(after()).toBeLessThanOrEqual(after({ values: TELEPHONE_MEAN, frames: 100 }) + 60);
  });

  it('has the words of a loud first sentence while it is spoken', () => {
    const phrases = speechClips().flatMap(({ kind, transcript }) => (kind === 'phrase' ? [transcript ?? ''] : []));
    const id = rig.begin({ phrases: phrases.slice(0, 16), expect: [] });
    rig.give(id, amplified(spoken('phrases/rms_06.wav'), 12));
    rig.work();
    expect(rig.interims(id).at(-1)).toBe('track my order');
    rig.recogniser.handle({ type: 'drop', id });
  });

  it.runIf(EVERY_TEST)('understands the same whoever spoke before, and whoever speaks at the same time', () => {
    const [mine, theirs] = [spoken('phrases/slt_06.wav'), amplified(spoken('digits/7_jackson_0.wav'), 12)];
    const alone = words(rig.hear(mine));
    expect(alone).toMatchObject({ text: 'track my order' });
    rig.hear(theirs);
    expect(words(rig.hear(mine))).toEqual(alone);
    // Two are heard as they speak, the others when somebody is free, at the latest at their end.
    const ids = [mine, theirs, mine, theirs, mine].map((samples) => {
      const id = rig.begin();
      rig.give(id, samples);
      return id;
    });
    rig.work();
    for (const id of ids) rig.recogniser.handle({ type: 'finish', id });
    rig.work();
    expect([0, 2, 4].map((i) => words(rig.finalOf(ids[i] ?? 0)))).toEqual([alone, alone, alone]);
    expect([1, 3].map((i) => rig.finalOf(ids[i] ?? 0))).toMatchObject([{ text: '7' }, { text: '7' }]);
  });

  it('answers what is too short for a word, and a grammar of nothing, with nothing', () => {
    expect(rig.hear(silence(50))).toMatchObject({ text: '', confidence: 0 });
    expect(rig.hear(spoken('phrases/slt_06.wav'), { phrases: ['…'], expect: [] })).toMatchObject({ text: '' });
    expect(rig.recogniser.release()).toBe(true);
    expect(rig.hear(spoken('phrases/slt_06.wav'))).toMatchObject({ text: 'track my order' });
  });
});
