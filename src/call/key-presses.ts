/** How a key came: as an event in the media (RFC 4733), heard in the audio, or by SIP INFO. */
export type KeyMeans = 'event' | 'tone' | 'info';

/** A key as the record of the call has it. Personal data. */
export interface KeptKey {
  readonly key: string;
  readonly atMs: number; // monotonic
  readonly means: KeyMeans;
}

/** Of the keys of one call, for its record. */
const KEPT_MAX = 256;
/** What a key takes from one end to the other may differ so much between two means. */
const SAME_PRESS_MS = 600;

/**
 * Some telephones tell one press in two ways at once. A key that comes by another means than the same one just before it is
 * that press again; two presses of a key come by the same means.
 */
export class KeyPresses {
  readonly #kept: KeptKey[] = [];
  #last: { readonly digit: string; readonly means: KeyMeans; readonly atMs: number } | undefined;

  /** @param atMs - monotonic. @returns false for what was told already. */
  isNew(digit: string, means: KeyMeans, atMs: number): boolean {
    const last = this.#last;
    const told = last?.digit === digit && last.means !== means && atMs - last.atMs < SAME_PRESS_MS;
    this.#last = told ? undefined : { digit, means, atMs };
    return !told;
  }

  /** It was meant for us. */
  keep(key: string, means: KeyMeans, atMs: number): void {
    if (this.#kept.length < KEPT_MAX) this.#kept.push({ key, means, atMs });
  }
  get kept(): string {
    return this.#kept.map(({ key }) => key).join('');
  }
  get presses(): readonly KeptKey[] {
    return this.#kept;
  }
}
