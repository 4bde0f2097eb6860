import { FLACDecoder } from '@wasm-audio-decoders/flac';
import type { ClipReader } from './clip-reader.ts';

/**
 * Silence shrinks to a dozen bytes for 65,535 samples of eight channels: a piece of this size decodes to 50 MB at most.
 */
const PIECE_BYTES = 256;

/** Native FLAC. Ogg FLAC is not read: its pages could hold a hundred times that. */
export const readFlac: ClipReader = async (file, into) => {
  const decoder = new FLACDecoder();
  await decoder.ready;
  try {
    for (let at = 0; at < file.length && !into.full; at += PIECE_BYTES) {
      const { channelData, sampleRate } = await decoder.decode(file.subarray(at, at + PIECE_BYTES));
      into.add(channelData, sampleRate);
    }
    if (into.full) return 'read';
    const { channelData, sampleRate } = await decoder.flush(); // the last frame has no successor that ends it
    into.add(channelData, sampleRate);
    return 'read';
  } finally {
    decoder.free();
  }
};
