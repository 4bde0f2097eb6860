import type { Agent } from '../core/agent.ts';
import { errorText } from '../core/errors.ts';
import { randomToken } from '../core/ids.ts';
import { type CallEnd, callEnd } from './call-end.ts';
import { type BegunCall, CallSetup, type CallSetupDeps } from './call-setup.ts';
import type { DialOptions } from './dialer.ts';

/** A call that an agent makes. `from`, `to` and `uri` are personal data. */
export interface OutgoingCall extends Omit<DialOptions, 'media' | 'signal' | 'sipCallId'> {
  readonly agent: Agent;
  readonly to: string; // whom the record names
  readonly variables?: Readonly<Record<string, string>>;
}

/** Makes calls: the same checks, session and record as of calls in. Whether one may be made at all is asked before. */
export class OutgoingCalls {
  readonly #setup: CallSetup;
  constructor(private readonly deps: CallSetupDeps) {
    this.#setup = new CallSetup(deps);
  }

  /**
   * Handles one call to the moment it is answered, or is not.
   * @returns why it was not answered; undefined of one that is. Never throws.
   */
  async place(order: OutgoingCall): Promise<CallEnd | undefined> {
    const parties = { direction: 'outbound', sipCallId: randomToken(16), from: order.from, to: order.to } as const;
    const call = this.#setup.begin(parties, 'call not placed');
    try {
      const problem = this.#setup.problem() ?? this.#setup.problemOf(order.agent);
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

  async #dial(call: BegunCall, { agent, to, variables, ...order }: OutgoingCall): Promise<void> {
    const session = this.#setup.session(call, agent, { ...variables, caller: to });
    const port = await this.#setup.open(call, session, agent, this.deps.dialer.localAddressTo(order.uri));
    if (port) await session.dial(port, { ...order, sipCallId: call.parties.sipCallId });
  }
}
