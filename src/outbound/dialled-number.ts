/** Whom an order calls. */
export interface DialTarget {
  readonly target: string; // as routed: `+966...`, digits, `sip:...`, `tel:...`, `phone:...`
  /** What lists of numbers know them by; undefined of one that is no number. */
  readonly number: string | undefined;
}

const TARGET_CHARACTERS_MAX = 256;
const ARABIC_INDIC = /[\u0660-\u0669\u06f0-\u06f9]/g;
const SEPARATORS = /[\s().\-\u2010-\u2015\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * One way to write a number, so that lists, rules and hours know it however it was typed: Arabic-Indic digits folded,
 * separators gone, `00` and the trunk prefix `0` of the country written as `+`. Short numbers (extensions) stay.
 *
 * @param countryCode - of numbers without one, `966`.
 * @returns undefined of what is no number.
 */
export function canonicalNumber(written: string, countryCode: string): string | undefined {
  const digits = written
    .replace(ARABIC_INDIC, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf))
    .replace(SEPARATORS, '');
  if (/^\+\d{6,15}$/.test(digits)) return digits;
  if (/^00[1-9]\d{5,14}$/.test(digits)) return `+${digits.slice(2)}`;
  if (/^0[1-9]\d{6,13}$/.test(digits)) return `+${countryCode}${digits.slice(1)}`;
  return /^\d{2,15}$/.test(digits) ? digits : undefined;
}

/** @returns undefined where nobody can be meant. */
export function dialTarget(written: string, countryCode: string): DialTarget | undefined {
  const text = written.trim();
  if (text.length > TARGET_CHARACTERS_MAX) return undefined;
  if (/^phone:[\w.+-]{1,64}$/.test(text)) return { target: text, number: undefined };
  const tel = /^tel:([^;]+)/i.exec(text)?.[1];
  if (tel !== undefined) {
    const number = canonicalNumber(tel, countryCode);
    return number === undefined ? undefined : { target: number, number };
  }
  if (/^sips?:/i.test(text)) {
    if (/[\s<>"|]/.test(text) || !/^sips?:[^@]*@?[^@:/?;]+/i.test(text)) return undefined;
    const user = /^sips?:([^@;:]+)/i.exec(text)?.[1] ?? '';
    const plain = unescaped(user);
    return { target: text, number: plain === undefined ? undefined : canonicalNumber(plain, countryCode) };
  }
  const number = canonicalNumber(text, countryCode);
  return number === undefined ? undefined : { target: number, number };
}

function unescaped(user: string): string | undefined {
  try {
    return decodeURIComponent(user);
  } catch {
    return undefined;
  }
}
