import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { systemClock } from './clock.ts';

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

/** Kinds of which there are millions, in tables by month (`src/store/months.md`): their ids begin with the hour in which they were made. */
const TIMED: ReadonlySet<IdPrefix> = new Set(['call', 'chg', 'ts']);
export type TimedPrefix = 'call' | 'chg' | 'ts';
const FIRST_HOUR_MS = Date.UTC(2020, 0);
const HOUR_MS = 3_600_000;
/** Digits alone sort the same in every collation, and the first is 0 until the year 2134: no other id of these kinds begins so. */
const HOUR_DIGITS = 7;
const ID_LENGTH = 20;

/**
 * `agt_` + 20 base32 characters (100 random bits): sortable by nothing, greppable by prefix. Of calls, charges and live transcriptions the first
 * seven are the hour (65 random bits stay).
 */
export function newId(prefix: IdPrefix, at: Date = systemClock.utc()): string {
  const head = TIMED.has(prefix) ? idsFrom(prefix as TimedPrefix, at) : `${prefix}_`;
  return head + randomText(BASE32, prefix.length + 1 + ID_LENGTH - head.length);
}

/** What ids of the hour of `at` begin with: none that was made before sorts behind it, and none made then or later before it. */
export function idsFrom(prefix: TimedPrefix, at: Date): string {
  const hour = Math.max(0, Math.floor((at.getTime() - FIRST_HOUR_MS) / HOUR_MS));
  return `${prefix}_${String(hour).padStart(HOUR_DIGITS, '0')}`;
}

/** Between which texts those of `ids` lie that are of this kind, and what is named after them (`<id>/minute/0`); undefined where none is. */
export function spanOf(prefix: TimedPrefix, ids: readonly string[]): readonly [low: string, high: string] | undefined {
  const ofKind = ids.filter((id) => id.startsWith(prefix));
  const hours = ofKind.map((id) => id.slice(0, prefix.length + 1 + HOUR_DIGITS)).sort();
  return hours.length === 0 ? undefined : [hours[0]!, hours.at(-1)! + 'z'.repeat(ID_LENGTH)];
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
