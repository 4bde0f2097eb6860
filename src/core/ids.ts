import { randomBytes, randomInt, randomUUID } from 'node:crypto';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function randomText(alphabet: string, length: number): string {
  let text = '';
  for (let i = 0; i < length; i += 1) text += alphabet[randomInt(alphabet.length)];
  return text;
}

export type IdPrefix =
  | 'agt'
  | 'acc'
  | 'call'
  | 'ts'
  | 'req'
  | 'tok'
  | 'chg'
  | 'ver'
  | 'num'
  | 'trk'
  | 'pho'
  | 'ord'
  | 'str'
  | 'mky'
  | 'per'
  | 'ses'
  | 'atr'
  | 'doc'
  | 'whk'
  | 'evt'
  | 'ers'
  | 'dlv'
  | 'lse';

/** `agt_` + 20 base32 characters (100 random bits): sortable by nothing, greppable by prefix. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomText(BASE32, 20)}`;
}

/** The secret of an API token: 43 base62 characters, 256 random bits. */
export function newTokenSecret(): string {
  return randomText(BASE62, 43);
}

/** SIP tags, branches and Call-IDs: unguessable, token characters only (RFC 3261 §19.3). */
export function randomToken(bytes = 12): string {
  return randomBytes(bytes).toString('hex');
}

export const newUuid = (): string => randomUUID();
