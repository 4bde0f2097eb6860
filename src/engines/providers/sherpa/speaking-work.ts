import { createResampler } from '../../../audio/resampler.ts';
import { errorText } from '../../../core/errors.ts';
import { integers } from './floats.ts';
import type { OfflineTts } from './native.ts';
import type { ModelWork, Say, ToModel } from './process-protocol.ts';

type Order = Extract<ToModel, { type: 'speak' }>;

const ORDERS_MAX = 512;
/** Of one part: a message is copied, and whoever listens hears the first part sooner. */
const CHUNK_SAMPLES = 8_000;

/** A voice: one sentence after the other, since each takes all of its threads. Dropped ones end with the part that is being made. */
export class SpeakingWork implements ModelWork {
  readonly #orders = new Map<number, Order>(); // in their order
  #working = false;

  constructor(
    private readonly voice: OfflineTts,
    private readonly say: Say,
  ) {}

  handle(message: ToModel): void {
    if (message.type === 'drop') this.#orders.delete(message.id);
    if (message.type !== 'speak') return;
    if (this.#orders.size >= ORDERS_MAX) {
      return this.say({ type: 'failed', id: message.id, why: 'too many sentences wait' });
    }
    this.#orders.set(message.id, message);
    if (!this.#working) void this.#work();
  }

  async #work(): Promise<void> {
    this.#working = true;
    for (let next = this.#first(); next; next = this.#first()) {
      try {
        await this.#speak(next);
      } catch (error) {
        this.say({ type: 'failed', id: next.id, why: errorText(error) });
      }
      this.#orders.delete(next.id);
    }
    this.#working = false;
  }

  #first(): Order | undefined {
    for (const order of this.#orders.values()) return order;
    return undefined;
  }

  async #speak({ id, text, speaker, speed, rateHz }: Order): Promise<void> {
    const resampler = createResampler(this.voice.sampleRate, rateHz);
    await this.voice.generateAsync({
      ...{ text, sid: speaker, speed, enableExternalBuffer: false },
      onProgress: ({ samples }) => {
        if (!this.#orders.has(id)) return 0;
        this.#send(id, resampler.push(integers(samples)));
        return 1;
      },
    });
    if (!this.#orders.has(id)) return;
    this.#send(id, resampler.flush());
    this.say({ type: 'done', id });
  }

  #send(id: number, samples: Int16Array): void {
    for (let at = 0; at < samples.length; at += CHUNK_SAMPLES) {
      this.say({ type: 'samples', id, samples: samples.slice(at, at + CHUNK_SAMPLES) });
    }
  }
}
