import { FRAME_MS } from '../audio/pcm.ts';
import type { Clock } from '../core/clock.ts';
import { type BargeInPolicy, type BargeInVerdict, Overlap, type OverlapVoice } from './barge-in.ts';
import { CallerVoice } from './caller-voice.ts';
import type { SpeechInput } from './speech-input.ts';

/** How loud a voice begins. */
const ONSET_FRAMES = 10;

/** A voice over the agent's: whose it is by its level, what it means by its words and how long it lasts. */
export class CallerOverlap {
  readonly #overlap: Overlap;
  readonly #voice = new CallerVoice();
  #stretchDb = Number.NEGATIVE_INFINITY; // how loud the last stretch was spoken

  constructor(
    policy: BargeInPolicy,
    private readonly input: Pick<SpeechInput, 'levels' | 'levelDb'>,
    private readonly clock: Clock,
  ) {
    this.#overlap = new Overlap(policy);
  }

  /** @param beforeMs - when the sound before it ended. @returns false where it is somebody's behind the caller. */
  begin(atMs: number, beforeMs: number): boolean {
    if (this.#overlap.begin(atMs, beforeMs)) this.#voice.begin();
    return !this.#voice.isBehind(this.input.levels.loudDb(ONSET_FRAMES));
  }
  /** It was nothing so far. What follows at once goes on with it. */
  pause(): void {
    this.#overlap.setAside('');
  }
  end(): void {
    this.#overlap.end();
  }

  judge(text: string, final: boolean, confidence = 0): BargeInVerdict {
    const nowMs = this.clock.nowMs();
    return this.#overlap.judge(nowMs, text, { final, confidence, voice: this.#voiceNow(nowMs) });
  }
  /** Whether words interrupt though the sound that they were is over, or seems to be: more of it may follow. */
  interruptsEarly(text: string, final: boolean, confidence = 0): boolean {
    const nowMs = this.clock.nowMs();
    const voice = this.#voiceNow(nowMs);
    return this.#overlap.interrupts(nowMs, text, { final, confidence, voice: voice === 'distant' ? voice : 'pausing' });
  }

  /** A stretch of speech is over. */
  stretchEnded(): void {
    this.#stretchDb = this.input.levels.loudDb();
  }
  /** A turn is over, and so is an interruption, if it was one. @returns false where it was nobody who speaks into this telephone. */
  turnEnded(words: boolean, interruption: boolean): boolean {
    if (interruption) this.#overlap.learn(words);
    if (words) this.#voice.learn(this.#stretchDb);
    return words || !this.#voice.isBehind(this.#stretchDb);
  }

  #voiceNow(nowMs: number): OverlapVoice {
    const { levels, levelDb } = this.input;
    const frames = Math.floor(this.#overlap.speechMs(nowMs) / FRAME_MS);
    return this.#voice.judge(levels, frames > 0 ? frames : undefined, levelDb);
  }
}
