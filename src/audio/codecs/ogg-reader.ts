import { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis';
import { OggOpusDecoder } from 'ogg-opus-decoder';
import { CLIP_CHANNELS_MAX, type ClipBuilder } from './clip-builder.ts';
import type { ClipReader } from './clip-reader.ts';
import { type OggPage, oggPages } from './ogg-page.ts';
import { readOpusHead } from './opus-head.ts';

interface Decoded {
  readonly channelData: Float32Array[];
  readonly sampleRate: number;
}
export interface PageDecoder {
  readonly ready: Promise<void>;
  decode(page: Uint8Array): Promise<Decoded> | Decoded;
  flush(): Promise<Decoded>;
  free(): void;
}

/** Ogg with Opus or Vorbis: the first logical stream of the file, others (video, chained) are left out. */
export const readOgg: ClipReader = async (file, into) => {
  const pages = oggPages(file);
  const first = pages.next();
  if (first.done) return 'read';
  const decoder = decoderFor(first.value.body);
  if (decoder === 'unsupported') return 'unsupported';
  if (decoder === 'invalid') return 'read';
  await decodePages(decoder, withFirst(first.value, pages), into);
  return 'read';
};

/** A page holds 255 packets at most, 50 MB decoded with the most channels: decoding goes page by page. */
export async function decodePages(decoder: PageDecoder, pages: Iterable<Uint8Array>, into: ClipBuilder): Promise<void> {
  await decoder.ready;
  try {
    for (const page of pages) {
      const { channelData, sampleRate } = await decoder.decode(page);
      into.add(channelData, sampleRate);
      if (into.full) return;
    }
    const { channelData, sampleRate } = await decoder.flush();
    into.add(channelData, sampleRate);
  } finally {
    decoder.free();
  }
}

function* withFirst(first: OggPage, rest: Iterable<OggPage>): Generator<Uint8Array> {
  yield first.bytes;
  for (const page of rest) {
    if (page.serial === first.serial) yield page.bytes;
  }
}

/** By the identification header of the stream: RFC 7845 §5.1, Vorbis I §4.2.2. */
function decoderFor(body: Uint8Array): PageDecoder | 'unsupported' | 'invalid' {
  const name = Buffer.from(body.subarray(0, 8)).toString('latin1');
  if (name === 'OpusHead') {
    const head = readOpusHead(body);
    return head && head.channels <= CLIP_CHANNELS_MAX ? new OggOpusDecoder() : 'invalid';
  }
  if (name.startsWith('\x01vorbis')) {
    const channels = body[11] ?? 0;
    return channels >= 1 && channels <= CLIP_CHANNELS_MAX ? new OggVorbisDecoder() : 'invalid';
  }
  return 'unsupported';
}
