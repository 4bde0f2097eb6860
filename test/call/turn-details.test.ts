import { describe, expect, it } from 'vitest';
import type { Agent } from '../../src/core/agent.ts';
import { withNotes } from '../../src/core/turn-details.ts';
import type { ReplyEngine, ReplyRequest } from '../../src/engines/reply/contract.ts';
import { createScriptedReplyEngine } from '../../src/engines/reply/scripted-dialogue.ts';
import type { Fetcher } from '../../src/engines/reply/tool-fetcher.ts';
import { AGENT, rig } from '../support/conversation-rig.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { compiledAgents } from '../support/reply-agents.ts';

/** An agent that asks for a number, and then calls a tool. */
const SHOP: Agent = {
  ...AGENT,
  definition: {
    ...AGENT.definition,
    intents: [
      {
        name: 'order',
        label: { en: 'an order' },
        examples: { en: ['where is my order', 'track my order'] },
        flow: 'order',
      },
    ],
    flows: [
      {
        name: 'order',
        slots: [
          {
            name: 'number',
            type: 'digits',
            minDigits: 4,
            maxDigits: 4,
            prompts: { en: ['What is your order number?'] },
          },
        ],
        actions: [
          {
            ...{ type: 'http', method: 'GET', url: 'https://shop.example/orders/{{number}}?key=secret' },
            // biome-ignore lint/suspicious/noThenProperty: the word that agent files use
            ...{ then: { en: 'It is on its way.' }, otherwise: { en: 'I cannot look now.' } },
          },
        ],
      },
    ],
  } as Agent['definition'],
};

/** What the engine tells of a turn, by the words of it. */
async function notesOf(engine: ReplyEngine, request: Partial<ReplyRequest> & { text: string }, agent = SHOP) {
  let notes = {};
  const asked: ReplyRequest = {
    ...{ agent, input: 'speech', mode: 'voice', confidence: 1, history: [], variables: {} },
    ...request,
    note: (more) => {
      notes = withNotes(notes, more);
    },
  };
  for await (const _ of engine.reply(asked, new AbortController().signal));
  return notes;
}
const engineOf = (fetcher?: Fetcher) =>
  createScriptedReplyEngine({ clock: new FakeClock(), agents: compiledAgents, ...(fetcher && { fetcher }) });
const ASKED = [
  { role: 'caller', text: 'track my order' },
  { role: 'agent', text: 'What is your order number?' },
] as const;

describe('what an engine tells of a turn', () => {
  it('is what was meant, and what is known by then', async () => {
    expect(await notesOf(engineOf(), { text: 'track my order' })).toEqual({
      ...{ understood: true, meant: ['intent:order'], rule: 'wish', flow: 'order' },
    });
    expect(await notesOf(engineOf(), { text: 'purple elephants dance' })).toMatchObject({
      understood: false,
      meant: [],
    });
    expect(await notesOf(engineOf(), { text: 'purple elephants', history: ASKED })).toMatchObject({
      understood: false,
    });
    expect(await notesOf(engineOf(), { text: '', input: 'silence' })).toEqual({});
  });

  it('is which tool was called, without a value, and what came of it', async () => {
    const down: Fetcher = async () => ({ ok: false, body: null }) as never;
    expect(await notesOf(engineOf(down), { text: '4521', input: 'keypad', history: ASKED })).toMatchObject({
      ...{ understood: true, flow: 'order', slots: { number: '4521' }, done: ['order'] },
      tools: [{ tool: 'GET https://shop.example/orders/', outcome: 'status', ms: 0 }],
    });
  });

  it('is bounded, whatever is told', () => {
    const tool = { tool: 'GET x', outcome: 'ok', ms: 1 };
    const notes = withNotes(
      { tools: Array.from({ length: 8 }, () => tool) },
      {
        tools: [tool, tool, tool],
        slots: Object.fromEntries(Array.from({ length: 99 }, (_, n) => [`s${n}`, 'x'.repeat(999)])),
      },
    );
    expect(notes.tools).toHaveLength(10);
    expect(Object.keys(notes.slots!)).toHaveLength(50);
    expect(notes.slots!['s0']).toHaveLength(300);
  });
});

describe('the record of a turn', () => {
  it('has how the caller was taken, and what the agent did', async () => {
    const engine = engineOf(async () => ({ ok: false, body: null }) as never);
    const r = rig({ agent: SHOP, engine, settings: { replyTimeoutMs: 60_000, synthesisTimeoutMs: 60_000 } });
    r.conversation.greet();
    await r.silence(1000);
    await r.say('track my order');
    await r.silence(2500);
    for (const key of '4521#') r.conversation.onDigit(key);
    await r.silence(3000);
    const of = (role: string) => r.turns.filter((turn) => turn.role === role).map(({ details }) => details);
    expect(of('caller')).toEqual([
      { understood: true, meant: ['intent:order'], rule: 'wish', flow: 'order', input: 'speech', confidence: 0.9 },
      expect.objectContaining({ input: 'keypad', slots: { number: '4521' }, done: ['order'] }),
    ]);
    expect(of('agent').at(-1)).toMatchObject({ tools: [{ outcome: 'status' }] });
    expect(of('agent')[0]).toBeUndefined(); // a greeting
  });

  it('has when the caller cut it short, and not where something else ended it', async () => {
    const answer = () =>
      [{ type: 'text', text: 'one two three four five six seven eight nine ten', language: 'en' }] as const;
    const r = rig({ answer });
    r.conversation.greet();
    await r.silence(1000);
    await r.say('tell me');
    await r.silence(900);
    const spokenMs = r.clock.nowMs();
    await r.say('no wait stop', 700);
    await r.silence(1000);
    r.conversation.close();
    const cut = r.turns.filter(({ role, text }) => role === 'agent' && text.startsWith('one'));
    expect(cut).toHaveLength(2);
    expect(cut[0]!.details!.interruptedMs).toBeGreaterThan(spokenMs - 20);
    expect(cut[0]!.details!.interruptedMs).toBeLessThanOrEqual(spokenMs + 700);
    expect(`${cut[0]!.text} ${cut[0]!.details!.unheard}`).toBe('one two three four five six seven eight nine ten');
    expect(cut[1]!.details).toBeUndefined();
  });
});
