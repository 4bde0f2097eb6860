import type { SpeechEncoder, SpeechEncoders } from './deps.ts';
import { NotConfigured } from './error-envelope.ts';
import type { AudioFormat } from './formats.ts';
import type { SpeechOrder } from './speech-request.ts';

/** What was made, one fact a header. */
export function speechHeaders(order: SpeechOrder): Record<string, string | number> {
  return {
    'x-service-model': order.model,
    'x-service-voice': order.voice.id,
    'x-service-format': order.format,
    'x-service-sample-rate': order.sampleRateHz,
    'x-service-characters': order.characters,
  };
}

/** @throws ServiceError `unavailable` for a format this installation cannot make. */
export function encoderFor(encoders: SpeechEncoders, format: AudioFormat): SpeechEncoder {
  const encoder = encoders[format];
  if (!encoder) throw new NotConfigured(`this installation has no ${format} encoder`);
  return encoder;
}
