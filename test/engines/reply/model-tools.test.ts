import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Agent, AgentDefinition } from '../../../src/core/agent.ts';
import type { TurnNotes } from '../../../src/core/turn-details.ts';
import type { EngineSet } from '../../../src/engines/engine-set.ts';
import { createToolFetcher } from '../../../src/engines/reply/tool-fetcher.ts';
import { asked, chatAgent, chatEngines, eventsOf, wordsOf } from '../../support/chat-engines.ts';
import { type Answer, ChatTestServer, calls, chunk, refuses, says, streaming } from '../../support/chat-server.ts';
import { someOf } from '../../support/property-runs.ts';
import { Conversation } from '../../support/reply-conversation.ts';
import { answers, type ToolAnswer, ToolService } from '../../support/tool-service.ts';
import { until } from '../../support/until.ts';

/** A call with arguments as they stand here. */
const rawCall =
  (name: string, args: string): Answer =>
  (response) => {
    const call = { index: 0, id: 'call_1', type: 'function', function: { name, arguments: args } };
    streaming(response).end(`${chunk({ tool_calls: [call] }, 'tool_calls')}data: [DONE]\n\n`);
  };

/** What the model does, request after request; the last goes on for ever. */
const inTurn = (...steps: Answer[]): Answer => {
  let at = 0;
  return (...args) => steps[Math.min(at++, steps.length - 1)]!(...args);
};

let model: ChatTestServer;
let service: ToolService;
let engines: EngineSet;
beforeAll(async () => {
  service = await ToolService.start();
});
afterAll(() => service.close());
beforeEach(async () => {
  model = await ChatTestServer.start();
  service.forget();
  engines = await opened();
});
afterEach(async () => {
  await engines.close();
  await model.close();
});

const opened = (modelTools = {}, reply: readonly string[] = ['openai']): Promise<EngineSet> =>
  chatEngines(model, {
    // No word is said meanwhile because the machine does much else.
    ...{ reply, modelTools: { fillerAfterMs: 10_000, ...modelTools } },
    fetcher: createToolFetcher({ allowedHosts: [service.host] }),
  });

function shop(change: Partial<AgentDefinition> = {}): Agent {
  return chatAgent({
    tools: [
      {
        name: 'find_order',
        description: 'Tells where an order is.',
        parameters: [{ name: 'order', type: 'digits', means: 'its number', minDigits: 4, maxDigits: 4 }],
        ...{ method: 'GET', url: `http://${service.host}/orders/{{order}}` },
      },
      {
        name: 'cancel_order',
        description: 'Cancels an order.',
        parameters: [
          { name: 'order', type: 'digits', minDigits: 4, maxDigits: 4 },
          { name: 'reason', type: 'text' },
        ],
        ...{ method: 'POST', url: `http://${service.host}/cancel`, body: { order: '{{order}}', why: '{{reason}}' } },
        confirm: {
          en: 'I cancel order {{order}} with the reason {{reason}}. Shall I?',
          ar: 'ألغي الطلب {{order}} بسبب {{reason}}. تأكد؟',
        },
        ...Object.fromEntries([
          ['then', { en: 'Order {{order}} is cancelled, receipt {{receipt}}.' }],
          ['otherwise', { en: 'I could not cancel order {{order}}.' }],
        ]),
      },
    ],
    ...change,
  });
}

interface SentTool {
  readonly role: string;
  readonly content: string;
}
const results = (): string[] =>
  (model.messages as readonly SentTool[]).filter(({ role }) => role === 'tool').map(({ content }) => content);

/** What a model is told that the tool answered, in the last request. */
const find = (args: object | string, words = ''): Answer =>
  typeof args === 'string' ? rawCall('find_order', args) : calls(words, 'find_order', args);

describe('a tool that only reads', () => {
  it('is called with checked values, and its answer told by the model', async () => {
    const notes: TurnNotes[] = [];
    model.answer = inTurn(find({ order: '4521' }, 'I look. '), says('It is on its way.'));
    const request = asked({ agent: shop(), text: 'where is order 4521', note: (one) => void notes.push(one) });
    expect(wordsOf(await eventsOf(engines.reply, request))).toBe('I look. It is on its way.');
    expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /orders/4521']);
    expect(results()).toEqual(['{"status":"on its way"}']);
    expect(notes.flatMap(({ tools = [] }) => tools)).toMatchObject([
      { tool: `GET http://${service.host}/orders/`, outcome: 'ok' },
    ]);
  });

  it('is offered with what it takes, beside what every agent can do', async () => {
    await eventsOf(engines.reply, asked({ agent: shop() }));
    const { tools } = JSON.parse(model.requests[0]!.body) as {
      tools: { function: { name: string; parameters: object } }[];
    };
    expect(tools.map((tool) => tool.function.name)).toEqual(['end_call', 'collect_keys', 'find_order', 'cancel_order']);
    expect(tools[2]!.function.parameters).toEqual({
      ...{ type: 'object', required: ['order'], additionalProperties: false },
      properties: { order: { type: 'string', description: 'its number, digits only, exactly 4' } },
    });
    expect(model.requests[0]!.body).not.toContain(service.host);
    await eventsOf(engines.reply, asked());
    expect(model.requests[1]!.body).not.toMatch(/find_order|A tool that changes/);
  });

  it('has what the caller said in the place of a stand-in, and the model has stand-ins in the place of what it answers', async () => {
    service.answer = answers({ driver: 'call 0551234567', card: '4111 1111 1111 1111' });
    model.answer = inTurn(find({ order: '[Value 1]' }), says('Call [Phone Number 1].'));
    const history = [{ role: 'agent', text: 'Which order is it?' }] as const;
    const request = asked({ agent: shop(), history, text: 'four five two one' });
    expect(wordsOf(await eventsOf(engines.reply, request))).toBe('Call 0551234567.');
    expect(service.requests[0]!.path).toBe('/orders/4521');
    expect(results()[0]).toMatch(/call \[Phone Number 1\]/);
    expect(model.received).not.toMatch(/0551234567|4111|four five|4521/);
  });

  it('gives nothing personal of its answer to a model, whatever it looks like', async () => {
    const values = ['0551234567', '+966 50 123 4567', '1010101010', 'SA0380000000608010167519', '4111111111111111'];
    const shapes = [
      (value: string) => ({ value }),
      (value: string) => ({ deep: [{ note: `reach me on ${value} please` }] }),
      (value: string) => `["${value}"]`,
    ];
    for (const value of values) {
      for (const shape of shapes) {
        service.answer = answers(shape(value));
        model.answer = inTurn(find({ order: '4521' }), says('Good.'));
        await eventsOf(engines.reply, asked({ agent: shop() }));
        expect(model.received).not.toContain(value);
      }
    }
  });

  it.each<[string, object | string, RegExp]>([
    ['no JSON', '{"order":', /no JSON object/],
    ['a list', '[1]', /no JSON object/],
    ['a missing value', {}, /order is missing/],
    ['a value of another kind', { order: ['4521'] }, /order is no digits/],
    ['too short a value', { order: '45' }, /order is no digits/],
    ['words', { order: 'the blue one' }, /order is no digits/],
    ['something more', { order: '4521', all: true }, /takes order and nothing else/],
    ['a value that nobody gave', { order: '[Value 7]' }, /nobody gave/],
    ['a value deep down', { order: { a: { a: { a: { a: { a: { a: { a: 1 } } } } } } } }, /nobody gave/],
  ])('is not called with %s, and the model told why', async (_, args, why) => {
    model.answer = inTurn(find(args), says('Which order?'));
    expect(wordsOf(await eventsOf(engines.reply, asked({ agent: shop() })))).toBe('Which order?');
    expect(service.requests).toEqual([]);
    expect(results()).toEqual([expect.stringMatching(why)]);
    expect(results()[0]).not.toMatch(/blue/);
  });

  it.each<[string, ToolAnswer, RegExp]>([
    ['an error', answers({}, 500), /^It failed \(status\)/],
    ['no JSON', answers('<html>'), /^It failed \(not-json\)/],
    [
      'without end',
      (response) => void response.writeHead(200).write(Buffer.alloc(200_000, 32)),
      /^It failed \(too-large\)/,
    ],
    ['never', () => {}, /^It failed \(timeout\)/],
    ['by hanging up', (response) => void response.destroy(), /^It failed \(network\)/],
    [
      'from elsewhere',
      (response) => void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
      /^It failed \(network\)/,
    ],
  ])('that answers with %s has failed, and the model is told to say so', async (_, answer, why) => {
    await engines.close();
    engines = await opened({ timeoutMs: 500 });
    service.answer = answer;
    model.answer = inTurn(find({ order: '4521' }), says('I cannot reach it.'));
    expect(wordsOf(await eventsOf(engines.reply, asked({ agent: shop() })))).toMatch(/I cannot reach it\.$/);
    expect(results()).toEqual([expect.stringMatching(why)]);
  });

  it('of which the answer is long is told of its beginning', async () => {
    service.answer = answers({ list: 'word '.repeat(5_000) });
    model.answer = inTurn(find({ order: '4521' }), says('Much.'));
    await eventsOf(engines.reply, asked({ agent: shop() }));
    expect(results()[0]).toHaveLength(4_000 + ' ... (cut here)'.length);
  });

  it('whose answer may not leave is told without it', async () => {
    service.answer = answers({ note: 'the password is swordfish9' });
    model.answer = inTurn(find({ order: '4521' }), says('It worked.'));
    await eventsOf(engines.reply, asked({ agent: shop({ privacy: 'block' }) }));
    expect(results()).toEqual(['It worked, and its answer may not be told to you.']);
  });

  it('is called so often in a turn and no more, however long the model goes on; then the caller is told', async () => {
    await engines.close();
    engines = await opened({ callsPerTurn: 2 });
    model.answer = find({ order: '4521' });
    const lost = await eventsOf(engines.reply, asked({ agent: shop() }));
    expect(wordsOf(lost)).toBe('Sorry, I could not reach the system just now. Please try again later.');
    expect([model.requests.length, service.requests.length]).toEqual([3, 2]);
    expect(results().at(-1)).toMatch(/status/);
  });

  it('is called so often and no more, also where a model calls it many times at once', async () => {
    await engines.close();
    engines = await opened({ callsPerTurn: 2 });
    model.answer = inTurn((response) => {
      const tools = ['4521', '4522', '4523', '4524'].map((order, index) => ({
        ...{ index, id: `call_${index}`, type: 'function' },
        function: { name: 'find_order', arguments: JSON.stringify({ order }) },
      }));
      streaming(response).end(`${chunk({ tool_calls: tools }, 'tool_calls')}data: [DONE]\n\n`);
    }, says('Two are here.'));
    expect(wordsOf(await eventsOf(engines.reply, asked({ agent: shop() })))).toBe('Two are here.');
    expect(service.requests.map(({ path }) => path)).toEqual(['/orders/4521', '/orders/4522']);
    expect(results().slice(2)).toEqual([
      expect.stringMatching(/no more calls/),
      expect.stringMatching(/no more calls/),
    ]);
  });

  it('that takes long has something said meanwhile, once', async () => {
    await engines.close();
    engines = await opened({ fillerAfterMs: 200 });
    const held: ServerResponse[] = [];
    service.answer = (response) => void held.push(response);
    model.answer = inTurn(find({ order: '4521' }), find({ order: '4522' }), says('It is here.'));
    const said: string[] = [];
    for await (const event of engines.reply.reply(asked({ agent: shop() }), new AbortController().signal)) {
      if (event.type !== 'text') continue;
      said.push(event.text);
      if (event.text === 'One moment, please.') service.answer = answers({ status: 'here' });
      for (const response of held.splice(0)) answers({ status: 'here' })(response, service.requests[0]!);
    }
    expect(said).toEqual(['One moment, please.', 'It is here.']);
  });

  it('is given up when the caller interrupts', async () => {
    service.answer = () => {};
    model.answer = find({ order: '4521' });
    const abort = new AbortController();
    const over = (async () => {
      for await (const _ of engines.reply.reply(asked({ agent: shop() }), abort.signal)) void _;
    })();
    await until(() => service.requests.length === 1, 'the tool is called');
    abort.abort();
    await over;
    await until(() => service.hungUp === 1, 'the tool is left');
    expect(model.requests).toHaveLength(1);
  });

  it('has what is known of the call, which no model gives', async () => {
    const agent = shop();
    const [tool] = agent.definition.tools!;
    const own = { ...tool!, url: `http://${service.host}/of/{{caller}}/{{order}}` };
    model.answer = inTurn(find({ order: '4521' }), says('Here.'));
    const definition = { ...agent.definition, tools: [own] };
    await eventsOf(engines.reply, asked({ agent: { ...agent, definition }, variables: { caller: '0551234567' } }));
    expect(service.requests[0]!.path).toBe('/of/0551234567/4521');
    expect(model.received).not.toContain('0551234567');
  });
});

describe('a tool that changes something', () => {
  const reason = 'Came too late, Sir';
  const cancel = calls('Of course. ', 'cancel_order', { order: '4521', reason });
  const READ_BACK = 'I cancel order 4 5 2 1 with the reason Came too late Sir. Shall I?';
  let conversation: Conversation;
  beforeEach(async () => {
    service.answer = answers({ receipt: 'A7' });
    model.answer = cancel;
    conversation = new Conversation(engines.reply, shop());
  });
  const readBack = async (): Promise<void> => {
    const { text } = await conversation.say('cancel order 4521, it came too late');
    expect(text).toBe(`Of course. ${READ_BACK}`);
    expect(service.requests).toEqual([]);
    model.answer = says('{"acts":[],"say":""}');
  };
  const sent = (): unknown[] => service.requests.map(({ body }) => JSON.parse(body) as unknown);

  it('is read back, and done after a yes without the model', async () => {
    await readBack();
    model.answer = refuses(500);
    const before = model.requests.length;
    expect((await conversation.say('yes please')).text).toBe('Order 4 5 2 1 is cancelled, receipt A7.');
    expect(sent()).toEqual([{ order: '4521', why: 'Came too late Sir' }]);
    expect(model.requests.length).toBe(before);
    model.answer = says('You are welcome.');
    expect((await conversation.say('thank you so much')).text).toBe('You are welcome.'); // the model again
    expect(sent()).toHaveLength(1);
  });

  it.each([
    { name: 'asked to be left alone', answer: refuses(429, { 'retry-after': '60' }) },
    { name: 'is paused', answer: refuses(500) },
  ])('is done after a yes that another engine hears, since the model $name meanwhile', async ({ answer }) => {
    const both = await chatEngines(model, {
      ...{ reply: ['openai', 'scripted'], limits: { breakerFailures: 1, breakerCooldownMs: 600_000 } },
      modelTools: { fillerAfterMs: 10_000 },
      fetcher: createToolFetcher({ allowedHosts: [service.host] }),
    });
    conversation = new Conversation(both.reply, shop());
    await readBack();
    model.answer = answer;
    await new Conversation(both.reply, chatAgent()).say('somebody else calls');
    const before = model.requests.length;
    expect(both.reply.expects(shop(), conversation.history, {}).hints.expect).toContain('yesno');
    expect((await conversation.say('yes please')).text).toBe('Order 4 5 2 1 is cancelled, receipt A7.');
    expect([sent().length, model.requests.length]).toEqual([1, before]);
    await both.close();
  });

  it.each(
    someOf(
      [
        'no',
        'no, leave it',
        'never mind',
        'hmm',
        'what does that cost',
        'yes but first tell me what it costs',
        'is it raining where you are',
      ],
      3,
    ),
  )('is not done after "%s"', async (text) => {
    await readBack();
    await conversation.say(text);
    expect(sent()).toEqual([]);
  });

  it('is done with what the caller corrects, read back once more', async () => {
    await readBack();
    expect((await conversation.say('no, order 4522')).text).toMatch(/cancel order 4 5 2 2 .*Shall I\?$/);
    expect(sent()).toEqual([]);
    await conversation.say('yes');
    expect(sent()).toEqual([{ order: '4522', why: 'Came too late Sir' }]);
  });

  it('is asked for by the model as often as it likes, and not done', async () => {
    for (const text of ['cancel order 4521', 'no', 'no no', 'cancel order 4521', 'what?']) await conversation.say(text);
    expect(sent()).toEqual([]);
  });

  it('is not done after a yes to a read-back of which the values were not heard', async () => {
    await conversation.say('cancel order 4521', { heardChars: 'Of course. I cancel order 4 5 2 1 with the'.length });
    model.answer = cancel;
    expect((await conversation.say('yes')).text).toContain('Shall I?');
    expect(sent()).toEqual([]);
  });

  it('is not done because the model says that the caller has agreed', async () => {
    model.answer = says('Shall I cancel order 4521 for you?');
    await conversation.say('cancel order 4521');
    model.answer = cancel;
    expect((await conversation.say('yes')).text).toBe(`Of course. ${READ_BACK}`);
    expect(sent()).toEqual([]);
  });

  it('is on record as done, with the values it was done with', async () => {
    await readBack();
    const notes: TurnNotes[] = [];
    const note = (one: TurnNotes): void => void notes.push(one);
    await eventsOf(engines.reply, asked({ agent: shop(), text: 'yes', history: [...conversation.history], note }));
    expect(Object.assign({}, ...notes)).toMatchObject({
      ...{ understood: true, done: ['cancel_order'], flow: 'cancel_order' },
      slots: { order: '4521', reason: 'Came too late Sir' },
      tools: [{ tool: `POST http://${service.host}/cancel`, outcome: 'ok' }],
    });
  });

  it('is read back in digits that the model does not learn afterwards either', async () => {
    conversation = new Conversation(engines.reply, shop());
    model.answer = says('Which order?');
    await conversation.say('cancel an order please');
    model.answer = calls('', 'cancel_order', { order: '[Value 1]', reason: 'late' });
    expect((await conversation.say('four five two one')).text).toContain('cancel order 4 5 2 1');
    model.answer = says('{"acts":[],"say":""}');
    await conversation.say('yes');
    model.answer = says('You are welcome.');
    await conversation.say('thank you so much');
    expect(model.messages.map(({ content }) => content).join('\n')).toContain('I cancel order [Value 1] with');
    expect(model.received).not.toMatch(/4521|4 5 2 1|four five/);
  });

  it('that fails is told by the words of the agent', async () => {
    await readBack();
    service.answer = answers({}, 500);
    expect((await conversation.say('yes')).text).toBe('I could not cancel order 4 5 2 1.');
  });

  it('is done once, also where the caller goes on and the turn is answered anew', async () => {
    await readBack();
    const release: (() => void)[] = [];
    service.answer = (response, request) => void release.push(() => answers({ receipt: 'A7' })(response, request));
    const request = asked({ agent: shop(), text: 'yes', history: [...conversation.history] });
    const abort = new AbortController();
    const first = (async () => {
      for await (const _ of engines.reply.reply(request, abort.signal)) void _;
    })();
    await until(() => service.requests.length === 1, 'it is under way');
    abort.abort();
    await first;
    release[0]!();
    const events = await eventsOf(engines.reply, { ...request, text: 'yes please' });
    expect(wordsOf(events)).toBe('Order 4 5 2 1 is cancelled, receipt A7.');
    expect([service.requests.length, service.hungUp]).toEqual([1, 0]);
  });

  it('is agreed on in Arabic, and on the keys', async () => {
    model.answer = calls('', 'cancel_order', { order: '4521', reason: 'تأخر الطلب' });
    const words = 'ألغي الطلب 4 5 2 1 بسبب تأخر الطلب. تأكد؟';
    expect((await conversation.say('ابي الغي الطلب 4521 لانه تأخر')).text).toBe(words);
    model.answer = says('{"acts":[],"say":""}');
    await conversation.say('ايه نعم');
    expect(sent()).toEqual([{ order: '4521', why: 'تأخر الطلب' }]);
    const keyed = new Conversation(engines.reply, shop(), 'keypad');
    model.answer = cancel;
    expect((await keyed.say('7')).text).toContain('Shall I?');
    await keyed.say('1');
    expect(sent()).toHaveLength(2);
  });

  it('is not read back with values that could not be told from the words', async () => {
    model.answer = inTurn(calls('', 'pay', { amount: -5.5 }), says('How much?'));
    const confirm = { en: 'I pay {{amount}} now. Shall I?' };
    const url = `http://${service.host}/pay`;
    const parameters = [{ name: 'amount', type: 'number' }] as const;
    const pay = { ...{ name: 'pay', description: 'Pays.', parameters, url, confirm }, method: 'POST' as const };
    expect(wordsOf(await eventsOf(engines.reply, asked({ agent: shop({ tools: [pay] }) })))).toBe('How much?');
    expect(results()).toEqual([expect.stringMatching(/cannot be read back/)]);
  });

  it('tells the recogniser that a yes or a no is waited for', async () => {
    await readBack();
    const { hints } = engines.reply.expects(shop(), conversation.history, {});
    expect(hints.expect).toContain('yesno');
  });
});
