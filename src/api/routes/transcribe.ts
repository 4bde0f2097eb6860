import type { FastifyInstance } from 'fastify';
import { WIDEBAND_RATE_HZ } from '../../audio/pcm.ts';
import { transcribeCents } from '../../billing/prices.ts';
import { ServiceError } from '../../core/errors.ts';
import type { SttEngine } from '../../engines/stt/contract.ts';
import { hearingRate } from '../../engines/stt/hearing-rate.ts';
import { AUDIO_MEDIA_TYPES, type AudioType, bareMediaType, sniffAudio } from '../audio-type.ts';
import { shown } from '../characters.ts';
import { transcribeClip } from '../clip-transcriber.ts';
import type { ServiceDeps } from '../deps.ts';
import { NotConfigured } from '../error-envelope.ts';
import { operation } from '../operation.ts';
import type { Payments } from '../payments.ts';
import { DEFAULT_LANGUAGE, recognisedLanguage } from '../recognised-language.ts';
import { withinTime } from '../request-signal.ts';
import { uploadSamples } from '../samples.ts';
import {
  LIMITS,
  type TranscribeBody,
  TranscribeBodySchema,
  TranscribeFormSchema,
  type Transcript,
  TranscriptSchema,
} from '../schemas.ts';
import { ServerTiming } from '../server-timing.ts';
import { UPLOAD_BODY_BYTES, type Upload, uploadOf } from '../upload.ts';

const LIMIT_MS = 90_000;

type Deps = Pick<ServiceDeps, 'clock' | 'prices' | 'stt' | 'decoder'> & { readonly payments: Payments };

/** `POST /v1/transcribe`: a short clip to text. */
export function transcribeRoute(app: FastifyInstance, deps: Deps): void {
  const { clock, prices, payments, decoder } = deps;
  const options = operation({
    id: 'transcribe',
    tag: 'Transcription',
    summary: 'Transcribe audio',
    description: 'A clip of at most 8 MB and 60 seconds. WAV, MP3, Ogg, WebM or FLAC. Charged per minute, rounded up.',
    paid: true,
    upload: true,
    body: { 'multipart/form-data': TranscribeFormSchema, 'application/json': TranscribeBodySchema },
    answer: TranscriptSchema,
    errors: [
      ...(['empty_file', 'file_too_large', 'audio_too_long', 'unsupported_audio', 'invalid_audio'] as const),
      ...(['unknown_language', 'transcription_failed', 'timeout'] as const),
    ],
    samples: uploadSamples('/v1/transcribe', 'clip.wav', { language: 'en-US' }, 'transcribe'),
  });
  const limits = { bodyLimit: UPLOAD_BODY_BYTES };
  app.post<{ Body: TranscribeBody }>('/v1/transcribe', { ...options, ...limits }, async (request, reply) => {
    const { body } = request;
    const language = recognisedLanguage(body.language ?? DEFAULT_LANGUAGE);
    if (!language) throw new ServiceError('unknown_language', shown(body.language ?? ''));
    const file = uploadOf(request, body);
    const clip = { bytes: file.bytes, type: audioTypeOf(file) };
    // Every clip that is accepted costs the same: a minute, begun or whole.
    const price = { kind: 'transcribe', cents: transcribeCents(prices, LIMITS.clipSeconds) } as const;
    const timing = new ServerTiming(clock);
    const { value, costCents } = await payments.pay(request, reply, price, async () => {
      const engine = recogniserFor(deps.stt, language);
      const sampleRateHz = hearingRate(engine, WIDEBAND_RATE_HZ);
      const maxSeconds = LIMITS.clipSeconds;
      const transcript = await withinTime(request, reply, clock, LIMIT_MS, async (signal) => {
        const { samples, seconds } = await decoder.decode(clip, { sampleRateHz, maxSeconds }, signal);
        const heard = await timing.measure('stt', () =>
          transcribeClip(engine, { samples, sampleRateHz, language, account: request.caller.accountId }, signal),
        );
        return { ...heard, seconds };
      });
      return { value: transcript, cents: transcribeCents(prices, Math.min(transcript.seconds, LIMITS.clipSeconds)) };
    });
    reply.header('server-timing', timing.toString());
    const seconds = Math.round(value.seconds * 100) / 100;
    const transcript: Transcript = { ...value, seconds, cost_cents: costCents };
    return transcript;
  });
}

/** What the bytes say goes before what was declared; a declared type must be one of ours. */
function audioTypeOf({ bytes, mediaType }: Upload): AudioType {
  const declared = bareMediaType(mediaType ?? '');
  const isDeclared = declared !== '' && declared !== 'application/octet-stream';
  const type = AUDIO_MEDIA_TYPES[declared];
  if (isDeclared && !type) throw new ServiceError('unsupported_audio', shown(declared));
  const sniffed = sniffAudio(bytes);
  if (sniffed) return sniffed;
  if (type) throw new ServiceError('invalid_audio');
  throw new ServiceError('unsupported_audio', 'application/octet-stream');
}

function recogniserFor(stt: Deps['stt'], language: string): SttEngine {
  const own = stt.available(language);
  if (!own.ok) throw new NotConfigured(own.why);
  return stt.for?.(language) ?? stt;
}
