import { systemClock } from '../../src/core/clock.ts';
import { EspeakTts } from '../../src/engines/tts/espeak.ts';
import { TEST_VOICE } from '../conformance/tts.ts';
import { joined } from './speech-clips.ts';

/** Speech as a service or a caller would make it. */
export async function speech(text: string, sampleRateHz: number, voice = TEST_VOICE): Promise<Int16Array> {
  const engine = new EspeakTts({ clock: systemClock });
  const request = { text, voice, sampleRateHz, speed: 1, pitchSemitones: 0 };
  const chunks: Int16Array[] = [];
  for await (const chunk of engine.synthesize(request, new AbortController().signal)) chunks.push(chunk);
  await engine.close();
  return joined(...chunks);
}
