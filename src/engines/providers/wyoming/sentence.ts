import { ChatFailure } from '../../openai/chat-failure.ts';
import { type Sound, SoundQueue } from '../sound-queue.ts';
import type { SpeakingConnection } from '../speaking-connections.ts';
import { EventSocket, type EventSocketRequest } from './event-socket.ts';
import type { WyomingEvent } from './events.ts';

const RATE_MIN_HZ = 8_000;
const RATE_MAX_HZ = 48_000;

/** `synthesize`: what is to be said, and by whom. */
export interface Synthesize {
  readonly text: string;
  readonly voice: { readonly name?: string; readonly speaker?: string; readonly language?: string };
}

/** One connection for one sentence: many servers hang up after it. */
export class WyomingSentence implements SpeakingConnection<Synthesize> {
  readonly usable = false;
  readonly #socket: EventSocket;
  readonly #queue = new SoundQueue();
  #rateHz: number | undefined; // of the sound, once it begins
  onLost: () => void = () => {};

  constructor(request: EventSocketRequest) {
    this.#socket = new EventSocket(request, {
      event: (event) => this.#onEvent(event),
      ended: (failure) => this.#queue.fail(failure),
    });
  }

  async *say(wanted: Synthesize): AsyncGenerator<Sound> {
    this.#socket.send('synthesize', wanted);
    yield* this.#queue.sentence();
  }

  destroy(): void {
    this.#socket.destroy();
    this.#queue.clear();
    this.#queue.fail(new ChatFailure('cut', 'not wanted any more'));
  }

  close(): void {
    this.destroy();
  }

  #onEvent({ type, data, payload }: WyomingEvent): void {
    if (type === 'error') return this.#fail(new ChatFailure('broken', 'an error of the server'));
    if (type === 'audio-stop') return this.#queue.complete();
    if (type !== 'audio-start' && type !== 'audio-chunk') return;
    this.#rateHz ??= rateOf(data);
    if (this.#rateHz === undefined) return this.#fail(new ChatFailure('garbage', 'sound that is not 16-bit mono'));
    if (payload.length > 0 && !this.#queue.push({ bytes: payload, rateHz: this.#rateHz })) this.destroy();
  }

  #fail(failure: ChatFailure): void {
    this.#socket.destroy();
    this.#queue.fail(failure);
  }
}

function rateOf({ rate, width, channels }: WyomingEvent['data']): number | undefined {
  const isKnown = typeof rate === 'number' && Number.isInteger(rate) && rate >= RATE_MIN_HZ && rate <= RATE_MAX_HZ;
  return isKnown && width === 2 && channels === 1 ? rate : undefined;
}
