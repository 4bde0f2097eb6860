import type { CallEnd, CallEndReason } from '../call/call-end.ts';
import type { LegInfo } from '../call/leg.ts';
import { type Clock, repeat } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { sentence } from '../core/notice.ts';
import type { RefusedCall } from '../store/refused-calls.ts';
import { NOT_ALLOWED_SOURCE, STRANGER } from './call-admission.ts';

/** Written that often: a flood is one statement a second. */
const WRITE_EVERY_MS = 1_000;
/** Waiting to be written; of a flood the first count, and the rest is a number. */
const WAITING_MAX = 1_000;
const WRITTEN_AT_ONCE = 500;

export interface RefusalLogDeps {
  readonly rows: { add(calls: readonly RefusedCall[]): Promise<void> };
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Keeps calls that came to nothing, a while later, so that the calls themselves wait for no database. */
export class RefusalLog {
  readonly counters = { kept: 0, dropped: 0 };
  #waiting: RefusedCall[] = [];
  #writing: Promise<void> | undefined;
  #failing = false;
  readonly #stop: () => void;

  constructor(private readonly deps: RefusalLogDeps) {
    this.#stop = repeat(deps.clock, WRITE_EVERY_MS, () => void this.#write());
  }

  /** @param called - whose agent was called, where that is known. */
  add(info: LegInfo, end: CallEnd, called?: string): void {
    if (this.#waiting.length >= WAITING_MAX) {
      this.counters.dropped += 1;
      return;
    }
    const { source } = info;
    const accountId = called ?? (source && 'accountId' in source ? source.accountId : undefined);
    this.#waiting.push({
      ...{ at: this.deps.clock.utc(), from: info.from, to: info.called, sourceAddress: info.sourceAddress },
      ...{ transport: info.transport, sipCallId: info.sipCallId },
      ...(source?.kind === 'trunk' && { trunk: source.name }),
      ...(accountId !== undefined && { accountId }),
      ...{ reason: end.reason, detail: end.detail ?? '', remedy: remedyOf(end, info) },
    });
  }

  /** Writes what waits. Idempotent. */
  async close(): Promise<void> {
    this.#stop();
    await this.#write();
    await this.#write(); // What came while the last was under way.
  }

  #write(): Promise<void> {
    this.#writing ??= this.#writeNext().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #writeNext(): Promise<void> {
    const next = this.#waiting.slice(0, WRITTEN_AT_ONCE);
    if (next.length === 0) return;
    try {
      await this.deps.rows.add(next);
      this.#waiting = this.#waiting.slice(next.length);
      this.counters.kept += next.length;
      this.#failing = false;
    } catch (error) {
      if (!this.#failing) this.deps.logger.warn({ error: errorText(error) }, 'refused calls cannot be kept');
      this.#failing = true;
    }
  }
}

const REMEDIES: Partial<Record<CallEndReason, string>> = {
  'no-such-number': sentence('remedy.give-number'),
  'agent-not-live': sentence('remedy.publish'),
  'no-credit': sentence('remedy.top-up'),
  'account-limit': sentence('remedy.raise-account-limits'),
  'no-codec': sentence('remedy.offer-codec'),
  'bad-offer': sentence('remedy.mend-offer'),
  'no-engine': sentence('remedy.engine'),
  draining: sentence('remedy.call-again'),
  shutdown: sentence('remedy.call-again'),
  'store-unavailable': sentence('remedy.database'),
};

/** What would let such a call in. */
export function remedyOf(
  { reason, detail = '' }: CallEnd,
  { source, sourceAddress }: Pick<LegInfo, 'source' | 'sourceAddress'>,
): string {
  const known = REMEDIES[reason];
  if (known) return known;
  if (reason === 'switched-off') return sentence(detail.startsWith('trunk ') ? 'remedy.trunk-on' : 'remedy.number-on');
  if (reason === 'busy') {
    const isOfTrunk = source?.kind === 'trunk' || detail.startsWith('trunk ');
    return sentence(isOfTrunk ? 'remedy.raise-trunk-limits' : 'remedy.raise-lines');
  }
  if (reason !== 'not-allowed') return '';
  const address = sourceAddress.slice(0, sourceAddress.lastIndexOf(':'));
  if (detail === NOT_ALLOWED_SOURCE) return sentence('remedy.allow-source', { address });
  if (detail === STRANGER) return sentence('remedy.name-source', { address });
  return sentence(detail.startsWith('digest: ') ? 'remedy.right-password' : 'remedy.prove');
}
