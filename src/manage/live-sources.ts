import type { CallBook } from '../billing/contract.ts';
import type { CallObserver } from '../call/call-observer.ts';
import type { Trunk } from '../core/trunk.ts';
import type { TrunkStatus } from '../core/trunk-status.ts';
import type { OrderChange } from '../outbound/order-events.ts';
import { CALL_FAULTS } from '../store/overview.ts';
import type { RefusedCall } from '../store/refused-calls.ts';
import type { LiveFeed } from './live-feed.ts';

/** The book of calls, whose entries are told to the feed as they are made. */
export function liveBook(book: CallBook, feed: LiveFeed): CallBook {
  const accounts = new Map<string, string>(); // by call; as many as there are calls
  const tell = (type: Parameters<LiveFeed['publish']>[0], id: string, data: object = {}): void => {
    const accountId = accounts.get(id);
    if (accountId !== undefined) feed.publish(type, accountId, { id, ...data });
  };
  return {
    begin: async (call) => {
      const outcome = await book.begin(call);
      if (outcome !== 'ok') return outcome;
      const { id, accountId, direction, agentId, agentName, from, to } = call;
      accounts.set(id, accountId);
      tell('call.started', id, { direction, agent_id: agentId, agent: agentName, from, to });
      return outcome;
    },
    answered: (id, at) => {
      book.answered(id, at);
      tell('call.answered', id);
    },
    startMinute: (id, minute) => book.startMinute(id, minute),
    turn: (id, turn) => {
      book.turn(id, turn);
      const { index, role, text, startedMs, heardMs, latencyMs } = turn;
      tell('call.turn', id, {
        index,
        role,
        text,
        started_ms: startedMs,
        heard_ms: heardMs,
        latency_ms: latencyMs ?? null,
      });
    },
    transferred: (id, transfers) => book.transferred(id, transfers),
    finish: async (id, summary) => {
      const { end, talkMs } = summary;
      tell('call.ended', id, { end, talk_ms: talkMs });
      if (CALL_FAULTS.includes(end.reason)) tell('alert', id, { kind: 'call-failed', call_id: id, reason: end.reason });
      accounts.delete(id);
      await book.finish(id, summary);
    },
  };
}

/** Tells the feed of words while they are recognised, where somebody reads them. */
export const liveWords =
  (feed: LiveFeed) =>
  (callId: string, accountId: string): CallObserver =>
  (observation) => {
    if (observation.type === 'heard' && !observation.final)
      feed.interim(accountId, { id: callId, text: observation.text });
  };

/** Tells the feed of orders. */
export const liveOrder =
  (feed: LiveFeed) =>
  ({ orderId, accountId, event, state, attempt, callId, reason }: OrderChange): void =>
    feed.publish('order.changed', accountId, {
      ...{ id: orderId, event, state, attempt, call_id: callId ?? null, reason: reason ?? null },
    });

export interface TrunkStates {
  tell(states: ReadonlyMap<string, TrunkStatus>): Promise<void>;
  takeBack(): Promise<void>;
}

/** Where the states of trunks are written, told to the feed where they have changed. */
export function liveTrunkStates(
  states: TrunkStates,
  trunkOf: (id: string) => Trunk | undefined,
  feed: LiveFeed,
): TrunkStates {
  const known = new Map<string, string>(); // by trunk, of which there are a thousand at most
  return {
    takeBack: () => states.takeBack(),
    tell: async (told) => {
      await states.tell(told);
      for (const id of known.keys()) if (!trunkOf(id)) known.delete(id);
      for (const [id, status] of told) {
        const trunk = trunkOf(id);
        const now = JSON.stringify([status.hosts.map(({ uri, state }) => [uri, state]), status.registration?.state]);
        if (!trunk || known.get(id) === now) continue;
        known.set(id, now);
        feed.publish('trunk.changed', trunk.accountId, { id, name: trunk.definition.name, status });
        const isDown = status.hosts.length > 0 && status.hosts.every(({ state }) => state === 'down');
        if (isDown) feed.publish('alert', trunk.accountId, { id, kind: 'trunk-down', name: trunk.definition.name });
      }
    },
  };
}

export interface RefusedRows {
  add(calls: readonly RefusedCall[]): Promise<void>;
}

/** Where refused calls are written: accounts are told that there are some, once for all that are written at once. */
export const liveRefusals = (rows: RefusedRows, feed: LiveFeed): RefusedRows => ({
  add: async (calls) => {
    await rows.add(calls);
    for (const accountId of new Set(calls.map((call) => call.accountId))) {
      if (accountId !== undefined) feed.publish('alert', accountId, { kind: 'call-refused' });
    }
  },
});
