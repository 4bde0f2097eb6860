import { describe, expect, it } from 'vitest';
import type { Agent } from '../../../src/core/agent.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { CompiledAgents, compileAgent, compiling } from '../../../src/engines/reply/compiled-agent.ts';
import type { ReplyRequest } from '../../../src/engines/reply/contract.ts';
import { createScriptedReplyEngine } from '../../../src/engines/reply/scripted-dialogue.ts';
import { plainAgent } from '../../support/reply-agents.ts';

/** Steps of one compilation, at least: of 300 ms none takes more than a few. */
const STEPS_MIN = 40;
/** The same agent as the store reads it anew. */
const readAgain = (agent: Agent): Agent => ({ ...agent, definition: structuredClone(agent.definition) });
const SAID = ['where', 'is', 'my', 'order'];

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Counts the turns of this thread that others have while `work` goes on. */
async function turnsDuring<T>(work: Promise<T>): Promise<{ readonly result: T; readonly turns: number }> {
  let turns = 0;
  let done = false;
  const turn = (): void => {
    turns += 1;
    if (!done) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    const result = await work;
    return { result, turns };
  } finally {
    done = true;
  }
}

describe('an agent that nobody has called yet', () => {
  const agent = plainAgent('delivery-en');

  it('is compiled in many steps, to the same as at once', () => {
    const steps = compiling(agent.definition);
    let count = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) count += 1;
    expect(count).toBeGreaterThan(STEPS_MIN);
    const plain = compileAgent(agent.definition).guess(SAID);
    expect(step.value.guess(SAID)).toEqual(plain);
    expect(plain.length).toBeGreaterThan(0);
  });

  it('is compiled once for all who ask for it at the same time', async () => {
    const agents = new CompiledAgents();
    const { turns } = await turnsDuring(
      Promise.all([agents.prepare(readAgain(agent)), agents.prepare(readAgain(agent))]),
    );
    expect(turns).toBeGreaterThan(STEPS_MIN);
    const compiled = agents.get(readAgain(agent));
    await agents.prepare(readAgain(agent));
    expect(agents.get(readAgain(agent))).toBe(compiled);
  });

  it('is answered for while others have their turns', async () => {
    const engine = createScriptedReplyEngine({ clock: systemClock });
    const request: ReplyRequest = {
      ...{ agent: readAgain(agent), text: SAID.join(' '), input: 'speech' as const, mode: 'voice' as const },
      ...{ confidence: 1, history: [], variables: {} },
    };
    const { result, turns } = await turnsDuring(all(engine.reply(request, new AbortController().signal)));
    expect(turns).toBeGreaterThan(STEPS_MIN);
    expect(result[0]).toMatchObject({ type: 'text', language: 'en' });
    await engine.close();
  });
});
