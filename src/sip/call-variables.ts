/** What one call may bring along: enough for CRM keys, too little to fill memory. */
export const VARIABLES_MAX = 32;
const NAME_CHARACTERS_MAX = 64;
const VALUE_CHARACTERS_MAX = 512;
const USER_TO_USER = 'user_to_user';
/** Taken without `x-`, too: the standard has it so (W3C Trace Context §3.2). */
const TRACEPARENT = 'traceparent';

/**
 * Call variables from the headers of an INVITE: every `X-*` (name in lower case without `x-`, anything but letters,
 * digits, `_` and `-` replaced by `_`), `User-to-User` (RFC 7433) as `user_to_user`, and `traceparent`. The first of equal names wins.
 * Values lose control characters and are cut at 512 characters. Never throws.
 */
export function callVariables(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const variables = new Map<string, string>();
  for (const [header, value] of Object.entries(headers)) {
    const lower = header.toLowerCase();
    const userToUser = lower === 'user-to-user';
    const bare = userToUser || lower === TRACEPARENT;
    if ((!lower.startsWith('x-') && !bare) || typeof value !== 'string') continue;
    const name = userToUser ? USER_TO_USER : bare ? lower : lower.slice(2).replace(/[^a-z0-9_-]/g, '_');
    if (name === '' || name.length > NAME_CHARACTERS_MAX || name === '__proto__') continue;
    if (!userToUser && variables.has(name)) continue;
    if (!variables.has(name) && variables.size >= VARIABLES_MAX) continue;
    variables.set(name, clean(userToUser ? decodeUserToUser(value) : value));
  }
  return Object.fromEntries(variables);
}

const clean = (value: string): string =>
  value
    .replace(/[\u0000-\u001f\u007f]/g, ' ')
    .trim()
    .slice(0, VALUE_CHARACTERS_MAX);

/**
 * The text of a `User-to-User` value: quoted or plain as it is; hexadecimal decoded, without the protocol
 * discriminator octet of Q.931 (00 user-specific, 04 IA5). Binary content stays hexadecimal.
 */
function decodeUserToUser(value: string): string {
  const quoted = /^\s*"((?:[^"\\]|\\.)*)"/.exec(value);
  if (quoted) return (quoted[1] ?? '').replace(/\\(.)/g, '$1');
  const [data = '', ...parameters] = value.split(';').map((part) => part.trim());
  const said = parameters.some((parameter) => /^encoding\s*=\s*"?hex"?$/i.test(parameter));
  if (data.length % 2 !== 0 || !/^[0-9A-Fa-f]+$/.test(data)) return data;
  const bytes = Buffer.from(data.slice(0, 4 * VALUE_CHARACTERS_MAX), 'hex');
  const discriminated = bytes[0] === 0x00 || bytes[0] === 0x04;
  if (!said && !discriminated) return data; // digits of a plain value are no hexadecimal
  const text = (discriminated ? bytes.subarray(1) : bytes).toString('utf8');
  return /[\u0000-\u001f\u007f\ufffd]/.test(text) ? data : text;
}
