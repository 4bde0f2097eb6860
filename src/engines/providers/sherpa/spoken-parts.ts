import { ServiceError } from '../../../core/errors.ts';
import type { JobEvents } from './model-process.ts';
import type { FromModel } from './process-protocol.ts';

/** Ten minutes at the highest rate of the telephone's side. */
const SAMPLES_MAX = 10 * 60 * 48_000;

/** What a sentence's process has said of it and nobody has taken yet, in order; one reader. */
export class SpokenParts implements JobEvents {
  #parts: Int16Array[] = [];
  #error: ServiceError | undefined;
  #ended = false;
  #total = 0; // samples
  #wake: () => void = () => {};
  count = 0; // parts with sound

  told(message: FromModel): void {
    if (message.type === 'samples') this.#push(message.samples);
    else if (message.type === 'done') this.end();
    else if (message.type === 'failed') {
      this.failed(new ServiceError('synthesis_failed', '', { cause: new Error(message.why) }));
    }
  }

  failed(error: ServiceError): void {
    this.#error ??= error;
    this.end();
  }

  /** What was said is still read, and nothing after it. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** @throws ServiceError after the parts that came before it failed. */
  async *samples(): AsyncGenerator<Int16Array> {
    for (;;) {
      const part = this.#parts.shift();
      if (part) yield part;
      else if (this.#ended) break;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
    if (this.#error) throw this.#error;
  }

  #push(samples: Int16Array): void {
    if (this.#ended || samples.length === 0) return;
    this.#total += samples.length;
    if (this.#total > SAMPLES_MAX) {
      return this.failed(
        new ServiceError('synthesis_failed', '', { cause: new Error('the model speaks without end') }),
      );
    }
    this.count += 1;
    this.#parts.push(samples);
    this.#wake();
  }
}
