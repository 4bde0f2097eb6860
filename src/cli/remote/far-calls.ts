import type { Static } from '@sinclair/typebox';
import { OperatorError } from '../../core/errors.ts';
import type { AddedShape, EntryShape } from '../../manage/routes/do-not-call.ts';
import type { RefusedShape } from '../../manage/routes/orders.ts';
import type { CallShape, LadderShape, ListedCall, OrderBody, OrderShape } from '../../manage/schemas/calls.ts';
import type {
  CallsDesk,
  CallView,
  DoNotCallDesk,
  DoNotCallView,
  LadderView,
  OfAccount,
  OrdersDesk,
  OrderView,
  OrderWish,
  ShownCall,
} from '../desk/desk.ts';
import { ifKnown, type ManageClient, part, Refusal, unless } from './manage-client.ts';
import type { Reach } from './reach.ts';

type Listed = Static<typeof ListedCall>;
type Refused = Static<typeof RefusedShape>;
type Order = Static<typeof OrderShape>;

/** The latest first, as many as are wanted, of rows of several accounts. */
const latest = <T>(rows: readonly T[], limit: number, at: (row: T) => string | null): T[] =>
  [...rows]
    .sort((a, b) => ((at(a) ?? '') < (at(b) ?? '') ? 1 : (at(a) ?? '') > (at(b) ?? '') ? -1 : 0))
    .slice(0, limit);

export function farCalls(client: ManageClient, reach: Reach): CallsDesk {
  const show = (head: Listed, record: NonNullable<Listed['record']>): ShownCall => shownCall(client, head, record);
  const nothing = { dtmf: '', turns: [], transfers: [], quality: null, services: null, fields: [], analysis: null };
  return {
    list: async ({ limit, record }) => {
      const query = { record: String(record) };
      const rows = await reach.each(undefined, (accountId) =>
        client.all<Listed>({ path: '/calls', accountId, query }, limit),
      );
      return latest(rows, limit, (row) => row.started_at).map((row) => show(row, row.record ?? nothing));
    },
    get: async (id) => {
      const found = await reach.find(id, async (accountId) =>
        client.ask<Static<typeof CallShape>>({ path: `/calls/${part(id)}`, accountId }),
      );
      return found && show(found, found);
    },
    ladders: async (id) => {
      const found = await reach.find(id, async (accountId) =>
        client.ask<{ items: Static<typeof LadderShape>[] }>({ path: `/calls/${part(id)}/ladder`, accountId }),
      );
      return (found?.items ?? []) as readonly LadderView[];
    },
    judged: async (limit) => {
      const query = { record: 'true' };
      const rows = await reach.each(undefined, (accountId) =>
        client.all<Listed>({ path: '/calls', accountId, query }, limit),
      );
      return latest(rows, limit, (row) => row.started_at).flatMap(({ record }) => record?.turns ?? []);
    },
    refused: async (limit) => {
      const { account_id: own } = await reach.who();
      const rows = await reach.each(undefined, async (accountId) => {
        const all = await client.all<Refused>({ path: '/refused-calls', accountId }, limit);
        // Operators see calls of nobody beside those of every account.
        return all.filter((row) => row.account_id === accountId || (row.account_id === null && accountId === own));
      });
      return latest(rows, limit, ({ at }) => at);
    },
  };
}

function shownCall(client: ManageClient, head: Listed, record: NonNullable<Listed['record']>): ShownCall {
  const { id, sip_call_id, direction, agent, from, to, source, started_at, ended_at, end } = head;
  const { answered_by, cost_cents, recording, talk_ms } = head;
  const { dtmf, turns, transfers, quality, fields, analysis } = record;
  const { outcome, outcome_label, summary } = head;
  const call = {
    ...{ id, sip_call_id, direction, agent, from, to, source, started_at, ended_at, end, dtmf, answered_by },
    turns: turns.map(({ role, text, started_ms, heard_ms, latency_ms, timings, heard_by }) => ({
      ...{ role, text, started_ms, heard_ms, latency_ms },
      ...(timings && { timings }),
      ...(heard_by && { heard_by }),
    })),
    ...(transfers.length > 0 && { transfers }),
    ...(analysis && { outcome, outcome_label, summary, fields, analysis }),
    ...{ quality, cost_cents },
    // At the gateway it is a file; from elsewhere it is there for whoever has the key.
    recording: recording === null ? null : `${client.baseUrl}/manage/v1/calls/${id}/recording`,
  };
  return { call: call as unknown as CallView, talkMs: talk_ms };
}

export function farOrders(client: ManageClient, reach: Reach): OrdersDesk {
  const path = (id: string): string => `/orders/${part(id)}`;
  const orderOf = (id: string): Promise<OrderView | undefined> =>
    reach.find(id, async (accountId) => client.ask<Order>({ path: path(id), accountId }));
  return {
    place: async (accountId, wish) => {
      const idempotencyKey = wish.idempotencyKey;
      const asked = client.ask<Order>({
        method: 'POST',
        path: '/calls',
        accountId,
        body: bodyOf(wish),
        idempotencyKey,
      });
      const order = await asked.catch(refusedOrder);
      reach.remember(order.id, accountId);
      if (idempotencyKey === undefined) return order;
      // What was answered the first time is answered again: here it is what became of it.
      return { ...((await orderOf(order.id)) ?? order), attempts: [] };
    },
    get: orderOf,
    cancel: (id) =>
      reach.find(id, async (accountId) => client.ask<Order>({ method: 'POST', path: `${path(id)}/cancel`, accountId })),
    list: async (of, limit) =>
      latest(
        await reach.each(of, (accountId) => client.all<Order>({ path: '/orders', accountId }, limit)),
        limit,
        (order) => order.created_at,
      ),
  };
}

/** @throws OperatorError in the words of a command at the gateway. */
function refusedOrder(error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  const { code, reason, message } = error;
  if (code === 'idempotency_mismatch') {
    throw new OperatorError('Not called (key-reused): The idempotency key was used for another call.', {
      cause: error,
    });
  }
  if (reason === undefined) throw error;
  const text =
    code === 'unknown_resource' ? message.replace(/^Unknown agent/, 'No agent') : message.replace(/^Not called: /, '');
  throw new OperatorError(`Not called (${reason}): ${text}`, { cause: error });
}

function bodyOf(wish: OrderWish): Static<typeof OrderBody> {
  const { agent, to, from, trunk, variables, maxRingSeconds, startsAt, timeZone, machine, message } = wish;
  return {
    ...{ agent, to },
    ...(from !== undefined && { from }),
    ...(trunk !== undefined && { trunk }),
    ...(variables && { variables: { ...variables } }),
    ...(maxRingSeconds !== undefined && { ring_seconds: maxRingSeconds }),
    ...(startsAt && { starts_at: startsAt.toISOString() }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
    ...(machine && { on_machine: machine.onMachine }),
    ...(message !== undefined && { message }),
  };
}

export function farDoNotCall(client: ManageClient, reach: Reach): DoNotCallDesk {
  type Entry = Static<typeof EntryShape>;
  const path = '/do-not-call';
  const ownerOf = (of: OfAccount): Entry['owner'] => (of === undefined ? 'operator' : 'account');
  return {
    add: async (of, written, reason) => {
      const body = { number: written, owner: ownerOf(of), ...(reason !== undefined && { reason }) };
      const asked = client.ask<Static<typeof AddedShape>>({ method: 'POST', path, accountId: of, body });
      const added = await unless('invalid_request', asked, noNumber);
      return added && { number: added.number, done: added.added };
    },
    remove: async (of, written) => {
      const query = { number: written };
      const listed = await client.ask<{ items: Entry[] }>({ path, accountId: of, query });
      const entry = listed.items.find(({ owner }) => owner === ownerOf(of));
      if (!entry) return { number: listed.items[0]?.number ?? written, done: false };
      const gone = client.ask({ method: 'DELETE', path: `${path}/${entry.id}`, accountId: of });
      return { number: entry.number, done: (await ifKnown(gone.then(() => true))) === true };
    },
    list: async (of) => {
      const rows = await reach.each(of, async (accountId) =>
        (await client.all<Entry>({ path, accountId })).map((entry): DoNotCallView & { id: string } => ({
          ...{ number: entry.number, account_id: entry.owner === 'account' ? accountId : null },
          ...{ note: entry.reason, since: entry.created_at, id: entry.id },
        })),
      );
      // Those for all are seen with every account.
      const once = [...new Map(rows.map(({ id, ...row }) => [id, row])).values()];
      return once.sort((a, b) => (a.number < b.number ? -1 : a.number > b.number ? 1 : 0));
    },
  };
}

/** Undefined where only the number can be meant. */
function noNumber(refusal: Refusal): undefined {
  if (!/\bnumber\b/.test(refusal.message)) throw refusal;
  return undefined;
}
