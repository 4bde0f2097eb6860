import type { Clock } from '../../core/clock.ts';
import { SpareDecoders } from './spare-decoders.ts';

/** A decoder that hears one stretch as it is spoken. */
export interface LiveDecoder {
  /** @returns false when it does not start. */
  start(): boolean;
  feed(samples: Int16Array): void;
  /** What was said so far; '' when that is nothing. */
  text(): string;
  stop(): void;
  /** Gives its memory back; it is not used afterwards. */
  close(): void;
}

/** Asked for words this often, in audio: 300 ms at 8 kHz. */
const ASK_SAMPLES = 2400;
/** Audio not heard yet, 5 s: what could be said of it comes too late, its final comes first. */
const BEHIND_SAMPLES_MAX = 40_000;

interface Speaker {
  readonly id: number;
  unheard: Int16Array[];
  unheardSamples: number;
  decoder: LiveDecoder | undefined;
  sinceAsked: number;
  said: string;
}

/**
 * Interims of several stretches in the time that finals leave. One `step` hears one piece of audio of one stretch, in turn,
 * so whoever calls it can see to a final in between. A stretch keeps a decoder from its first piece to its end; one that finds
 * none free waits and catches up; one that is more than 5 s behind gets no more interims. Pure: no thread.
 */
export class InterimRota {
  /** In turn: who was heard goes to the end. */
  readonly #speakers = new Map<number, Speaker>();
  readonly #spare: SpareDecoders<LiveDecoder>;
  #made = 0;
  /** Stretches that got no more interims because too much waited. */
  givenUp = 0;

  /** @param unusedMs - a decoder that nobody needed for so long is closed. */
  constructor(
    readonly decodersMax: number,
    readonly make: () => LiveDecoder,
    readonly say: (id: number, text: string) => void,
    unusedMs: number,
    clock: Clock,
  ) {
    this.#spare = new SpareDecoders(clock, unusedMs, () => {
      this.#made -= 1;
    });
  }

  begin(id: number): void {
    this.#speakers.set(id, { id, unheard: [], unheardSamples: 0, decoder: undefined, sinceAsked: 0, said: '' });
  }

  /** Keeps a reference to `samples` until they are heard. */
  push(id: number, samples: Int16Array): void {
    const speaker = this.#speakers.get(id);
    if (!speaker) return;
    speaker.unheard.push(samples);
    speaker.unheardSamples += samples.length;
    if (speaker.unheardSamples <= BEHIND_SAMPLES_MAX) return;
    this.givenUp += 1;
    this.end(id);
  }

  /** Nothing more is said of the stretch. */
  end(id: number): void {
    const speaker = this.#speakers.get(id);
    if (!speaker) return;
    this.#speakers.delete(id);
    if (!speaker.decoder) return;
    speaker.decoder.stop();
    this.#spare.keep(speaker.decoder);
  }

  /** Closes the decoders that nobody has. */
  release(): void {
    this.#spare.closeAll();
  }

  /**
   * Hears the next piece.
   *
   * @returns false when nothing could be heard.
   * @throws what `make` throws; no decoder is made after that.
   */
  step(): boolean {
    for (const speaker of this.#speakers.values()) {
      const samples = speaker.unheard[0];
      if (!samples || !this.#lend(speaker)) continue;
      this.#speakers.delete(speaker.id);
      this.#speakers.set(speaker.id, speaker);
      this.#hear(speaker, samples);
      return true;
    }
    return false;
  }

  #hear(speaker: Speaker, samples: Int16Array): void {
    speaker.unheard.shift();
    speaker.unheardSamples -= samples.length;
    speaker.sinceAsked += samples.length;
    speaker.decoder?.feed(samples);
    if (speaker.sinceAsked < ASK_SAMPLES) return;
    speaker.sinceAsked = 0;
    const text = speaker.decoder?.text() ?? '';
    if (text === '' || text === speaker.said) return;
    speaker.said = text;
    this.say(speaker.id, text);
  }

  #lend(speaker: Speaker): boolean {
    if (speaker.decoder) return true;
    const decoder = this.#spare.take() ?? this.#another();
    if (!decoder) return false;
    if (decoder.start()) speaker.decoder = decoder;
    else this.#spare.keep(decoder);
    return speaker.decoder !== undefined;
  }

  #another(): LiveDecoder | undefined {
    if (this.#made >= this.decodersMax) return undefined;
    this.#made += 1;
    try {
      return this.make();
    } catch (error) {
      this.#made = this.decodersMax;
      throw error;
    }
  }
}
