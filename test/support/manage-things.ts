import type { ManageRig } from './manage-rig.ts';

/** One thing of every kind that the other account of the rig has, by the word that stands before `{id}` in paths. */
export async function foreignThings({ store, otherAccountId }: ManageRig): Promise<ReadonlyMap<string, string>> {
  const { token } = await store.tokens.create(otherAccountId, 'theirs');
  const { key } = await store.managementKeys.create(otherAccountId, 'theirs', ['read']);
  const person = await store.people.create(otherAccountId, 'theirs@example.com', 'viewer');
  return new Map([
    ['tokens', token.id],
    ['keys', key.id],
    ['people', (person as { id: string }).id],
  ]);
}
