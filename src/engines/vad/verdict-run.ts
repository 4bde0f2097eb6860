import type { VoiceModel, VoiceVerdict } from './contract.ts';
import type { ModelSays } from './voice-table.ts';

/** Windows of 32 ms in a row: a tenth of a second is a voice, a quarter without one is none. */
export const VOICE_WINDOWS = 3;
export const NONE_WINDOWS = 8;

/** What a model says of a stream now, by its windows so far. Pure state. */
export class VerdictRun {
  says: ModelSays = 'unsure';
  /** Where the voice that it heard last began and ended, in samples; it may go on. */
  voiceFrom = 0;
  voiceTo = 0;
  #voiced = 0; // in a row
  #none = 0; // in a row
  #firstSample = 0; // of the voiced ones
  #endSample = 0; // of the last window

  constructor(private readonly model: Pick<VoiceModel, 'voiceFrom' | 'noneBelow'>) {}

  push({ atSample, probability }: VoiceVerdict): void {
    const { voiceFrom, noneBelow } = this.model;
    if (probability < noneBelow) {
      this.#none += 1;
      this.#voiced = 0;
      if (this.#none >= NONE_WINDOWS) this.says = 'none';
      else if (this.says === 'voice') this.says = 'unsure';
    } else {
      if (this.#voiced === 0) this.#firstSample = this.#endSample;
      // What is neither goes on with a voice, and begins none.
      this.#voiced = probability >= voiceFrom || this.says === 'voice' ? this.#voiced + 1 : 0;
      this.#none = 0;
      if (this.says === 'none') this.says = 'unsure';
      if (this.#voiced >= VOICE_WINDOWS) this.#hear(atSample);
    }
    this.#endSample = atSample;
  }

  /** Nothing is known any more. */
  forget(): void {
    this.says = 'unsure';
    this.#voiced = 0;
    this.#none = 0;
  }

  reset(): void {
    this.forget();
    this.voiceFrom = 0;
    this.voiceTo = 0;
    this.#endSample = 0;
  }

  #hear(atSample: number): void {
    if (this.says !== 'voice') this.voiceFrom = this.#firstSample;
    this.says = 'voice';
    this.voiceTo = atSample;
  }
}
