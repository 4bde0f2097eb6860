/** The longest stretch that is recognised; of a longer one the latest part. One minute takes about a second by grammar. */
export const STRETCH_SAMPLES_MAX = 60 * 8000;

/** The audio of one stretch, as it comes in pieces. Pieces are kept, not copied. */
export class StretchAudio {
  readonly #pieces: Int16Array[] = [];
  #samples = 0;

  get samples(): number {
    return this.#samples;
  }

  push(piece: Int16Array): void {
    this.#pieces.push(piece);
    this.#samples += piece.length;
    while (this.#samples > STRETCH_SAMPLES_MAX) this.#samples -= this.#pieces.shift()?.length ?? 0;
  }

  /** All of it in one array of its own. */
  joined(): Int16Array {
    const samples = new Int16Array(this.#samples);
    let offset = 0;
    for (const piece of this.#pieces) {
      samples.set(piece, offset);
      offset += piece.length;
    }
    return samples;
  }
}
