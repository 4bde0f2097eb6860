/** Speech of which no 20 ms are louder is faint: on most lines they reach -15 dBFS. */
const FAINT_DB = -28;
/** One that might be a turn, or two short ones, of which nothing was understood; so often the caller is told. */
const FAINT_SCORE = 2;
const FAINT_TOLD_MAX = 2;

/** Somebody speaks, and what they say does not arrive: that is not their mistake, but they can do something about it. */
export class FaintCaller {
  #score = 0;
  #told = 0;

  understood(): void {
    this.#score = 0;
  }

  /**
   * Nothing was understood of a sound.
   *
   * @param loudestDb - of it, dBFS.
   * @param brief - too short to be a turn.
   * @returns whether the caller is to be told.
   */
  missed(loudestDb: number, brief: boolean): boolean {
    if (loudestDb < FAINT_DB) this.#score += brief ? 1 : FAINT_SCORE;
    if (this.#score < FAINT_SCORE || this.#told >= FAINT_TOLD_MAX) return false;
    this.#score = 0;
    this.#told += 1;
    return true;
  }
}
