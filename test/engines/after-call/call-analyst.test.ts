import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AfterCallRules, AgentDefinition } from '../../../src/core/agent.ts';
import type { CallAnalysis } from '../../../src/core/call-analysis.ts';
import { silentLogger } from '../../../src/core/logger.ts';
import { createMetrics } from '../../../src/core/metrics.ts';
import { ServiceUse } from '../../../src/core/service-use.ts';
import { CallAnalyst } from '../../../src/engines/after-call/call-analyst.ts';
import type { ToldTurn } from '../../../src/engines/after-call/call-tally.ts';
import { EngineGuard } from '../../../src/engines/guard.ts';
import { OpenaiCallModel } from '../../../src/engines/openai/call-model.ts';
import { ChatClient } from '../../../src/engines/openai/chat-client.ts';
import { ChatTestServer, says } from '../../support/chat-server.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const LIMITS = {
  firstResultMs: 60_000,
  totalMs: 60_000,
  concurrency: 2,
  queue: 2,
  breakerFailures: 50,
  breakerCooldownMs: 100,
};
const RULES: AfterCallRules = {
  outcomes: [
    { name: 'threat', means: 'The caller threatens to go to court.' },
    { name: 'cancelled', done: ['cancel'] },
    { name: 'callback', label: { en: 'Call back' }, means: 'The caller wants to be called back.' },
  ],
  fields: [
    { name: 'order', type: 'digits' },
    { name: 'mobile', type: 'phone', means: 'Where the caller can be reached.' },
    { name: 'caller', type: 'name', means: 'Who called.' },
    { name: 'day', type: 'date', means: 'When to call back.' },
    { name: 'wants', type: 'choice', means: 'What is wanted.', choices: ['refund', 'exchange'] },
    { name: 'reason', type: 'text', means: 'Why.' },
  ],
  summary: true,
};
const say = [{ type: 'say', text: { en: 'Done.' } }] as const;
const AGENT: AgentDefinition = {
  ...{ name: 'Shop', language: 'en-US', voice: 'emma', model: 'sada-1', greeting: { en: 'Hello.' }, afterCall: RULES },
  flows: [{ name: 'cancel', slots: [{ name: 'order', type: 'digits', prompts: { en: ['?'] } }], actions: say }],
};
const TURNS: readonly ToldTurn[] = [
  ['agent', 'Hello, how can I help you?'],
  ['caller', 'my name is Khalid Otaibi and the kettle you sent me leaks'],
  ['agent', 'I am sorry. What is the order number?'],
  ['caller', 'four five two one'],
  ['caller', 'please call me back tomorrow on zero five five one two three four five six seven, i want my money back'],
].map(([role, text], index) => ({ index, role: role as 'agent' | 'caller', text: text! }));
const BASE: CallAnalysis = { outcome: 'given-up', summary: 'It was not completed.', fields: [], by: 'dialogue' };

let server: ChatTestServer;
beforeAll(async () => {
  server = await ChatTestServer.start();
});
afterEach(() => server.requests.splice(0));
afterAll(() => server.close());

function analyst(): CallAnalyst {
  const deps = { clock: new FakeClock(), logger: silentLogger, metrics: createMetrics() };
  return new CallAnalyst({
    model: new OpenaiCallModel(new ChatClient({ baseUrl: server.baseUrl, model: 'test-model' }, deps)),
    guard: new EngineGuard('afterCall', 'openai', LIMITS, deps, 'remote'),
    ...{ timeZone: 'Asia/Riyadh', byDefault: 'openai' },
  });
}

const NOTHING = { outcome: '', words: '', summary: '', fields: [] };
/** What comes of a claim. */
async function read(claim: unknown, more: Partial<AgentDefinition> = {}, base = BASE): Promise<CallAnalysis> {
  server.answer = says(typeof claim === 'string' ? claim : JSON.stringify({ ...NOTHING, ...(claim as object) }));
  const call = { turns: TURNS, startedAt: new Date('2026-11-22T08:00:00Z'), base };
  return analyst().read({ ...call, agent: { definition: { ...AGENT, ...more } } }, new AbortController().signal);
}
const field = async (name: string, value: string, words: string, more = {}): Promise<string | undefined> =>
  (await read({ fields: [{ name, value, words }] }, { privacy: 'off', ...more })).fields[0]?.value;

describe('what a model makes of a call', () => {
  it('is let in where somebody said the words that it rests on', async () => {
    const claim = {
      ...{
        outcome: 'callback',
        words: 'please call me back',
        summary: 'The kettle leaks and the caller wants the money back.',
      },
      fields: [{ name: 'order', value: '4521', words: 'four five two one' }],
    };
    expect(await read(claim, { privacy: 'off' })).toEqual({
      ...{ outcome: 'callback', label: { en: 'Call back' }, by: 'openai' },
      summary: 'The kettle leaks and the caller wants the money back.',
      fields: [{ name: 'order', value: '4521', turn: 3, words: 'four five two one' }],
    });
  });

  it.each([
    ['words that nobody said', { outcome: 'callback', words: 'ring me later' }],
    ['words of the agent', { outcome: 'callback', words: 'how can i help you' }],
    ['no words', { outcome: 'callback' }],
    ['an outcome of its own', { outcome: 'angry', words: 'leaks' }],
    ['one that only something done can say', { outcome: 'cancelled', words: 'i want my money back' }],
    ['a number in the summary that nobody said', { summary: 'The caller wants order 9999 back.' }],
    ['a summary of something else', { summary: 'Somebody booked three dental appointments for next winter holidays.' }],
    ['a summary in another language', { summary: 'اشتكى المتصل من الغلاية.' }],
    ['a summary that goes on and on', { summary: 'The kettle leaks. '.repeat(20) }],
    ['a field that is not asked for', { fields: [{ name: 'kettle', value: 'leaks', words: 'leaks' }] }],
    ['no JSON shape', { outcome: 7, words: null, summary: [], fields: [null, 3, { name: {} }] }],
  ])('leaves what the dialogue knows: %s', async (_name, claim) => {
    expect(await read(claim, { privacy: 'off' })).toEqual(BASE);
  });

  it('leaves an outcome alone that stands before it', async () => {
    const cancelled = { ...BASE, outcome: 'cancelled' };
    expect((await read({ outcome: 'callback', words: 'call me back' }, {}, cancelled)).outcome).toBe('cancelled');
    expect((await read({ outcome: 'threat', words: 'i want my money back' }, {}, cancelled)).outcome).toBe('threat');
  });

  it('adds to the values of the dialogue, and changes none', async () => {
    const order = { name: 'order', value: '7777', turn: 3, words: 'seven' };
    const fields = [
      { name: 'reason', value: 'the kettle leaks', words: 'the kettle you sent me leaks' },
      { name: 'order', value: '4521', words: 'four five two one' },
    ];
    const result = await read({ fields }, { privacy: 'off' }, { ...BASE, fields: [order] });
    expect(result.fields).toEqual([
      order,
      { name: 'reason', value: 'the kettle leaks', turn: 1, words: 'the kettle you sent me leaks' },
    ]);
    expect([result.outcome, result.summary]).toEqual([BASE.outcome, BASE.summary]);
  });
});

describe('a value is empty unless its words hold it', () => {
  const phone = 'zero five five one two three four five six seven';
  it.each([
    ['digits', 'order', '4521', 'four five two one', '4521'],
    ['other digits', 'order', '4522', 'four five two one', undefined],
    ['digits of a line where there are none', 'order', '4521', 'the kettle you sent me leaks', undefined],
    ['a number', 'mobile', '0551234567', phone, '0551234567'],
    ['a number with its country', 'mobile', '+966551234567', phone, '0551234567'],
    ['another number', 'mobile', '0551234568', phone, undefined],
    ['a name', 'caller', 'Khalid Otaibi', 'my name is Khalid Otaibi', 'Khalid Otaibi'],
    ['a name that is not there', 'caller', 'Khalid Saleh', 'my name is Khalid Otaibi', undefined],
    ['a day', 'day', '2026-11-23', 'call me back tomorrow', '2026-11-23'],
    ['another day', 'day', '2026-11-24', 'call me back tomorrow', undefined],
    ['a choice', 'wants', 'refund', 'i want my money back', 'refund'],
    ['no choice', 'wants', 'repair', 'i want my money back', undefined],
    ['words that nobody said', 'wants', 'refund', 'give me a refund', undefined],
    ['a reason', 'reason', 'kettle leaks', 'the kettle you sent me leaks', 'kettle leaks'],
    ['a reason of its own', 'reason', 'delivered by an angry driver', 'the kettle you sent me leaks', undefined],
    ['nothing', 'reason', '', 'the kettle you sent me leaks', undefined],
  ])('%s', async (_name, name, value, words, wanted) => {
    expect(await field(name, value, words)).toBe(wanted);
  });
});

describe('the privacy boundary', () => {
  it('keeps numbers and names from the model, and fills them in where it names their places', async () => {
    server.answer = (response, request) => {
      const sent = (JSON.parse(request.body) as { messages: { content: string }[] }).messages.at(-1)!.content;
      const number = /tomorrow on (\[[^\]]+\])/.exec(sent)?.[1] ?? '';
      const name = /my name is (\[[^\]]+\])/.exec(sent)?.[1] ?? '';
      const fields = [
        { name: 'mobile', value: number, words: `tomorrow on ${number}` },
        { name: 'caller', value: name, words: `my name is ${name}` },
      ];
      says(JSON.stringify({ ...NOTHING, summary: `${name} wants the money back.`, fields }))(response, request);
    };
    const use = new ServiceUse();
    const call = { agent: { definition: AGENT }, turns: TURNS, startedAt: new Date(), base: BASE, used: use.tell };
    const result = await analyst().read(call, new AbortController().signal);
    expect(use.totals).toEqual({ 'openai-chat': { requests: 1, 'uncounted-requests': 1 } });
    expect(server.received).not.toMatch(/Khalid|Otaibi|five five one two/);
    expect(server.received).toContain('kettle');
    expect(Object.fromEntries(result.fields.map(({ name, value }) => [name, value]))).toEqual({
      ...{ mobile: '0551234567', caller: 'Khalid Otaibi' },
    });
    expect(result.summary).toBe('Khalid Otaibi wants the money back.');
  });

  it('takes no value that nobody gave', async () => {
    const claim = {
      summary: '[Person Name 9] wants the money back.',
      fields: [{ name: 'caller', value: '[Person Name 9]', words: 'my name is [Person Name 9]' }],
    };
    expect(await read(claim)).toEqual(BASE);
  });

  it('asks nobody about a call in which the caller said nothing, and sends no more than the end of a long one', async () => {
    const call = { agent: { definition: AGENT }, startedAt: new Date(), base: BASE };
    expect(await analyst().read({ ...call, turns: TURNS.slice(0, 1) }, new AbortController().signal)).toEqual(BASE);
    expect(server.requests).toHaveLength(0);
    const long = Array.from({ length: 3_000 }, (_, index) => ({
      index,
      role: 'caller' as const,
      text: `line ${index} and more`,
    }));
    server.answer = says(JSON.stringify(NOTHING));
    await analyst().read({ ...call, turns: long }, new AbortController().signal);
    expect(server.received.length).toBeLessThan(20_000);
    expect(server.received).toContain('line 2999');
  });
});

describe('who has calls read', () => {
  it('is the agent by its own word, then the gateway, and nobody who keeps away from models', () => {
    const reads = (more: Partial<AgentDefinition>) => analyst().reads({ definition: { ...AGENT, ...more } });
    expect(reads({})).toBe(true);
    expect(reads({ replyEngine: 'scripted' })).toBe(false);
    expect(reads({ replyEngine: 'scripted', afterCall: { engine: 'openai' } })).toBe(true);
    expect(reads({ afterCall: { engine: 'dialogue' } })).toBe(false);
    const { afterCall: _, ...without } = AGENT;
    expect(analyst().reads({ definition: without })).toBe(false);
  });
});

it('says that a server which does not answer may be asked again, and that rubbish may not', async () => {
  const call = { agent: { definition: AGENT }, turns: TURNS, startedAt: new Date(), base: BASE };
  server.answer = (response) => response.writeHead(503).end();
  await expect(analyst().read(call, new AbortController().signal)).rejects.toMatchObject({ code: 'unavailable' });
  await expect(read('I think it was about a kettle.')).rejects.toMatchObject({ code: 'answer_failed' });
});
