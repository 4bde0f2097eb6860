import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import type { DigestHashes } from '../core/trunk.ts';
import { digestParameters } from './digest.ts';

/** What we offer, the one that we like best first (RFC 8760 §2.3). */
export const SERVER_ALGORITHMS = ['SHA-256', 'MD5'] as const;
export type ServerAlgorithm = (typeof SERVER_ALGORITHMS)[number];

const HASHES = { 'SHA-256': 'sha256', MD5: 'md5' } as const satisfies Record<ServerAlgorithm, string>;
/** Nobody's: who is unknown is computed like everybody else, so that it takes as long. */
const DUMMY = { sha256: '0'.repeat(64), md5: '0'.repeat(32) };

/** A nonce is good for that long. Short, for the sake of replay; long enough for a call to be refused and sent again. */
export const NONCE_LIFE_MS = 120_000;
/** Nonces whose last `nc` is remembered. Beyond them the oldest are no good any more. */
export const NONCES_MAX = 50_000;
const HEADER_CHARACTERS_MAX = 4_096;
const VALUE_CHARACTERS_MAX = 256;
const MAC_BYTES = 16;
const STAMP_BYTES = 12; // milliseconds and a counter, six bytes each

/** What was said of who sends a request; nothing of it is proved yet. */
export interface DigestCredentials {
  readonly username: string;
  readonly algorithm: ServerAlgorithm;
  readonly nonce: string;
  readonly response: string;
  readonly uri: string;
  readonly clientNonce: string;
  readonly nonceCount: number;
  readonly nonceCountText: string;
  /** The nonce is too old, or was not made for this address. */
  readonly stale: boolean;
}
/** `stale`: as the nonce is, or its count was used before: a new one is to be asked for. */
export type DigestVerdict = 'good' | 'wrong' | 'stale';

const hash = (algorithm: ServerAlgorithm, text: string): string =>
  createHash(HASHES[algorithm]).update(text, 'utf8').digest('hex');

/**
 * Digest access authentication as a server (RFC 7616, RFC 8760). A nonce carries its time and is signed together with the
 * address that asked, so that nothing has to be remembered of one before it is used; then its `nc` must rise.
 */
export class DigestServer {
  readonly #secret = randomBytes(32);
  readonly #counts = new Map<string, number>(); // nonce -> last nc, in the order of first use
  #issued = 0;
  /** Nonces made before this moment are refused: what was counted of them is forgotten. */
  #forgottenMs = 0;

  constructor(
    readonly realm: string,
    private readonly clock: Clock,
    private readonly noncesMax = NONCES_MAX,
  ) {}

  /** Values of `WWW-Authenticate`, one header each. `source`: the address that the request came from. */
  challenges(
    source: string,
    stale: boolean,
    algorithms: readonly ServerAlgorithm[] = SERVER_ALGORITHMS,
  ): readonly string[] {
    const nonce = this.#newNonce(source);
    const more = stale ? ', stale=true' : '';
    return algorithms.map(
      (algorithm) => `Digest realm="${this.realm}", nonce="${nonce}", algorithm=${algorithm}, qop="auth"${more}`,
    );
  }

  /**
   * @param header - `Authorization`, any content; several values may be joined by commas.
   * @returns what is to be checked by `verify`; undefined for nothing that we could check. Never throws.
   */
  read(header: string | undefined, source: string): DigestCredentials | undefined {
    const all = digestParameters((header ?? '').slice(0, HEADER_CHARACTERS_MAX));
    const given = all.find((parameters) => parameters.get('realm') === this.realm);
    const credentials = given && toCredentials(given);
    return credentials && { ...credentials, stale: !this.#isGood(credentials.nonce, source) };
  }

  /**
   * @param hashes - of that user's password; undefined where there is no such user. Both take the same time.
   * @param request - as it came: a response is for one method and one Request-URI.
   */
  verify(
    credentials: DigestCredentials,
    hashes: DigestHashes | undefined,
    request: { readonly method: string; readonly uri: string },
  ): DigestVerdict {
    const { algorithm, nonce, nonceCountText, clientNonce, response, uri } = credentials;
    const a2 = hash(algorithm, `${request.method}:${uri}`);
    const secret = (hashes ?? DUMMY)[HASHES[algorithm]];
    const expected = hash(algorithm, `${secret}:${nonce}:${nonceCountText}:${clientNonce}:auth:${a2}`);
    const equal = timingSafeEqual(
      Buffer.from(expected),
      Buffer.from(response.padEnd(expected.length).slice(0, expected.length)),
    );
    const right =
      equal && response.length === expected.length && hashes?.realm === this.realm && sameTarget(uri, request.uri);
    if (credentials.stale) return 'stale';
    if (!right) return 'wrong';
    return this.#count(credentials) ? 'good' : 'stale';
  }

  /** Only a right answer uses up a count: a stranger cannot spoil somebody's nonce. */
  #count({ nonce, nonceCount }: DigestCredentials): boolean {
    const last = this.#counts.get(nonce) ?? 0;
    if (nonceCount <= last) return false;
    this.#counts.set(nonce, nonceCount);
    while (this.#counts.size > this.noncesMax) this.#forgetOldest();
    return true;
  }

  #forgetOldest(): void {
    const [oldest] = this.#counts.keys();
    if (oldest === undefined) return;
    this.#counts.delete(oldest);
    this.#forgottenMs = Math.max(this.#forgottenMs, (timeOf(oldest) ?? 0) + 1);
  }

  #newNonce(source: string): string {
    const stamp = Buffer.alloc(STAMP_BYTES);
    stamp.writeUIntBE(Math.floor(this.clock.nowMs()), 0, 6);
    stamp.writeUIntBE(this.#issued++ % 2 ** 48, 6, 6);
    return Buffer.concat([stamp, this.#mac(stamp, source)]).toString('base64url');
  }

  #mac(stamp: Buffer, source: string): Buffer {
    return createHmac('sha256', this.#secret).update(stamp).update(source).digest().subarray(0, MAC_BYTES);
  }

  #isGood(nonce: string, source: string): boolean {
    const bytes = Buffer.from(nonce, 'base64url');
    if (bytes.length !== STAMP_BYTES + MAC_BYTES || bytes.toString('base64url') !== nonce) return false;
    const stamp = bytes.subarray(0, STAMP_BYTES);
    if (!timingSafeEqual(bytes.subarray(STAMP_BYTES), this.#mac(stamp, source))) return false;
    const madeMs = stamp.readUIntBE(0, 6);
    return madeMs >= this.#forgottenMs && this.clock.nowMs() - madeMs < NONCE_LIFE_MS;
  }
}

function timeOf(nonce: string): number | undefined {
  const bytes = Buffer.from(nonce, 'base64url');
  return bytes.length < STAMP_BYTES ? undefined : bytes.readUIntBE(0, 6);
}

/** Without `qop=auth` nothing would count the uses of a nonce (the form of RFC 2069): that is no answer to our challenge. */
function toCredentials(parameters: ReadonlyMap<string, string>): Omit<DigestCredentials, 'stale'> | undefined {
  const of = (name: string): string => parameters.get(name) ?? '';
  const nonceCountText = of('nc');
  const algorithm = SERVER_ALGORITHMS.find((one) => one === (parameters.get('algorithm') ?? 'MD5').toUpperCase());
  const [username, nonce, clientNonce, uri] = [of('username'), of('nonce'), of('cnonce'), of('uri')];
  const bounded = [username, nonce, clientNonce, of('response')].every(
    (value) => value !== '' && value.length <= VALUE_CHARACTERS_MAX,
  );
  if (!algorithm || !bounded || uri === '' || !/^[0-9a-f]{8}$/i.test(nonceCountText)) return undefined;
  if (of('qop').toLowerCase() !== 'auth') return undefined;
  const response = of('response').toLowerCase();
  const nonceCount = Number.parseInt(nonceCountText, 16);
  return { username, algorithm, nonce, response, uri, clientNonce, nonceCount, nonceCountText };
}

/** A proxy may have written the Request-URI anew: what has to be the same is whom it names. */
function sameTarget(said: string, asked: string): boolean {
  const plain = (uri: string): string => (/^[^;?]*/.exec(uri)?.[0] ?? '').toLowerCase();
  return said === asked || plain(said) === plain(asked);
}
