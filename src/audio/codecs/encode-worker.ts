import { type Answered, answerRequests } from './codec-worker-port.ts';
import { createMp3Encoder } from './mp3-encoder.ts';
import { createOpusEncoder, type OpusRateHz } from './opus-encoder.ts';
import type { StreamEncoder } from './stream-encoder.ts';

/** What the encoding thread is asked for; `stream` is chosen by the asker and forgotten with `end` or `drop`. */
export type EncodeRequest =
  | {
      readonly type: 'open';
      readonly stream: number;
      readonly format: 'mp3' | 'opus';
      readonly sampleRateHz: number;
      readonly channels: 1 | 2; // two of MP3 only
    }
  | { readonly type: 'push'; readonly stream: number; readonly samples: Int16Array }
  | { readonly type: 'end' | 'drop'; readonly stream: number };

const NOTHING = new Uint8Array(0);
const streams = new Map<number, StreamEncoder>();

answerRequests(async (message) => {
  const bytes = new Uint8Array(await bytesOf(message as EncodeRequest)); // a copy: small buffers share their memory with others
  return { answer: bytes, transfer: [bytes.buffer] } satisfies Answered;
});

async function bytesOf(request: EncodeRequest): Promise<Uint8Array> {
  const { stream } = request;
  if (request.type === 'open') {
    const { format, sampleRateHz, channels } = request;
    const encoder =
      format === 'mp3' ? await createMp3Encoder(sampleRateHz, channels) : createOpusEncoder(sampleRateHz as OpusRateHz);
    streams.set(stream, encoder);
    return NOTHING;
  }
  const encoder = streams.get(stream);
  if (request.type === 'push') {
    if (!encoder) throw new Error('an encoder that was not opened');
    return encoder.push(request.samples);
  }
  streams.delete(stream);
  return request.type === 'end' && encoder ? encoder.end() : NOTHING;
}
