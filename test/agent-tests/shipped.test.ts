import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runAsText } from '../../src/agent-tests/text-run.ts';
import { firstFault } from '../../src/core/agent-tests.ts';
import { TEXT_RUN, testsOf } from '../support/agent-test-runs.ts';
import { EVERY_TEST, someOf } from '../support/property-runs.ts';
import { agentFromConfig } from '../support/reply-agents.ts';

describe.each(someOf(['delivery-en', 'clinic-ar'] as const, 2))('%s', (file) => {
  const agent = agentFromConfig(file);
  const path = new URL(`../../config/agents/${file}.tests.yaml`, import.meta.url);
  const tests = testsOf(readFileSync(path, 'utf8'), agent);

  it('holds every dialogue that it is shipped with', async () => {
    const results = await runAsText(agent, tests, TEXT_RUN);
    expect(results.map(firstFault).filter((fault) => fault !== undefined)).toEqual([]);
    expect(results).toHaveLength(tests.dialogues.length);
  });

  it('is tried by callers of every kind', () => {
    expect(tests.dialogues.length).toBeGreaterThanOrEqual(15);
    const doings = tests.dialogues.flatMap(({ steps }) => steps.map(({ doing }) => doing?.type));
    expect(doings).toEqual(
      expect.arrayContaining(['caller', 'keys', 'silence', 'interrupt', 'mishears', 'noise', undefined]),
    );
    expect(tests.dialogues.filter(({ now }) => now !== undefined).length).toBeGreaterThanOrEqual(3);
  });

  it.runIf(EVERY_TEST)('is tried in well under a second of the processor, once it is compiled', async () => {
    await runAsText(agent, tests, TEXT_RUN);
    const before = process.cpuUsage();
    await runAsText(agent, tests, TEXT_RUN);
    const { user, system } = process.cpuUsage(before);
    const perDialogueMs = (user + system) / 1_000 / tests.dialogues.length;
    expect(perDialogueMs).toBeLessThan(200); // of a loaded machine; 10 to 20 on a quiet one
  });
});
