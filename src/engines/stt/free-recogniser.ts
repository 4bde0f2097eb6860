import type { Clock } from '../../core/clock.ts';
import { errorText } from '../../core/errors.ts';
import {
  FreeSpeechDecoder,
  FreeSpeechDecoders,
  type FreeSpeechModel,
  LiveFreeSpeechDecoder,
} from './free-speech-decoder.ts';
import { InterimRota } from './interim-rota.ts';
import type { SpeechModel } from './model-folder.ts';
import type { RecogniserMessage, Say, WorkerSetup } from './pocketsphinx-protocol.ts';
import type { HeardSentence } from './sentence-decoder.ts';
import { SentenceDecoders } from './sentence-decoders.ts';
import type { SphinxLibrary } from './sphinx-library.ts';
import { StretchAudio } from './stretch-audio.ts';

/** What free speech is worth: four words in ten are wrong on a telephone line. */
const FREE_CONFIDENCE = 0.4;
/** Shorter stretches hold no word. */
const STRETCH_SAMPLES_MIN = 800;
const NOTHING: HeardSentence = { text: '', confidence: 0 };

interface Stretch {
  readonly audio: StretchAudio;
  readonly list: number | undefined;
}

/**
 * What the process for free speech does with its messages. A final is made of the whole stretch as soon as it is finished: by what the
 * callers of an agent say, where the stretch names a list of their sentences, else by any English. Interims are heard beside it, in
 * `work`, when no message waits.
 */
export class FreeRecogniser {
  readonly #stretches = new Map<number, Stretch>();
  readonly #sentences: SentenceDecoders;
  readonly #decoders: FreeSpeechDecoders | undefined; // without a language model there is no other than that of sentences
  #finals: FreeSpeechDecoder | undefined;
  readonly #interims: InterimRota;

  constructor(
    model: SpeechModel,
    { liveDecodersMax, idleMs }: Pick<WorkerSetup, 'liveDecodersMax' | 'idleMs'>,
    library: SphinxLibrary,
    readonly say: Say,
    clock: Clock,
  ) {
    this.#sentences = new SentenceDecoders(library, model);
    if (hasLanguageModel(model)) this.#decoders = new FreeSpeechDecoders(library, model);
    this.#interims = new InterimRota(
      liveDecodersMax,
      () => new LiveFreeSpeechDecoder(this.#anyEnglish()),
      (id, text) => say({ type: 'interim', id, text }),
      idleMs,
      clock,
    );
  }

  handle(message: RecogniserMessage): void {
    if (message.type === 'sentences') return this.#sentences.learn(message.list, message.lines);
    if (message.type === 'prepare') return this.#prepare(message.list);
    try {
      if (message.type === 'begin') this.#begin(message.id, message.interim, message.list);
      else if (message.type === 'audio') this.#hear(message.id, message.samples);
      else if (message.type === 'finish') this.#finish(message.id);
      else this.#drop(message.id);
    } catch (error) {
      this.#drop(message.id);
      this.say({ type: 'failed', id: message.id, why: errorText(error) });
    }
  }

  /** Gives back every decoder; the next stretch, or its announcement, makes them anew. @returns false while there is a stretch. */
  release(): boolean {
    if (this.#stretches.size > 0) return false;
    this.#interims.release();
    this.#sentences.release();
    this.#finals?.close();
    this.#finals = undefined;
    this.#decoders?.release();
    return true;
  }

  close(): void {
    for (const id of [...this.#stretches.keys()]) this.#drop(id);
    this.release();
  }

  /** Hears 60 ms of somebody for an interim, about 6 ms of work. @returns whether to call it again. */
  work(): boolean {
    try {
      return this.#interims.step();
    } catch (error) {
      this.say({ type: 'fewer-interims', why: errorText(error) });
      return true;
    }
  }

  #prepare(list: number | undefined): void {
    try {
      if (list === undefined) this.#decoder();
      else this.#sentences.of(list);
    } catch {
      // The stretch that needs it will say so.
    }
  }

  #begin(id: number, interim: boolean, list: number | undefined): void {
    this.#stretches.set(id, { audio: new StretchAudio(), list });
    if (interim) this.#interims.begin(id);
  }

  #hear(id: number, samples: Int16Array): void {
    this.#stretches.get(id)?.audio.push(samples);
    this.#interims.push(id, samples);
    this.say({ type: 'taken', id, samples: samples.length });
  }

  #finish(id: number): void {
    const stretch = this.#stretches.get(id);
    this.#drop(id);
    if (!stretch) return;
    const samples = stretch.audio.joined();
    const heard = samples.length < STRETCH_SAMPLES_MIN ? NOTHING : this.#recognise(samples, stretch.list);
    this.say({ type: 'final', id, ...heard });
  }

  #recognise(samples: Int16Array, list: number | undefined): HeardSentence {
    if (list !== undefined) {
      try {
        const heard = this.#sentences.of(list)?.recognise(samples);
        if (heard) return heard;
      } catch (error) {
        this.say({ type: 'no-sentences', why: errorText(error) });
      }
      if (!this.#decoders) return NOTHING;
    }
    const text = this.#decoder().recognise(samples);
    return text === '' ? NOTHING : { text, confidence: FREE_CONFIDENCE };
  }

  #drop(id: number): void {
    this.#stretches.delete(id);
    this.#interims.end(id);
  }

  /** A third of a second when it has to be made. */
  #decoder(): FreeSpeechDecoder {
    this.#finals ??= new FreeSpeechDecoder(this.#anyEnglish());
    return this.#finals;
  }

  #anyEnglish(): FreeSpeechDecoders {
    if (!this.#decoders) throw new Error('there is no language model');
    return this.#decoders;
  }
}

function hasLanguageModel(model: SpeechModel): model is FreeSpeechModel {
  return model.languageModel !== undefined;
}
