import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { speechCents } from '../../billing/prices.ts';
import type { ServiceDeps } from '../deps.ts';
import { acceptedFormat, formatOf, STREAM_FORMATS, wantsEvents } from '../formats.ts';
import { operation } from '../operation.ts';
import type { Payments } from '../payments.ts';
import { streamSamples } from '../samples.ts';
import { type SpeechStreamBody, SpeechStreamBodySchema } from '../schemas.ts';
import { speechHeaders } from '../speech-headers.ts';
import { readSpeechOrder, SPEECH_ERRORS } from '../speech-request.ts';
import { streamSpeech } from '../speech-stream.ts';

const AUDIO = Type.String({ contentMediaType: 'application/octet-stream', description: 'Audio as it is produced.' });
const EVENTS = Type.String({
  description:
    '`audio` events: `{type, seq, audio}` with base64 chunks that concatenate; one `usage` event at the end: `{type, ' +
    'characters, seconds, cost_cents, model, voice, format, sample_rate}`; `error` instead when it fails on the way.',
});

type Deps = ServiceDeps & { readonly payments: Payments };

/** `POST /v1/speech/stream`: audio as it is produced, raw or as server-sent events. */
export function speechStreamRoute(app: FastifyInstance, deps: Deps): void {
  const { prices, payments } = deps;
  const options = operation({
    id: 'streamSpeech',
    tag: 'Speech',
    summary: 'Stream speech',
    description:
      'sada-1 only. Raw chunked audio, or server-sent events when `Accept` asks for `text/event-stream`. mp3 is not ' +
      'streamed. A client that leaves pays for the text it sent.',
    paid: true,
    negotiated: (accept, body) =>
      `${formatOf(accept, (body as SpeechStreamBody).format, STREAM_FORMATS, 'wav')} ${wantsEvents(accept)}`,
    body: SpeechStreamBodySchema,
    answer: { 'audio/wav': AUDIO, 'audio/ogg': AUDIO, 'audio/basic': AUDIO, 'text/event-stream': EVENTS },
    errors: SPEECH_ERRORS,
    samples: streamSamples('/v1/speech/stream', { text: 'مرحبا بك', format: 'wav' }, 'speech.wav'),
  });
  app.post<{ Body: SpeechStreamBody }>('/v1/speech/stream', options, async (request, reply) => {
    const { accept } = request.headers;
    const format = acceptedFormat(accept, STREAM_FORMATS) ?? 'wav';
    const order = readSpeechOrder({ model: 'sada-1', ...request.body }, format, deps);
    const cents = speechCents(prices, order.model, order.characters);
    const hold = await payments.hold(request, 'speech', cents);
    const { body, contentType } = await streamSpeech(
      { request, reply },
      deps,
      order,
      { hold, cents },
      wantsEvents(accept),
    );
    reply.headers({
      ...speechHeaders(order),
      'x-service-cost-cents': cents,
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    return reply.type(contentType).send(body);
  });
}
