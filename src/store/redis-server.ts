import { readFileSync } from 'node:fs';
import { Redis, type RedisOptions } from 'ioredis';
import { type Clock, delay, systemClock } from '../core/clock.ts';
import { errorText, OperatorError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';

export interface RedisSettings {
  readonly url: string; // redis://user:password@host:6379/0, or rediss:// for TLS
  /** Certificates of who signed that of the server, PEM; without it those that the system believes. */
  readonly ca?: string;
}

/** What a server says of itself (INFO). */
export interface RedisFacts {
  readonly version: string; // 7.0.15
  readonly policy: string; // maxmemory-policy
  readonly memoryMax: number; // bytes; 0 has no limit, so that nothing is evicted
}

/** `away` mends itself; with `refused` an operator has to change something. */
export type RedisLook =
  | { readonly state: 'found'; readonly facts: RedisFacts }
  | { readonly state: 'away'; readonly why: string }
  | { readonly state: 'refused'; readonly why: string };

const CONNECT_MS_MAX = 2_000;
/** Of a command that somebody waits for. */
const COMMAND_MS_MAX = 5_000;
const RETRY_MS_MIN = 100;
const RETRY_MS_MAX = 5_000;
const KEEP_ALIVE_MS = 10_000;
const VERSION_MIN = [6, 2] as const; // which the job queue asks for
const KEPT = 'noeviction';

/** How long a connection that broke is left alone: doubled up to 5 s, and spread, so that ten gateways do not come at once. */
export const retryDelayMs = (tries: number, chance = Math.random()): number =>
  Math.round(Math.min(RETRY_MS_MIN * 2 ** Math.min(tries, 10), RETRY_MS_MAX) * (0.5 + chance / 2));

/** Errors of certificates, TLS and accounts: no wait mends these. */
const REFUSALS = /^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;
const REFUSED_TEXTS =
  /WRONGPASS|NOAUTH|NOPERM|invalid password|DB index is out of range|wrong number of arguments for 'auth'/i;

const optionsOf = ({ ca, url }: RedisSettings): RedisOptions => ({
  connectTimeout: CONNECT_MS_MAX,
  keepAlive: KEEP_ALIVE_MS,
  ...(ca !== undefined && isSecure(url) && { tls: { ca } }),
});
const isSecure = (url: string): boolean => url.startsWith('rediss:');

/** As `jobs` of the configuration says; undefined: no Redis. @throws OperatorError when the file of certificates cannot be read. */
export function redisSettings(jobs: {
  readonly redisUrl: string;
  readonly redisCaFile?: string;
}): RedisSettings | undefined {
  const { redisUrl: url, redisCaFile } = jobs;
  if (url === 'none') return undefined;
  if (redisCaFile === undefined) return { url };
  try {
    return { url, ca: readFileSync(redisCaFile, 'utf8') };
  } catch (error) {
    throw new OperatorError(`jobs.redisCaFile cannot be read: ${errorText(error)}.`, { cause: error });
  }
}

/** host:port, without the secret. */
export function placeOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || 6379}`;
}

/** Asks a server once what it is. Never throws. */
export async function lookAtRedis(settings: RedisSettings): Promise<RedisLook> {
  const client = new Redis(settings.url, {
    ...optionsOf(settings),
    ...{ lazyConnect: true, retryStrategy: () => null, commandTimeout: COMMAND_MS_MAX, maxRetriesPerRequest: 0 },
  });
  let cause: Error | undefined;
  client.on('error', (error) => {
    cause ??= error;
  });
  try {
    await client.connect();
    return { state: 'found', facts: factsOf(await client.info()) };
  } catch (error) {
    const { code = '', message } = (cause ?? error) as NodeJS.ErrnoException;
    const why = errorText(cause ?? error) || code;
    return REFUSALS.test(code) || REFUSED_TEXTS.test(message) ? { state: 'refused', why } : { state: 'away', why };
  } finally {
    client.disconnect();
  }
}

/** What INFO says, of Redis and of Valkey. */
export function factsOf(info: string): RedisFacts {
  const of = (name: string): string => new RegExp(`^${name}:([^\\r\\n]*)`, 'm').exec(info)?.[1] ?? '';
  return { version: of('redis_version'), policy: of('maxmemory_policy'), memoryMax: Number(of('maxmemory')) };
}

/** What is wrong with a server for jobs. `fatal`: it may drop some when it is full. */
export function faultOf({
  version,
  policy,
  memoryMax,
}: RedisFacts): { readonly fatal: boolean; readonly why: string } | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < VERSION_MIN[0] || (major === VERSION_MIN[0] && minor < VERSION_MIN[1])) {
    return { fatal: true, why: `version ${version || 'unknown'} is too old: use ${VERSION_MIN.join('.')} or newer` };
  }
  if (policy === KEPT || policy === '') return undefined;
  const mend = `set maxmemory-policy ${KEPT}`;
  return memoryMax > 0
    ? { fatal: true, why: `maxmemory-policy ${policy} drops jobs when its memory is full: ${mend}` }
    : { fatal: false, why: `maxmemory-policy ${policy} would drop jobs once it had a memory limit: ${mend}` };
}

export interface RedisDeps {
  readonly logger: Logger;
  readonly clock?: Clock;
}

/** One server for all who use it: its clients, and how it is. Calls never wait for it. */
export class RedisServer {
  readonly #clients = new Set<Redis>();
  readonly #clock: Clock;
  #facts: RedisFacts | undefined;
  #asking: Redis;
  #complainedMs = Number.NEGATIVE_INFINITY;

  private constructor(
    private readonly settings: RedisSettings,
    private readonly deps: RedisDeps,
    facts: RedisFacts | undefined,
  ) {
    this.#clock = deps.clock ?? systemClock;
    this.#facts = facts;
    this.#asking = this.client('hasty');
    this.#asking.on('ready', () => void this.look());
  }

  /**
   * A server that does not answer is waited for beside the calls.
   *
   * @throws OperatorError where waiting mends nothing: a password, a certificate, a version, a policy that drops jobs.
   */
  static async open(settings: RedisSettings, deps: RedisDeps): Promise<RedisServer> {
    const place = placeOf(settings.url);
    const look = await lookAtRedis(settings);
    if (look.state === 'refused') {
      const mend = isSecure(settings.url)
        ? 'Correct REDIS_URL, or jobs.redisCaFile (REDIS_CA_FILE).'
        : 'Correct REDIS_URL.';
      throw new OperatorError(`Redis at ${place} refuses us: ${look.why}. ${mend}`);
    }
    const facts = look.state === 'found' ? look.facts : undefined;
    const fault = facts && faultOf(facts);
    if (fault?.fatal) throw new OperatorError(`Redis at ${place} cannot keep jobs: ${fault.why}.`);
    if (fault) deps.logger.warn({ place, fault: fault.why }, 'Redis may drop jobs one day');
    if (look.state === 'away') deps.logger.error({ place, error: look.why }, 'Redis does not answer, jobs wait for it');
    const server = new RedisServer(settings, deps, facts);
    if (facts) await server.#ready();
    return server;
  }

  /** For questions of everybody: each fails at once while it is away. */
  get asking(): Redis {
    return this.#asking;
  }

  get place(): string {
    return placeOf(this.settings.url);
  }

  /** Whether commands reach it now. */
  get isUp(): boolean {
    return this.#asking.status === 'ready';
  }

  get facts(): RedisFacts | undefined {
    return this.#facts;
  }

  /** What is wrong with it now, beside that it may be away. */
  get fault(): string | undefined {
    return this.#facts && faultOf(this.#facts)?.why;
  }

  /**
   * A connection, made again for as long as it takes.
   *
   * @param patience - `hasty`: commands fail at once while the server is away, and after 5 s; `patient`: they wait for it, which is for
   * workers only, whose finished job must not be done twice for want of a word.
   */
  client(patience: 'hasty' | 'patient'): Redis {
    const client = new Redis(this.settings.url, {
      ...optionsOf(this.settings),
      retryStrategy: (tries) => retryDelayMs(tries),
      reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false), // it became a replica: find the other
      ...(patience === 'hasty'
        ? { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: COMMAND_MS_MAX }
        : { maxRetriesPerRequest: null }),
    });
    client.on('error', (error) => this.#complain(error));
    this.#clients.add(client);
    return client;
  }

  /** It answered a moment ago: who begins now finds it. */
  async #ready(): Promise<void> {
    const enough = new AbortController();
    const ready = new Promise<void>((resolve) => this.#asking.once('ready', resolve));
    if (!this.isUp) await Promise.race([ready, delay(this.#clock, CONNECT_MS_MAX, enough.signal)]);
    enough.abort();
  }

  /** Asks again what it is: a policy may be changed at any time. Never throws. */
  async look(): Promise<void> {
    try {
      const before = this.fault;
      this.#facts = factsOf(await this.#asking.info());
      if (this.fault !== undefined && this.fault !== before)
        this.deps.logger.warn({ place: this.place, fault: this.fault }, 'Redis may drop jobs');
    } catch (error) {
      this.#complain(error);
    }
  }

  /** Every connection goes. Idempotent. */
  close(): void {
    for (const client of this.#clients) client.disconnect();
    this.#clients.clear();
  }

  /** Ten connections that try again would say it ten times a second. */
  #complain(error: unknown): void {
    const nowMs = this.#clock.nowMs();
    if (nowMs - this.#complainedMs < COMMAND_MS_MAX) return;
    this.#complainedMs = nowMs;
    this.deps.logger.warn({ place: this.place, error: errorText(error) }, 'a connection to Redis broke');
  }
}
