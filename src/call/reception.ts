import type { Agent } from '../core/agent.ts';
import { delay } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import { sentence } from '../core/notice.ts';
import type { CallSource } from '../core/trunk.ts';
import { type CallEnd, callEnd } from './call-end.ts';
import { type BegunCall, CallSetup, type CallSetupDeps, hasNoRecord } from './call-setup.ts';
import type { Leg, LegInfo } from './leg.ts';

/** Who answers a number. */
export interface NumberDirectory {
  /**
   * The agent behind a called number, whatever its status; undefined when nobody has that number, or nobody whom `source` may
   * reach.
   */
  agentFor(called: string, source?: CallSource): Promise<Agent | undefined>;
  /** Why a number that is somebody's takes no calls now. */
  problemOf?(called: string): Promise<CallEnd | undefined>;
}

export interface ReceptionDeps extends CallSetupDeps {
  readonly directory: NumberDirectory;
  readonly answerDelayMs: number; // ringing before the agent picks up
  /** A call that got no further than to be looked at: it has no record. */
  readonly onRefused?: (info: LegInfo, end: CallEnd, accountId?: string) => void;
}

/** Takes calls in: every check that can refuse one, in order, then a session. */
export class Reception {
  readonly #setup: CallSetup;
  constructor(private readonly deps: ReceptionDeps) {
    this.#setup = new CallSetup(deps);
  }

  /**
   * Handles one incoming call to the moment it is answered or refused. Never throws.
   * @param known - who answers, where that is decided already; else the called number says.
   */
  async receive(leg: Leg, known?: Agent): Promise<void> {
    const { sipCallId, from, called, source } = leg.info;
    const parties = { direction: 'inbound', sipCallId, from, to: called, ...(source && { source }) } as const;
    const call = this.#setup.begin(parties, 'call refused');
    call.path.holds('signalling', (end) => leg.hangup(end));
    try {
      const { agent, refusal } = await this.#find(leg, known);
      if (!agent || refusal) {
        const end = refusal ?? callEnd('gateway', 'no-such-number');
        this.deps.onRefused?.(leg.info, end, agent?.accountId);
        return await call.path.close(end);
      }
      await this.#answer(call, leg, agent);
    } catch (error) {
      call.logger.error({ error: errorText(error) }, 'a call could not be taken in');
      await call.path.close(callEnd('gateway', 'internal'));
    }
  }

  /**
   * One that takes the place of a leg of a call that is up. Whatever fails, that call is as before. Never throws.
   * @returns the id of that call, where it was up.
   */
  async replace(leg: Leg, replaced: Leg): Promise<string | undefined> {
    for (const call of this.deps.registry.list()) {
      if (await call.takeOver?.(replaced, leg)) return call.id;
    }
    await leg.reject(callEnd('gateway', 'cancelled', sentence('end.replaced-is-over')));
    return undefined;
  }

  /** Who is called, and why the call gets no further. */
  async #find(leg: Leg, known: Agent | undefined): Promise<{ readonly agent?: Agent; readonly refusal?: CallEnd }> {
    const problem = this.#setup.problem();
    if (problem) return { refusal: problem };
    const { directory } = this.deps;
    const { called, source } = leg.info;
    let agent: Agent | undefined;
    try {
      agent = known ?? (await directory.agentFor(called, source));
      const off = agent && !known ? await directory.problemOf?.(called) : undefined;
      if (agent && off) return { agent, refusal: off };
    } catch (error) {
      return { refusal: callEnd('gateway', 'store-unavailable', errorText(error)) };
    }
    const refusal = agent && this.#setup.problemOf(agent);
    return { ...(agent && { agent }), ...(refusal && { refusal }) };
  }

  /** The caller may have left at every step. */
  async #answer(call: BegunCall, leg: Leg, agent: Agent): Promise<void> {
    const { clock, answerDelayMs } = this.deps;
    const { info } = leg;
    const session = this.#setup.session(call, agent, { ...info.variables, caller: info.from });
    session.attach(leg);
    const port = await this.#setup.open(call, session, agent, {
      localAddress: info.localAddress,
      ...(leg.openMedia && { openMedia: (options) => leg.openMedia!(options) }),
    });
    const { end } = call.path;
    if (end && hasNoRecord(end)) this.deps.onRefused?.(info, end, agent.accountId);
    if (!port) return;
    if (answerDelayMs > 0 && !call.path.end) {
      leg.ring();
      await delay(clock, answerDelayMs);
    }
    await session.answer(leg, port);
  }
}
