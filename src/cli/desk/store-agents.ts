import { newText, textWith } from '../../config/agent-text/agent-text.ts';
import type { Agent } from '../../core/agent.ts';
import { OperatorError } from '../../core/errors.ts';
import type { Store } from '../../store/store.ts';
import type { Settings } from '../settings.ts';
import type { AgentsDesk, AgentToImport, ImportedAgent } from './desk.ts';

const gone = (name: string): OperatorError => new OperatorError(`Agent ${name} was removed meanwhile`);

export function agentsOfStore(store: Store, { logger }: Pick<Settings, 'logger'>): AgentsDesk {
  return {
    list: async (accountId) => {
      const agents = await store.agents.list(accountId);
      const numbers = await store.numbers.list(accountId);
      const numbersOf = (id: string): string[] => numbers.filter((n) => n.agentId === id).map((n) => n.number);
      return agents.map(({ id, version, status, definition: { name, language, voice, model }, updatedAt }) => ({
        ...{ id, name, language, voice, model, status, version, numbers: numbersOf(id) },
        updated_at: updatedAt.toISOString(),
      }));
    },
    publish: async (account, { id, name: wanted }) => {
      const agent = await store.agents.get(account.id, id);
      if (!agent) throw gone(wanted);
      await requirePassingTests(store, logger, agent);
      const published = await (agent.status === 'draft'
        ? store.agents.publish(account.id, id)
        : store.agents.setStatus(account.id, id, 'live'));
      if (!published) throw gone(wanted);
      const { version, status, definition } = published;
      return { id, name: definition.name, version, status };
    },
    written: async (accountId, { id, name }) => {
      const agent = await store.agents.get(accountId, id);
      const found = agent && (await store.agents.version(accountId, id, agent.version));
      if (!found) throw gone(name);
      const { version, definition, yaml } = found;
      return { version, yaml: textWith(yaml, definition) ?? newText(definition) };
    },
    setNumberEnabled: (accountId, number, enabled) => store.numbers.setEnabled(number, accountId, enabled),
    numbersElsewhere: (accountId, numbers) => store.numbers.takenByOthers(accountId, numbers),
    import: (accountId, agent) => importInto(store, logger, accountId, agent),
  };
}

async function importInto(
  store: Store,
  logger: Settings['logger'],
  accountId: string,
  { definition, text, number, tests: yaml, take }: AgentToImport,
): Promise<ImportedAgent | 'number-taken'> {
  const { name } = definition;
  const known = await store.agents.getByName(accountId, name);
  if (known && yaml !== undefined) await store.agentTests.put(accountId, known.id, { yaml });
  if (known) await requirePassingTests(store, logger, { ...known, definition });
  const agent = known
    ? await store.agents.publish(accountId, known.id, definition, text)
    : await store.agents.create(accountId, definition, 'live', text);
  if (!agent) throw gone(name);
  if (!known && yaml !== undefined) await store.agentTests.put(accountId, agent.id, { yaml });
  const outcome = await store.numbers.assign(number, accountId, agent.id, { take });
  if (outcome === 'no-agent') throw gone(name);
  if (outcome === 'taken') return 'number-taken';
  return { id: agent.id, name, version: agent.version, number };
}

async function requirePassingTests(store: Store, logger: Settings['logger'], agent: Agent): Promise<void> {
  if (!(await store.agentTests.get(agent.accountId, agent.id))?.required) return;
  const required = await import('./required-tests.ts'); // Engines and all: other commands start without them.
  await required.requirePassingTests(store, logger, agent);
}
