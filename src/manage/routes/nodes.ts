import { Type } from '@sinclair/typebox';
import { presentNode } from '../../store/node-view.ts';
import type { ManageDeps } from '../deps.ts';
import { idParam, known, type ManageOperation, operation } from '../operation.ts';
import { named, oneOf, orNull, timestamp } from '../schema-names.ts';

const Text = Type.String();
const tag = 'System';
const scope = 'operator';

const NodeShape = named(
  'Node',
  Type.Object({
    id: Type.String({ description: 'Of the process; another one after each start.' }),
    node: Type.String({ description: 'Of its data folder, for good.' }),
    this: Type.Boolean({ description: 'It is the one that answers.' }),
    host: orNull(Text),
    state: oneOf(['starting', 'serving', 'draining', 'lost'] as const),
    drain_asked: Type.Boolean({ description: 'Somebody wants it to take nothing new.' }),
    ...{ version: orNull(Text), sip: orNull(Text), api: orNull(Text) },
    calls: orNull(Type.Integer({ description: 'At its last word.' })),
    capacity: orNull(Type.Integer({ description: 'Calls that its media plane takes at once.' })),
    ...{ started_at: timestamp(), seen_at: timestamp() },
  }),
);

/** The gateways on one database. */
export function nodeOperations({ store: { gateways } }: ManageDeps): ManageOperation[] {
  return [
    operation(
      {
        ...{ id: 'listNodes', method: 'GET', path: '/system/nodes', tag, scope },
        summary:
          'List the gateways on the database of this one: those that live, and those that were lost within the hour',
        answer: Type.Object({ items: Type.Array(NodeShape) }),
      },
      async () => ({ items: (await gateways.nodes()).map((row) => presentNode(row, gateways.id)) }),
    ),
    operation(
      {
        ...{ id: 'drainNode', method: 'POST', path: '/system/nodes/{id}/drain', tag, scope },
        summary: 'Have a gateway take nothing new, or serve again',
        description:
          'It says so to load balancers and SIP peers within seconds, refuses new calls after `shutdown.leadSeconds`, and lets those go on that ' +
          'it has. It does not end; its next start serves again.',
        params: idParam('gateway: its `id`'),
        body: Type.Object({ drain: Type.Boolean({ description: 'False has it serve again.' }) }),
        answer: NodeShape,
      },
      async ({ params: { id }, body, changed }) => {
        const isDone = await gateways.askDrain(id, body.drain);
        const found = isDone ? (await gateways.nodes()).find((one) => one.id === id) : undefined;
        const node = presentNode(known(found, 'gateway', id), gateways.id);
        changed({ kind: 'node', id, after: body });
        return node;
      },
    ),
  ];
}
