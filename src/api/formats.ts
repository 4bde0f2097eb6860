/** Audio formats speech is made in, and how `Accept` chooses one. */
export type AudioFormat = 'mp3' | 'wav' | 'opus' | 'mulaw' | 'pcm';

/** Of `POST /v1/speech`, and of replies. */
export const SPEECH_FORMATS = ['mp3', 'wav', 'opus', 'mulaw'] as const satisfies readonly AudioFormat[];
/** Of `POST /v1/speech/stream`. */
export const STREAM_FORMATS = ['wav', 'opus', 'mulaw', 'pcm'] as const satisfies readonly AudioFormat[];

const COMMON_RATES = [8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000];
/** The first one is the format's own rate. */
export const SAMPLE_RATES_HZ: { readonly [F in AudioFormat]: readonly number[] } = {
  mp3: [24_000, ...COMMON_RATES],
  wav: [24_000, ...COMMON_RATES],
  pcm: [24_000, ...COMMON_RATES],
  opus: [24_000, 8_000, 12_000, 16_000, 48_000],
  mulaw: [8_000, 16_000],
};

const BY_MEDIA_TYPE: Readonly<Record<string, AudioFormat>> = {
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/ogg': 'opus',
  'audio/opus': 'opus',
  'audio/basic': 'mulaw',
  'audio/x-mulaw': 'mulaw',
};

const MAX_ACCEPT_CHARS = 1_000;

/** The most wanted format of an `Accept` header (RFC 9110 §12.5.1) among `formats`; undefined when it names none. */
export function acceptedFormat(accept: string | undefined, formats: readonly AudioFormat[]): AudioFormat | undefined {
  let best: AudioFormat | undefined;
  let bestQuality = 0;
  for (const range of (accept ?? '').slice(0, MAX_ACCEPT_CHARS).split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const format = BY_MEDIA_TYPE[type];
    if (!format || !formats.includes(format)) continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const weight = quality === undefined ? 1 : Number(quality);
    if (weight > bestQuality) {
      best = format;
      bestQuality = weight;
    }
  }
  return best;
}

/** The format of an answer: what its request names, else what `Accept` asks for, else `byDefault`. */
export function formatOf(
  accept: string | undefined,
  named: unknown,
  formats: readonly AudioFormat[],
  byDefault: AudioFormat,
): string {
  return typeof named === 'string' ? named : (acceptedFormat(accept, formats) ?? byDefault);
}

/** Whether `Accept` asks for server-sent events. */
export function wantsEvents(accept: string | undefined): boolean {
  return (accept ?? '').split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === 'text/event-stream' && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}
