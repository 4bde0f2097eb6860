import type { Clock } from '../../../core/clock.ts';
import { ChatFailure } from '../../openai/chat-failure.ts';
import { RemoteSocket, type SocketRequest } from '../remote-socket.ts';
import { type Sound, SoundQueue } from '../sound-queue.ts';
import type { SpeakingConnection } from '../speaking-connections.ts';
import {
  newId,
  readBinaryMessage,
  readTextMessage,
  type ServiceMessage,
  SPEECH_CONFIG,
  textMessage,
} from './messages.ts';
import { WordMarks } from './word-marks.ts';

const NO_BYTES = Buffer.alloc(0);

export interface AzureSentence {
  readonly text: string;
  readonly ssml: string;
  readonly outputFormat: string; // raw-8khz-8bit-mono-mulaw
}

/** One connection to the service that speaks. Every sentence is a turn; what comes of another one is passed over. */
export class Speaking implements SpeakingConnection<AzureSentence> {
  readonly #socket: RemoteSocket;
  readonly #clock: Clock;
  readonly #queue = new SoundQueue();
  #wanted: AzureSentence | undefined; // waits for the connection
  #requestId = '';
  #marks = new WordMarks('');
  onLost: () => void = () => {};

  constructor(request: SocketRequest) {
    this.#clock = request.clock;
    this.#socket = new RemoteSocket(request, {
      opened: () => this.#onOpen(),
      text: (message) => this.#onMessage(readTextMessage(message)),
      bytes: (message) => this.#onMessage(readBinaryMessage(message)),
      ended: (failure) => this.#end(failure),
    });
  }

  get usable(): boolean {
    return this.#queue.failure === undefined;
  }

  async *say(sentence: AzureSentence): AsyncGenerator<Sound> {
    this.#wanted = sentence;
    if (this.#socket.isOpen) this.#begin();
    yield* this.#queue.sentence();
  }

  destroy(): void {
    this.#socket.destroy();
    this.#queue.clear();
    this.#end(new ChatFailure('cut', 'not wanted any more'));
  }

  close(): void {
    this.#socket.close();
    this.#queue.fail(new ChatFailure('cut', 'closed'));
  }

  #onOpen(): void {
    this.#sendJson('speech.config', newId(), SPEECH_CONFIG);
    this.#begin();
  }

  #begin(): void {
    if (!this.#wanted) return;
    const { text, ssml, outputFormat } = this.#wanted;
    this.#wanted = undefined;
    this.#requestId = newId();
    this.#marks = new WordMarks(text);
    const metadataOptions = {
      wordBoundaryEnabled: true,
      punctuationBoundaryEnabled: false,
      sentenceBoundaryEnabled: false,
    };
    const context = { synthesis: { audio: { outputFormat, metadataOptions }, language: { autoDetection: false } } };
    this.#sendJson('synthesis.context', this.#requestId, JSON.stringify(context));
    const head = { path: 'ssml', requestId: this.#requestId, contentType: 'application/ssml+xml' };
    this.#socket.send(textMessage(head, ssml, this.#clock));
  }

  #sendJson(path: string, requestId: string, body: string): void {
    this.#socket.send(textMessage({ path, requestId, contentType: 'application/json' }, body, this.#clock));
  }

  #onMessage(message: ServiceMessage | undefined): void {
    if (!message || message.requestId !== this.#requestId) return;
    const { path, body } = message;
    if (path === 'turn.end') this.#queue.complete();
    else if (path === 'audio' && typeof body !== 'string') this.#push({ bytes: body });
    else if (path === 'audio.metadata') this.#push({ bytes: NO_BYTES, marks: this.#marks.read(body.toString()) });
  }

  #push(sound: Sound): void {
    if (!this.#queue.push(sound)) this.destroy();
  }

  #end(failure: ChatFailure): void {
    this.#queue.fail(failure);
    this.onLost();
  }
}
