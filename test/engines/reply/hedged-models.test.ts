import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/core/logger.ts';
import { createMetrics } from '../../../src/core/metrics.ts';
import type { TurnNotes } from '../../../src/core/turn-details.ts';
import { failoverReply } from '../../../src/engines/failover.ts';
import { EngineGuard } from '../../../src/engines/guard.ts';
import { guardRemoteReply } from '../../../src/engines/guarded-engines.ts';
import { ReplyHedge } from '../../../src/engines/hedge.ts';
import { hedgedReply } from '../../../src/engines/hedged-reply.ts';
import { modelTools } from '../../../src/engines/model-tools.ts';
import { ChatClient } from '../../../src/engines/openai/chat-client.ts';
import { protectProposals, protectReply } from '../../../src/engines/privacy/protected-reply.ts';
import type { ReplyEngine, ReplyEvent, ReplyRequest } from '../../../src/engines/reply/contract.ts';
import { OpenaiReply } from '../../../src/engines/reply/openai.ts';
import { railedReply } from '../../../src/engines/reply/railed-reply.ts';
import { createScriptedReplyEngine, type DialogueEngine } from '../../../src/engines/reply/scripted-dialogue.ts';
import { createToolFetcher } from '../../../src/engines/reply/tool-fetcher.ts';
import { RecentCalls } from '../../../src/engines/reply/tool-turn.ts';
import type { TurnOutcome } from '../../../src/engines/reply/turn-draft.ts';
import { MODEL_TOOL_LIMITS } from '../../../src/engines/tools/contract.ts';
import { ToolSet } from '../../../src/engines/tools/tool-set.ts';
import { asked, chatAgent, chatEngines, eventsOf, wordsOf } from '../../support/chat-engines.ts';
import { type Answer, ChatTestServer, calls, chunk, says, streaming } from '../../support/chat-server.ts';
import { TEST_LIMITS } from '../../support/engine-guards.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { compiledAgents, openRecords, plainAgent } from '../../support/reply-agents.ts';
import { answers, ToolService } from '../../support/tool-service.ts';
import { until } from '../../support/until.ts';

/** Answers when the test says so. */
class Held {
  readonly #waiting: (() => void)[] = [];
  constructor(private readonly then: Answer) {}
  readonly answer: Answer = (...args) => void this.#waiting.push(() => this.then(...args));
  get waits(): boolean {
    return this.#waiting.length > 0;
  }
  release(): void {
    for (const go of this.#waiting.splice(0)) go();
  }
}

let clock: FakeClock;
let slow: ChatTestServer;
let quick: ChatTestServer;
let service: ToolService;
let outcomes: TurnOutcome[];
let notes: TurnNotes[];
const guards = new Map<string, EngineGuard>();
const open: ReplyEngine[] = [];
beforeEach(async () => {
  clock = new FakeClock();
  [outcomes, notes] = [[], []];
  [slow, quick, service] = [await ChatTestServer.start(), await ChatTestServer.start(), await ToolService.start()];
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((engine) => engine.close()));
  await Promise.all([slow.close(), quick.close(), service.close()]);
});

const metrics = createMetrics();

/** Two whole engines, as a gateway composes one: boundary, guard, rails, tools. */
function pair(): ReplyEngine {
  const limits = { ...TEST_LIMITS, firstResultMs: 20_000, totalMs: 40_000, breakerFailures: 1 };
  const fetcher = createToolFetcher({ allowedHosts: [service.host] });
  const tools = new ToolSet({ clock, limits: MODEL_TOOL_LIMITS, fetcher });
  const dialogue = {
    ...{ clock, agents: compiledAgents, tools, fetcher, calls: new RecentCalls(clock) },
    onTurn: (outcome: TurnOutcome) => void outcomes.push(outcome),
  };
  const made = (name: string, server: ChatTestServer): ReplyEngine => {
    const client = new ChatClient({ baseUrl: server.baseUrl, model: 'm' }, { clock, logger: silentLogger });
    const guard = new EngineGuard('reply', name, limits, { clock, metrics, logger: silentLogger }, 'remote');
    guards.set(name, guard);
    const remote = guardRemoteReply(new OpenaiReply(client, 15_000), guard);
    const railed: DialogueEngine = createScriptedReplyEngine({ ...dialogue, proposer: protectProposals(remote) });
    const talk = protectReply(
      remote,
      createScriptedReplyEngine(dialogue),
      modelTools(tools, MODEL_TOOL_LIMITS, railed, clock),
    );
    return railedReply(name, railed, talk, tools);
  };
  const engines = [made('slow', slow), made('quick', quick)] as const;
  open.push(...engines);
  const hedge = new ReplyHedge(clock, metrics);
  for (let n = 0; n < 100; n += 1) {
    hedge.of('slow').took(300);
    hedge.budget.turn();
  }
  return failoverReply([hedgedReply(engines[0], engines[1], hedge), engines[1]], silentLogger);
}

function start(engine: ReplyEngine, request: ReplyRequest, signal = new AbortController().signal) {
  const events: ReplyEvent[] = [];
  const over = (async () => {
    const note = (note: TurnNotes) => void notes.push(note);
    for await (const event of engine.reply({ ...request, note }, signal)) events.push(event);
  })();
  return { events, over };
}
/** The first one is late now. */
const late = (): void => clock.advance(701);
const unharmed = (name: string): void => {
  const { breaker, slots } = guards.get(name)!;
  expect([breaker.state, slots.held]).toEqual(['closed', 0]);
};

describe('two servers of models', () => {
  it('the quick one answers, and the connection of the slow one is closed', async () => {
    const held = new Held(says('Too late.'));
    slow.answer = held.answer;
    quick.answer = says('Good morning. How can I help?');
    const { events, over } = start(pair(), asked());
    await until(() => held.waits, 'the slow one is asked');
    expect(quick.requests).toEqual([]);
    late();
    await over;
    expect(wordsOf(events)).toBe('Good morning. How can I help?');
    await until(() => slow.hungUp === 1, 'its connection is closed');
    unharmed('slow');
    unharmed('quick');
    expect(notes).toContainEqual({ hedge: { late: 'slow', answered: 'quick' } });
  });

  it('the first one answers after all, and the connection of the second is closed', async () => {
    const [held, other] = [new Held(says('Here I am.')), new Held(says('Never.'))];
    [slow.answer, quick.answer] = [held.answer, other.answer];
    const { events, over } = start(pair(), asked());
    await until(() => held.waits, 'the slow one is asked');
    late();
    await until(() => other.waits, 'the quick one is asked too');
    held.release();
    await over;
    expect(wordsOf(events)).toBe('Here I am.');
    await until(() => quick.hungUp === 1, 'its connection is closed');
    unharmed('quick');
  });

  it('both answer at once, and one of them is heard', async () => {
    const [held, other] = [new Held(says('One.')), new Held(says('Two.'))];
    [slow.answer, quick.answer] = [held.answer, other.answer];
    const { events, over } = start(pair(), asked());
    await until(() => held.waits, 'the slow one is asked');
    late();
    await until(() => other.waits, 'the quick one is asked too');
    held.release();
    other.release();
    await over;
    expect(['One.', 'Two.']).toContain(wordsOf(events));
    unharmed('slow');
    unharmed('quick');
  });

  it('the first token is enough: its sentence is waited for', async () => {
    let token = (): void => {};
    let rest = (): void => {};
    slow.answer = (response) => {
      token = () => void streaming(response).write(chunk({ content: 'Let me' }));
      rest = () => void response.end(`${chunk({ content: ' see.' }, 'stop')}data: [DONE]\n\n`);
    };
    const { events, over } = start(pair(), asked());
    await until(() => slow.requests.length === 1, 'it is asked');
    const timers = clock.pending;
    token();
    await until(() => clock.pending === timers - 2, 'neither token nor second engine are waited for');
    late();
    rest();
    await over;
    expect(wordsOf(events)).toBe('Let me see.');
    expect(quick.requests).toEqual([]);
  });

  it('a caller who interrupts leaves both', async () => {
    const [held, other] = [new Held(says('One.')), new Held(says('Two.'))];
    [slow.answer, quick.answer] = [held.answer, other.answer];
    const abort = new AbortController();
    const { events, over } = start(pair(), asked(), abort.signal);
    await until(() => held.waits, 'the slow one is asked');
    late();
    await until(() => other.waits, 'the quick one is asked too');
    abort.abort();
    await over;
    await until(() => slow.hungUp + quick.hungUp === 2, 'both connections are closed');
    expect(events).toEqual([]);
    unharmed('slow');
    unharmed('quick');
    expect(clock.pending).toBe(0);
  });

  const tool = {
    ...{ name: 'find_order', description: 'Tells where an order is.', method: 'GET' as const },
    parameters: [{ name: 'order', type: 'digits', minDigits: 4, maxDigits: 4 }] as const,
  };
  const shop = () => chatAgent({ tools: [{ ...tool, url: `http://${service.host}/orders/{{order}}` }] });
  const looks = calls('', 'find_order', { order: '4521' });

  it('a tool that the first has called keeps the second away, however long it takes', async () => {
    service.answer = answers({ status: 'here' });
    let round = 0;
    const held = new Held(says('It is here.'));
    slow.answer = (...args) => (round++ === 0 ? looks : held.answer)(...args);
    const { events, over } = start(pair(), asked({ agent: shop(), text: 'where is 4521' }));
    await until(() => held.waits, 'it has its result');
    late();
    late();
    held.release();
    await over;
    expect(wordsOf(events)).toBe('It is here.');
    expect([service.requests.length, quick.requests.length]).toEqual([1, 0]);
  });

  it('the second calls no tool: the first is waited for', async () => {
    const held = new Held(says('It is with the driver.'));
    [slow.answer, quick.answer] = [held.answer, looks];
    const { events, over } = start(pair(), asked({ agent: shop(), text: 'where is 4521' }));
    await until(() => held.waits, 'the slow one is asked');
    late();
    await until(() => quick.requests.length === 1, 'the quick one is asked too');
    await until(() => guards.get('quick')!.slots.held === 0, 'it gives way');
    held.release();
    await over;
    expect(wordsOf(events)).toBe('It is with the driver.');
    expect(service.requests).toEqual([]);
    expect(notes).toContainEqual({ hedge: { late: 'slow', answered: 'slow' } });
  });

  const proposes = (wish: string, words: string): Answer =>
    says(JSON.stringify({ acts: [{ type: 'request', words, wish }], say: '' }), 200);

  it('of two that propose, what one proposed is decided once, by the same rules', async () => {
    const agent = openRecords(plainAgent('delivery-en'));
    const text = 'that thing of the other day';
    const [held, other] = [
      new Held(proposes('intent:cancel-order', 'that thing')),
      new Held(proposes('intent:track-order', 'that thing')),
    ];
    [slow.answer, quick.answer] = [held.answer, other.answer];
    const { over } = start(pair(), asked({ agent, text }));
    await until(() => held.waits, 'the slow one is asked');
    late();
    await until(() => other.waits, 'the quick one is asked too');
    other.release();
    await over;
    await until(() => slow.hungUp === 1, 'the slow one is left');
    expect(outcomes).toHaveLength(1);
    expect(notes.filter(({ rule }) => rule !== undefined)).toHaveLength(1);
  });
});

describe('a gateway with a model and its own reading', () => {
  const agent = chatAgent({
    knowledge: [{ question: { en: ['when are you open'] }, answer: { en: 'From nine to five.' } }],
  });
  it.each([
    { hedgeReplies: true, text: 'when are you open?', heard: 'From nine to five.' },
    { hedgeReplies: true, text: 'is it raining?', heard: 'By the model.' },
    { hedgeReplies: false, text: 'when are you open?', heard: 'By the model.' },
  ])('says "$heard" to "$text", with hedgeReplies: $hedgeReplies', async ({ hedgeReplies, text, heard }) => {
    const engines = await chatEngines(slow, { reply: ['openai', 'scripted'], hedgeReplies });
    slow.answer = says('Good.');
    for (let turn = 0; turn < 20; turn += 1) await eventsOf(engines.reply, asked({ agent }));
    const held = new Held(says('By the model.'));
    slow.answer = held.answer;
    const said = eventsOf(engines.reply, asked({ agent, text }));
    await until(() => held.waits, 'the model is asked');
    // Long enough for the second engine, where there is to be one.
    if (heard === 'By the model.') setTimeout(() => held.release(), 1_500);
    expect(wordsOf(await said)).toBe(heard);
    await engines.close();
  });
});
