import type { CallerIdHeader } from '../core/trunk.ts';

/** How a call out says who calls. */
export interface CallerIdentity {
  readonly from: string; // user part of From
  readonly fromDomain?: string;
  readonly displayName?: string;
  readonly headers: Readonly<Record<string, string>>;
}

const ANONYMOUS = 'anonymous';
/** RFC 3323 §4.1.1.3. */
const HIDDEN: CallerIdentity = {
  ...{ from: ANONYMOUS, fromDomain: 'anonymous.invalid', displayName: 'Anonymous' },
  headers: { Privacy: 'id' },
};
const URI_CHARACTERS_MAX = 512;
/** What may stand in a user part without being escaped (RFC 3261 §25.1). */
const userPart = (user: string): string => encodeURIComponent(user).replaceAll('%2B', '+');

/**
 * The number of the caller where the other side looks for it. Without a number From is anonymous, and `Privacy: id` says that
 * this is meant (RFC 3323 §4.1, RFC 3325 §9.3).
 *
 * @param domain - of the trunk, in the asserted URI.
 */
export function callerIdentity(number: string, header: CallerIdHeader, domain: string): CallerIdentity {
  if (number === '' || number === ANONYMOUS) return HIDDEN;
  const uri = `sip:${userPart(number)}@${domain}`;
  const headers: Record<string, string> = {};
  if (header === 'p-asserted-identity') headers['P-Asserted-Identity'] = `<${uri}>`;
  if (header === 'remote-party-id') headers['Remote-Party-ID'] = `<${uri}>;party=calling;screen=yes;privacy=off`;
  return { from: number, headers };
}

const headerOf = (headers: Readonly<Record<string, string>>, wanted: string): string => {
  const name = Object.keys(headers).find((each) => each.toLowerCase() === wanted);
  return name === undefined ? '' : String(headers[name]).slice(0, URI_CHARACTERS_MAX);
};

/**
 * The user part that a trusted trunk asserts of its caller: of `P-Asserted-Identity` or `Remote-Party-ID`, the first value.
 *
 * @returns undefined where there is none that can be read, or where the caller asks not to be told of (RFC 3323): then From has
 *   to do, which is anonymous if it is meant to be. Never throws.
 */
export function assertedUser(headers: Readonly<Record<string, string>>, header: CallerIdHeader): string | undefined {
  if (header === 'from' || /\b(id|user|header)\b/i.test(headerOf(headers, 'privacy'))) return undefined;
  const value = headerOf(headers, header);
  const user = /<?\s*(?:sips?|tel):([^@;>\s?]{1,128})/i.exec(value)?.[1];
  if (!user) return undefined;
  try {
    return decodeURIComponent(user);
  } catch {
    return user;
  }
}
