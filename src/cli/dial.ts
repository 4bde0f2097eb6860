import { delay, systemClock } from '../core/clock.ts';
import { OperatorError } from '../core/errors.ts';
import { accountIdOf, findAccount } from './accounts.ts';
import type { CommandContext } from './context.ts';
import type { Desk, DoNotCallDesk, DoNotCallDone, OrderView, OrderWish } from './desk/desk.ts';
import { emit, facts, type Output, table } from './output.ts';

export type DialWish = OrderWish & { readonly account?: string; readonly wait: boolean };

const WAIT_POLL_MS = 250;

/** Orders a call; the running gateway makes it. @returns whether it was answered, where that was waited for. */
export function dial(context: CommandContext, { account, wait, ...wish }: DialWish): Promise<boolean> {
  return context.withDesk(async (desk) => {
    const { id: accountId } = await findAccount(desk, account);
    const placed = await desk.orders.place(accountId, wish);
    const { out } = context;
    if (!wait) {
      emit(out, placed, () => out.write(`${placed.id}  ${placed.state}\n`));
      return true;
    }
    const order = await untilEnded(desk, placed, (one) => {
      if (!out.json) out.write(`${one.id}  ${describeState(one)}\n`);
    });
    if (out.json) emit(out, order, () => undefined);
    return order.answered_at !== null;
  });
}

async function untilEnded({ orders }: Desk, first: OrderView, changed: (order: OrderView) => void): Promise<OrderView> {
  let shown: string | undefined;
  for (let order = first; ; ) {
    if (describeState(order) !== shown) changed(order);
    shown = describeState(order);
    if (order.state === 'ended') return order;
    await delay(systemClock, WAIT_POLL_MS);
    order = (await orders.get(order.id)) ?? order;
  }
}

export function showOrder(context: CommandContext, id: string): Promise<void> {
  return context.withDesk(async ({ orders }) => {
    const order = known(await orders.get(id), id);
    emit(context.out, order, () => describe(context.out, order));
  });
}

export function cancelOrder(context: CommandContext, id: string): Promise<void> {
  return context.withDesk(async ({ orders }) => {
    const order = known(await orders.cancel(id), id);
    emit(context.out, order, () => {
      const ended = order.state === 'ended';
      context.out.write(`${id}  ${ended ? describeState(order) : 'the gateway ends it'}\n`);
    });
  });
}

export function listOrders(
  context: CommandContext,
  options: { readonly limit: number; readonly account?: string },
): Promise<void> {
  return context.withDesk(async (desk) => {
    const orders = await desk.orders.list(await accountIdOf(desk, options.account), options.limit);
    emit(context.out, orders, () =>
      table(
        context.out,
        ['id', 'ordered', 'to', 'calls', 'state'],
        orders.map((order) => [
          ...[order.id, order.created_at?.slice(0, 19) ?? '-', order.to],
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
  return withNumber(context, written, wish, {
    act: (list, accountId) => list.add(accountId, written, wish.note),
    tell: ({ done }) => (done ? 'is not called any more' : 'was on the list before'),
  });
}

export function removeDoNotCall(context: CommandContext, written: string, wish: DncWish): Promise<void> {
  return withNumber(context, written, wish, {
    act: (list, accountId) => list.remove(accountId, written),
    tell: ({ number, done }) => {
      if (!done) throw new OperatorError(`${number} is not on the list.`);
      return 'may be called again';
    },
  });
}

export function listDoNotCall(context: CommandContext, wish: DncWish): Promise<void> {
  return context.withDesk(async (desk) => {
    const rows = await desk.doNotCall.list(await accountIdOf(desk, wish.account));
    emit(context.out, rows, () =>
      table(
        context.out,
        ['number', 'account', 'since', 'note'],
        rows.map((row) => [row.number, row.account_id ?? 'all', row.since.slice(0, 19), row.note]),
      ),
    );
  });
}

interface OnNumber {
  readonly act: (list: DoNotCallDesk, accountId: string | undefined) => Promise<DoNotCallDone | undefined>;
  readonly tell: (done: DoNotCallDone) => string;
}

function withNumber(
  context: CommandContext,
  written: string,
  { account, all }: DncWish,
  { act, tell }: OnNumber,
): Promise<void> {
  return context.withDesk(async (desk) => {
    const accountId = all ? undefined : (await findAccount(desk, account)).id;
    const done = await act(desk.doNotCall, accountId);
    if (!done) throw new OperatorError(`${written} is no number.`);
    const text = tell(done);
    const { number } = done;
    emit(context.out, { number, account_id: accountId ?? null }, () => context.out.write(`${number}  ${text}\n`));
  });
}

function known(order: OrderView | undefined, id: string): OrderView {
  if (!order) throw new OperatorError(`No call ${id} was ordered. \`calls out\` shows the latest.`);
  return order;
}

function describeState({ state, end, cancel_wanted, attempt, next_at }: OrderView): string {
  if (state === 'ended') return `ended: ${end?.reason ?? null}${end?.detail ? ` (${end.detail})` : ''}`;
  if (state !== 'queued') return cancel_wanted ? `${state}, to be cancelled` : state;
  const again = attempt > 0 ? ` again, after ${end?.reason ?? null}` : '';
  const later = next_at !== null && new Date(next_at) > systemClock.utc();
  return later ? `queued${again} until ${next_at.slice(0, 19)}Z` : `queued${again}`;
}

function describe(out: Output, order: OrderView): void {
  facts(out, [
    ['order', order.id],
    ['to', order.to],
    ['from', order.from],
    ['state', describeState(order)],
    ['ordered', order.created_at ?? '-'],
    ['dialled', order.sent_at ?? '-'],
    ['ringing', order.ringing_at ?? '-'],
    ['answered', order.answered_at ?? '-'],
    ['ended', order.ended_at ?? '-'],
    ['call', order.call_id ?? 'none'],
    ['SIP Call-ID', order.sip_call_id ?? 'none'],
  ]);
  const attempts = order.attempts.length > 1 ? order.attempts : [];
  if (attempts.length > 0) out.write('\n');
  for (const one of attempts) {
    out.write(`${String(one.attempt).padStart(2)}. ${one.dialling_at}  ${one.reason ?? 'under way'}\n`);
  }
}
