import { parseObject } from '../../openai/chat-chunks.ts';
import { ChatFailure } from '../../openai/chat-failure.ts';
import { RemoteSocket, type SocketRequest } from '../remote-socket.ts';
import { type Sound, SoundQueue } from '../sound-queue.ts';
import type { SpeakingConnection } from '../speaking-connections.ts';

/** The service takes no longer text in one message. */
const TEXT_CHARS_MAX = 2_000;

/** One connection to `speak`. */
export class Speaking implements SpeakingConnection<string> {
  readonly #socket: RemoteSocket;
  readonly #queue = new SoundQueue();
  #texts: readonly string[] = []; // waits for the connection
  onLost: () => void = () => {};

  constructor(request: SocketRequest) {
    this.#socket = new RemoteSocket(request, {
      opened: () => this.#sendTexts(),
      text: (message) => this.#onText(message),
      bytes: (bytes) => {
        if (!this.#queue.push({ bytes })) this.destroy();
      },
      ended: (failure) => this.#end(failure),
    });
  }

  get usable(): boolean {
    return this.#queue.failure === undefined;
  }

  async *say(text: string): AsyncGenerator<Sound> {
    this.#texts = pieces(text);
    if (this.#socket.isOpen) this.#sendTexts();
    yield* this.#queue.sentence();
  }

  destroy(): void {
    this.#socket.destroy();
    this.#queue.clear();
    this.#end(new ChatFailure('cut', 'not wanted any more'));
  }

  close(): void {
    this.#socket.send('{"type":"Close"}');
    this.#socket.close();
    this.#queue.fail(new ChatFailure('cut', 'closed'));
  }

  #sendTexts(): void {
    for (const text of this.#texts) this.#socket.send(JSON.stringify({ type: 'Speak', text }));
    if (this.#texts.length > 0) this.#socket.send('{"type":"Flush"}');
    this.#texts = [];
  }

  #onText(message: string): void {
    const type = parseObject(message)?.['type'];
    if (type === 'Flushed') this.#queue.complete();
    if (type !== 'Error') return;
    this.#socket.destroy();
    this.#end(new ChatFailure('broken', 'an error in the stream'));
  }

  #end(failure: ChatFailure): void {
    this.#queue.fail(failure);
    this.onLost();
  }
}

/** Cut between words. */
function pieces(text: string): readonly string[] {
  const found: string[] = [];
  for (let rest = text.trim(); rest !== ''; ) {
    const space = rest.length > TEXT_CHARS_MAX ? rest.lastIndexOf(' ', TEXT_CHARS_MAX) : rest.length;
    const end = space > 0 ? space : TEXT_CHARS_MAX;
    found.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return found;
}
