import { describe, expect, it } from 'vitest';
import type { Agent } from '../../../src/core/agent.ts';
import type { ReplyEngine } from '../../../src/engines/reply/contract.ts';
import { createScriptedReplyEngine } from '../../../src/engines/reply/scripted-dialogue.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { compiledAgents, plainAgent } from '../../support/reply-agents.ts';
import { Conversation } from '../../support/reply-conversation.ts';

const engine: ReplyEngine = createScriptedReplyEngine({ clock: new FakeClock(), agents: compiledAgents });

function announced(
  file: 'clinic-ar' | 'delivery-en',
  transfer: Agent['definition']['transfer'] = { mode: 'announced' },
): Agent {
  const agent = plainAgent(file);
  return { ...agent, definition: { ...agent.definition, transfer, transferTarget: '1900' } };
}

/** What a person hears after a caller has said this. */
async function told(agent: Agent, said: readonly string[]): Promise<string | undefined> {
  const conversation = new Conversation(engine, agent);
  let last: Awaited<ReturnType<Conversation['say']>> | undefined;
  for (const text of said) last = await conversation.say(text);
  expect(last?.action).toEqual({ type: 'transfer', target: '1900' });
  return engine.expects(agent, conversation.history, {}).handover;
}

describe('what a person is told who takes a call over', () => {
  it('is the wish and the values so far', async () => {
    const said = ['I want to change my delivery time', 'order four five two one', 'I want to talk to a human'];
    const text = await told(announced('delivery-en'), said);
    expect(text).toMatch(/^A caller for you\. It is about .+\. What I have so far: .*4.*5.*2.*1/);
  });

  it('is the same in Arabic', async () => {
    const text = await told(announced('clinic-ar'), ['أبي أحجز موعد', 'أبي أكلم موظف']);
    expect(text).toMatch(/^عندي متصل لك\. الموضوع: .+\.$/);
  });

  it('is what was said, where no wish is known', async () => {
    const text = await told(announced('delivery-en'), ['let me talk to a human please']);
    expect(text).toBe('A caller for you. The caller said: let me talk to a human please');
  });

  it('is the text of the agent, with its values; without them, the summary', async () => {
    const rules = { mode: 'announced', whisper: { en: 'This is about order {{order}}.' } } as const;
    const agent = announced('delivery-en', rules);
    const said = ['I want to change my delivery time', 'order four five two one', 'I want to talk to a human'];
    expect(await told(agent, said)).toMatch(/^This is about order .*4.*5.*2.*1.*\.$/);
    expect(await told(agent, ['let me talk to a human please'])).toMatch(/^A caller for you/);
  });

  it('is nothing where callers are sent on at once', async () => {
    expect(await told(announced('delivery-en', { mode: 'blind' }), ['let me talk to a human please'])).toBeUndefined();
  });
});
