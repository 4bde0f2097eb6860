import { ForbiddenAddress, type GuardOptions, guardedRequests, isAllowedHost } from '../../core/guarded-request.ts';

/** What stands for a secret in a header field. */
const SECRET = /\{\{\s*secret:([A-Za-z0-9_-]{1,64})\s*\}\}/g;

/** A secret of the operator, and the hosts that may be told it. */
export interface ToolSecret {
  readonly value?: string;
  readonly hosts: readonly string[];
}
export interface ToolFetcherOptions extends GuardOptions {
  readonly secrets?: Readonly<Record<string, ToolSecret>>;
}

/** The part of `fetch` that tools use. */
export type Fetcher = (
  url: string,
  init: {
    readonly method: 'GET' | 'POST';
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly redirect: 'error';
    readonly signal: AbortSignal;
  },
) => Promise<{ readonly ok: boolean; readonly status: number; readonly body: AsyncIterable<Uint8Array> | null }>;

/**
 * How agents' HTTP tools reach the network: public addresses, and hosts that the operator has named. Redirects are errors. Secrets
 * are filled in here, towards their own hosts only: whoever writes an agent's file names them and never learns them.
 */
export function createToolFetcher(options: ToolFetcherOptions): Fetcher {
  const request = guardedRequests(options);
  return async (href, init) => {
    const url = new URL(href);
    const headers = withSecrets(init.headers, url, options);
    const response = await request(url, { ...init, headers });
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return { ok: true, status, body: response };
    response.destroy();
    if (status >= 300 && status < 400) throw new Error('redirect');
    return { ok: false, status, body: null };
  };
}

/** @throws ForbiddenAddress for a secret that there is not, that is not for this host, or that could be read on the way. */
function withSecrets(
  headers: Readonly<Record<string, string>>,
  url: URL,
  { secrets = {}, allowedHosts }: ToolFetcherOptions,
): Record<string, string> {
  const isReadable = url.protocol !== 'https:' && !isAllowedHost(url, allowedHosts);
  const filled = (text: string): string =>
    text.replace(SECRET, (_, name: string) => {
      const secret = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
      if (secret?.value === undefined || isReadable || !isAllowedHost(url, secret.hosts))
        throw new ForbiddenAddress('no such secret');
      return secret.value;
    });
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, filled(text)]));
}
