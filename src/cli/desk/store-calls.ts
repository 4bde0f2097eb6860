import { loadPrices } from '../../config/prices.ts';
import { systemClock } from '../../core/clock.ts';
import { OperatorError } from '../../core/errors.ts';
import type { JudgedTurn } from '../../core/turn-details.ts';
import { DialDesk } from '../../outbound/dial-desk.ts';
import { canonicalNumber } from '../../outbound/dialled-number.ts';
import { presentOrder } from '../../outbound/order-view.ts';
import { type CallRow, type CallWithTurns, presentCall } from '../../store/call-rows.ts';
import { presentLadder } from '../../store/ladders.ts';
import { presentRefused } from '../../store/refused-calls.ts';
import type { Store } from '../../store/store.ts';
import { mayCallBy } from '../../trunks/may-call.ts';
import type { Settings } from '../settings.ts';
import type { CallsDesk, DoNotCallDesk, OrdersDesk } from './desk.ts';

const shownCall = (found: CallWithTurns) => ({ call: presentCall(found), talkMs: found.call.talkMs });

export const callsOfStore = (store: Store): CallsDesk => ({
  list: async ({ limit, record }) => {
    const rows = await store.calls.list({ limit });
    const turnsOf = (call: CallRow) => (record ? store.calls.turnsOf(call.id) : []);
    const shown: ReturnType<typeof shownCall>[] = [];
    for (const call of rows) shown.push(shownCall({ call, turns: await turnsOf(call) }));
    return shown;
  },
  get: async (id) => {
    const found = await store.calls.get(id);
    return found && shownCall(found);
  },
  ladders: async (id) => (await store.ladders.of(id)).map(presentLadder),
  judged: async (limit) => {
    const found: JudgedTurn[] = [];
    for (const { id } of await store.calls.list({ limit })) {
      for (const { details } of await store.calls.turnsOf(id)) if (details) found.push(details);
    }
    return found;
  },
  refused: async (limit) => (await store.refusedCalls.list(limit)).map(presentRefused),
});

export function ordersOfStore(store: Store, { config }: Pick<Settings, 'config'>): OrdersDesk {
  const desk = new DialDesk({
    ...{ store, settings: config.outbound, clock: systemClock },
    firstMinuteCents: loadPrices(config.paths.pricesFile).liveMinuteCents,
    mayCall: mayCallBy(store.trunks),
  });
  return {
    place: async (accountId, wish) => {
      const placed = await desk.place({ ...wish, accountId });
      if (!('refusal' in placed)) return presentOrder(placed.order);
      throw new OperatorError(`Not called (${placed.refusal.reason}): ${placed.refusal.text}`);
    },
    get: async (id) => {
      const order = await store.dialOrders.get(id);
      return order && presentOrder(order, await store.dialOrders.attemptsOf(id));
    },
    cancel: async (id) => {
      const order = await desk.cancel(id);
      return order && presentOrder(order);
    },
    list: async (accountId, limit) => {
      const rows = await store.dialOrders.list({ limit, ...(accountId !== undefined && { accountId }) });
      return rows.map((order) => presentOrder(order));
    },
  };
}

export function doNotCallOfStore({ doNotCall }: Store, { config }: Pick<Settings, 'config'>): DoNotCallDesk {
  const numberOf = (written: string): string | undefined => canonicalNumber(written, config.outbound.countryCode);
  return {
    add: async (accountId, written, reason) => {
      const number = numberOf(written);
      return number === undefined ? undefined : { number, done: await doNotCall.add(number, accountId, reason) };
    },
    remove: async (accountId, written) => {
      const number = numberOf(written);
      return number === undefined ? undefined : { number, done: await doNotCall.remove(number, accountId) };
    },
    list: async (of) =>
      (await doNotCall.list(of)).map(({ number, accountId, note, createdAt }) => ({
        ...{ number, account_id: accountId, note, since: createdAt.toISOString() },
      })),
  };
}
