import type { VoiceNote } from '../core/turn-details.ts';
import type { Comparison } from '../engines/vad/judged-vad.ts';

const STRETCHES_MAX = 100;

/** Of one caller: what a detector and a model have each taken for speech, turn by turn, and whether there were words in it. */
export class VoiceWatch {
  #stretches: Comparison[] = [];

  /** @param settled - told of each turn, and of each sound that was none, when it is known what it was. Must not throw. */
  constructor(private readonly settled: (note: VoiceNote) => void) {}

  compared(stretch: Comparison): void {
    if (this.#stretches.length < STRETCHES_MAX) this.#stretches.push(stretch);
  }

  /** What was said since the last time, for the record; undefined where nothing was. */
  settle(language: string, words: boolean): VoiceNote | undefined {
    const stretches = this.#stretches;
    this.#stretches = [];
    if (stretches.length === 0) return undefined;
    const sum = (of: 'detectorMs' | 'togetherMs'): number =>
      Math.round(stretches.reduce((all, stretch) => all + stretch[of], 0));
    const laterMs = stretches.find((stretch) => stretch.laterMs !== undefined)?.laterMs;
    const note: VoiceNote = {
      ...{ language, found: foundIn(stretches), words, detectorMs: sum('detectorMs'), togetherMs: sum('togetherMs') },
      ...(laterMs !== undefined && { laterMs: Math.round(laterMs) }),
    };
    this.settled(note);
    return note;
  }
}

function foundIn(stretches: readonly Comparison[]): VoiceNote['found'] {
  if (stretches.some(({ away }) => away)) return 'away';
  if (stretches.every(({ togetherMs }) => togetherMs === 0)) return 'denied';
  return stretches.every(({ detectorMs }) => detectorMs === 0) ? 'added' : 'both';
}
