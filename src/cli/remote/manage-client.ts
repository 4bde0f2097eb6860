import { ServiceError } from '../../client/service-error.ts';
import { type Outgoing, Transport } from '../../client/transport.ts';
import { OperatorError } from '../../core/errors.ts';
import { guardedFetch } from './guarded-fetch.ts';

const BASE = '/manage/v1';
const TIMEOUT_MS = 30_000;
const PAGE_MAX = 200;
/** More than any list of a gateway is shown with. */
const ROWS_MAX = 20_000;
/** Refused for what was asked: at the gateway itself the command would be refused, too. */
const REFUSED: readonly number[] = [400, 404, 409, 412, 413, 415, 422];
const UNKNOWN_ROUTE: readonly string[] = ['not_found', 'method_not_allowed'];

export interface ManageAsk {
  readonly method?: Outgoing['method'];
  readonly path: string; // below /manage/v1
  /** Whose things, for operators; the account of the key without it. */
  readonly accountId?: string | undefined;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: object;
  readonly idempotencyKey?: string | undefined;
}

export interface ManageClientOptions {
  readonly baseUrl: string;
  readonly key: string;
  /** Of this program. */
  readonly version: string;
  readonly timeoutMs?: number;
  /** Something that is to be known, and changes nothing. */
  readonly warn: (text: string) => void;
}

/** What the gateway has refused, in its words. */
export class Refusal extends OperatorError {
  constructor(
    readonly code: string,
    readonly reason: string | undefined,
    message: string,
    cause: unknown,
  ) {
    super(message, { cause });
    this.name = 'Refusal';
  }
}

/** An id as a part of a path. @throws Refusal of what would lead elsewhere, which is nobody's id. */
export function part(id: string): string {
  if (!/^\.{0,2}$/.test(id)) return encodeURIComponent(id);
  throw new Refusal('unknown_resource', undefined, `Unknown id ${id}.`, undefined);
}

/** What it says to one code, instead of failing. */
export async function unless<T, U>(code: string, work: Promise<T>, instead: (refusal: Refusal) => U): Promise<T | U> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Refusal && error.code === code) return instead(error);
    throw error;
  }
}

/** Undefined where there is no such thing. */
export const ifKnown = <T>(work: Promise<T>): Promise<T | undefined> =>
  unless('unknown_resource', work, () => undefined);

/**
 * Requests to `/manage/v1` of a gateway. What was refused is a `Refusal`; a key that may not, and a gateway that is not reached or
 * is none, is a `ServiceError`, in words for whoever runs the command.
 */
export class ManageClient {
  readonly #transport: Transport;
  #version: string | undefined;

  constructor(private readonly options: ManageClientOptions) {
    const { baseUrl, key: token, timeoutMs = TIMEOUT_MS } = options;
    this.#transport = new Transport({
      baseUrl,
      token,
      timeoutMs,
      fetch: guardedFetch((headers) => this.#saw(headers)),
    });
  }

  get baseUrl(): string {
    return this.options.baseUrl;
  }

  async ask<T>({ method = 'GET', path, accountId, query, body, idempotencyKey }: ManageAsk): Promise<T> {
    const outgoing: Outgoing = {
      ...{ method, path: `${BASE}${path}${queryText(query)}`, free: method === 'GET' || method === 'PUT' },
      ...(accountId !== undefined && { headers: { 'x-nidaa-account': accountId } }),
      ...(body && { body }),
    };
    try {
      const options = { ...(idempotencyKey !== undefined && { idempotencyKey }) };
      return await this.#transport.request(outgoing, options, read<T>);
    } catch (error) {
      throw error instanceof ServiceError ? this.#told(error) : error;
    }
  }

  /** Rows of a list, page after page. @throws OperatorError where there are more than are ever shown. */
  async all<T>(ask: ManageAsk, limit = Number.POSITIVE_INFINITY): Promise<T[]> {
    const rows: T[] = [];
    for (let after: string | undefined; ; ) {
      const wanted = Math.min(PAGE_MAX, limit - rows.length);
      const query = { ...ask.query, limit: wanted, after };
      const page = await this.ask<{ items: T[]; next: string | null }>({ ...ask, query });
      rows.push(...page.items);
      if (page.next === null || rows.length >= limit) return rows.slice(0, limit);
      if (rows.length >= ROWS_MAX) throw new OperatorError(`There are more than ${ROWS_MAX}: ask for fewer.`);
      after = page.next;
    }
  }

  #saw(headers: Headers): void {
    const version = headers.get('x-service-version') ?? undefined;
    if (version !== undefined && version !== this.#version && version !== this.options.version) {
      this.options.warn(`the gateway is version ${version}, this command ${this.options.version}`);
    }
    this.#version = version;
  }

  /** For whoever runs the command: what it is, and what helps. */
  #told(error: ServiceError): Error {
    const { code, status, message, reason } = error;
    const { baseUrl, version } = this.options;
    const told = (text: string, as = code): ServiceError =>
      new ServiceError({ code: as, status, message: text, cause: error });
    const why = message.slice(message.lastIndexOf(': ') + 2).replace(/\.$/, '');
    if (code === 'unreachable') return told(`The gateway at ${baseUrl} cannot be reached: ${why}.`);
    if (code === 'untrusted_certificate') {
      return told(
        `The certificate of ${baseUrl} is not believed: ${why}. NODE_EXTRA_CA_CERTS=FILE names the authority that signed it, as PEM.`,
      );
    }
    if (code === 'client_timeout') return told(`The gateway at ${baseUrl} gives no answer. ${message}`);
    if (this.#version === undefined) {
      return told(`What answers at ${baseUrl} is no gateway of ours (${status}): ${message}`, 'unreadable');
    }
    if (status === 401) {
      return told(`The gateway at ${baseUrl} takes no such key: it is wrong, was revoked, or is of another gateway.`);
    }
    if (code === ('missing_scope' as string)) {
      return told(`${message} A key may what \`keys create --scope ...\` gives it.`);
    }
    if (UNKNOWN_ROUTE.includes(code)) {
      return told(
        `The gateway at ${baseUrl} is version ${this.#version} and knows nothing of it; this command is ${version}.`,
      );
    }
    if (REFUSED.includes(status)) return new Refusal(code, reason, message, error);
    return error;
  }
}

function queryText(query: ManageAsk['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== Number.POSITIVE_INFINITY);
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

/**
 * Commands say the same from here and from afar, and in English: of the sentences that stand as data beside it nothing is taken. Names that
 * people gave may end alike; theirs have texts.
 */
function withoutNotice(name: string, value: unknown): unknown {
  if (!name.endsWith('_notice')) return value;
  const isNotice = value === null || (typeof value === 'object' && 'code' in value && 'params' in value);
  return isNotice ? undefined : value;
}

async function read<T>(response: Response): Promise<T> {
  const text = await response.text();
  try {
    return (text === '' ? undefined : JSON.parse(text, withoutNotice)) as T;
  } catch (error) {
    throw new ServiceError({
      code: 'unreadable',
      message: 'The answer is not JSON.',
      status: response.status,
      cause: error,
    });
  }
}
