import type { PartState } from '../api/routes/health.ts';
import { type CallEnd, callEnd } from '../call/call-end.ts';
import type { Config } from '../config/load.ts';
import { type Clock, delay, repeat } from '../core/clock.ts';
import { sentence } from '../core/notice.ts';

/** How long live calls may go on once no more are taken. */
export const drainMsOf = ({ shutdown, conversation }: Pick<Config, 'shutdown' | 'conversation'>): number =>
  1_000 * (shutdown.drainSeconds === 'longest-call' ? conversation.maxCallSeconds : shutdown.drainSeconds);

type Parts = Readonly<Record<string, PartState>>;

/** A SIP peer that asks every second hears of what has gone no later than in its second question after. */
const LOOK_MS = 2_000;
/** Which parts a call needs, and what is told without them. */
const NEEDED: readonly (readonly [part: string, reason: 'store-unavailable' | 'no-engine'])[] = [
  ['database', 'store-unavailable'],
  ['node', 'store-unavailable'],
  ['media', 'no-engine'],
  ['edge', 'no-engine'],
  ['synthesis', 'no-engine'],
  ['reply', 'no-engine'],
];

/**
 * Whether calls should come, as load balancers and SIP peers are told:
 *
 *   starting --open--> serving --leave--> leaving (still taken, for the lead time) --> the listeners refuse
 *                      serving <--park--> parked: the same from the lead time on, until it is wanted again or ends
 */
export class ServiceState {
  #phase: 'starting' | 'serving' | 'parked' | 'leaving' = 'starting';
  #parkedAtMs = 0;
  #parts: Parts = {};
  #looking = false;
  readonly #lead = new AbortController();
  readonly #stop: () => void;

  /** @param readiness - how the parts are. Never rejects. */
  constructor(
    private readonly clock: Clock,
    private readonly readiness: () => Promise<Parts>,
  ) {
    this.#stop = repeat(clock, LOOK_MS, () => void this.#look());
  }

  /** For `/readyz`. */
  get part(): PartState {
    if (this.#phase === 'serving') return { state: 'ok' };
    return { state: 'down', detail: sentence(this.#phase === 'starting' ? 'part.starting' : 'part.draining') };
  }

  /** Why no call comes in yet. */
  get closed(): CallEnd | undefined {
    return this.#phase === 'starting' ? callEnd('gateway', 'no-engine') : undefined;
  }

  /** Why calls should go elsewhere: the answer to OPTIONS. */
  get away(): CallEnd | undefined {
    if (this.#phase === 'leaving' || this.#phase === 'parked') return callEnd('gateway', 'draining');
    if (this.closed) return this.closed;
    const missing = NEEDED.find(([part]) => this.#parts[part]?.state === 'down');
    return missing && callEnd('gateway', missing[1]);
  }

  /** Everything is ready, and introduced to the database. */
  async open(): Promise<void> {
    await this.#look();
    if (this.#phase === 'starting') this.#phase = 'serving';
  }

  /** As it is told to the other gateways. */
  get phase(): 'starting' | 'serving' | 'draining' {
    return this.#phase === 'parked' || this.#phase === 'leaving' ? 'draining' : this.#phase;
  }

  /**
   * It is to be empty, or to serve again: says so at once.
   *
   * @returns whether calls are refused by now: the lead time is over.
   */
  park(isWanted: boolean, leadMs: number): boolean {
    if (isWanted && this.#phase === 'serving') {
      this.#phase = 'parked';
      this.#parkedAtMs = this.clock.nowMs();
    } else if (!isWanted && this.#phase === 'parked') this.#phase = 'serving';
    return this.#phase === 'parked' && this.clock.nowMs() - this.#parkedAtMs >= leadMs;
  }

  /** Says at once that calls and requests should go elsewhere. Resolves when the lead time is over, in which they are still taken. */
  async leave(leadMs: number): Promise<void> {
    this.#phase = 'leaving';
    await delay(this.clock, leadMs, this.#lead.signal);
  }

  /** The lead time is over now, and so is what comes after it. */
  hurry(after: () => void): void {
    this.#lead.abort();
    after();
  }

  close(): void {
    this.#stop();
    this.#lead.abort();
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    this.#parts = await this.readiness().finally(() => {
      this.#looking = false;
    });
  }
}
