import type { VoiceAway, VoiceEvents, VoiceFollower, VoiceModel } from '../../src/engines/vad/contract.ts';

const WINDOW = 256;

/** Says of each whole window what the test wants, at once or when it is told to. */
export class ScriptedVoice implements VoiceModel {
  readonly name = 'scripted';
  readonly voiceFrom = 0.5;
  readonly noneBelow = 0.35;
  readonly why = undefined;
  followed = 0;
  closed = 0;
  resets = 0;
  /** Samples of windows that are held back. */
  holds = false;
  #events: VoiceEvents | undefined;
  #held: { atSample: number; probability: number }[] = [];

  /** @param judge - by the first sample of a window, and by where it ends. */
  constructor(private readonly judge: (first: number, atSample: number) => number) {}

  warmUp(): void {}

  follow(events: VoiceEvents): VoiceFollower {
    this.followed += 1;
    this.#events = events;
    let position = 0;
    let first = 0;
    return {
      push: (samples) => {
        for (const sample of samples) {
          if (position % WINDOW === 0) first = sample;
          position += 1;
          if (position % WINDOW === 0) this.#say({ atSample: position, probability: this.judge(first, position) });
        }
      },
      reset: () => {
        this.resets += 1;
        position = 0;
        this.#held = [];
      },
      close: () => {
        this.closed += 1;
      },
    };
  }

  leave(why: VoiceAway): void {
    this.#held = [];
    this.#events?.away(why);
  }

  /** What was held back is said now. */
  release(): void {
    for (const verdict of this.#held.splice(0)) this.#events?.heard(verdict);
  }

  #say(verdict: { atSample: number; probability: number }): void {
    if (this.holds) this.#held.push(verdict);
    else this.#events?.heard(verdict);
  }

  async close(): Promise<void> {}
}
