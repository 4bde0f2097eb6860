import type { CallBook } from '../billing/contract.ts';
import type { Agent } from '../core/agent.ts';
import { type DescriptorSupply, withDescriptors } from '../core/descriptors.ts';
import { newId } from '../core/ids.ts';
import type { Logger } from '../core/logger.ts';
import { sentence } from '../core/notice.ts';
import { ServiceUse, type TellUse } from '../core/service-use.ts';
import { traceparentOf } from '../core/trace.ts';
import type { VadDetector } from '../engines/vad/contract.ts';
import type { MediaPlane, MediaPort, MediaPortOptions, MediaRefusal } from '../media/media-port.ts';
import { type CallEnd, callEnd } from './call-end.ts';
import { type CallParties, tellStart } from './call-ended.ts';
import type { CallRegistry } from './call-registry.ts';
import { CallSession, type CallSessionDeps } from './call-session.ts';
import { CallTrace, type CallTracing } from './call-trace.ts';
import { ClosePath } from './close-path.ts';
import { Conversation, type ConversationDeps } from './conversation.ts';
import { Opening, type OpeningWish } from './opening.ts';

/** What sessions are given, too. */
type OfSessions = Pick<
  CallSessionDeps,
  | 'book'
  | 'media'
  | 'dialer'
  | 'hosts'
  | 'router'
  | 'musicOf'
  | 'ticker'
  | 'clock'
  | 'logger'
  | 'metrics'
  | 'maxCallMs'
  | 'transferTimeoutMs'
  | 'sessionOf'
  | 'observe'
>;

export interface CallSetupDeps extends OfSessions {
  readonly registry: CallRegistry;
  /** Whether this process can still open what a call needs. */
  readonly descriptors: DescriptorSupply;
  readonly maxCallsPerAccount: number; // here; the book counts those of all gateways
  /** Where calls tell what took them how long; nowhere without it. */
  readonly tracing?: CallTracing;
  /** Where a call is recorded, or undefined to not record it. */
  readonly recording: (callId: string) => { readonly path: string; readonly name: string } | undefined;
  /** Why no conversation can be held with this agent now, or undefined. */
  readonly engineProblem: (agent: Agent) => string | undefined;
  /** Whether somebody looks at what was said in calls of this agent when they are over. */
  readonly readsAfter?: (agent: Agent) => boolean;
  /** Makes ready an agent that nobody has talked to yet, in steps that hold no other call up. Never rejects. */
  readonly prepare: (agent: Agent) => Promise<void>;
  /** Hears who answers a call out, before the conversation does. Without it the agent speaks at once. */
  readonly openVad?: () => VadDetector;
  /** The parts of a conversation that do not depend on the call's media. */
  readonly conversation: (
    agent: Agent,
    used: TellUse,
  ) => Omit<ConversationDeps, 'port' | 'sink' | 'transfer' | 'end' | 'logger' | 'agent' | 'variables'>;
}

/** How a call comes by its media. */
export interface MediaWay {
  readonly localAddress: string | undefined; // ours, as the other side reaches it
  /** Where the media plane has no part in it. */
  readonly openMedia?: MediaPlane['open'];
}

/** A call that has begun, whatever becomes of it. */
export interface BegunCall {
  readonly id: string;
  readonly parties: CallParties;
  readonly path: ClosePath;
  readonly logger: Logger;
}

const MEDIA_REFUSALS: Record<MediaRefusal, CallEnd> = {
  'no-ports': callEnd('gateway', 'busy', sentence('end.no-port')),
  overloaded: callEnd('gateway', 'busy', sentence('end.media-full')),
  closed: callEnd('gateway', 'draining'),
};

const EVERY_LINE = callEnd('gateway', 'busy', sentence('end.every-line-of-account'));
/** Calls that the book did not begin, and that have no record therefore. */
const NOT_BEGUN: Record<Exclude<Awaited<ReturnType<CallBook['begin']>>, 'ok'>, CallEnd> = {
  'insufficient-credit': callEnd('gateway', 'no-credit'),
  'calls-at-once': callEnd('gateway', 'account-limit', sentence('end.calls-at-once')),
  'calls-a-day': callEnd('gateway', 'account-limit', sentence('end.calls-a-day')),
  'spend-a-day': callEnd('gateway', 'account-limit', sentence('end.spend-a-day')),
  'every-line': EVERY_LINE,
  unavailable: callEnd('gateway', 'store-unavailable'),
};
export const hasNoRecord = (end: CallEnd): boolean => Object.values(NOT_BEGUN).includes(end);

const NO_DESCRIPTORS = callEnd('gateway', 'busy', sentence('full.no-descriptors'));

/** What a call needs before anybody can talk, in or out: room, an agent that can, credit, a port; and its session. */
export class CallSetup {
  constructor(private readonly deps: CallSetupDeps) {}

  /** One that gets no further is counted, and told with `refused`. */
  begin(parties: CallParties, refused: string): BegunCall {
    const { clock, metrics } = this.deps;
    const id = newId('call', clock.utc());
    const logger = this.deps.logger.child({ call_id: id, sipCallId: parties.sipCallId });
    const path = new ClosePath(clock, logger);
    path.holds('metrics', ({ party, reason }) => metrics.callsEnded.inc({ party, reason }));
    path.holds('summary', ({ reason, detail }) =>
      logger.info({ reason, detail, pii: { from: parties.from, to: parties.to } }, refused),
    );
    return { id, parties, path, logger };
  }

  /** Why this process takes no call now. */
  problem(): CallEnd | undefined {
    const { registry, descriptors } = this.deps;
    if (registry.draining) return callEnd('gateway', 'draining');
    if (registry.full) return callEnd('gateway', 'busy', sentence('full.every-line'));
    return descriptors.short ? NO_DESCRIPTORS : undefined;
  }

  /** Why this agent takes none. */
  problemOf(agent: Agent): CallEnd | undefined {
    const { registry, engineProblem, maxCallsPerAccount } = this.deps;
    if (agent.status !== 'live') return callEnd('gateway', 'agent-not-live');
    if (registry.countOf(agent.accountId) >= maxCallsPerAccount) return EVERY_LINE; // Nobody else need be asked.
    const problem = engineProblem(agent);
    return problem === undefined ? undefined : callEnd('gateway', 'no-engine', problem);
  }

  /** @param opening - of a call out: who may speak first, and what becomes of one that a machine takes. */
  session(
    call: BegunCall,
    agent: Agent,
    variables: Readonly<Record<string, string>>,
    opening?: OpeningWish & { readonly message?: string },
  ): CallSession {
    const { deps } = this;
    const { openVad } = deps;
    const listens = opening && openVad && (opening.speakAfterMs > 0 || opening.onMachine !== 'undetected');
    const recording = deps.recording(call.id);
    const seconds = agent.definition.maxCallSeconds;
    const all = { ...agent.definition.variables, ...variables };
    const trace = this.#traceOf(call, agent, variables);
    const used = new ServiceUse({ callId: call.id, ...(trace && { traceparent: traceparentOf(trace.context) }) });
    return new CallSession({
      used,
      ...{ ...call, agent, book: deps.book, ticker: deps.ticker, clock: deps.clock, metrics: deps.metrics },
      ...{ ...(trace && { trace }), ...(deps.hosts && { hosts: deps.hosts }) },
      ...(deps.observe && { observe: deps.observe }),
      ...{ router: deps.router, musicOf: deps.musicOf, hearing: () => deps.conversation(agent, used.tell) },
      ...{ media: deps.media, dialer: deps.dialer, sessionOf: deps.sessionOf, descriptors: deps.descriptors },
      maxCallMs: seconds === undefined ? deps.maxCallMs : Math.min(deps.maxCallMs, seconds * 1000),
      ...{ transferTimeoutMs: deps.transferTimeoutMs, variables: all },
      isReadAfter: deps.readsAfter?.(agent) ?? false,
      ...(listens && { opening: (port, nowMs) => new Opening(port, openVad(), opening, nowMs) }),
      ...(opening?.message !== undefined && { message: opening.message }),
      ...(recording && { recordingPath: recording.path, recordingName: recording.name }),
      converse: (made) =>
        new Conversation({
          ...{ ...deps.conversation(agent, used.tell), ...made, agent, ...(trace && { trace }) },
          variables: all,
        }),
    });
  }

  #traceOf(
    { id, parties: { direction, source } }: BegunCall,
    agent: Agent,
    variables: Readonly<Record<string, string>>,
  ): CallTrace | undefined {
    const { tracing, clock } = this.deps;
    if (!tracing) return undefined;
    const attributes = {
      ...{ 'nidaa.call.id': id, 'nidaa.agent.id': agent.id, 'nidaa.account.id': agent.accountId },
      ...{ 'nidaa.call.direction': direction, ...(source && { 'nidaa.call.source': source.kind }) },
    };
    return new CallTrace(tracing, clock, attributes, direction === 'inbound' ? variables : {});
  }

  /**
   * Whatever the call comes to hold goes on its close path at once; it may be over at every step.
   * @returns the port, which is the call's own; undefined where the call is over.
   */
  async open(call: BegunCall, session: CallSession, agent: Agent, way: MediaWay): Promise<MediaPort | undefined> {
    const port = await withDescriptors(this.deps.descriptors, () => this.#open(call, session, agent, way));
    if (port !== 'no-descriptors') return port;
    await session.close(NO_DESCRIPTORS);
    return undefined;
  }

  async #open(
    { id, parties, path, logger }: BegunCall,
    session: CallSession,
    agent: Agent,
    { localAddress, openMedia }: MediaWay,
  ): Promise<MediaPort | undefined> {
    const { registry, book, media } = this.deps;
    tellStart({ agent, parties, logger });
    registry.add(session);
    path.holds('registry', () => registry.remove(id));
    if (path.end) return undefined;
    const prepared = this.deps.prepare(agent);
    const recording = this.deps.recording(id);
    const begun = await book.begin({
      ...{ id, sipCallId: parties.sipCallId, accountId: agent.accountId, agentId: agent.id },
      ...{ agentVersion: agent.version, agentName: agent.definition.name },
      ...{ direction: parties.direction, from: parties.from, to: parties.to, startedAt: session.startedAt },
      ...(parties.source && { source: parties.source }),
      ...(recording && { recording: recording.name }),
    });
    if (begun === 'ok') path.holds('record', (end) => book.finish(id, session.summary(end)));
    else await session.close(NOT_BEGUN[begun]);
    if (!path.end) await prepared;
    if (path.end) return undefined;
    const options: MediaPortOptions = { callId: id, localAddress, onEvent: (event) => session.onMediaEvent(event) };
    const port = await (openMedia ? openMedia(options) : media.open(options));
    if (typeof port === 'string') {
      await session.close(MEDIA_REFUSALS[port]);
      return undefined;
    }
    session.take(port);
    return port;
  }
}
