import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createScriptedReplyEngine } from '../../../src/engines/reply/scripted-dialogue.ts';

import { FakeClock } from '../../support/fake-clock.ts';
import { someOf } from '../../support/property-runs.ts';
import { agentFromConfig, compiledAgents } from '../../support/reply-agents.ts';
import { toldCall, valuesOf, writtenDown } from '../../support/told-call.ts';

interface UnseenCall {
  readonly name: string;
  readonly agent: Parameters<typeof agentFromConfig>[0];
  readonly says: readonly unknown[];
  readonly ends: 'agent' | 'caller' | 'person';
  readonly outcome: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly summary?: readonly string[];
}
const { calls } = parse(readFileSync(new URL('./unseen/calls.yaml', import.meta.url), 'utf8')) as {
  calls: UnseenCall[];
};

const engine = createScriptedReplyEngine({
  ...{ clock: new FakeClock(Date.parse('2026-11-22T10:00:00+03:00')), agents: compiledAgents },
});
afterAll(() => engine.close());

describe('what is written down of calls that were thought of before the rules', () => {
  it.each(someOf(calls, 4))('$name', async ({ agent: name, says, ends, outcome, fields, summary = [] }) => {
    const agent = agentFromConfig(name);
    const turns = await toldCall(engine, agent, says.map(String));
    const analysis = writtenDown(agent, turns, ends);
    if (process.env['SHOW'])
      console.log(
        JSON.stringify({ turns: turns.map(({ role, text, details }) => [role, text, details]), analysis }, null, 1),
      );
    expect({ outcome: analysis?.outcome, fields: valuesOf(analysis) }).toEqual({ outcome, fields });
    for (const words of summary) expect(analysis?.summary).toContain(words);
  });
});
