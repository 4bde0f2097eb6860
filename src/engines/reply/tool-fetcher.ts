import { type GuardOptions, guardedRequests } from '../../core/guarded-request.ts';

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

/** How agents' HTTP tools reach the network: public addresses, and hosts that the operator has named. Redirects are errors. */
export function createToolFetcher(options: GuardOptions): Fetcher {
  const request = guardedRequests(options);
  return async (href, init) => {
    const response = await request(new URL(href), init);
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return { ok: true, status, body: response };
    response.destroy();
    if (status >= 300 && status < 400) throw new Error('redirect');
    return { ok: false, status, body: null };
  };
}
