import type { Store } from './store.ts';

/** Of one statement, which holds the calls locked that it changes. */
const PIECE = 500;

/**
 * Gives up what only the disk of a node had that never comes back: its recordings, and its journal of charges. Erasures wait for it no
 * longer. Killed in the middle it may be run again.
 *
 * @param id - of its last gateway.
 * @returns how many recordings were lost with it; undefined where there is no such gateway.
 */
export async function forgetNode(
  { gateways, recordings, erasures }: Pick<Store, 'gateways' | 'recordings' | 'erasures'>,
  id: string,
): Promise<number | 'lives' | undefined> {
  const node = await gateways.retire(id);
  if (node === undefined || node === 'lives') return node;
  let lost = 0;
  for (let more = PIECE; more === PIECE; lost += more) more = await recordings.lose(node.name, PIECE);
  await erasures.goOn();
  return lost;
}
