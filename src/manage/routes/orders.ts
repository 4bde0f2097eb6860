import { type Static, Type } from '@sinclair/typebox';
import { ServiceError } from '../../core/errors.ts';
import type { DialRefusal, DialRequest } from '../../outbound/dial-desk.ts';
import { presentOrder } from '../../outbound/order-view.ts';
import type { DialOrderRow } from '../../store/dial-order-rows.ts';
import { presentRefused } from '../../store/refused-calls.ts';
import type { ManageDeps } from '../deps.ts';
import { ManageError } from '../manage-error.ts';
import { idParam, known, type ManageOperation, operation } from '../operation.ts';
import { afterMoment, afterNumber, limitOf, PAGE_QUERY, page, pageOf } from '../pages.ts';
import { NoticeShape, named, noticesOf, orNull, timestamp, withNotice } from '../schema-names.ts';
import { OrderBody, OrderShape, OrderState } from '../schemas/calls.ts';

const tag = 'Calls';
const params = idParam('order');
const Text = Type.String();
export const RefusedShape = named(
  'RefusedCall',
  Type.Object({
    ...{ at: timestamp(), from: Text, to: Text, source_address: Text, transport: Text, sip_call_id: Text },
    ...{ trunk: orNull(Text), account_id: orNull(Text), reason: Text, detail: Text },
    detail_notice: orNull(NoticeShape),
    remedy: Type.String({ description: 'What would let it in.' }),
    remedy_notice: orNull(NoticeShape),
  }),
);

/** Calls that agents are to make, and calls that were refused. */
export function orderOperations({ store, dialDesk }: ManageDeps): ManageOperation[] {
  return [
    operation(
      {
        ...{
          id: 'placeCall',
          method: 'POST',
          path: '/calls',
          tag,
          scope: 'calls',
          status: 202,
          summary: 'Have an agent call somebody',
        },
        description:
          'Within the limits, calling hours and do-not-call list of outbound calls. The order says what became of it; of a call that is refused ' +
          'the header `X-Service-Reason` has the reason as one word.',
        ...{ body: OrderBody, answer: OrderShape, errors: ['not_called'] },
      },
      async ({ accountId, body, request, reply, changed }) => {
        const key = request.headers['idempotency-key'];
        const wish = { ...requestOf(accountId, body), ...(typeof key === 'string' && { idempotencyKey: key }) };
        const placed = await dialDesk.place(wish);
        if ('refusal' in placed) {
          reply.header('x-service-reason', placed.refusal.reason);
          throw refused(placed.refusal, body.agent);
        }
        const { order } = placed;
        changed({ kind: 'order', id: order.id, after: { agent_id: order.agentId, state: order.state } });
        return present(order);
      },
    ),
    operation(
      {
        ...{
          id: 'listOrders',
          method: 'GET',
          path: '/orders',
          tag,
          scope: 'read',
          summary: 'List calls that were ordered, newest first',
        },
        ...{ query: Type.Object({ ...PAGE_QUERY, state: Type.Optional(OrderState) }), answer: pageOf(OrderShape) },
      },
      async ({ accountId, query }) => {
        const limit = limitOf(query);
        const after = afterMoment(query);
        const rows = await store.dialOrders.list({
          ...{ accountId, limit: limit + 1, ...(query.state && { states: [query.state] }) },
          ...(after && { before: { createdAt: after.at, id: after.id } }),
        });
        return page(
          rows,
          limit,
          ({ createdAt, id }) => [createdAt.toISOString(), id],
          (order) => present(order),
        );
      },
    ),
    operation(
      {
        ...{ id: 'getOrder', method: 'GET', path: '/orders/{id}', tag, scope: 'read', params, answer: OrderShape },
        summary: 'Get an order, with every attempt',
      },
      async ({ accountId, params: { id } }) => {
        const order = known(await store.dialOrders.get(id, accountId), 'order', id);
        return present(order, await store.dialOrders.attemptsOf(id));
      },
    ),
    operation(
      {
        ...{
          id: 'cancelOrder',
          method: 'POST',
          path: '/orders/{id}/cancel',
          tag,
          scope: 'calls',
          params,
          answer: OrderShape,
        },
        summary: 'Cancel an order, wherever it is: one that waits, rings or goes on',
      },
      async ({ accountId, params: { id }, changed }) => {
        const before: DialOrderRow = known(await store.dialOrders.get(id, accountId), 'order', id);
        const order = known(await dialDesk.cancel(id, accountId), 'order', id);
        changed({ kind: 'order', id, before: { state: before.state }, after: { state: order.state, cancelled: true } });
        return present(order);
      },
    ),
    operation(
      {
        ...{ id: 'listRefusedCalls', method: 'GET', path: '/refused-calls', tag, scope: 'read' },
        summary: 'List calls that were refused and what would let them in, newest first',
        description: 'Those of nobody known are shown to operators.',
        ...{ query: Type.Object(PAGE_QUERY), answer: pageOf(RefusedShape) },
      },
      async ({ who, accountId, query }) => {
        const limit = limitOf(query);
        const seq = afterNumber(query);
        const strangers = who.scopes.includes('operator');
        const rows = await store.refusedCalls.page({
          accountId,
          strangers,
          limit: limit + 1,
          ...(seq !== undefined && { seq }),
        });
        return page(
          rows,
          limit,
          (row) => [row.seq],
          (row) => ({ ...presentRefused(row), ...noticesOf(row) }),
        );
      },
    ),
  ];
}

function present(...asked: Parameters<typeof presentOrder>) {
  const { end, ...order } = presentOrder(...asked);
  return { ...order, end: end && withNotice(end) };
}

function requestOf(accountId: string, body: Static<typeof OrderBody>): DialRequest {
  return {
    ...{ accountId, agent: body.agent, to: body.to },
    ...(body.from !== undefined && { from: body.from }),
    ...(body.trunk !== undefined && { trunk: body.trunk }),
    ...(body.variables && { variables: body.variables }),
    ...(body.ring_seconds !== undefined && { maxRingSeconds: body.ring_seconds }),
    ...(body.starts_at !== undefined && { startsAt: new Date(body.starts_at) }),
    ...(body.time_zone !== undefined && { timeZone: body.time_zone }),
    ...(body.on_machine && { machine: { detect: true, onMachine: body.on_machine } }),
    ...(body.message !== undefined && { message: body.message }),
  };
}

function refused({ reason, text }: DialRefusal, agent: string): Error {
  if (reason === 'no-such-agent') return new ManageError('unknown_resource', `agent ${agent}`);
  if (reason === 'key-reused') return new ServiceError('idempotency_mismatch');
  return new ManageError('not_called', text);
}
