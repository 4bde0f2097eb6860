import type { Agent } from '../core/agent.ts';
import { errorText } from '../core/errors.ts';
import { randomToken } from '../core/ids.ts';
import { type CallEnd, callEnd } from './call-end.ts';
import type { CallRoute } from './call-router.ts';
import { type BegunCall, CallSetup, type CallSetupDeps } from './call-setup.ts';
import type { RoutedCall } from './dial-route.ts';
import type { OpeningWish } from './opening.ts';

/** What whoever ordered a call wants to know, and may still say. */
export interface OutgoingCallWatch {
  /** Everything is ready and the INVITE is next. Resolves with why it must not leave, or undefined. Never rejects. */
  mayLeave(callId: string): Promise<CallEnd | undefined>;
  /** It was answered. */
  onAnswered(): void;
  /** The call is over, answered or not. */
  onEnd(end: CallEnd): unknown;
}

/** A call that an agent makes. `from` and `to` are personal data. */
export interface OutgoingCall extends Omit<RoutedCall, 'media' | 'signal'> {
  readonly agent: Agent;
  readonly route: CallRoute; // whoever took it releases it
  readonly from: string;
  readonly to: string; // whom the record names
  readonly variables?: Readonly<Record<string, string>>;
  /** Who may speak first, and what becomes of a call that a machine takes. The agent speaks at once where it is left out. */
  readonly opening?: OpeningWish & { readonly message?: string };
  readonly watch?: OutgoingCallWatch;
}

/** Makes calls: the same checks, session and record as of calls in. Whether one may be made at all is asked before. */
export class OutgoingCalls {
  readonly #setup: CallSetup;
  constructor(private readonly deps: CallSetupDeps) {
    this.#setup = new CallSetup(deps);
  }

  /** Why no call can be made now, of this agent or at all. */
  problemOf(agent: Agent): CallEnd | undefined {
    return this.#setup.problem() ?? this.#setup.problemOf(agent);
  }

  /**
   * Handles one call to the moment it is answered, or is not.
   * @returns why it was not answered; undefined of one that is. Never throws.
   */
  async place(order: OutgoingCall): Promise<CallEnd | undefined> {
    const { from, to, watch, sipCallId = randomToken(16) } = order;
    const call = this.#setup.begin({ direction: 'outbound', sipCallId, from, to }, 'call not placed');
    if (watch) call.path.holds('order', (end) => watch.onEnd(end));
    try {
      const problem = this.problemOf(order.agent);
      if (problem) await call.path.close(problem);
      else await this.#dial(call, order);
    } catch (error) {
      call.logger.error({ error: errorText(error) }, 'a call could not be placed');
      await call.path.close(callEnd('gateway', 'internal'));
    }
    const { end } = call.path;
    if (end) await call.path.close(end); // It may have been closed by others, and is through when we return.
    return end;
  }

  async #dial(call: BegunCall, order: OutgoingCall): Promise<void> {
    const { agent, route, to, variables, opening, watch, headers, ringTimeoutMs, onProgress } = order;
    const { path, parties } = call;
    const session = this.#setup.session(call, agent, { ...variables, caller: to }, opening);
    const { uri = '', nextHop = uri } = route.attempts[0] ?? {};
    const localAddress = this.deps.dialer.localAddressTo(nextHop);
    const port = await this.#setup.open(call, session, agent, { localAddress });
    const held = port && (await watch?.mayLeave(call.id));
    if (held) await path.close(held);
    if (!port || path.end) return;
    await session.dial(port, route, {
      sipCallId: parties.sipCallId,
      ...(headers && { headers }),
      ...(ringTimeoutMs !== undefined && { ringTimeoutMs }),
      ...(onProgress && { onProgress }),
    });
    if (!path.end) watch?.onAnswered();
  }
}
