import { WEBHOOK_TEST, type WebhookBody } from '../core/webhook.ts';
import { type CallRow, type CallWithTurns, presentAnalysis, presentCall } from '../store/call-rows.ts';
import type { Store } from '../store/store.ts';
import type { WebhookEvent } from '../store/webhook-deliveries.ts';

type Data = Record<string, unknown>;
export type EventSource = Pick<Store, 'calls' | 'dialOrders' | 'refusedCalls'>;

/** Of the turns of one call; the rest is to be asked for. */
const TURNS_CHARS_MAX = 500_000;
/** What is left where nothing personal may be said any more. */
const GONE: Data = { erased: true };

/**
 * What is sent of an event. Its data are read from the database each time, so that a try that comes late, or a replay, tells
 * what may be told then: nothing of a call that was erased or of words that are not kept any more.
 */
export async function bodyOf(source: EventSource, event: WebhookEvent): Promise<WebhookBody> {
  const { id, type, createdAt, accountId } = event;
  return {
    id,
    type,
    created_at: createdAt.toISOString(),
    account_id: accountId,
    data: await DATA[type](source, event),
  };
}

const DATA: Record<WebhookEvent['type'], (source: EventSource, event: WebhookEvent) => Promise<Data>> = {
  'call.started': ofCall(({ call }) => startOf(call)),
  'call.answered': ofCall(({ call }) => ({ ...startOf(call), ...answerOf(call) })),
  'call.transferred': ofCall(({ call }, { facts }) => ({
    ...startOf(call),
    ...answerOf(call),
    ...transferOf(call, facts),
  })),
  'call.ended': endedCall,
  'call.analysed': ofCall(({ call }) => ({ ...startOf(call), ...presentAnalysis(call) })),
  'call.refused': refusedCall,
  'order.ended': endedOrder,
  'trunk.down': async (_source, { subjectId, facts }) => ({ id: subjectId, ...facts }),
  'trunk.up': async (_source, { subjectId, facts }) => ({ id: subjectId, ...facts }),
  'balance.low': async (_source, { facts }) => ({ ...facts }),
  [WEBHOOK_TEST]: async () => ({ message: 'A test of this webhook.' }),
};

type Present = (found: CallWithTurns, event: WebhookEvent) => Data;

function ofCall(present: Present): (source: EventSource, event: WebhookEvent) => Promise<Data> {
  return async ({ calls }, event) => {
    const found = await calls.get(event.subjectId, event.accountId);
    if (!found || found.call.erasedAt) return { id: event.subjectId, ...GONE };
    return present(found, event);
  };
}

function startOf(call: CallRow): Data {
  const { id, direction, agent, from, to, source, started_at } = presentCall({ call, turns: [] });
  return { id, direction, agent_id: call.agentId, agent, from, to, source, started_at };
}

const answerOf = ({ answeredAt }: CallRow): Data => ({ answered_at: answeredAt?.toISOString() ?? null });

/** The n-th person that the caller got through to. */
function transferOf(call: CallRow, { number }: WebhookEvent['facts']): Data {
  const through = (call.transfers ?? []).filter(({ outcome }) => outcome === 'joined' || outcome === 'transferred');
  const one = through[Number(number) - 1];
  return { transfer: one ? { target: one.target, by: one.by, outcome: one.outcome, started_ms: one.startedMs } : null };
}

/** What a call came to. */
async function endedCall(source: EventSource, event: WebhookEvent): Promise<Data> {
  const { calls, dialOrders } = source;
  const found = await calls.get(event.subjectId, event.accountId);
  if (!found) return { id: event.subjectId, ...GONE };
  const { call } = found;
  const { end, cost_cents, dtmf, turns, transfers, quality } = presentCall(found);
  const facts = {
    ...{ ended_at: call.endedAt?.toISOString() ?? null, talk_ms: call.talkMs, end, cost_cents },
    ...(event.facts['corrects'] === true && { corrects: true }),
  };
  if (call.erasedAt) return { id: call.id, ...GONE, ...facts };
  const order = call.direction === 'outbound' ? await dialOrders.ofCall(call.id, call.accountId) : undefined;
  const told = within(turns, TURNS_CHARS_MAX);
  return {
    ...{ ...startOf(call), ...answerOf(call), ...facts },
    ...{
      answered_by: call.answeredBy,
      dtmf,
      transfers: transfers ?? [],
      quality,
      has_recording: call.recording !== null,
    },
    ...{ order_id: order?.id ?? null, variables: order?.variables ?? null },
    ...presentAnalysis(call),
    ...{ turns: told, turns_left_out: turns.length - told.length },
  };
}

/** As many from the beginning as have room. */
function within<T>(items: readonly T[], charactersMax: number): readonly T[] {
  let characters = 0;
  const end = items.findIndex((item) => {
    characters += JSON.stringify(item).length;
    return characters > charactersMax;
  });
  return end < 0 ? items : items.slice(0, end);
}

async function refusedCall({ refusedCalls }: EventSource, { accountId, facts }: WebhookEvent): Promise<Data> {
  const seq = Number(facts['seq']);
  const [row] = await refusedCalls.page({ limit: 1, accountId, seq: seq + 1 });
  if (row?.seq !== seq) return GONE; // only the last refusals are kept
  const { at, from, to, trunk, reason, detail, remedy } = row;
  return { at: at.toISOString(), from, to, trunk, reason, detail, remedy };
}

async function endedOrder({ dialOrders }: EventSource, { accountId, subjectId }: WebhookEvent): Promise<Data> {
  const order = await dialOrders.get(subjectId, accountId);
  if (!order) return { id: subjectId, ...GONE };
  const { id, agentId, attempt, callId, endParty: party, endReason: reason, endDetail: detail } = order;
  const erased = order.target === ''; // with the call that it was for
  return {
    ...{ id, agent_id: agentId, attempts: attempt, call_id: callId, ended_at: order.endedAt?.toISOString() ?? null },
    end: { party, reason, ...(detail && !erased && { detail }) },
    ...(erased ? GONE : { to: order.target, from: order.from, variables: order.variables }),
  };
}
