import type { WavReject } from '../audio/wav.ts';
import type { ByteSource } from '../recordings/byte-source.ts';
import { recordedSamples, recordingLayout } from '../recordings/wav-samples.ts';

/** What makes MP3 of what two sides say, samples in turns; a slow reader slows it. */
export interface BothSides {
  bothSides(pcm: AsyncIterable<Int16Array>, sampleRateHz: number, signal: AbortSignal): AsyncIterable<Uint8Array>;
}

/**
 * A recording as MP3, both sides apart as they are in it, made while it is read: nothing of it is kept. What was recorded
 * when the gateway was killed is read to the end of the file, whatever its header says.
 *
 * @returns why it is no recording of ours. @throws errors of the file and of the encoder.
 */
export async function recordingAsMp3(
  source: ByteSource,
  encoder: BothSides,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array> | WavReject> {
  const layout = await recordingLayout(source);
  if (typeof layout === 'string') return layout;
  if (layout.channels !== 2) return 'bad-format';
  return encoder.bothSides(recordedSamples(source, layout), layout.sampleRateHz, signal);
}
