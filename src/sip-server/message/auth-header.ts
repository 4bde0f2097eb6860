import { isQuoted, isToken, quote, splitOutside, trimSpace, unquote } from './ascii.ts';
import { parseParam } from './header-params.ts';

/** WWW-Authenticate, Proxy-Authenticate, Authorization, Proxy-Authorization: one scheme and its parameters. */
export interface AuthHeader {
  readonly scheme: string; // lower case: `digest`
  readonly params: ReadonlyMap<string, string>; // lower-case names, values without quotes
  readonly token: string | undefined; // what follows the scheme where that is not parameters (`Bearer abc==`)
}

/** Reads one header value (SIP does not put several challenges on a line). Undefined for a malformed or repeated parameter. */
export function parseAuth(value: string): AuthHeader | undefined {
  const end = value.search(/[ \t]/);
  const scheme = end < 0 ? value : value.slice(0, end);
  const rest = end < 0 ? '' : trimSpace(value.slice(end));
  if (!isToken(scheme)) return undefined;
  const params = new Map<string, string>();
  if (rest === '') return { scheme: scheme.toLowerCase(), params, token: undefined };
  const pieces = splitOutside(rest, ',');
  if (!pieces) return undefined;
  if (pieces.length === 1 && !/[^=]=+[^=]/.test(rest) && !/[ \t"]/.test(rest)) {
    return { scheme: scheme.toLowerCase(), params, token: rest };
  }
  for (const piece of pieces) {
    if (piece === '') continue; // Some servers end the list with a comma.
    const param = parseParam(piece);
    if (!param || !piece.includes('=') || params.has(param[0])) return undefined;
    params.set(param[0], unquote(param[1]));
  }
  return { scheme: scheme.toLowerCase(), params, token: undefined };
}

/** Digest parameters that are written without quotes (RFC 3261 §25.1, RFC 8760 §2.3); all others get them. */
const BARE: ReadonlySet<string> = new Set(['algorithm', 'stale', 'nc']);

/** Writes a header value. `qop` is bare in credentials and quoted in challenges, where it is a list. */
export function formatAuth(
  scheme: string,
  params: Iterable<readonly [name: string, value: string]>,
  kind: 'challenge' | 'credentials',
): string {
  const written: string[] = [];
  for (const [name, value] of params) {
    const bare = isToken(value) && (BARE.has(name) || (name === 'qop' && kind === 'credentials'));
    written.push(`${name}=${bare || isQuoted(value) ? value : quote(value)}`);
  }
  return `${scheme} ${written.join(', ')}`;
}
