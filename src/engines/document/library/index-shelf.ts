/** Characters of all texts that are held ready; an index takes about 80 bytes for each. */
export const SHELF_CHARACTERS_MAX = 3_000_000;

/** What is asked again and again, up to a size in all: the least recently used goes first. */
export class IndexShelf<T> {
  readonly #held = new Map<string, { readonly index: T; readonly characters: number }>();
  #characters = 0;

  constructor(readonly charactersMax = SHELF_CHARACTERS_MAX) {}

  get keys(): readonly string[] {
    return [...this.#held.keys()];
  }

  get(key: string): T | undefined {
    const found = this.#held.get(key);
    if (!found) return undefined;
    this.#held.delete(key);
    this.#held.set(key, found); // to the end: the order of insertion is the order of leaving
    return found.index;
  }

  put(key: string, index: T, characters: number): void {
    this.#drop(key);
    this.makeRoom(characters);
    this.#held.set(key, { index, characters });
    this.#characters += characters;
  }

  /** What is larger than the whole shelf stands there alone. */
  makeRoom(characters: number): void {
    for (const key of this.keys) {
      if (this.#characters + characters <= this.charactersMax) return;
      this.#drop(key);
    }
  }

  #drop(key: string): void {
    this.#characters -= this.#held.get(key)?.characters ?? 0;
    this.#held.delete(key);
  }
}
