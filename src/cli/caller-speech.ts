import { TELEPHONE_RATE_HZ } from '../audio/pcm.ts';
import { loadVoices } from '../config/voices.ts';
import { languageOf } from '../core/agent.ts';
import { errorText, OperatorError } from '../core/errors.ts';
import type { Voice } from '../core/voice.ts';
import type { EspeakTts } from '../engines/tts/espeak.ts';
import type { CommandContext } from './context.ts';

/**
 * Other voices than the agents have, so that a recording tells who is who. Of eight English ones this is the one that the
 * embedded recogniser understands best: five sentences of five, the male ones one or none.
 */
const CALLER_VOICES = { en: 'en-us+f5', ar: 'ar+m3' } as const;
const CALLER_WORDS_PER_MINUTE = 150;
const CALLER_PITCH = 50;

/** A voice of the catalogue for the language, with the caller's sound. */
export function callerVoice(
  { config }: Pick<CommandContext, 'config'>,
  { language, voice }: { readonly language: string; readonly voice?: string },
): Voice {
  const { list } = loadVoices(config.paths.voicesFile);
  const spoken = languageOf(language);
  const base = list.find((each) => languageOf(each.language) === spoken) ?? list[0]!;
  const name = voice ?? CALLER_VOICES[spoken];
  return { ...base, espeak: { voice: name, pitch: CALLER_PITCH, wordsPerMinute: CALLER_WORDS_PER_MINUTE } };
}

/** @throws OperatorError where nothing can be said. */
export async function synthesize(tts: EspeakTts, text: string, voice: Voice): Promise<Int16Array> {
  const able = tts.available();
  if (!able.ok) throw new OperatorError(`Nothing can be said: ${able.why}`);
  const pieces: Int16Array[] = [];
  try {
    const request = { text, voice, sampleRateHz: TELEPHONE_RATE_HZ, speed: 1, pitchSemitones: 0 };
    for await (const piece of tts.synthesize(request, new AbortController().signal)) pieces.push(piece);
  } catch (error) {
    const why = errorText((error as Error).cause ?? error);
    throw new OperatorError(`Voice ${voice.espeak.voice} cannot say that: ${why}`, { cause: error });
  }
  return joined(pieces);
}

export function joined(pieces: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
