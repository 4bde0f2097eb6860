import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { speechCents } from '../../billing/prices.ts';
import type { ServiceDeps } from '../deps.ts';
import { acceptedFormat, formatOf, SPEECH_FORMATS } from '../formats.ts';
import { operation } from '../operation.ts';
import type { Payments } from '../payments.ts';
import { withinTime } from '../request-signal.ts';
import { audioSamples } from '../samples.ts';
import { type SpeechBody, SpeechBodySchema } from '../schemas.ts';
import { encoderFor, speechHeaders } from '../speech-headers.ts';
import { collect, speak } from '../speech-maker.ts';
import { readSpeechOrder, SPEECH_ERRORS } from '../speech-request.ts';

/** 5,000 characters are about six minutes of speech, which the embedded synthesiser makes in a few seconds. */
const LIMIT_MS = 100_000;
const AUDIO = Type.String({ contentMediaType: 'application/octet-stream', description: 'The finished audio.' });

type Deps = ServiceDeps & { readonly payments: Payments };

/** `POST /v1/speech`: text to a finished audio file. */
export function speechRoute(app: FastifyInstance, deps: Deps): void {
  const { clock, prices, payments, encoders } = deps;
  const options = operation({
    id: 'createSpeech',
    tag: 'Speech',
    summary: 'Synthesise speech',
    description:
      'The finished audio as raw bytes. `X-Service-*` headers say what was made and what it cost. Charged by characters of the text.',
    paid: true,
    negotiated: (accept, body) => formatOf(accept, (body as SpeechBody).format, SPEECH_FORMATS, 'mp3'),
    body: SpeechBodySchema,
    answer: { 'audio/mpeg': AUDIO, 'audio/wav': AUDIO, 'audio/ogg': AUDIO, 'audio/basic': AUDIO },
    errors: SPEECH_ERRORS,
    samples: audioSamples('/v1/speech', { text: 'مرحبا بك', voice: 'noura' }, 'createSpeech', 'speech.mp3'),
  });
  app.post<{ Body: SpeechBody }>('/v1/speech', options, async (request, reply) => {
    const format = acceptedFormat(request.headers.accept, SPEECH_FORMATS) ?? 'mp3';
    const order = readSpeechOrder(request.body, format, deps);
    const price = { kind: 'speech', cents: speechCents(prices, order.model, order.characters) } as const;
    const { value } = await payments.pay(request, reply, price, async () => {
      const encoder = encoderFor(encoders, order.format);
      const made = await withinTime(request, reply, clock, LIMIT_MS, async (signal) => {
        const pcm = await collect(speak(deps, order, signal));
        const bytes = await encoder.file(pcm, order.sampleRateHz, signal);
        return { bytes, durationMs: Math.round((pcm.length * 1000) / order.sampleRateHz) };
      });
      return { value: { ...made, contentType: encoder.contentType(order.sampleRateHz) } };
    });
    reply.headers({ ...speechHeaders(order), 'x-service-duration-ms': value.durationMs });
    return reply
      .type(value.contentType)
      .send(Buffer.from(value.bytes.buffer, value.bytes.byteOffset, value.bytes.length));
  });
}
