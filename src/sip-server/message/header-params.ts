import { ALPHANUMERIC, charTable, isQuoted, isToken, madeOf, quote, splitOutside, unquote } from './ascii.ts';

/** Parameters in the order written: lower-case name -> value as written (quotes kept), '' for one without a value. */
export type Params = ReadonlyMap<string, string>;

export const NO_PARAMS: Params = new Map();

/** `token / host / quoted-string` of RFC 3261 §25.1, widened by what phones really send unquoted (`=`, `/`, `@`, `?`). */
const VALUE_TABLE = charTable(`${ALPHANUMERIC}-.!%*_+\`'~[]:/@=?&$()#|{}^`);

/**
 * Reads `;a=b;c;d="e"` from where the value before it ends.
 *
 * @param text - empty, or starting with a semicolon (white space allowed around every part).
 * @returns undefined for a malformed or repeated parameter.
 */
export function parseParams(text: string): Params | undefined {
  if (text === '') return NO_PARAMS;
  const [before, ...pieces] = splitOutside(text, ';') ?? ['?'];
  if (before !== '') return undefined;
  const params = new Map<string, string>();
  for (const piece of pieces) {
    const param = parseParam(piece);
    if (!param || params.has(param[0])) return undefined;
    params.set(...param);
  }
  return params;
}

/** One `name` or `name=value`, white space allowed around the `=`. */
export function parseParam(piece: string): [name: string, value: string] | undefined {
  const equal = piece.indexOf('=');
  const name = (equal < 0 ? piece : piece.slice(0, equal)).trimEnd().toLowerCase();
  if (!isToken(name)) return undefined;
  if (equal < 0) return [name, ''];
  const value = piece.slice(equal + 1).trimStart();
  return isParamValue(value) ? [name, value] : undefined;
}

export function isParamValue(value: string): boolean {
  return madeOf(value, VALUE_TABLE) || isQuoted(value);
}

/** `;a=b;c`, or '' when there are none. A value that needs quotes gets them. */
export function formatParams(params: Params): string {
  let out = '';
  for (const [name, value] of params) {
    if (value === '') out += `;${name}`;
    else out += `;${name}=${isParamValue(value) ? value : quote(value)}`;
  }
  return out;
}

/** A copy with `name` set to `value` at its old place, or at the end; undefined removes it. */
export function withParam(params: Params, name: string, value: string | undefined): Params {
  const copy = new Map(params);
  if (value === undefined) copy.delete(name.toLowerCase());
  else copy.set(name.toLowerCase(), value);
  return copy;
}

/** Value without quotes and escapes; undefined when absent. */
export function paramText(params: Params, name: string): string | undefined {
  const value = params.get(name);
  return value === undefined ? undefined : unquote(value);
}
