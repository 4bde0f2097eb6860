import { ChatFailure } from '../openai/chat-failure.ts';
import type { SpeechMark } from '../tts/contract.ts';

/** Sound as a service sends it, and the words whose place in the sentence it has told by then. */
export interface Sound {
  readonly bytes: Buffer;
  /** The bytes are 16-bit samples of this rate, whatever was asked for. */
  readonly rateHz?: number;
  readonly marks?: readonly SpeechMark[];
}

/** Sound that nobody has taken yet: two minutes of mu-law. Sentences are shorter. */
const WAITING_BYTES_MAX = 1_000_000;
const MARKS_MAX = 2_000;

/** Sentences, one after the other, between a connection that gives sound and whoever takes it. */
export class SoundQueue {
  #waiting: Sound[] = [];
  #bytes = 0;
  #marks = 0; // of the sentence
  #complete = false;
  #failure: ChatFailure | undefined;
  #wake: () => void = () => {};

  /** Why nothing comes any more. */
  get failure(): ChatFailure | undefined {
    return this.#failure;
  }

  /** @returns false where nobody takes it: whoever gives it is to stop. */
  push(sound: Sound): boolean {
    this.#bytes += sound.bytes.length;
    this.#marks += sound.marks?.length ?? 0;
    if (this.#bytes > WAITING_BYTES_MAX || this.#marks > MARKS_MAX) {
      this.fail(new ChatFailure('too-large', 'sound without an end'));
      return false;
    }
    this.#waiting.push(sound);
    this.#wake();
    return true;
  }

  /** The sentence was said: a service that hangs up then has not failed, however slowly its sound is taken. */
  complete(): void {
    this.#complete ||= this.#failure === undefined;
    this.#wake();
  }

  /** The first failure counts. */
  fail(failure: ChatFailure): void {
    this.#failure ??= failure;
    this.#wake();
  }

  clear(): void {
    this.#waiting = [];
  }

  /** The next sentence. @throws ChatFailure once all that came before the failure was taken. */
  async *sentence(): AsyncGenerator<Sound> {
    this.#complete = false;
    this.#marks = 0;
    for (;;) {
      const sound = this.#waiting.shift();
      if (sound) {
        this.#bytes -= sound.bytes.length;
        yield sound;
      } else if (this.#complete) return;
      else if (this.#failure) throw this.#failure;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}
