import { forgetNode } from '../../store/forget-node.ts';
import { presentNode } from '../../store/node-view.ts';
import type { Store } from '../../store/store.ts';
import type { NodesDesk } from './desk.ts';

/** The gateways on the database of this machine. */
export function nodesOfStore(store: Store): NodesDesk {
  const { gateways } = store;
  const list = async () => (await gateways.nodes()).map((row) => presentNode(row, gateways.id));
  return {
    list,
    drain: async (id, drains) =>
      (await gateways.askDrain(id, drains)) ? (await list()).find((one) => one.id === id) : undefined,
    forget: async (id) => {
      const lost = await forgetNode(store, id);
      return lost === 'lives' ? undefined : lost;
    },
  };
}
