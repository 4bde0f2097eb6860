import type { Clock } from '../../../core/clock.ts';
import type { SocketRequest } from '../remote-socket.ts';
import { SpeakingSocket } from '../speaking-socket.ts';
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
export class Speaking extends SpeakingSocket<AzureSentence> {
  readonly #clock: Clock;
  #requestId = '';
  #marks = new WordMarks('');

  constructor(request: SocketRequest) {
    super(request);
    this.#clock = request.clock;
  }

  protected override greet(): void {
    this.#sendJson('speech.config', newId(), SPEECH_CONFIG);
  }

  protected begin({ text, ssml, outputFormat }: AzureSentence): void {
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
    this.send(textMessage(head, ssml, this.#clock));
  }

  protected onText(message: string): void {
    this.#onMessage(readTextMessage(message));
  }

  protected onBytes(message: Buffer): void {
    this.#onMessage(readBinaryMessage(message));
  }

  #sendJson(path: string, requestId: string, body: string): void {
    this.send(textMessage({ path, requestId, contentType: 'application/json' }, body, this.#clock));
  }

  #onMessage(message: ServiceMessage | undefined): void {
    if (!message || message.requestId !== this.#requestId) return;
    const { path, body } = message;
    if (path === 'turn.end') this.complete();
    else if (path === 'audio' && typeof body !== 'string') this.push({ bytes: body });
    else if (path === 'audio.metadata') this.push({ bytes: NO_BYTES, marks: this.#marks.read(body.toString()) });
  }
}
