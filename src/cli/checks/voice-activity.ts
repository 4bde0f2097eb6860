import { FRAME_SAMPLES, TELEPHONE_RATE_HZ } from '../../audio/pcm.ts';
import { type Clock, delay } from '../../core/clock.ts';
import type { VoiceModel } from '../../engines/vad/contract.ts';
import { type Finding, info, ok, warn } from './finding.ts';

const CHECK = 'voice activity';
/** A large machine's slow disk. */
const LOAD_MS_MAX = 20_000;
const LOOK_MS = 20;
/** Sound that is judged at once. */
const MEASURED_MS = 1_000;
/** More than one is. */
const WINDOW_SAMPLES = 300;
const ANSWER_MS_MAX = 2_000;
const DOES = {
  shadow: 'is compared with the detector, and decides nothing',
  model: 'judges with the detector',
} as const;

/** Who judges beside the detector whether there is a voice: loads it, and measures how long a second of sound takes. */
export async function checkVoiceModel(
  voice: VoiceModel | undefined,
  mode: 'own' | 'shadow' | 'model',
  clock: Clock,
): Promise<Finding[]> {
  if (!voice) return [];
  if (mode === 'own')
    return [info(CHECK, `${voice.name} is not asked`, 'Remove conversation.vad: own from nidaa.yaml.')];
  const tookMs = voice.why ?? (await measured(voice, clock));
  if (typeof tookMs === 'string') {
    return [warn(CHECK, tookMs, 'Correct engines.sherpa.vad: until then the detector of engines.vad alone decides.')];
  }
  const detail = `${voice.name} ${DOES[mode]}\na second of sound is judged in ${tookMs.toFixed(1)} ms`;
  const calls = Math.floor(MEASURED_MS / Math.max(1, tookMs));
  return [ok(CHECK, `${detail}: one core for ${calls} calls, by what this one took`)];
}

/** Milliseconds, or why it cannot be told. */
async function measured(voice: VoiceModel, clock: Clock): Promise<number | string> {
  let heardTo = 0; // samples
  let away: string | undefined;
  const follower = voice.follow({
    heard: ({ atSample }) => {
      heardTo = atSample;
    },
    away: (why) => {
      away = why;
    },
  });
  try {
    const untilMs = clock.nowMs() + LOAD_MS_MAX;
    for (let loading = true; loading; loading = heardTo === 0) {
      if (voice.why !== undefined) return voice.why;
      if (clock.nowMs() > untilMs) return `${voice.name} was not loaded in ${LOAD_MS_MAX / 1000} s`;
      follower.push(new Int16Array(FRAME_SAMPLES));
      await delay(clock, LOOK_MS);
    }
    const startMs = clock.nowMs();
    const samples = (MEASURED_MS * TELEPHONE_RATE_HZ) / 1000;
    const wanted = heardTo + samples - WINDOW_SAMPLES; // the last window may not be whole
    follower.push(new Int16Array(samples));
    while (heardTo < wanted && away === undefined && clock.nowMs() - startMs < ANSWER_MS_MAX) await delay(clock, 1);
    return heardTo >= wanted ? clock.nowMs() - startMs : `${voice.name} took too long for a second of sound`;
  } finally {
    follower.close();
  }
}
