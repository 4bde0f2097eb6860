/** What was recognised of a stretch, or of a part of it. */
export interface Heard {
  readonly text: string;
  readonly confidence: number; // 0..1
  readonly language?: string; // that was spoken, where the recogniser knows
}

/** One stretch of speech; `heard` is what is known of its beginning that will not be given again. */
export interface HeardStretch {
  heard?: Heard | undefined;
  /** It goes on with new audio only: what was heard of it is kept for the next final. As whoever heard its beginning wants it. */
  appends?: boolean;
}

interface Due {
  readonly stretch: HeardStretch;
  wanted: boolean;
}

/** Finals that were asked for and have not come, in order: each flush is answered by one. */
export class DueFinals {
  readonly #due: Due[] = [];

  /** Those that somebody still waits for. */
  get wanted(): number {
    return this.#due.reduce((sum, { wanted }) => sum + (wanted ? 1 : 0), 0);
  }

  ask(stretch: HeardStretch): void {
    this.#due.push({ stretch, wanted: true });
  }

  /** Nobody waits for the one asked for last any more. @returns false when there is none. */
  forgetLast(): boolean {
    const last = this.#due.findLast(({ wanted }) => wanted);
    if (last) last.wanted = false;
    return last !== undefined;
  }

  /**
   * The next final came.
   *
   * @returns the stretch as far as it was heard; undefined when nobody waits for it. One that nobody asked for stands by itself.
   */
  take(heard: Heard): Heard | undefined {
    const due = this.#due.shift();
    if (!due) return heard;
    const whole = joined(due.stretch.heard, heard);
    if (due.stretch.appends) due.stretch.heard = whole;
    return due.wanted ? whole : undefined;
  }

  /** The recogniser that owed them is gone. */
  clear(): void {
    this.#due.length = 0;
  }
}

/** As sure as the weaker part; in the language of the later one. */
function joined(before: Heard | undefined, after: Heard): Heard {
  if (!before || before.text.trim() === '') return after;
  if (after.text.trim() === '') return before;
  const confidence = Math.min(before.confidence, after.confidence);
  return { ...before, ...after, text: `${before.text.trim()} ${after.text.trim()}`, confidence };
}
