import type { SrfRequest } from './drachtio.ts';

/** An INVITE transaction lives 64*T1 = 32 s at most without an answer; copies by other paths come within that. */
const REMEMBERED_MS = 32_000;
const REMEMBERED_MAX = 20_000;

/**
 * Tells a request that came before by another path (RFC 3261 §8.2.2.2): same Call-ID, From tag and CSeq, and another
 * branch, else the SIP server would have known the copy. Answered as a call of its own it would be recorded and paid twice.
 */
export class MergedRequests {
  readonly #seen = new Map<string, number>(); // key -> when, oldest first
  constructor(private readonly nowMs: () => number) {}

  /** True for a copy of an INVITE that became a call. */
  isCopy(req: SrfRequest): boolean {
    const sinceMs = this.#seen.get(keyOf(req));
    return sinceMs !== undefined && this.nowMs() - sinceMs <= REMEMBERED_MS;
  }

  remember(req: SrfRequest): void {
    const now = this.nowMs();
    for (const [key, sinceMs] of this.#seen) {
      if (now - sinceMs <= REMEMBERED_MS && this.#seen.size < REMEMBERED_MAX) break;
      this.#seen.delete(key);
    }
    this.#seen.set(keyOf(req), now);
  }
}

function keyOf(req: SrfRequest): string {
  const tag = /;\s*tag\s*=\s*([^\s;]{1,256})/i.exec((req.get('From') ?? '').slice(0, 1024))?.[1];
  return [req.get('CSeq'), tag, req.get('Call-ID')].join('\n').slice(0, 1024);
}
