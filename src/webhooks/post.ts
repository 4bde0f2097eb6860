import type { IncomingMessage } from 'node:http';
import type { Clock } from '../core/clock.ts';
import { ForbiddenAddress, type GuardOptions, guardedRequests, isAllowedHost } from '../core/guarded-request.ts';
import { sentence } from '../core/notice.ts';
import { retryAfterMs } from './back-off.ts';

/** What a receiver has answered, or why there is no answer. */
export interface Posted {
  readonly status: number | null;
  readonly ms: number;
  readonly error: string | null; // null: a success
  readonly answer?: string;
}

/** With what is not kept of it. */
export interface PostedNow extends Posted {
  readonly retryAfterMs?: number; // it wants to be left alone so long
}

export interface PosterOptions extends GuardOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly userAgent: string;
}
export type Post = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  end: AbortSignal,
) => Promise<PostedNow>;

/** Read of an answer, and kept of that to be shown. */
const ANSWER_BYTES_MAX = 4_096;
const ANSWER_CHARS_KEPT = 500;

/** Sends messages to receivers, one request for each; never rejects. */
export function createPoster({ clock, timeoutMs, userAgent, ...guard }: PosterOptions): Post {
  const request = guardedRequests(guard);
  return async (href, headers, body, end) => {
    const startedMs = clock.nowMs();
    const ms = (): number => Math.round(clock.nowMs() - startedMs);
    const abort = new AbortController();
    const { signal } = abort;
    let isLate = false;
    const timer = clock.setTimer(timeoutMs, () => {
      isLate = true;
      abort.abort();
    });
    const stop = (): void => abort.abort();
    end.addEventListener('abort', stop, { once: true });
    if (end.aborted) stop(); // It tells of that no more.
    try {
      const url = new URL(href);
      if (url.protocol !== 'https:' && !isAllowedHost(url, guard.allowedHosts)) throw new ForbiddenAddress('http');
      const all = { ...headers, 'content-type': 'application/json; charset=utf-8', 'user-agent': userAgent };
      const response = await request(url, { method: 'POST', headers: all, body, signal });
      const status = response.statusCode ?? 0;
      const answer = (await beginning(response, signal)).slice(0, ANSWER_CHARS_KEPT);
      const waitMs = retryAfterMs(status, response.headers['retry-after'], clock.utc());
      return {
        ...{ status, ms: ms(), error: problemOf(status), ...(answer !== '' && { answer }) },
        ...(waitMs !== undefined && { retryAfterMs: waitMs }),
      };
    } catch (error) {
      const why = isLate ? sentence('webhook.late', { seconds: timeoutMs / 1000 }) : problemText(error);
      return { status: null, ms: ms(), error: why };
    } finally {
      clock.clearTimer(timer);
      end.removeEventListener('abort', stop);
    }
  };
}

function problemOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return sentence(status >= 300 && status < 400 ? 'webhook.redirected' : 'webhook.answered', { status });
}

/** The first bytes of a body, as text; what follows is not waited for. A status that has come counts whatever its body does. */
async function beginning(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= ANSWER_BYTES_MAX) break;
    }
  } catch {
    signal.throwIfAborted(); // A receiver that never comes to an end holds its place for as long as one that says nothing.
  } finally {
    response.destroy();
  }
  return Buffer.concat(chunks).subarray(0, ANSWER_BYTES_MAX).toString('utf8');
}

/** By its code: messages of the network name addresses. */
function problemText(error: unknown): string {
  if (error instanceof ForbiddenAddress)
    return sentence(error.message === 'http' ? 'webhook.only-https' : 'webhook.not-public');
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? sentence('webhook.unreachable-code', { code }) : sentence('webhook.unreachable');
}
