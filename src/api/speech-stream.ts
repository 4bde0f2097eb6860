import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../core/errors.ts';
import type { ServiceDeps } from './deps.ts';
import { envelope } from './error-envelope.ts';
import type { Hold } from './payments.ts';
import { watchRequest } from './request-signal.ts';
import { eventText, KEEP_ALIVE_TEXT, withIdle } from './speech-events.ts';
import { encoderFor } from './speech-headers.ts';
import { inPieces, speak } from './speech-maker.ts';
import type { SpeechOrder } from './speech-request.ts';

/** Six minutes of speech that a client plays while it comes, with room for pauses. */
const STREAM_MS_MAX = 900_000;
/** A client that takes nothing for so long is gone: its place at the synthesiser is given to others. */
const STALL_MS_MAX = 30_000;
const PIECE_SECONDS = 0.16;
const BUFFERED_BYTES = 32_768;

export interface StreamedSpeech {
  readonly body: Readable;
  readonly contentType: string;
}

/**
 * Speech as it is produced. Returns once the first audio is there, so what fails before that is an ordinary error. The
 * charge is booked at the end, also when the client left before it; a failure of ours on the way gives it back.
 */
export async function streamSpeech(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  deps: ServiceDeps,
  order: SpeechOrder,
  charge: { readonly hold: Hold; readonly cents: number },
  asEvents: boolean,
): Promise<StreamedSpeech> {
  const watch = watchRequest(request, reply, deps.clock, STREAM_MS_MAX);
  let samples = 0;
  const pieces = async function* (): AsyncGenerator<Int16Array> {
    const size = Math.round(order.sampleRateHz * PIECE_SECONDS);
    for await (const piece of inPieces(speak(deps, order, watch.signal), size)) {
      samples += piece.length;
      yield piece;
    }
    if (!watch.hasLeft) watch.check(); // an aborted synthesis ends without an error
  };
  try {
    const encoder = encoderFor(deps.encoders, order.format);
    const chunks = encoder.stream(pieces(), order.sampleRateHz, watch.signal)[Symbol.asyncIterator]();
    const first = await chunks.next();
    watch.check();
    const settle = (): Promise<number> => charge.hold.settle(charge.cents);
    const giveBack = (): Promise<unknown> => (watch.hasLeft ? settle() : charge.hold.release());
    const usage = async () => ({
      ...{ type: 'usage' as const, characters: order.characters },
      seconds: Math.round((samples * 100) / order.sampleRateHz) / 100,
      cost_cents: await settle(),
      ...{ model: order.model, voice: order.voice.id, format: order.format, sample_rate: order.sampleRateHz },
    });
    const whole = startedWith(first, chunks);
    const texts = asEvents ? events(withIdle(whole, deps.clock), usage, giveBack) : raw(whole, settle, giveBack);
    const body = Readable.from(
      unlessStalled<string | Uint8Array>(texts, deps.clock, () => body.destroy()),
      {
        objectMode: false,
        highWaterMark: BUFFERED_BYTES,
      },
    );
    body.once('close', () => {
      watch.stop();
      watch.close();
      void settle(); // does nothing after a release
    });
    return {
      body,
      contentType: asEvents ? 'text/event-stream; charset=utf-8' : encoder.contentType(order.sampleRateHz),
    };
  } catch (error) {
    watch.stop();
    watch.close();
    await charge.hold.release();
    throw error;
  }
}

async function* startedWith<T>(first: IteratorResult<T>, rest: AsyncIterator<T>): AsyncGenerator<T> {
  let result = first;
  try {
    for (; !result.done; result = await rest.next()) yield result.value;
  } finally {
    if (!result.done) await rest.return?.();
  }
}

async function* raw(
  chunks: AsyncIterable<Uint8Array>,
  settle: () => Promise<number>,
  giveBack: () => Promise<unknown>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    await giveBack();
    throw error; // the connection breaks: the only way left to say that this is not the end
  }
  await settle();
}

async function* events(
  chunks: AsyncIterable<Uint8Array | 'idle'>,
  usage: () => Promise<Parameters<typeof eventText>[0]>,
  giveBack: () => Promise<unknown>,
): AsyncGenerator<string> {
  let seq = 0;
  try {
    for await (const chunk of chunks) {
      if (chunk === 'idle') yield KEEP_ALIVE_TEXT;
      else yield eventText({ type: 'audio', seq: seq++, audio: Buffer.from(chunk).toString('base64') });
    }
  } catch (error) {
    await giveBack();
    const known = error instanceof ServiceError ? error : new ServiceError('synthesis_failed', '', { cause: error });
    yield eventText({ type: 'error', ...envelope(known) });
    return;
  }
  yield eventText(await usage());
}

/** Calls `onStall` when the reader does not come back for the next chunk in time. */
async function* unlessStalled<T>(
  chunks: AsyncIterable<T>,
  clock: ServiceDeps['clock'],
  onStall: () => void,
): AsyncGenerator<T> {
  for await (const chunk of chunks) {
    const timer = clock.setTimer(STALL_MS_MAX, onStall);
    try {
      yield chunk;
    } finally {
      clock.clearTimer(timer);
    }
  }
}
