import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createScriptedReplyEngine } from '../../../src/engines/reply/scripted-dialogue.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { someOf } from '../../support/property-runs.ts';
import { agentFromConfig, compiledAgents, unruled } from '../../support/reply-agents.ts';
import { Conversation } from '../../support/reply-conversation.ts';

interface DialogueTurn {
  readonly C: string;
  readonly A: string;
  readonly do?: 'hangup' | 'transfer';
  readonly confidence?: number;
}
interface Dialogue {
  readonly name: string;
  readonly errors?: boolean;
  readonly mode?: 'voice' | 'keypad';
  readonly turns: readonly DialogueTurn[];
}

function dialoguesOf(file: string): readonly Dialogue[] {
  return parse(readFileSync(new URL(`./dialogues/${file}.yaml`, import.meta.url), 'utf8')) as Dialogue[];
}

describe.each(['delivery-en', 'clinic-ar'] as const)('%s', (file) => {
  const agent = unruled(agentFromConfig(file));
  const engine = createScriptedReplyEngine({ clock: new FakeClock(), agents: compiledAgents });

  it.each(someOf([...dialoguesOf(file), ...dialoguesOf(`${file}-unseen`)], 3))('$name', async ({ turns, mode }) => {
    const conversation = new Conversation(engine, agent, mode);
    const transcript: string[] = [];
    for (const turn of turns) {
      const { text, action } = await conversation.say(turn.C, { confidence: turn.confidence ?? 1 });
      transcript.push(`C: ${turn.C}`, `A: ${text}${action ? ` [${action.type}]` : ''}`);
      expect(text, transcript.join('\n')).toContain(turn.A);
      const done = action && action.type !== 'collect' ? action.type : undefined;
      expect(done, transcript.join('\n')).toBe(turn.do);
    }
  });

  it('has at least forty dialogues, half of them with recognition errors', () => {
    const dialogues = dialoguesOf(file);
    expect(dialogues.length).toBeGreaterThanOrEqual(40);
    expect(dialogues.filter((one) => one.errors).length).toBeGreaterThanOrEqual(20);
  });
});
