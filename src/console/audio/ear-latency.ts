/** What lies between a mouth or an ear and our samples, in seconds, as far as the browser knows it. */
export interface DeviceDelays {
  readonly inputS: number;
  readonly outputS: number;
}

/** Ratio to the noise of the room, as a level, that is a voice: 9 dB. */
const OVER_NOISE = 2.8;
/** -50 dB of full scale: nobody speaks so quietly into a microphone with gain control. */
const VOICE_MIN = 0.003;
/** The noise is believed to be as loud as this grows to within a second of voice: a fan that starts is no speaker. */
const NOISE_RISE = 1.004;
/** So many of the last five pieces of 20 ms, so that a click is no word. */
const VOICED_OF_FIVE = 3;
/** A pause this long ends a stretch of speech. */
const PAUSE_S = 0.3;
/** An answer later than this is to something else. */
const ANSWER_S_MAX = 30;

/**
 * How long somebody waits for an answer: from the end of their own speech to the first sound of the answer, both at
 * the person. Times are seconds of the clock of the audio device. It is no answer unless the gateway heard words before,
 * and it is not to what somebody is just beginning to say.
 */
export class EarLatency {
  #noise = VOICE_MIN;
  #lately: readonly boolean[] = [];
  /** Ends of the last two stretches of speech, the newer one may go on. */
  #endS: number | undefined;
  #endBeforeS: number | undefined;
  #hadWords = false;

  constructor(private readonly delays: DeviceDelays) {}

  /** A piece of the microphone that ended at `atS`. */
  piece(level: number, atS: number): void {
    const isVoice = level > Math.max(VOICE_MIN, this.#noise * OVER_NOISE);
    this.#noise = level < this.#noise ? level * 0.5 + this.#noise * 0.5 : Math.min(this.#noise * NOISE_RISE, level);
    this.#lately = [...this.#lately.slice(-4), isVoice];
    if (!isVoice || this.#lately.filter(Boolean).length < VOICED_OF_FIVE) return;
    if (this.#endS !== undefined && atS - this.#endS > PAUSE_S) this.#endBeforeS = this.#endS;
    this.#endS = atS;
  }

  /** The gateway has heard words of this person. */
  words(): void {
    this.#hadWords = true;
  }

  /** Something begins to sound at `atS`. @returns how long it was waited for, in milliseconds, where it is an answer. */
  sounded(atS: number): number | undefined {
    const { inputS, outputS } = this.delays;
    const isSpeaking = this.#endS !== undefined && atS - this.#endS < PAUSE_S;
    const endS = isSpeaking ? this.#endBeforeS : this.#endS;
    if (!this.#hadWords) return undefined;
    this.#hadWords = false;
    this.#endBeforeS = undefined;
    if (!isSpeaking) this.#endS = undefined;
    if (endS === undefined) return undefined;
    const waitedS = atS + outputS - (endS - inputS);
    return waitedS < ANSWER_S_MAX ? Math.round(waitedS * 1_000) : undefined;
  }
}
