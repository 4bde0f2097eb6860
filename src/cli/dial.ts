import { loadPrices } from '../config/prices.ts';
import { delay, systemClock } from '../core/clock.ts';
import { OperatorError } from '../core/errors.ts';
import { DialDesk, type DialRequest } from '../outbound/dial-desk.ts';
import { canonicalNumber } from '../outbound/dialled-number.ts';
import { presentOrder } from '../outbound/order-view.ts';
import type { DialAttemptRow, DialOrderRow } from '../store/dial-order-rows.ts';
import type { Store } from '../store/store.ts';
import { mayCallBy } from '../trunks/may-call.ts';
import { findAccount } from './accounts.ts';
import type { CommandContext } from './context.ts';
import { emit, facts, type Output, table } from './output.ts';

export type DialWish = Omit<DialRequest, 'accountId'> & { readonly account?: string; readonly wait: boolean };

const WAIT_POLL_MS = 250;

const deskOf = ({ config }: CommandContext, store: Store): DialDesk =>
  new DialDesk({
    ...{ store, settings: config.outbound, clock: systemClock },
    firstMinuteCents: loadPrices(config.paths.pricesFile).liveMinuteCents,
    mayCall: mayCallBy(store.trunks),
  });

/** Orders a call; the running gateway makes it. @returns whether it was answered, where that was waited for. */
export function dial(context: CommandContext, { account, wait, ...request }: DialWish): Promise<boolean> {
  return context.withStore(async (store) => {
    const { id: accountId } = await findAccount(store, account);
    const placed = await deskOf(context, store).place({ ...request, accountId });
    if ('refusal' in placed) throw new OperatorError(`Not called (${placed.refusal.reason}): ${placed.refusal.text}`);
    const { out } = context;
    if (!wait) {
      emit(out, presentOrder(placed.order), () => out.write(`${placed.order.id}  ${placed.order.state}\n`));
      return true;
    }
    const order = await untilEnded(store, placed.order, (one) => {
      if (!out.json) out.write(`${one.id}  ${describeState(one)}\n`);
    });
    if (out.json) emit(out, presentOrder(order), () => undefined);
    return order.answeredAt !== null;
  });
}

async function untilEnded(
  store: Store,
  first: DialOrderRow,
  changed: (order: DialOrderRow) => void,
): Promise<DialOrderRow> {
  let shown: string | undefined;
  for (let order = first; ; ) {
    if (describeState(order) !== shown) changed(order);
    shown = describeState(order);
    if (order.state === 'ended') return order;
    await delay(systemClock, WAIT_POLL_MS);
    order = (await store.dialOrders.get(order.id)) ?? order;
  }
}

export function showOrder(context: CommandContext, id: string): Promise<void> {
  return context.withStore(async (store) => {
    const order = await known(store, id);
    const attempts = await store.dialOrders.attemptsOf(id);
    emit(context.out, presentOrder(order, attempts), () => describe(context.out, order, attempts));
  });
}

export function cancelOrder(context: CommandContext, id: string): Promise<void> {
  return context.withStore(async (store) => {
    await known(store, id);
    const order = (await deskOf(context, store).cancel(id))!;
    emit(context.out, presentOrder(order), () => {
      const ended = order.state === 'ended';
      context.out.write(`${id}  ${ended ? describeState(order) : 'the gateway ends it'}\n`);
    });
  });
}

export function listOrders(
  context: CommandContext,
  options: { readonly limit: number; readonly account?: string },
): Promise<void> {
  return context.withStore(async (store) => {
    const account = options.account === undefined ? undefined : await findAccount(store, options.account);
    const orders = await store.dialOrders.list({ limit: options.limit, ...(account && { accountId: account.id }) });
    emit(
      context.out,
      orders.map((order) => presentOrder(order)),
      () =>
        table(
          context.out,
          ['id', 'ordered', 'to', 'calls', 'state'],
          orders.map((order) => [
            ...[order.id, order.createdAt.toISOString().slice(0, 19), order.target],
            ...[String(order.attempt), describeState(order)],
          ]),
        ),
    );
  });
}

/** `all`: the entry is for every account. */
export interface DncWish {
  readonly account?: string;
  readonly all?: boolean;
}

export function addDoNotCall(
  context: CommandContext,
  written: string,
  wish: DncWish & { readonly note?: string },
): Promise<void> {
  return withNumber(context, written, wish, async (store, number, accountId) => {
    const added = await store.doNotCall.add(number, accountId, wish.note);
    return added ? 'is not called any more' : 'was on the list before';
  });
}

export function removeDoNotCall(context: CommandContext, written: string, wish: DncWish): Promise<void> {
  return withNumber(context, written, wish, async (store, number, accountId) => {
    if (!(await store.doNotCall.remove(number, accountId))) throw new OperatorError(`${number} is not on the list.`);
    return 'may be called again';
  });
}

export function listDoNotCall(context: CommandContext, wish: DncWish): Promise<void> {
  return context.withStore(async (store) => {
    const account = wish.account === undefined ? undefined : await findAccount(store, wish.account);
    const rows = await store.doNotCall.list(account?.id);
    const shown = rows.map(({ number, accountId, note, createdAt }) => ({
      ...{ number, account_id: accountId, note, since: createdAt.toISOString() },
    }));
    emit(context.out, shown, () =>
      table(
        context.out,
        ['number', 'account', 'since', 'note'],
        shown.map((row) => [row.number, row.account_id ?? 'all', row.since.slice(0, 19), row.note]),
      ),
    );
  });
}

function withNumber(
  context: CommandContext,
  written: string,
  { account, all }: DncWish,
  act: (store: Store, number: string, accountId: string | undefined) => Promise<string>,
): Promise<void> {
  const number = canonicalNumber(written, context.config.outbound.countryCode);
  if (number === undefined) throw new OperatorError(`${written} is no number.`);
  return context.withStore(async (store) => {
    const accountId = all ? undefined : (await findAccount(store, account)).id;
    const done = await act(store, number, accountId);
    emit(context.out, { number, account_id: accountId ?? null }, () => context.out.write(`${number}  ${done}\n`));
  });
}

async function known(store: Store, id: string): Promise<DialOrderRow> {
  const order = await store.dialOrders.get(id);
  if (!order) throw new OperatorError(`No call ${id} was ordered. \`calls out\` shows the latest.`);
  return order;
}

function describeState(order: DialOrderRow): string {
  if (order.state === 'ended') return `ended: ${order.endReason}${order.endDetail ? ` (${order.endDetail})` : ''}`;
  if (order.state !== 'queued') return order.cancelAt ? `${order.state}, to be cancelled` : order.state;
  const again = order.attempt > 0 ? ` again, after ${order.endReason}` : '';
  return order.nextAt > new Date()
    ? `queued${again} until ${order.nextAt.toISOString().slice(0, 19)}Z`
    : `queued${again}`;
}

function describe(out: Output, order: DialOrderRow, attempts: readonly DialAttemptRow[]): void {
  const at = (time: Date | null): string => time?.toISOString() ?? '-';
  facts(out, [
    ['order', order.id],
    ['to', order.target],
    ['from', order.from],
    ['state', describeState(order)],
    ['ordered', at(order.createdAt)],
    ['dialled', at(order.sentAt)],
    ['ringing', at(order.ringingAt)],
    ['answered', at(order.answeredAt)],
    ['ended', at(order.endedAt)],
    ['call', order.callId ?? 'none'],
    ['SIP Call-ID', order.sipCallId ?? 'none'],
  ]);
  if (attempts.length > 1) out.write('\n');
  for (const one of attempts.length > 1 ? attempts : []) {
    out.write(`${String(one.attempt).padStart(2)}. ${at(one.diallingAt)}  ${one.endReason ?? 'under way'}\n`);
  }
}
