const TOKEN = /[[{(【]\s?(?:value|القيمة|قيمة)[\s_]?([0-9٠-٩]{1,3})\s?[\]})】]/giu;
/** A conversation has at most 50 variables and 20 keyed turns. */
const TOKENS_MAX = 200;

/**
 * Stand-ins for values that are personal whatever they look like, where no recogniser could tell: variables of a call,
 * digits keyed on a telephone. `[Value 1]`; the same value keeps its stand-in.
 */
export class ValueTokens {
  readonly #tokens = new Map<string, string>(); // value -> token
  readonly #values: string[] = [];

  /** The stand-in of a value; beyond the limit one that comes back as nothing. */
  hold(value: string): string {
    const known = this.#tokens.get(value);
    if (known !== undefined) return known;
    if (this.#values.length >= TOKENS_MAX) return '[Value 0]';
    this.#values.push(value);
    const token = `[Value ${this.#values.length}]`;
    this.#tokens.set(value, token);
    return token;
  }

  /** Puts the values back; one that was never given out stays as it is. */
  restore(text: string): string {
    return text.replace(TOKEN, (whole, digits: string) => this.#values[indexOf(digits)] ?? whole);
  }
}

/** Where tokens stand in a text, in whatever spelling. */
export function tokensIn(text: string): { readonly start: number; readonly end: number }[] {
  return [...text.matchAll(TOKEN)].map((match) => ({ start: match.index, end: match.index + match[0].length }));
}

/** What a caller typed that reads like a token loses its brackets: it fetches nothing. */
export function disarmed(text: string): string {
  return text.replace(TOKEN, (whole) => ` ${whole.slice(1, -1)} `);
}

function indexOf(digits: string): number {
  const latin = digits.replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660));
  return Number(latin) - 1;
}
