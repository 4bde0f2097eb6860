import type { Clock } from '../../../core/clock.ts';
import { parseObject } from '../../openai/chat-chunks.ts';
import { ChatFailure } from '../../openai/chat-failure.ts';
import { RemoteSocket, type SocketRequest } from '../remote-socket.ts';

/** Sound that nobody has taken yet: two minutes of mu-law. Sentences are shorter. */
const WAITING_BYTES_MAX = 1_000_000;
/** The service takes no longer text in one message. */
const TEXT_CHARS_MAX = 2_000;

/** One connection to the service that speaks: one sentence at a time, as many as wanted one after the other. */
export class Speaking {
  readonly #socket: RemoteSocket;
  readonly #clock: Clock;
  #texts: readonly string[] = []; // waits for the connection
  #sound: Buffer[] = [];
  #bytes = 0;
  #complete = false;
  #failure: ChatFailure | undefined;
  #wake: () => void = () => {};
  /** Nobody says anything over it; told when it ends. */
  onLost: () => void = () => {};
  idleSinceMs: number;

  constructor(request: SocketRequest) {
    this.#clock = request.clock;
    this.idleSinceMs = this.#clock.nowMs();
    this.#socket = new RemoteSocket(request, {
      opened: () => this.#sendTexts(),
      text: (message) => this.#onText(message),
      bytes: (data) => this.#onSound(data),
      ended: (failure) => this.#end(failure),
    });
  }

  get usable(): boolean {
    return this.#failure === undefined;
  }

  /** The sound of a text, as it comes. @throws ChatFailure. Whoever leaves it early has to destroy the connection. */
  async *say(text: string): AsyncGenerator<Buffer> {
    this.#complete = false;
    this.#texts = pieces(text);
    if (this.#socket.isOpen) this.#sendTexts();
    for (;;) {
      const piece = this.#sound.shift();
      if (piece) {
        this.#bytes -= piece.length;
        yield piece;
      } else if (this.#failure) throw this.#failure;
      else if (this.#complete) break;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
    this.idleSinceMs = this.#clock.nowMs();
  }

  /** Ends it at once, whatever it was saying; who waits for sound is told. Idempotent. */
  destroy(): void {
    this.#socket.destroy();
    this.#sound = [];
    this.#end(new ChatFailure('cut', 'not wanted any more'));
  }

  close(): void {
    this.#socket.send('{"type":"Close"}');
    this.#socket.close();
    this.#failure ??= new ChatFailure('cut', 'closed');
  }

  #sendTexts(): void {
    for (const text of this.#texts) this.#socket.send(JSON.stringify({ type: 'Speak', text }));
    if (this.#texts.length > 0) this.#socket.send('{"type":"Flush"}');
    this.#texts = [];
  }

  #onText(message: string): void {
    const type = parseObject(message)?.['type'];
    if (type === 'Error') this.#lose(new ChatFailure('broken', 'an error in the stream'));
    if (type !== 'Flushed') return;
    this.#complete = true;
    this.#wake();
  }

  #onSound(data: Buffer): void {
    this.#sound.push(data);
    this.#bytes += data.length;
    if (this.#bytes > WAITING_BYTES_MAX) this.#lose(new ChatFailure('too-large', 'sound without an end'));
    this.#wake();
  }

  #lose(failure: ChatFailure): void {
    this.#socket.destroy();
    this.#end(failure);
  }

  #end(failure: ChatFailure): void {
    this.#failure ??= failure;
    this.#wake();
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
