import { passwordLink } from '../core/management.ts';
import type { Store } from '../store/store.ts';

/**
 * The link that makes the operator of a new installation; undefined where somebody was made or invited already. A later start,
 * or another gateway's, makes another: only hashes are kept, so that this one cannot be shown again.
 */
export async function firstLink(store: Store, accountId: string, baseUrl: string): Promise<string | undefined> {
  if (!(await store.people.areNone())) return undefined;
  return passwordLink(baseUrl, await store.personAccess.createLink(accountId, undefined));
}
