import type { Redacted } from '../contract.ts';
import { KIND_NAMES, type Kind, verdictOf } from './kinds.ts';
import { cutText, findSensitive, REDACT_CHARS_MAX } from './redactor.ts';

/** Values one conversation may hold back. Beyond it a value gets its placeholder without a number and stays out. */
export const PLACEHOLDERS_MAX = 500;
/** Longest placeholder: `[` kind, a space, four digits `]`. */
const PLACEHOLDER_CHARS_MAX = Math.max(...KIND_NAMES.map((kind) => kind.length)) + 8;

const NAMES = new Map<string, Kind>(KIND_NAMES.map((kind) => [kind.toLowerCase(), kind]));
/** A placeholder as a model may give it back: other capitals, Arabic-Indic digits, a lost space. */
const PLACEHOLDER = /\[\s{0,2}([A-Za-z][A-Za-z ]{1,30}?)\s{0,2}([0-9٠-٩]{1,4})\s{0,2}\]/g;

export interface Protected {
  /** What may be sent: every value that would be redacted or masked is a numbered placeholder, `[Phone Number 1]`. */
  readonly text: string;
  readonly verdict: Redacted['verdict'];
  /** How many stretches were taken out. */
  readonly removed: number;
}

/**
 * The privacy boundary of one conversation: protect() what leaves, restore() what comes back. The same value keeps its
 * placeholder over all turns. Holds at most `PLACEHOLDERS_MAX` values in memory; clear() forgets them.
 */
export class PrivacyBoundary {
  readonly #charsMax: number;
  readonly #placeholders = new Map<string, string>(); // kind and value -> placeholder
  readonly #values = new Map<string, string>(); // placeholder -> value
  readonly #counts = new Map<Kind, number>();

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
    const pieces: string[] = [];
    let at = 0;
    let removed = 0;
    for (const finding of found) {
      if (finding.flagged === true) continue;
      pieces.push(
        text.slice(at, finding.start),
        this.#placeholder(finding.kind, text.slice(finding.start, finding.end)),
      );
      at = finding.end;
      removed += 1;
    }
    pieces.push(text.slice(at));
    const judged = found.map(({ kind, flagged }) => ({ kind, action: flagged === true ? 'flag' : 'redact' }) as const);
    return { text: pieces.join(''), verdict: verdictOf(judged), removed };
  }

  /** Puts the values back; a placeholder that was never given out stays as it is. */
  restore(text: string): string {
    return text.replace(PLACEHOLDER, (whole, name: string, digits: string) => {
      const kind = NAMES.get(name.toLowerCase());
      if (kind === undefined) return whole;
      return this.#values.get(`[${kind} ${Number(latinDigits(digits))}]`) ?? whole;
    });
  }

  /** A restorer for an answer that arrives in pieces. */
  restorer(): PlaceholderStream {
    return new PlaceholderStream((text) => this.restore(text));
  }

  clear(): void {
    this.#placeholders.clear();
    this.#values.clear();
    this.#counts.clear();
  }

  #placeholder(kind: Kind, value: string): string {
    const key = `${kind}\u0000${value}`;
    const known = this.#placeholders.get(key);
    if (known !== undefined) return known;
    if (this.#values.size >= PLACEHOLDERS_MAX) return `[${kind}]`;
    const number = (this.#counts.get(kind) ?? 0) + 1;
    const placeholder = `[${kind} ${number}]`;
    this.#counts.set(kind, number);
    this.#placeholders.set(key, placeholder);
    this.#values.set(placeholder, value);
    return placeholder;
  }
}

/** Restores a streamed text: a piece that may end inside a placeholder waits, at most as long as a placeholder is. */
export class PlaceholderStream {
  readonly #restore: (text: string) => string;
  #waiting = '';

  constructor(restore: (text: string) => string) {
    this.#restore = restore;
  }

  /** The restored text that is ready, possibly empty. */
  push(piece: string): string {
    const text = this.#waiting + piece;
    const open = text.lastIndexOf('[');
    const waits = open >= 0 && !text.includes(']', open) && text.length - open <= PLACEHOLDER_CHARS_MAX;
    this.#waiting = waits ? text.slice(open) : '';
    return this.#restore(waits ? text.slice(0, open) : text);
  }

  /** What was still waiting. */
  end(): string {
    const rest = this.#restore(this.#waiting);
    this.#waiting = '';
    return rest;
  }
}

function latinDigits(digits: string): string {
  return digits.replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660));
}
