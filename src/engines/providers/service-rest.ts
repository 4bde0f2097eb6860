import type { Clock } from '../../core/clock.ts';
import { sentence } from '../../core/notice.ts';
import type { ChatFailure } from '../openai/chat-failure.ts';

/** A key that was refused, or an account without credit, is not tried again by every sentence. */
const REFUSED_KEY_REST_MS = 5 * 60_000;

/** Whether a service wants to be left alone, and why. */
export class ServiceRest {
  #rest: { readonly untilMs: number; readonly why: 'engine.key-refused' | 'engine.left-alone' } | undefined;

  constructor(private readonly clock: Clock) {}

  available(): { readonly ok: true } | { readonly ok: false; readonly why: string } {
    const leftMs = (this.#rest?.untilMs ?? 0) - this.clock.nowMs();
    if (!this.#rest || leftMs <= 0) return { ok: true };
    return { ok: false, why: sentence(this.#rest.why, { seconds: Math.ceil(leftMs / 1000) }) };
  }

  after(failure: ChatFailure): void {
    if (failure.kind !== 'refused-key' && failure.retryAfterMs === undefined) return;
    const isKey = failure.kind === 'refused-key';
    const restMs = isKey ? REFUSED_KEY_REST_MS : (failure.retryAfterMs ?? 0);
    this.#rest = { untilMs: this.clock.nowMs() + restMs, why: isKey ? 'engine.key-refused' : 'engine.left-alone' };
  }
}
