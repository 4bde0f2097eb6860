import { samplesOf, TELEPHONE_RATE_HZ } from '../audio/pcm.ts';
import { DTMF_DIGITS } from '../media/dtmf/dtmf-event.ts';
import { dtmfTone } from '../media/dtmf/dtmf-tone.ts';

/** As phones press them; half of it is what receivers ask for (ITU-T Q.24). */
const TONE_MS = 100;
const PAUSE_MS = 80;

/** Keys as tones in the audio. What is no key is left out. */
export function keyTones(digits: string): Int16Array {
  const events = [...digits.toUpperCase()].map((digit) => DTMF_DIGITS.indexOf(digit)).filter((event) => event >= 0);
  const toneSamples = samplesOf(TONE_MS, TELEPHONE_RATE_HZ);
  const keySamples = toneSamples + samplesOf(PAUSE_MS, TELEPHONE_RATE_HZ);
  const samples = new Int16Array(events.length * keySamples);
  for (const [index, event] of events.entries()) {
    dtmfTone(samples.subarray(index * keySamples, index * keySamples + toneSamples), event, 0, TELEPHONE_RATE_HZ);
  }
  return samples;
}
