import { describe, expect, it } from 'vitest';
import { loadConfig, SHIPPED_CONFIG_DIR } from '../../src/config/load.ts';
import { loadVoices } from '../../src/config/voices.ts';
import type { AgentDefinition } from '../../src/core/agent.ts';
import { CompiledAgents } from '../../src/engines/reply/compiled-agent.ts';
import { LearntByDrafts, type LearntKeep } from '../../src/engines/reply/learnt-keep.ts';
import { createScriptedReplyEngine } from '../../src/engines/reply/scripted-dialogue.ts';
import { AgentDesk } from '../../src/manage/agent-desk.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { DEFINITION } from '../support/manage-things.ts';
import { agentOf, compiledAgents } from '../support/reply-agents.ts';

/** The keep of a gateway, which counts what was learnt. */
function counting(): LearntKeep & { readonly kept: string[] } {
  const known = new Map<string, unknown>();
  const kept: string[] = [];
  const keep = (from: string, learnt: unknown): void => {
    kept.push(from);
    known.set(from, learnt);
  };
  return { kept, find: (from) => known.get(from), keep };
}

function deskOver(learnt: LearntKeep): AgentDesk {
  const clock = new FakeClock();
  const agents = new CompiledAgents(learnt);
  return new AgentDesk({
    ...{ clock, agents, voices: loadVoices(`${SHIPPED_CONFIG_DIR}/voices.yaml`), allowedHosts: [] },
    ...{ defaultVoices: loadConfig({ env: {} }).speech.defaultVoice, pronunciation: () => ({}) as never },
    openTryEngine: (onTurn) => ({
      engine: createScriptedReplyEngine({ clock, agents, onTurn }),
      prepare: (agent) => agents.prepare(agent),
    }),
  });
}

const definition = DEFINITION;
const greeted = (text: string): AgentDefinition => ({ ...definition, greeting: { en: text } });

describe('an agent that is edited', () => {
  it('learns once, however often it is checked and tried, and anew for other sentences alone', async () => {
    compiledAgents.get(agentOf(definition)); // What all agents share is learnt.
    const learnt = counting();
    const desk = deskOver(learnt);
    await desk.check(greeted('Good day.'));
    await desk.check(greeted('Good evening.'));
    const asked = { agent: agentOf(greeted('Good evening.')), text: 'hello', input: 'speech', mode: 'voice' } as const;
    await desk.try({ ...asked, confidence: 1, history: [], variables: {} }, new AbortController().signal);
    expect(learnt.kept).toHaveLength(1);
    const [item] = definition.knowledge!;
    const knowledge = [{ ...item!, question: { en: ['when does the zeppelin leave'] } }];
    const report = await desk.check({ ...definition, knowledge });
    expect(report.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(learnt.kept).toHaveLength(2);
  });

  it('that is called then has learnt it already, and keeps it as its draft did not', async () => {
    compiledAgents.get(agentOf(definition));
    const kept = counting();
    const learnt = new LearntByDrafts(kept);
    await deskOver(learnt).check(definition);
    expect(kept.kept).toEqual([]);
    const called = new CompiledAgents(learnt.called);
    await called.prepare(agentOf(definition));
    expect(kept.kept).toHaveLength(1);
    const [from] = kept.kept;
    expect(kept.find(from!)).toBe(learnt.find(from!));
  });
});
