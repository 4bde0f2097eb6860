import { runAsText } from '../../agent-tests/text-run.ts';
import { loadConfig, processEnvironment } from '../../config/load.ts';
import type { Agent } from '../../core/agent.ts';
import { systemClock } from '../../core/clock.ts';
import { OperatorError } from '../../core/errors.ts';
import { AgentLibrary } from '../../engines/document/library/agent-library.ts';
import { ManageError } from '../../manage/manage-error.ts';
import { TestDesk } from '../../manage/test-desk.ts';
import type { Store } from '../../store/store.ts';
import type { Settings } from '../settings.ts';
import { textRunDeps } from '../text-run-deps.ts';

/**
 * @param agent - as it would take calls.
 * @throws OperatorError with the first dialogue and turn that differ, where one of its tests fails.
 */
export async function requirePassingTests(store: Store, logger: Settings['logger'], agent: Agent): Promise<void> {
  // Keys of services are wanted only now.
  const deps = textRunDeps({ logger, config: loadConfig({ env: processEnvironment(), secretsOf: ['engines'] }) });
  const documents = new AgentLibrary({ clock: systemClock, logger, source: async () => store.agentDocuments });
  const desk = new TestDesk({
    ...{ rows: store.agentTests, clock: systemClock, logger },
    asText: (tested, tests, wish) => runAsText(tested, tests, { ...deps, documents }, wish),
  });
  try {
    await desk.requirePassing(agent);
  } catch (error) {
    if (!(error instanceof ManageError)) throw error;
    throw new OperatorError(`${agent.definition.name}: ${error.message}`, { cause: error });
  } finally {
    await desk.close();
    await documents.close();
  }
}
