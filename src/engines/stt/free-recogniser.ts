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
import type { HeardSentence, SentenceDecoder } from './sentence-decoder.ts';
import { SentenceDecoders } from './sentence-decoders.ts';
import type { SphinxLibrary } from './sphinx-library.ts';
import { STRETCH_SAMPLES_MAX, StretchAudio } from './stretch-audio.ts';

/** What free speech is worth: four words in ten are wrong on a telephone line. */
const FREE_CONFIDENCE = 0.4;
/** Shorter stretches hold no word. */
const STRETCH_SAMPLES_MIN = 800;
const NOTHING: HeardSentence = { text: '', confidence: 0 };

interface Stretch {
  readonly audio: StretchAudio;
  readonly list: number | undefined;
  /** Hears it as it is spoken; undefined before that, and where there is none. */
  decoder: SentenceDecoder | undefined;
  readonly unheard: Int16Array[];
  heardSamples: number;
}
/** What is shorter is mostly a phrase of the agent and heard by its grammar: nothing is begun for it. */
const LIVE_SAMPLES_MIN = 12_000;

/**
 * What the process for free speech does with its messages. Where a stretch names a list of sentences that the callers of an agent say, it
 * is heard by them, as it is spoken while there are decoders for it, else as a whole when it is finished; without a list by any English,
 * as a whole. What is heard before the end, interims too, is heard in `work`, when no message waits.
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

  /** Hears 60 ms of somebody, about 6 ms of work. @returns whether to call it again. */
  work(): boolean {
    try {
      return this.#hearSomebody() || this.#interims.step();
    } catch (error) {
      this.say({ type: 'fewer-interims', why: errorText(error) });
      return true;
    }
  }

  #prepare(list: number | undefined): void {
    try {
      if (list === undefined) this.#decoder();
      else this.#sentences.prepare(list);
    } catch {
      // The stretch that needs it will say so.
    }
  }

  #begin(id: number, interim: boolean, list: number | undefined): void {
    this.#stretches.set(id, { audio: new StretchAudio(), list, decoder: undefined, unheard: [], heardSamples: 0 });
    if (interim) this.#interims.begin(id);
  }

  #hear(id: number, samples: Int16Array): void {
    const stretch = this.#stretches.get(id);
    stretch?.audio.push(samples);
    if (stretch?.list !== undefined && stretch.audio.samples < STRETCH_SAMPLES_MAX) stretch.unheard.push(samples);
    this.#interims.push(id, samples);
    this.say({ type: 'taken', id, samples: samples.length });
  }

  /** The next piece of those that are heard as they speak. @returns whether there was one. */
  #hearSomebody(): boolean {
    for (const [id, stretch] of this.#stretches) {
      if (stretch.unheard.length === 0 || !this.#isFollowed(stretch)) continue;
      this.#stretches.delete(id); // in turn: who was heard goes to the end
      this.#stretches.set(id, stretch);
      this.#follow(stretch);
      return true;
    }
    return false;
  }

  /** Whether somebody hears it as it is spoken. */
  #isFollowed(stretch: Stretch): boolean {
    const { audio, list, decoder } = stretch;
    if (decoder) return true;
    if (list === undefined || audio.samples < LIVE_SAMPLES_MIN || stretch.heardSamples > 0) return false;
    try {
      stretch.decoder = this.#sentences.lend(list);
      stretch.decoder?.start();
    } catch {
      this.#letGo(stretch); // at its end it is tried again, and said
    }
    return stretch.decoder !== undefined;
  }

  /** @throws Error of the decoder. */
  #follow(stretch: Stretch): void {
    const piece = stretch.unheard.shift();
    if (!piece) return;
    stretch.heardSamples += piece.length;
    stretch.decoder?.hear(piece);
  }

  #letGo(stretch: Stretch): void {
    const { decoder, list } = stretch;
    stretch.decoder = undefined;
    stretch.unheard.length = 0;
    if (decoder && list !== undefined) this.#sentences.takeBack(list, decoder);
  }

  #finish(id: number): void {
    const stretch = this.#stretches.get(id);
    this.#stretches.delete(id);
    this.#interims.end(id);
    if (!stretch) return;
    try {
      const heard = stretch.decoder ? this.#followedTo(stretch, stretch.decoder) : this.#heardAtOnce(stretch);
      this.say({ type: 'final', id, ...heard });
    } finally {
      this.#letGo(stretch);
    }
  }

  #followedTo(stretch: Stretch, decoder: SentenceDecoder): HeardSentence {
    while (stretch.unheard.length > 0) this.#follow(stretch);
    return decoder.finish();
  }

  #heardAtOnce({ audio, list }: Stretch): HeardSentence {
    const samples = audio.joined();
    if (samples.length < STRETCH_SAMPLES_MIN) return NOTHING;
    if (list !== undefined) {
      try {
        const heard = this.#sentences.recognise(list, samples);
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
    const stretch = this.#stretches.get(id);
    this.#stretches.delete(id);
    this.#interims.end(id);
    if (stretch) this.#letGo(stretch);
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
