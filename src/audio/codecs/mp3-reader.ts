import { MPEGDecoder } from 'mpg123-decoder';
import type { ClipReader } from './clip-reader.ts';

/** At 8 kbit/s, the densest there is, 16 KB are 16 seconds: 3 MB decoded. */
const PIECE_BYTES = 16_384;

/** MPEG audio layer III, with or without ID3 tags; encoder padding is cut off where the file says how much it is. */
export const readMp3: ClipReader = async (file, into) => {
  const decoder = new MPEGDecoder();
  await decoder.ready;
  try {
    for (let at = 0; at < file.length && !into.full; at += PIECE_BYTES) {
      const { channelData, sampleRate, samplesDecoded } = decoder.decode(file.subarray(at, at + PIECE_BYTES));
      if (samplesDecoded > 0) into.add(channelData, sampleRate);
    }
    return 'read';
  } finally {
    decoder.free();
  }
};
