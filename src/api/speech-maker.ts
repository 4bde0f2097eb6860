import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Language } from '../core/agent.ts';
import type { Voice } from '../core/voice.ts';
import type { TextNormalizer } from '../engines/text/contract.ts';
import type { TtsEngine } from '../engines/tts/contract.ts';
import { splitSentences } from '../language/sentence-pieces.ts';

/** What is to be said, and how. */
export interface Utterance {
  readonly text: string;
  readonly language: Language;
  readonly voice: Voice;
  readonly sampleRateHz: number;
  readonly speed: number;
  readonly pitchSemitones: number;
}

/** What a text without anything to say sounds like: no player takes a file without samples. */
const SILENCE_SECONDS = 0.1;

/**
 * Speaks a text sentence by sentence, each normalised first: chunks of mono PCM at the asked rate, in order. A slow reader
 * slows the synthesis. Failures are those of the engine; aborting ends it without an error.
 */
export async function* speak(
  { tts, normalizer }: { readonly tts: TtsEngine; readonly normalizer: TextNormalizer },
  utterance: Utterance,
  signal: AbortSignal,
): AsyncGenerator<Int16Array> {
  const { text, language, voice, sampleRateHz, speed, pitchSemitones } = utterance;
  let hasSpoken = false;
  for (const sentence of splitSentences(text)) {
    if (signal.aborted) return;
    const { normalized } = normalizer.normalize(sentence, language);
    if (normalized === '') continue;
    for await (const chunk of tts.synthesize(
      { text: normalized, voice, sampleRateHz, speed, pitchSemitones },
      signal,
    )) {
      hasSpoken = true;
      yield chunk;
    }
  }
  if (!hasSpoken && !signal.aborted) yield new Int16Array(sampleRateHz * SILENCE_SECONDS);
}

/** Copying so many samples into fresh memory takes 1 ms. */
const COPY_SAMPLES = 524_288;

/** All chunks as one. Six minutes at 48 kHz are 35 MB: others get their turn while they are copied. */
export async function collect(chunks: AsyncIterable<Int16Array>): Promise<Int16Array> {
  const parts: Int16Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
  }
  const whole = new Int16Array(length);
  let at = 0;
  let copied = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
    copied += part.length;
    if (copied < COPY_SAMPLES) continue;
    copied = 0;
    await nextTurn();
  }
  return whole;
}

/** The same samples in pieces of `size`; the last one may be shorter. */
export async function* inPieces(chunks: AsyncIterable<Int16Array>, size: number): AsyncGenerator<Int16Array> {
  let piece = new Int16Array(size);
  let filled = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const take = Math.min(size - filled, chunk.length - at);
      piece.set(chunk.subarray(at, at + take), filled);
      filled += take;
      at += take;
      if (filled < size) continue;
      yield piece;
      piece = new Int16Array(size);
      filled = 0;
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}
