import { presentNode } from '../../store/node-view.ts';
import type { Store } from '../../store/store.ts';
import type { NodesDesk } from './desk.ts';

/** The gateways on the database of this machine. */
export function nodesOfStore({ gateways }: Store): NodesDesk {
  const list = async () => (await gateways.nodes()).map((row) => presentNode(row, gateways.id));
  return {
    list,
    drain: async (id, drains) =>
      (await gateways.askDrain(id, drains)) ? (await list()).find((one) => one.id === id) : undefined,
  };
}
