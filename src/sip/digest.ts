import { createHash } from 'node:crypto';
import type { DialCredentials } from '../call/dialer.ts';

/**
 * Digest access authentication as a client (RFC 7616, RFC 8760 for SIP). Pure: the caller brings nonce count and client
 * nonce. We compute answers ourselves because the SIP library below answers every challenge with MD5.
 */
export interface DigestChallenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | undefined;
  readonly algorithm: DigestAlgorithm;
  readonly session: boolean; // the `-sess` form
  readonly qop: readonly ('auth' | 'auth-int')[]; // empty: RFC 2069 form without client nonce
  readonly stale: boolean;
  readonly userhash: boolean;
  /** The algorithm exactly as the server wrote it, undefined when it wrote none: both are echoed as they came. */
  readonly algorithmText: string | undefined;
}

export type DigestAlgorithm = 'MD5' | 'SHA-256' | 'SHA-512-256';

const HASHES: Readonly<Record<DigestAlgorithm, string>> = {
  MD5: 'md5',
  'SHA-256': 'sha256',
  'SHA-512-256': 'sha512-256',
};
const HEADER_CHARACTERS_MAX = 8192;
const CHALLENGES_MAX = 8;
const PARAMETER = /([A-Za-z0-9_-]{1,32})\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/y;

/**
 * Reads `WWW-Authenticate` or `Proxy-Authenticate`; several challenges may have been joined by commas.
 * @returns those we can answer, in the server's order (RFC 8760 §2.4: the topmost supported one is to be used). Never throws.
 */
export function parseChallenges(header: string): readonly DigestChallenge[] {
  const challenges: DigestChallenge[] = [];
  for (const parameters of digestParameters(header.slice(0, HEADER_CHARACTERS_MAX))) {
    const challenge = toChallenge(parameters);
    if (challenge && challenges.length < CHALLENGES_MAX) challenges.push(challenge);
  }
  return challenges;
}

/**
 * The parameters of each `Digest` challenge or credentials; a comma starts a new one when `<scheme> <name>=` follows it.
 * `header` is to be bounded by who calls. Never throws.
 */
export function digestParameters(header: string): readonly ReadonlyMap<string, string>[] {
  const found: Map<string, string>[] = [];
  const scheme = /\s*([A-Za-z]+)\s+(?=[A-Za-z0-9_-]+\s*=)/y;
  const separator = /\s*,?\s*/y;
  let current: Map<string, string> | undefined;
  for (let at = 0; at < header.length; ) {
    scheme.lastIndex = at;
    const start = scheme.exec(header);
    if (start) {
      current = new Map();
      if (start[1]?.toLowerCase() === 'digest') found.push(current);
      at = scheme.lastIndex;
    }
    PARAMETER.lastIndex = at;
    const parameter = PARAMETER.exec(header);
    if (!parameter || !current) break; // unreadable from here on: keep what was whole
    const name = (parameter[1] ?? '').toLowerCase();
    if (!current.has(name)) current.set(name, parameter[2]?.replace(/\\(.)/g, '$1') ?? parameter[3] ?? '');
    separator.lastIndex = PARAMETER.lastIndex;
    separator.exec(header);
    at = separator.lastIndex;
  }
  return found;
}

function toChallenge(parameters: ReadonlyMap<string, string>): DigestChallenge | undefined {
  const realm = parameters.get('realm');
  const nonce = parameters.get('nonce');
  if (realm === undefined || nonce === undefined) return undefined;
  const algorithmText = parameters.get('algorithm');
  const upper = (algorithmText ?? 'MD5').toUpperCase();
  const session = upper.endsWith('-SESS');
  const algorithm = session ? upper.slice(0, -'-SESS'.length) : upper;
  if (!isAlgorithm(algorithm)) return undefined;
  const offered = (parameters.get('qop') ?? '').toLowerCase().split(/[\s,]+/);
  const qop = (['auth', 'auth-int'] as const).filter((one) => offered.includes(one));
  if (parameters.has('qop') && qop.length === 0) return undefined; // only protections we do not know
  return {
    realm,
    nonce,
    opaque: parameters.get('opaque'),
    algorithm,
    session,
    qop,
    stale: parameters.get('stale')?.toLowerCase() === 'true',
    userhash: parameters.get('userhash')?.toLowerCase() === 'true',
    algorithmText,
  };
}

function isAlgorithm(text: string): text is DigestAlgorithm {
  return Object.hasOwn(HASHES, text);
}

/** The first challenge our credentials are for. */
export function chooseChallenge(
  challenges: readonly DigestChallenge[],
  credentials: DialCredentials,
): DigestChallenge | undefined {
  return challenges.find((one) => credentials.realm === undefined || one.realm === credentials.realm);
}

export interface DigestRequest {
  readonly method: string;
  readonly uri: string; // the Request-URI exactly as sent
  readonly body: string; // hashed for auth-int
  readonly nonceCount: number; // 1 for the first use of a nonce, then rising
  readonly clientNonce: string; // fresh and unguessable
}

/**
 * The value of `Authorization` or `Proxy-Authorization`.
 * @see RFC 7616 §3.4 response, §3.4.2 -sess, §3.4.4 userhash; qop auth is preferred, auth-int used when alone
 */
export function authorize(challenge: DigestChallenge, credentials: DialCredentials, request: DigestRequest): string {
  const { realm, nonce, qop, algorithm } = challenge;
  const hash = (text: string): string => createHash(HASHES[algorithm]).update(text, 'utf8').digest('hex');
  const protection = qop.includes('auth') ? 'auth' : qop[0];
  const count = request.nonceCount.toString(16).padStart(8, '0');

  let a1 = hash(`${credentials.username}:${realm}:${credentials.password}`);
  if (challenge.session) a1 = hash(`${a1}:${nonce}:${request.clientNonce}`);
  const integrity = protection === 'auth-int' ? `:${hash(request.body)}` : '';
  const a2 = hash(`${request.method}:${request.uri}${integrity}`);
  const response = protection
    ? hash(`${a1}:${nonce}:${count}:${request.clientNonce}:${protection}:${a2}`)
    : hash(`${a1}:${nonce}:${a2}`);

  const username = challenge.userhash ? hash(`${credentials.username}:${realm}`) : credentials.username;
  const parts = [
    `username="${quoted(username)}"`,
    `realm="${quoted(realm)}"`,
    `nonce="${quoted(nonce)}"`,
    `uri="${request.uri}"`,
    `response="${response}"`,
  ];
  if (challenge.algorithmText !== undefined) parts.push(`algorithm=${challenge.algorithmText}`);
  if (protection) parts.push(`cnonce="${request.clientNonce}"`, `qop=${protection}`, `nc=${count}`);
  else if (challenge.session) parts.push(`cnonce="${request.clientNonce}"`);
  if (challenge.opaque !== undefined) parts.push(`opaque="${quoted(challenge.opaque)}"`);
  if (challenge.userhash) parts.push('userhash=true');
  return `Digest ${parts.join(', ')}`;
}

const quoted = (text: string): string => text.replace(/[\r\n]/g, ' ').replace(/["\\]/g, '\\$&');

/** Uses of one nonce before we would rather be challenged again; a peer's mistake must not make us loop. */
const NONCE_USES_MAX = 100_000;
/** Servers on the way of one call whose nonces are remembered; each has a realm of its own. */
const REALMS_MAX = 8;

/** The digest memory of one dialog: counts the uses of each server's current nonce. */
export class DigestClient {
  readonly #nonces = new Map<string, { readonly nonce: string; readonly uses: number }>(); // by realm
  constructor(
    readonly credentials: DialCredentials,
    private readonly newClientNonce: () => string,
  ) {}

  /**
   * Answers a 401 or 407.
   * @param challengeHeader - `WWW-Authenticate` or `Proxy-Authenticate`, any content.
   * @returns the header value to send the request again with, or undefined when our credentials are not asked for.
   */
  answer(
    challengeHeader: string,
    request: Omit<DigestRequest, 'nonceCount' | 'clientNonce'>,
  ): { readonly value: string; readonly stale: boolean } | undefined {
    const challenge = chooseChallenge(parseChallenges(challengeHeader), this.credentials);
    if (!challenge) return undefined;
    const { realm, nonce } = challenge;
    const known = this.#nonces.get(realm);
    if (!known && this.#nonces.size === REALMS_MAX) this.#nonces.clear();
    const uses = known?.nonce === nonce ? known.uses + 1 : 1;
    this.#nonces.set(realm, { nonce, uses });
    if (uses > NONCE_USES_MAX) return undefined;
    const clientNonce = this.newClientNonce();
    const value = authorize(challenge, this.credentials, { ...request, nonceCount: uses, clientNonce });
    return { value, stale: challenge.stale };
  }
}

/** Where a challenge stands and where its answer goes (RFC 3261 §22.2, §22.3). */
const CHALLENGE_HEADERS = {
  401: ['WWW-Authenticate', 'Authorization'],
  407: ['Proxy-Authenticate', 'Proxy-Authorization'],
} as const;
/**
 * The answers to the challenges that one request met; it is sent again with all of them. A proxy and the server behind it
 * may each ask once, and once more when a nonce was stale: asking again means that our credentials are wrong.
 */
export class ChallengeAnswers {
  readonly headers: Record<string, string> = {};
  readonly #answered = { 401: 0, 407: 0 };
  constructor(private readonly client: DigestClient | undefined) {}

  /**
   * @param response - any final response.
   * @returns true when it is a challenge that `headers` now answers; false when it stands as it is.
   */
  take(
    response: { readonly status: number; get(name: string): string | undefined },
    request: Omit<DigestRequest, 'nonceCount' | 'clientNonce'>,
  ): boolean {
    const { status } = response;
    if (!this.client || (status !== 401 && status !== 407)) return false;
    const [challengeName, answerName] = CHALLENGE_HEADERS[status];
    const answer = this.client.answer(response.get(challengeName) ?? '', request);
    const before = this.#answered[status];
    if (!answer || before > 1 || (before === 1 && !answer.stale)) return false;
    this.#answered[status] += 1;
    this.headers[answerName] = answer.value;
    return true;
  }
}
