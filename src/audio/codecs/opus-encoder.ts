import { randomInt } from 'node:crypto';
// The WebAssembly build: the native one crashes Node when a thread that used it ends (seen with 1.0.3).
import { Encoder } from '@evan/opus/wasm/index.mjs';
import { Framer } from '../framer.ts';
import { OggWriter } from './ogg-page.ts';
import { OPUS_CLOCK_HZ, opusHead, opusTags } from './opus-head.ts';
import type { StreamEncoder } from './stream-encoder.ts';

export const OPUS_RATES_HZ = [8_000, 12_000, 16_000, 24_000, 48_000] as const;
export type OpusRateHz = (typeof OPUS_RATES_HZ)[number];
export const isOpusRate = (rate: number): rate is OpusRateHz => (OPUS_RATES_HZ as readonly number[]).includes(rate);

const FRAMES_PER_SECOND = 50;
/** 100 ms a page: a page header costs 33 bytes, and the listener waits for a whole one. */
const PACKETS_PER_PAGE = 5;
const BITRATE_NARROW = 20_000;
const BITRATE_WIDE = 32_000;
/** Of opus_defines.h. */
const OPUS_SET_BITRATE = 4002;
const OPUS_GET_LOOKAHEAD = 4027;

/**
 * Opus in Ogg (RFC 7845), 20 ms packets. Players are told to drop what the encoder adds before the audio (pre-skip) and
 * after it (the position of the last page), so that a decoded file has the length of what went in.
 */
export function createOpusEncoder(sampleRateHz: OpusRateHz): StreamEncoder {
  const encoder = new Encoder({ channels: 1, sample_rate: sampleRateHz, application: 'voip' });
  encoder.ctl(OPUS_SET_BITRATE, sampleRateHz <= 16_000 ? BITRATE_NARROW : BITRATE_WIDE);
  const scale = OPUS_CLOCK_HZ / sampleRateHz;
  const preSkip = encoder.ctl(OPUS_GET_LOOKAHEAD) * scale;
  const frameSamples = sampleRateHz / FRAMES_PER_SECOND;
  const writer = new OggWriter(randomInt(2 ** 32));
  let pages: Uint8Array[] = [];
  let received = 0; // at 48 kHz
  let encoded = 0;

  const keep = (page: Uint8Array): void => {
    if (page.length > 0) pages.push(page);
  };
  const take = (): Uint8Array => {
    const bytes = pages.length === 1 ? pages[0]! : Buffer.concat(pages);
    pages = [];
    return bytes;
  };
  const framer = new Framer(frameSamples, (frame) => {
    encoded += frameSamples * scale;
    keep(writer.add(encoder.encode(frame), encoded));
  });
  writer.add(opusHead({ channels: 1, preSkip }, sampleRateHz), 0);
  keep(writer.flush());
  writer.add(opusTags('nidaa'), 0);
  keep(writer.flush());
  return {
    contentType: 'audio/ogg; codecs=opus',
    push: (samples) => {
      received += samples.length * scale;
      framer.push(samples);
      if (writer.waiting >= PACKETS_PER_PAGE) keep(writer.flush());
      return take();
    },
    end: () => {
      keep(writer.flush());
      while (encoded < received + preSkip || encoded === 0) framer.push(new Int16Array(frameSamples - framer.pending));
      keep(writer.flush(preSkip + received));
      encoder.drop();
      return take();
    },
  };
}
