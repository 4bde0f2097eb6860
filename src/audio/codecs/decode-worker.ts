import { resampleAll } from '../resampler.ts';
import type { ClipReject } from './clip-builder.ts';
import { answerRequests } from './codec-worker-port.ts';
import { type ClipType, readClip } from './read-clip.ts';

/** What the decoding thread is asked for. */
export interface DecodeRequest {
  readonly bytes: Uint8Array;
  readonly type: ClipType;
  readonly sampleRateHz: number;
  readonly maxSeconds: number;
}
export type DecodeAnswer = ClipReject | { readonly samples: Int16Array; readonly seconds: number };

answerRequests(async (message) => {
  const { bytes, type, sampleRateHz, maxSeconds } = message as DecodeRequest;
  const clip = await readClip(bytes, type, maxSeconds);
  if (typeof clip === 'string') return { answer: clip satisfies DecodeAnswer, transfer: [] };
  const samples = resampleAll(clip.samples, clip.sampleRateHz, sampleRateHz);
  const answer: DecodeAnswer = { samples, seconds: clip.samples.length / clip.sampleRateHz };
  return { answer, transfer: [samples.buffer as ArrayBuffer] };
});
