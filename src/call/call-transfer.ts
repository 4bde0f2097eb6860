import { delay } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import type { MediaPort } from '../media/media-port.ts';
import { type CallEnd, callEnd } from './call-end.ts';
import type { Leg, TransferOutcome } from './leg.ts';
import { SecondLeg, type SecondLegDeps, type SecondLegOrder } from './second-leg.ts';

export interface CallTransferDeps extends SecondLegDeps {
  readonly leg: Leg;
  readonly port: MediaPort;
  /** Whom the target sees calling. */
  readonly from: string;
  readonly timeoutMs: number; // of the whole: the REFER, and whatever is tried after it
  /** The agent still waits to leave: nothing else has been decided about the call. */
  readonly isWanted: () => boolean;
  readonly go: (event: 'bridge' | 'part') => void;
  /** Both talk: the agent has nothing to do here any more. */
  readonly joined: () => void;
  readonly guard: (act: () => void) => void;
  readonly end: (end: CallEnd) => void;
}

/** What a second leg can be dialled by without a trunk. */
const DIALLABLE = /^sip:/i;

/**
 * A caller is put through to a person: by REFER, and we are out of it; or, where the peer does not take that, by a second leg
 * of the same call. There is one at a time.
 */
export class CallTransfer {
  #second: SecondLeg | undefined;
  #hasJoined = false;

  constructor(private readonly deps: CallTransferDeps) {}

  /** The second leg, once both talk. */
  get bridged(): SecondLeg | undefined {
    return this.#hasJoined ? this.#second : undefined;
  }

  /** @returns false when it failed and the agent goes on. Never rejects. */
  async to(target: string): Promise<boolean> {
    const { clock, timeoutMs, logger, end } = this.deps;
    const deadlineMs = clock.nowMs() + timeoutMs;
    const outcome = await this.#refer(target);
    logger.info({ ok: outcome.ok, status: outcome.status, reason: outcome.reason }, 'transfer');
    if (outcome.unsupported) return this.#dial(target, deadlineMs);
    if (outcome.ok) end(callEnd('agent', 'transferred'));
    return outcome.ok;
  }

  /** Who has not answered yet is not waited for any more. */
  giveUp(end: CallEnd): void {
    if (!this.#hasJoined) this.#second?.giveUp(end);
  }

  /** Given up after `timeoutMs`, and at the end of the call. */
  async #refer(target: string): Promise<TransferOutcome> {
    const { clock, leg, timeoutMs, signal } = this.deps;
    const over = new AbortController();
    const waited = delay(clock, timeoutMs, AbortSignal.any([over.signal, signal]));
    const late = waited.then((): TransferOutcome => ({ ok: false, status: 0, reason: 'given up' }));
    try {
      return await Promise.race([leg.transfer(target, over.signal), late]);
    } finally {
      over.abort();
    }
  }

  async #dial(target: string, deadlineMs: number): Promise<boolean> {
    const { deps } = this;
    if (this.#second || !DIALLABLE.test(target) || !deps.isWanted()) return false;
    const second = new SecondLeg(deps, (end) => (this.#hasJoined ? deps.end(end) : second.giveUp(end)));
    this.#second = second;
    const failure = (await second.dial(this.#order(target, deadlineMs))) ?? this.#join(second);
    deps.logger.info({ ok: !failure, reason: failure?.reason, detail: failure?.detail }, 'second leg');
    if (!failure) return true;
    this.#second = undefined;
    if (!deps.path.end) second.giveUp(failure); // else the end of the call gives it back
    return false;
  }

  #order(target: string, deadlineMs: number): SecondLegOrder {
    const { dialer, from, leg } = this.deps;
    return { target, from, localAddress: dialer.localAddressTo(target) ?? leg.info.localAddress, deadlineMs };
  }

  #join(second: SecondLeg): CallEnd | undefined {
    const { port, isWanted, go, joined, guard, end, logger } = this.deps;
    if (!isWanted()) return callEnd('gateway', 'cancelled');
    go('bridge');
    try {
      this.#hasJoined = second.join(port);
    } catch (error) {
      logger.error({ error: errorText(error) }, 'two legs could not be joined');
    }
    if (!this.#hasJoined) {
      go('part');
      return callEnd('gateway', 'media-failed', 'the two could not be joined');
    }
    joined();
    second.listen(port, guard, end);
    return undefined;
  }
}
