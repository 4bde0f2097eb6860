import type { AgentDefinition } from '../../src/core/agent.ts';
import type { ManageRig } from './manage-rig.ts';

export const DEFINITION: AgentDefinition = {
  ...{ name: 'Corner Bakery', language: 'en-US', voice: 'emma', model: 'sada-1' },
  greeting: { en: 'Corner Bakery, {{name}}, how can I help you?' },
  variables: { name: 'friend' },
  knowledge: [{ question: { en: ['when are you open'] }, answer: { en: 'We are open from seven to nine.' } }],
};

/** One thing of every kind that the other account of the rig has, by the word that stands before `{id}` in paths. */
export async function foreignThings({ store, otherAccountId }: ManageRig): Promise<ReadonlyMap<string, string>> {
  const { token } = await store.tokens.create(otherAccountId, 'theirs');
  const { key } = await store.managementKeys.create(otherAccountId, 'theirs', ['read']);
  const person = await store.people.create(otherAccountId, 'theirs@example.com', 'viewer');
  const agent = await store.agents.create(otherAccountId, DEFINITION);
  await store.numbers.assign('+966112345678', otherAccountId, agent.id);
  return new Map([
    ['agents', agent.id],
    ['numbers', '+966112345678'],
    ['tokens', token.id],
    ['keys', key.id],
    ['people', (person as { id: string }).id],
  ]);
}
