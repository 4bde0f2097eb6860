/** Media types of uploaded audio, and what the first bytes of a file say. */
export type AudioType = 'wav' | 'mp3' | 'ogg' | 'webm' | 'flac';

export const AUDIO_MEDIA_TYPES: Readonly<Record<string, AudioType>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/ogg': 'ogg',
  'audio/webm': 'webm',
  'audio/flac': 'flac',
};

/** `Audio/WebM; codecs=opus` -> `audio/webm`. */
export function bareMediaType(mediaType: string): string {
  return mediaType.split(';', 1)[0]!.trim().toLowerCase();
}

/** The container by its magic bytes; undefined when they are none of ours. */
export function sniffAudio(bytes: Uint8Array): AudioType | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 12)).toString('latin1');
  if (/^RIFF....WAVE/s.test(head)) return 'wav';
  if (head.startsWith('OggS')) return 'ogg';
  if (head.startsWith('fLaC')) return 'flac';
  if (head.startsWith('\x1a\x45\xdf\xa3')) return 'webm';
  if (head.startsWith('ID3')) return 'mp3';
  // An MPEG audio frame: 11 bits of sync, layer III (RFC 3119 §2).
  const [first = 0, second = 0] = bytes;
  if (first === 0xff && (second & 0xe6) === 0xe2) return 'mp3';
  return undefined;
}
