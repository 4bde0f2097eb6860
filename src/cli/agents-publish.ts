import { runAsText } from '../agent-tests/text-run.ts';
import { loadConfig, processEnvironment } from '../config/load.ts';
import type { Agent } from '../core/agent.ts';
import { systemClock } from '../core/clock.ts';
import { OperatorError } from '../core/errors.ts';
import { ManageError } from '../manage/manage-error.ts';
import { TestDesk } from '../manage/test-desk.ts';
import type { Store } from '../store/store.ts';
import { findAccount } from './accounts.ts';
import type { CommandContext } from './context.ts';
import { emit } from './output.ts';
import { textRunDeps } from './text-run-deps.ts';

/** Lets an agent answer calls: a draft, or one that was paused. Where its tests are required, they pass first. */
export function publishAgent(context: CommandContext, which: string, options: { account?: string }): Promise<void> {
  return context.withStore(async (store) => {
    const account = await findAccount(store, options.account);
    const agent = (await store.agents.get(account.id, which)) ?? (await store.agents.getByName(account.id, which));
    if (!agent) throw new OperatorError(`${account.name} has no agent ${which}.`);
    await requirePassingTests(context, store, agent);
    const published =
      agent.status === 'draft'
        ? await store.agents.publish(account.id, agent.id)
        : await store.agents.setStatus(account.id, agent.id, 'live');
    if (!published) throw new OperatorError(`Agent ${which} was removed meanwhile`);
    const { id, version, status, definition } = published;
    emit(context.out, { id, name: definition.name, version, status }, () =>
      context.out.write(`${definition.name} answers calls, version ${version}.\n`),
    );
  });
}

/**
 * @param agent - as it would take calls.
 * @throws OperatorError with the first dialogue and turn that differ, where its tests are required and one fails.
 */
export async function requirePassingTests(context: CommandContext, store: Store, agent: Agent): Promise<void> {
  if (!(await store.agentTests.get(agent.accountId, agent.id))?.required) return;
  const { logger } = context;
  // Keys of services are wanted only now.
  const deps = textRunDeps({ logger, config: loadConfig({ env: processEnvironment(), secretsOf: ['engines'] }) });
  const desk = new TestDesk({
    ...{ rows: store.agentTests, clock: systemClock, logger },
    asText: (tested, tests, wish) => runAsText(tested, tests, deps, wish),
  });
  try {
    await desk.requirePassing(agent);
  } catch (error) {
    if (!(error instanceof ManageError)) throw error;
    throw new OperatorError(`${agent.definition.name}: ${error.message}`, { cause: error });
  } finally {
    await desk.close();
  }
}
