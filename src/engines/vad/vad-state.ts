/**
 * Voice activity of one stream as a state machine over 20 ms frames:
 *
 *   quiet --voiced--> starting --open--> speaking --silent--> stopping --close--> quiet
 *                     starting --silent--> quiet              stopping --voiced--> speaking
 *
 * `open` follows the last voiced frame of the opening run, `close` the last silent one of the hang-over.
 */
export const VAD_TRANSITIONS = {
  quiet: { voiced: 'starting', reset: 'quiet' },
  // No `close`: a run that never opened has nothing to end, so nobody hears of it.
  starting: { silent: 'quiet', open: 'speaking', reset: 'quiet' },
  speaking: { silent: 'stopping', reset: 'quiet' },
  stopping: { voiced: 'speaking', close: 'quiet', reset: 'quiet' },
} as const satisfies Record<string, Partial<Record<VadEvent, string>>>;

export type VadState = keyof typeof VAD_TRANSITIONS;
export type VadEvent = 'voiced' | 'silent' | 'open' | 'close' | 'reset';

/** The state after `event`; the same state where the event means nothing (a voiced frame while speaking). */
export function nextVadState(state: VadState, event: VadEvent): VadState {
  const row: Partial<Record<VadEvent, VadState>> = VAD_TRANSITIONS[state];
  return row[event] ?? state;
}

/** Frames in a row up to which no gap is forgiven; longer opening runs forgive one frame in six (plosives have gaps). */
const STRICT_FRAMES = 6;

/** Counts frames into the events `open` and `close`. Times are in samples of the stream. */
export class VadMachine {
  #state: VadState = 'quiet';
  #voicedFrames = 0;
  #gapFrames = 0;
  #silentFrames = 0;
  #onsetSample = 0;
  #lastVoicedEnd = 0;

  /** @param startFrames - voiced frames that open, 1 or more. @param hangoverFrames - silent frames that close, 1 or more. */
  constructor(
    readonly startFrames: number,
    readonly hangoverFrames: number,
  ) {}

  get state(): VadState {
    return this.#state;
  }
  /** From the frame that opened until the one that closed. */
  get speaking(): boolean {
    return this.#state === 'speaking' || this.#state === 'stopping';
  }

  /**
   * @param voiced - the frame holds speech.
   * @param onsetSample - where speech began if this frame is the first of a run; used only then.
   * @param endSample - where the frame ends.
   */
  step(
    voiced: boolean,
    onsetSample: number,
    endSample: number,
  ): { type: 'start' | 'end'; atSample: number } | undefined {
    if (voiced) this.#lastVoicedEnd = endSample;
    switch (this.#state) {
      case 'quiet':
        if (!voiced) return undefined;
        this.#onsetSample = onsetSample;
        this.#voicedFrames = 1;
        this.#gapFrames = 0;
        this.#apply('voiced');
        return this.#openIfDue();
      case 'starting':
        return this.#starting(voiced);
      case 'speaking':
        if (voiced) return undefined;
        this.#silentFrames = 1;
        this.#apply('silent');
        return this.#closeIfDue();
      case 'stopping':
        if (voiced) {
          this.#apply('voiced');
          return undefined;
        }
        this.#silentFrames += 1;
        return this.#closeIfDue();
    }
  }

  reset(): void {
    this.#apply('reset');
    this.#lastVoicedEnd = 0;
  }

  #starting(voiced: boolean): { type: 'start'; atSample: number } | undefined {
    if (voiced) {
      this.#voicedFrames += 1;
      return this.#openIfDue();
    }
    this.#gapFrames += 1;
    if (this.#gapFrames > Math.floor(this.startFrames / STRICT_FRAMES)) this.#apply('silent');
    return undefined;
  }

  #openIfDue(): { type: 'start'; atSample: number } | undefined {
    if (this.#voicedFrames < this.startFrames) return undefined;
    this.#apply('open');
    return { type: 'start', atSample: this.#onsetSample };
  }

  #closeIfDue(): { type: 'end'; atSample: number } | undefined {
    if (this.#silentFrames < this.hangoverFrames) return undefined;
    this.#apply('close');
    return { type: 'end', atSample: this.#lastVoicedEnd };
  }

  #apply(event: VadEvent): void {
    this.#state = nextVadState(this.#state, event);
  }
}
