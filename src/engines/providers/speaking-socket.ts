import { ChatFailure } from '../openai/chat-failure.ts';
import { RemoteSocket, type SocketRequest } from './remote-socket.ts';
import { type Sound, SoundQueue } from './sound-queue.ts';
import type { SpeakingConnection } from './speaking-connections.ts';

/** A WebSocket over which a service speaks, one sentence at a time; a service adds its messages. */
export abstract class SpeakingSocket<Sentence> implements SpeakingConnection<Sentence> {
  readonly #socket: RemoteSocket;
  readonly #queue = new SoundQueue();
  #wanted: { readonly sentence: Sentence } | undefined; // waits for the connection
  onLost: () => void = () => {};

  constructor(request: SocketRequest) {
    this.#socket = new RemoteSocket(request, {
      opened: () => {
        this.greet();
        this.#begin();
      },
      text: (message) => this.onText(message),
      bytes: (message) => this.onBytes(message),
      ended: (failure) => this.#end(failure),
    });
  }

  get usable(): boolean {
    return this.#queue.failure === undefined;
  }

  async *say(sentence: Sentence): AsyncGenerator<Sound> {
    this.#wanted = { sentence };
    if (this.#socket.isOpen) this.#begin();
    yield* this.#queue.sentence();
  }

  destroy(): void {
    this.#queue.clear();
    this.broken(new ChatFailure('cut', 'not wanted any more'));
  }

  close(): void {
    this.leave();
    this.#socket.close();
    this.#queue.fail(new ChatFailure('cut', 'closed'));
  }

  /** Asks for a sentence, over a connection that is open. */
  protected abstract begin(sentence: Sentence): void;
  protected abstract onText(message: string): void;
  protected abstract onBytes(message: Buffer): void;
  /** What the service is told first. */
  protected greet(): void {}
  /** What it is told last. */
  protected leave(): void {}

  protected send(message: string): void {
    this.#socket.send(message);
  }

  /** Sound of the sentence, unless there is too much of it. */
  protected push(sound: Sound): void {
    if (!this.#queue.push(sound)) this.destroy();
  }

  /** The sentence was said. */
  protected complete(): void {
    this.#queue.complete();
  }

  /** The service is not to be gone on with; what came before is still heard. */
  protected broken(failure: ChatFailure): void {
    this.#socket.destroy();
    this.#end(failure);
  }

  #begin(): void {
    if (this.#wanted) this.begin(this.#wanted.sentence);
    this.#wanted = undefined;
  }

  #end(failure: ChatFailure): void {
    this.#queue.fail(failure);
    this.onLost();
  }
}
