/** How wide a text is in a font, in points. */
export type Measure = (text: string, font: string) => number;

const KEPT_MAX = 2_000;
const TEXT_MAX = 300;
/** Steps of room: a view that moves by a point does not have its texts measured again. */
const STEP = 4;

/** Texts shortened to the room that they have. What was found is kept: measuring is what takes time while lanes scroll. */
export class FittedTexts {
  readonly #fitted = new Map<string, string>();
  constructor(private readonly measure: Measure) {}

  /** As much of it as has room, with an ellipsis where that is not all; empty where there is room for nothing. */
  fit(text: string, font: string, room: number): string {
    const steps = Math.floor(room / STEP);
    const key = `${steps} ${font} ${text}`;
    const known = this.#fitted.get(key);
    if (known !== undefined) return known;
    if (this.#fitted.size >= KEPT_MAX) this.#fitted.clear();
    const found = this.#shortened(text.slice(0, TEXT_MAX), font, steps * STEP);
    this.#fitted.set(key, found);
    return found;
  }

  /** Halving finds it in nine steps whatever its length. */
  #shortened(text: string, font: string, room: number): string {
    if (this.measure(text, font) <= room) return text;
    let [low, high] = [0, text.length];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.measure(`${text.slice(0, middle)}…`, font) <= room) low = middle;
      else high = middle - 1;
    }
    return low === 0 ? '' : `${text.slice(0, low).trimEnd()}…`;
  }
}
