import type { NodesDesk, NodeView } from '../desk/desk.ts';
import { ifKnown, type ManageClient, part } from './manage-client.ts';

/** The gateways on its database, over the management API of one. */
export const farNodes = (client: ManageClient): NodesDesk => ({
  list: async () => (await client.ask<{ items: readonly NodeView[] }>({ path: '/system/nodes' })).items,
  drain: (id, drain) =>
    ifKnown(client.ask<NodeView>({ method: 'POST', path: `/system/nodes/${part(id)}/drain`, body: { drain } })),
  forget: async (id) =>
    (await ifKnown(client.ask<{ recordings: number }>({ method: 'POST', path: `/system/nodes/${part(id)}/forget` })))
      ?.recordings,
});
