import type { Redacted } from '../contract.ts';
import { verdictOf } from './kinds.ts';
import {
  type PlaceholderName,
  PlaceholderStream,
  placeholder,
  placeholdersIn,
  QUOTED,
  type Restorer,
} from './placeholders.ts';
import { cutText, findSensitive, REDACT_CHARS_MAX } from './redactor.ts';

/** Values one conversation may hold back. Beyond it a value gets its placeholder without a number and stays out. */
export const PLACEHOLDERS_MAX = 500;

export interface Protected {
  /** What may be sent: every value that would be redacted or masked is a numbered placeholder, `[Phone Number 1]`. */
  readonly text: string;
  readonly verdict: Redacted['verdict'];
  /** How many stretches were taken out. */
  readonly removed: number;
}

/** A stretch of the text that does not leave as it is. */
interface Held {
  readonly start: number;
  readonly end: number;
  readonly name: PlaceholderName;
}

/**
 * The privacy boundary of one conversation: protect() what leaves, restore() what comes back; for texts of at most
 * `PLACEHOLDERS_MAX` values restore(protect(text).text) is the text. The same value keeps its placeholder over all turns.
 * protect() takes what people wrote, never its own result. Holds at most `PLACEHOLDERS_MAX` values; clear() forgets them.
 */
export class PrivacyBoundary {
  readonly #charsMax: number;
  readonly #placeholders = new Map<string, string>(); // name and value -> placeholder
  readonly #values = new Map<string, string>(); // placeholder -> value
  readonly #counts = new Map<PlaceholderName, number>();

  constructor(options: { readonly charsMax?: number } = {}) {
    this.#charsMax = options.charsMax ?? REDACT_CHARS_MAX;
  }

  get size(): number {
    return this.#values.size;
  }

  /** At most `charsMax` characters leave: what is beyond was not looked at. */
  protect(source: string): Protected {
    const text = cutText(source, this.#charsMax);
    const { found } = findSensitive(text);
    const sensitive = found
      .filter(({ flagged }) => flagged !== true)
      .map(({ start, end, kind }): Held => ({ start, end, name: kind }));
    const quoted = placeholdersIn(text).map(({ start, end }): Held => ({ start, end, name: QUOTED }));
    const pieces: string[] = [];
    let at = 0;
    for (const held of merged(sensitive, quoted)) {
      pieces.push(text.slice(at, held.start), this.#placeholder(held.name, text.slice(held.start, held.end)));
      at = held.end;
    }
    pieces.push(text.slice(at));
    const judged = found.map(({ kind, flagged }) => ({ kind, action: flagged === true ? 'flag' : 'redact' }) as const);
    return { text: pieces.join(''), verdict: verdictOf(judged), removed: sensitive.length };
  }

  /** Puts the values back, also into placeholders that a model has respelled; one that was never given out stays as it is. */
  restore(text: string): string {
    const pieces: string[] = [];
    let at = 0;
    for (const { start, end, means } of placeholdersIn(text)) {
      const value = this.#values.get(means);
      if (value === undefined) continue;
      pieces.push(text.slice(at, start), value);
      at = end;
    }
    pieces.push(text.slice(at));
    return pieces.join('');
  }

  /** For an answer that arrives in pieces: what push() and end() return, joined, is restore() of the whole. */
  createRestorer(): Restorer {
    return new PlaceholderStream((text) => this.restore(text));
  }

  clear(): void {
    this.#placeholders.clear();
    this.#values.clear();
    this.#counts.clear();
  }

  #placeholder(name: PlaceholderName, value: string): string {
    const key = `${name}\u0000${value}`;
    const known = this.#placeholders.get(key);
    if (known !== undefined) return known;
    if (this.#values.size >= PLACEHOLDERS_MAX) return placeholder(name);
    const number = (this.#counts.get(name) ?? 0) + 1;
    const given = placeholder(name, number);
    this.#counts.set(name, number);
    this.#placeholders.set(key, given);
    this.#values.set(given, value);
    return given;
  }
}

/** Both lists by position; where they overlap, one stretch under the name of the sensitive value in it. */
function merged(sensitive: readonly Held[], quoted: readonly Held[]): Held[] {
  const all: Held[] = [];
  for (const held of [...sensitive, ...quoted].sort((left, right) => left.start - right.start)) {
    const last = all[all.length - 1];
    if (last === undefined || held.start >= last.end) {
      all.push(held);
      continue;
    }
    const name = last.name === QUOTED ? held.name : last.name;
    all[all.length - 1] = { start: last.start, end: Math.max(last.end, held.end), name };
  }
  return all;
}
