import { Type } from '@sinclair/typebox';
import { sentence } from '../../core/notice.ts';
import { forgetNode } from '../../store/forget-node.ts';
import { presentNode } from '../../store/node-view.ts';
import type { ManageDeps } from '../deps.ts';
import { ManageError } from '../manage-error.ts';
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
    state: oneOf(['starting', 'serving', 'draining', 'lost', 'ended'] as const),
    drain_asked: Type.Boolean({ description: 'Somebody wants it to take nothing new.' }),
    ...{ version: orNull(Text), sip: orNull(Text), api: orNull(Text) },
    calls: orNull(Type.Integer({ description: 'At its last word.' })),
    capacity: orNull(Type.Integer({ description: 'Calls that its media plane takes at once.' })),
    recordings: orNull(Type.Integer({ description: 'On its disk and nowhere else, of one that is not there.' })),
    ...{ started_at: timestamp(), seen_at: timestamp() },
  }),
);

/** The gateways on one database. */
export function nodeOperations({ store }: ManageDeps): ManageOperation[] {
  const { gateways } = store;
  return [
    operation(
      {
        ...{ id: 'listNodes', method: 'GET', path: '/system/nodes', tag, scope },
        summary:
          'List the gateways on the database of this one: those that live, were lost within the hour, or are gone while their disk is waited for',
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
    operation(
      {
        ...{ id: 'forgetNode', method: 'POST', path: '/system/nodes/{id}/forget', tag, scope },
        summary: 'Give up a gateway that never comes back, with what only its disk had',
        description:
          'Its calls have no recordings any more, and erasures wait for it no longer: for a disk that is destroyed. A gateway that lives, or ' +
          'will be started again on its data folder, is to be left alone.',
        params: idParam('gateway: its `id`'),
        answer: Type.Object({ recordings: Type.Integer({ description: 'That are gone with it.' }) }),
        errors: ['not_possible'],
      },
      async ({ params: { id }, changed }) => {
        const lost = known(await forgetNode(store, id), 'gateway', id);
        if (lost === 'lives') throw new ManageError('not_possible', sentence('refused.gateway-lives'));
        changed({ kind: 'node', id, after: { recordings: lost } });
        return { recordings: lost };
      },
    ),
  ];
}
