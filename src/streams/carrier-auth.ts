import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** What whoever knocks brings. */
export interface Credentials {
  readonly url: string; // path and query, as sent
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly secret: string | undefined; // of the path
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Takes as long for one that is nearly right as for any other, and compares no lengths. */
const sameText = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

/** The secret in the path, or as the password of basic authentication (RFC 7617) under any name. */
export function bringsSecret({ secret, headers }: Credentials, wanted: string): boolean {
  const { authorization } = headers;
  const encoded = /^basic +([A-Za-z0-9+/=]{1,1024})$/i.exec(
    typeof authorization === 'string' ? authorization : '',
  )?.[1];
  const basic =
    encoded === undefined
      ? ''
      : Buffer.from(encoded, 'base64')
          .toString('utf8')
          .replace(/^[^:]*:/, '');
  const [first, second] = [sameText(secret ?? '', wanted), sameText(basic, wanted)];
  return first || second;
}

/**
 * Twilio signs the address that it connects to: HMAC-SHA1 by the account's auth token, in base64.
 *
 * @param publicUrl - the address as Twilio knows it, without a path; undefined: as the Host header says.
 */
export function signedByTwilio(
  { url, headers }: Credentials,
  authToken: string,
  publicUrl: string | undefined,
): boolean {
  const signature = headers['x-twilio-signature'];
  if (typeof signature !== 'string') return false;
  const origin = publicUrl ?? `wss://${String(headers['host'] ?? '')}`;
  const expected = createHmac('sha1', authToken).update(`${origin}${url}`).digest('base64');
  return sameText(signature, expected);
}
