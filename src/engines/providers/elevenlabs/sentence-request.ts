import { ChatFailure } from '../../openai/chat-failure.ts';
import { bodyOf } from '../../openai/response-body.ts';
import type { HttpService } from '../http-service.ts';
import { jsonLines } from '../json-lines.ts';
import type { Sound } from '../sound-queue.ts';
import type { SpeakingConnection } from '../speaking-connections.ts';
import { SpokenMarks } from './spoken-marks.ts';

/** Ten minutes at 24 kHz, in base64, with the times of letters. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;

export interface AskedSentence {
  readonly text: string;
  readonly body: string; // JSON
}

/** One request for one sentence; connections underneath are those of `fetch`, and kept there. */
export class SentenceRequest implements SpeakingConnection<AskedSentence> {
  readonly usable = false;
  onLost: () => void = () => {};
  readonly #abort = new AbortController();

  constructor(
    private readonly service: HttpService,
    private readonly path: string,
  ) {}

  async *say({ text, body }: AskedSentence): AsyncGenerator<Sound> {
    const { signal } = this.#abort;
    const response = await this.service.post(this.path, body, signal);
    const marks = new SpokenMarks(text);
    for await (const line of jsonLines(bodyOf(response, BODY_BYTES_MAX, signal))) {
      if (signal.aborted) throw new ChatFailure('cut', 'not wanted any more');
      if (line['detail'] !== undefined || line['error'] !== undefined)
        throw new ChatFailure('broken', 'an error in the stream');
      const audio = line['audio_base64'];
      const bytes = Buffer.from(typeof audio === 'string' ? audio : '', 'base64');
      yield { bytes, marks: marks.read(line['alignment']) };
    }
  }

  destroy(): void {
    this.#abort.abort();
  }

  close(): void {
    this.destroy();
  }
}
