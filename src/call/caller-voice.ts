import type { SpeechLevels } from '../audio/speech-levels.ts';
import type { OverlapVoice } from './barge-in.ts';

/** What is softer than that is not said into this telephone at this moment. */
const VOICE_DB = -38;
/** Who is softer than the caller by so much may be somebody else, stands behind them, or is not even waited for. */
const SOFTER_DB = 2.5;
const DISTANT_DB = 5;
const BEHIND_DB = 10;
/** After so long it is known who is distant: whoever that is may become louder and is not the caller for it. */
const DISTANT_FRAMES = 20;
/** How one turn counts against those before it. */
const LEARN = 0.3;
/**
 * What the levels of one voice spread by within 0.7-0.9 s: 6.5 dB and more in 49 of 50 sentences, while five people talking at
 * once reach 6.7 in one of 20 such moments, 7 at the most, eight never 6. Less time tells nothing.
 */
const ONE_VOICE_DB = 6.5;
const ONE_VOICE_SURELY_DB = 7.5;
const SPREAD_FRAMES_MIN = 35;
/** Below it there is more than one voice, or none. */
const CROWD_DB = 5;

/** How loud the caller speaks on this line, once that is known, and so whose voice another one may be. */
export class CallerVoice {
  #knownDb: number | undefined;
  #away = false; // who is heard now is somebody distant

  /** Words came of speech so loud, dBFS. */
  learn(loudDb: number): void {
    if (!Number.isFinite(loudDb)) return;
    this.#knownDb = this.#knownDb === undefined ? loudDb : this.#knownDb + LEARN * (loudDb - this.#knownDb);
  }

  /** Whether speech so loud is somebody else's, farther away. */
  isBehind(loudDb: number): boolean {
    return this.#knownDb !== undefined && loudDb < this.#knownDb - BEHIND_DB;
  }

  /** Another sound begins. */
  begin(): void {
    this.#away = false;
  }

  /** @param frames - since it is heard; undefined where it was nothing so far. @param levelDb - of this moment. */
  judge(levels: SpeechLevels, frames: number | undefined, levelDb: number): OverlapVoice {
    const softerDb = this.#knownDb === undefined ? 0 : this.#knownDb - levels.loudDb(frames);
    if (softerDb > DISTANT_DB && (frames ?? 0) >= DISTANT_FRAMES) this.#away = true;
    if (softerDb > DISTANT_DB || this.#away) return 'distant';
    const spreadDb = levels.spreadDb(frames);
    if (frames === undefined && (spreadDb < ONE_VOICE_SURELY_DB || levelDb < VOICE_DB)) return 'distant';
    if (frames !== undefined && frames >= SPREAD_FRAMES_MIN) {
      if (spreadDb < CROWD_DB) return 'distant';
      if (spreadDb < ONE_VOICE_DB) return 'doubted';
    } else if (frames !== undefined && this.#knownDb === undefined) return 'unknown';
    if (levelDb < VOICE_DB) return 'pausing';
    if (softerDb > SOFTER_DB) return 'doubted';
    return this.#knownDb === undefined ? 'somebodys' : 'callers';
  }
}
