import type { CallBook } from '../billing/contract.ts';
import type { Agent } from '../core/agent.ts';
import { type Clock, delay } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
import type { MediaPlane, MediaRefusal } from '../media/media-port.ts';
import { type CallEnd, callEnd } from './call-end.ts';
import type { CallRegistry } from './call-registry.ts';
import { CallSession, type CallSessionDeps } from './call-session.ts';
import type { CallTicker } from './call-ticker.ts';
import { ClosePath } from './close-path.ts';
import { Conversation, type ConversationDeps } from './conversation.ts';
import type { Leg } from './leg.ts';

/** Who answers a number. */
export interface NumberDirectory {
  /** The agent behind a called number, whatever its status; undefined when nobody has that number. */
  agentFor(called: string): Promise<Agent | undefined>;
}

export interface ReceptionDeps {
  readonly directory: NumberDirectory;
  readonly book: CallBook;
  readonly media: MediaPlane;
  readonly registry: CallRegistry;
  /** Whether this process can still open what a call needs. */
  readonly descriptors: { take(): boolean };
  readonly ticker: CallTicker;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly maxCallMs: number;
  readonly transferTimeoutMs: number;
  readonly answerDelayMs: number; // ringing before the agent picks up
  readonly maxCallsPerAccount: number;
  /** Where a call is recorded, or undefined to not record it. */
  readonly recording: (callId: string) => { readonly path: string; readonly name: string } | undefined;
  /** The part that a port's media takes in offer and answer. */
  readonly sessionOf: CallSessionDeps['sessionOf'];
  /** Why no conversation can be held with this agent now, or undefined. */
  readonly engineProblem: (agent: Agent) => string | undefined;
  /** The parts of a conversation that do not depend on the call's media. */
  readonly conversation: (
    agent: Agent,
  ) => Omit<ConversationDeps, 'port' | 'sink' | 'transfer' | 'end' | 'logger' | 'agent' | 'variables'>;
}

const MEDIA_REFUSALS: Record<MediaRefusal, CallEnd> = {
  'no-ports': callEnd('gateway', 'busy', 'no RTP port free'),
  overloaded: callEnd('gateway', 'busy', 'media plane at capacity'),
  closed: callEnd('gateway', 'draining'),
};

/** Takes calls in: every check that can refuse one, in order, then a session. */
export class Reception {
  constructor(private readonly deps: ReceptionDeps) {}

  /** Handles one incoming call to the moment it is answered or refused. Never throws. */
  async receive(leg: Leg): Promise<void> {
    const { clock, metrics } = this.deps;
    const id = newId('call');
    const logger = this.deps.logger.child({ call: id, sipCallId: leg.info.sipCallId });
    const path = new ClosePath(clock, logger);
    path.holds('signalling', (end) => leg.hangup(end));
    path.holds('metrics', ({ party, reason }) => metrics.callsEnded.inc({ party, reason }));
    path.holds('summary', ({ reason, detail }) =>
      logger.info({ reason, detail, pii: { from: leg.info.from, to: leg.info.called } }, 'call refused'),
    );
    try {
      const agent = await this.#find(leg);
      if ('reason' in agent) return await path.close(agent);
      await this.#open(this.#session(id, { leg, path, logger }, agent), leg, agent, path);
    } catch (error) {
      logger.error({ error: errorText(error) }, 'a call could not be taken in');
      await path.close(callEnd('gateway', 'internal'));
    }
  }

  async #find(leg: Leg): Promise<Agent | CallEnd> {
    const { registry, directory, descriptors, engineProblem, maxCallsPerAccount } = this.deps;
    if (registry.draining) return callEnd('gateway', 'draining');
    if (registry.full) return callEnd('gateway', 'busy', 'every line is in use');
    if (!descriptors.take()) return callEnd('gateway', 'busy', 'too few file descriptors are left');
    let agent: Agent | undefined;
    try {
      agent = await directory.agentFor(leg.info.called);
    } catch (error) {
      return callEnd('gateway', 'store-unavailable', errorText(error));
    }
    if (!agent) return callEnd('gateway', 'no-such-number');
    if (agent.status !== 'live') return callEnd('gateway', 'agent-not-live');
    if (registry.countOf(agent.accountId) >= maxCallsPerAccount) {
      return callEnd('gateway', 'busy', 'every line of this account is in use');
    }
    const problem = engineProblem(agent);
    return problem === undefined ? agent : callEnd('gateway', 'no-engine', problem);
  }

  /** Whatever the call comes to hold goes on its close path at once; a caller may have left at every step. */
  async #open(session: CallSession, leg: Leg, agent: Agent, path: ClosePath): Promise<void> {
    const { registry, book, media, clock, answerDelayMs } = this.deps;
    const { id } = session;
    registry.add(session);
    path.holds('registry', () => registry.remove(id));
    if (path.end) return;
    const credit = await book.begin({
      ...{ id, sipCallId: leg.info.sipCallId, accountId: agent.accountId, agentId: agent.id },
      ...{ agentVersion: agent.version, agentName: agent.definition.name },
      ...{ from: leg.info.from, to: leg.info.called, startedAt: session.startedAt },
    });
    path.holds('record', (end) => book.finish(id, session.summary(end)));
    if (credit === 'insufficient-credit') return session.close(callEnd('gateway', 'no-credit'));
    if (credit === 'unavailable') return session.close(callEnd('gateway', 'store-unavailable'));
    if (path.end) return;
    const port = await media.open({
      callId: id,
      onEvent: (event) => session.onMediaEvent(event),
      ...(leg.info.localAddress !== undefined && { localAddress: leg.info.localAddress }),
    });
    if (typeof port === 'string') return session.close(MEDIA_REFUSALS[port]);
    session.take(port);
    if (answerDelayMs > 0 && !path.end) {
      leg.ring();
      await delay(clock, answerDelayMs);
    }
    await session.answer(port);
  }

  #session(id: string, parts: Pick<CallSessionDeps, 'leg' | 'path' | 'logger'>, agent: Agent): CallSession {
    const { deps } = this;
    const recording = deps.recording(id);
    const { leg } = parts;
    const variables = { ...agent.definition.variables, ...leg.info.variables, caller: leg.info.from };
    const seconds = agent.definition.maxCallSeconds;
    return new CallSession({
      ...{ id, agent, ...parts },
      ...{ book: deps.book, ticker: deps.ticker, clock: deps.clock, metrics: deps.metrics },
      sessionOf: deps.sessionOf,
      maxCallMs: seconds === undefined ? deps.maxCallMs : Math.min(deps.maxCallMs, seconds * 1000),
      transferTimeoutMs: deps.transferTimeoutMs,
      ...(recording && { recordingPath: recording.path, recordingName: recording.name }),
      converse: (made) => new Conversation({ ...deps.conversation(agent), ...made, agent, variables }),
    });
  }
}
