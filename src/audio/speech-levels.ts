/** What is kept: 900 ms. */
const FRAMES = 45;
/** A frame at or below this was taken away (echo, a sender that suppresses silence): it says nothing about what surrounds a voice. */
const DIGITAL_SILENCE_DB = -85;
/** Softer is as good as nothing, on every line. */
const NOTHING_DB = -62;
/** What is softer than the loudest frame by more is a pause: it says nothing about how loud somebody speaks. */
const PAUSE_DB = 25;

/**
 * Levels of the last 900 ms of one stream, in frames of 20 ms: how loud somebody speaks, and how much that moves. One voice close
 * to the telephone goes up and down by 10 dB with every syllable; many voices together fill each other's gaps.
 */
export class SpeechLevels {
  readonly #levels = new Float32Array(FRAMES);
  #next = 0;
  #count = 0;

  /** @param levelDb - of the next frame, dBFS. */
  push(levelDb: number): void {
    if (levelDb <= DIGITAL_SILENCE_DB) return;
    this.#levels[this.#next] = Math.max(NOTHING_DB, levelDb);
    this.#next = (this.#next + 1) % FRAMES;
    this.#count = Math.min(FRAMES, this.#count + 1);
  }

  /**
   * How loud what was spoken in the last `frames` is, dBFS: the power of its louder half, whatever pauses it had or stands
   * between. The same voice differs from itself by 2 dB at most after 0.6 s (72 pairs of sentences), by 4.5 after 0.4 s.
   * Minus infinity where nothing was heard.
   */
  loudDb(frames = FRAMES): number {
    const sorted = this.#last(frames).sort().reverse();
    const spoken = sorted.filter((level) => level > (sorted[0] ?? 0) - PAUSE_DB);
    const loud = spoken.subarray(0, Math.ceil(spoken.length / 2));
    return 10 * Math.log10(loud.reduce((sum, level) => sum + 10 ** (level / 10), 0) / loud.length || 0);
  }

  /** Standard deviation of the levels of the last `frames`, dB; 0 where nothing was heard. */
  spreadDb(frames = FRAMES): number {
    const levels = this.#last(frames);
    const count = Math.max(1, levels.length);
    const mean = levels.reduce((sum, level) => sum + level, 0) / count;
    return Math.sqrt(levels.reduce((sum, level) => sum + (level - mean) ** 2, 0) / count);
  }

  #last(frames: number): Float32Array {
    const count = Math.min(this.#count, frames);
    return Float32Array.from(
      { length: count },
      (_, back) => this.#levels[(this.#next - 1 - back + FRAMES) % FRAMES] ?? 0,
    );
  }
}
