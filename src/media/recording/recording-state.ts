import type { Clock } from '../../core/clock.ts';
import { sentence } from '../../core/notice.ts';

/** One recording in a row is tried with each call: when none has failed for so long there is room again, or nobody calls. */
export const FAULT_TOLD_MS = 60_000;

/** Whether recordings can be written, for whoever asks how the gateway is: what was wrong with the last one that failed. */
export class RecordingState {
  #fault: { readonly why: string; readonly atMs: number } | undefined;
  constructor(private readonly clock: Clock) {}

  failed(why: string): void {
    this.#fault = { why, atMs: this.clock.nowMs() };
  }

  get now(): { readonly ok: true } | { readonly ok: false; readonly why: string } {
    const fault = this.#fault;
    if (!fault || this.clock.nowMs() - fault.atMs >= FAULT_TOLD_MS) return { ok: true };
    return { ok: false, why: sentence('part.not-recorded', { error: fault.why }) };
  }
}
