import type { Clock } from '../../core/clock.ts';
import { errorText } from '../../core/errors.ts';
import {
  FreeSpeechDecoder,
  FreeSpeechDecoders,
  type FreeSpeechModel,
  LiveFreeSpeechDecoder,
} from './free-speech-decoder.ts';
import { InterimRota } from './interim-rota.ts';
import type { RecogniserMessage, Say, WorkerSetup } from './pocketsphinx-protocol.ts';
import type { SphinxLibrary } from './sphinx-library.ts';
import { StretchAudio } from './stretch-audio.ts';

/** What free speech is worth: four words in ten are wrong on a telephone line. */
const FREE_CONFIDENCE = 0.4;
/** Shorter stretches hold no word. */
const STRETCH_SAMPLES_MIN = 800;

/**
 * What the thread for free speech does with its messages. A final is made of the whole stretch, by a decoder of its own, as
 * soon as the stretch is finished; interims are heard beside it, in `work`, when no message waits.
 */
export class FreeRecogniser {
  readonly #stretches = new Map<number, StretchAudio>();
  readonly #decoders: FreeSpeechDecoders;
  #finals: FreeSpeechDecoder | undefined;
  readonly #interims: InterimRota;

  /** @throws Error when the model is refused. */
  constructor(
    model: FreeSpeechModel,
    { liveDecodersMax, idleMs }: Pick<WorkerSetup, 'liveDecodersMax' | 'idleMs'>,
    library: SphinxLibrary,
    readonly say: Say,
    clock: Clock,
  ) {
    this.#decoders = new FreeSpeechDecoders(library, model);
    this.#decoder();
    this.#interims = new InterimRota(
      liveDecodersMax,
      () => new LiveFreeSpeechDecoder(this.#decoders),
      (id, text) => say({ type: 'interim', id, text }),
      idleMs,
      clock,
    );
  }

  handle(message: RecogniserMessage): void {
    try {
      if (message.type === 'prepare') this.#decoder();
      else if (message.type === 'begin') this.#begin(message.id, message.interim);
      else if (message.type === 'audio') this.#hear(message.id, message.samples);
      else if (message.type === 'finish') this.#finish(message.id);
      else this.#drop(message.id);
    } catch (error) {
      if (message.type === 'prepare') return; // the stretch that needs it will say so
      this.#drop(message.id);
      this.say({ type: 'failed', id: message.id, why: errorText(error) });
    }
  }

  /** Gives back every decoder; the next stretch, or its announcement, makes them anew. @returns false while there is a stretch. */
  release(): boolean {
    if (this.#stretches.size > 0) return false;
    this.#interims.release();
    this.#finals?.close();
    this.#finals = undefined;
    this.#decoders.release();
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

  #begin(id: number, interim: boolean): void {
    this.#stretches.set(id, new StretchAudio());
    if (interim) this.#interims.begin(id);
  }

  #hear(id: number, samples: Int16Array): void {
    this.#stretches.get(id)?.push(samples);
    this.#interims.push(id, samples);
    this.say({ type: 'taken', id, samples: samples.length });
  }

  #finish(id: number): void {
    const samples = this.#stretches.get(id)?.joined();
    this.#drop(id);
    if (!samples) return;
    const text = samples.length < STRETCH_SAMPLES_MIN ? '' : this.#decoder().recognise(samples);
    this.say({ type: 'final', id, text, confidence: text === '' ? 0 : FREE_CONFIDENCE });
  }

  #drop(id: number): void {
    this.#stretches.delete(id);
    this.#interims.end(id);
  }

  /** A third of a second when it has to be made. */
  #decoder(): FreeSpeechDecoder {
    this.#finals ??= new FreeSpeechDecoder(this.#decoders);
    return this.#finals;
  }
}
