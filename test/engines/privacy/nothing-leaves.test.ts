import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EngineSet } from '../../../src/engines/engine-set.ts';
import type { ChatMessage } from '../../../src/engines/openai/chat-client.ts';
import type { RemoteReplyEngine } from '../../../src/engines/privacy/protected-reply.ts';
import type { ReplyEngine } from '../../../src/engines/reply/contract.ts';
import { type ApiRig, apiRig, testAgent } from '../../support/api-rig.ts';
import { asked, chatAgent, chatEngines, eventsOf, wordsOf } from '../../support/chat-engines.ts';
import { type Answer, ChatTestServer, type SentMessage, says } from '../../support/chat-server.ts';
import { rig } from '../../support/conversation-rig.ts';
import { LogCapture } from '../../support/log-capture.ts';
import { someOf } from '../../support/property-runs.ts';

/** What callers say, and what of it may not be found in a single byte that leaves. */
const SAID: readonly { readonly what: string; readonly text: string; readonly secrets: readonly string[] }[] = [
  { what: 'ID', text: 'My national ID is 1012345672.', secrets: ['1012345672'] },
  { what: 'IBAN', text: 'My IBAN is SA03 8000 0000 6080 1016 7519.', secrets: ['6080', '7519'] },
  { what: 'card', text: 'Charge the card 4111 1111 1111 1111.', secrets: ['4111', '1111'] },
  { what: 'phone', text: 'Call me back on +966 55 123 4567.', secrets: ['4567', '551234567'] },
  { what: 'name', text: 'My name is Khalid Al-Harbi.', secrets: ['Khalid', 'Harbi'] },
  { what: 'e-mail', text: 'Write to khalid.h@example.com.', secrets: ['khalid.h', 'example.com'] },
  { what: 'ID, Arabic', text: 'رقم هويتي ١٠١٢٣٤٥٦٧٢.', secrets: ['١٠١٢٣٤٥٦٧٢', '1012345672'] },
  { what: 'IBAN, Arabic', text: 'الآيبان حقي SA0380000000608010167519.', secrets: ['608010167519'] },
  { what: 'card, Arabic', text: 'بطاقتي رقم ٤١١١ ١١١١ ١١١١ ١١١١.', secrets: ['٤١١١', '4111'] },
  { what: 'phone, Arabic', text: 'جوالي ٠٥٥١٢٣٤٥٦٧.', secrets: ['٠٥٥١٢٣٤٥٦٧', '0551234567'] },
  {
    what: 'phone, spoken',
    text: 'جوالي صفر خمسة خمسة واحد اثنين ثلاثة أربعة خمسة ستة سبعة.',
    secrets: ['اثنين', 'سبعة'],
  },
  { what: 'name, Arabic', text: 'اسمي خالد الحربي.', secrets: ['خالد', 'الحربي'] },
];
const KEY = 'sk-canary-9876543210';

/** Repeats the last thing that was said, letter for letter, as the model received it. */
const echo: Answer = (response, received) => {
  const { messages } = JSON.parse(received.body) as { messages: SentMessage[] };
  says(messages.at(-1)!.content, 3)(response, received);
};

let server: ChatTestServer;
let engines: EngineSet;
const log = new LogCapture();
beforeAll(async () => {
  server = await ChatTestServer.start(echo);
  engines = await chatEngines(server, { logger: log.logger }); // documents are read in a thread, which takes long to start
});
beforeEach(() => {
  server.requests.length = 0;
  server.answer = echo;
});
afterAll(async () => {
  await engines.close();
  await server.close();
});

/** Every byte that the server was sent, headers too, as text and with JSON's escapes undone. */
function everyByte(): string {
  const raw = server.requests.map(({ path, headers, body }) => `${path} ${JSON.stringify(headers)} ${body}`).join('\n');
  return `${raw}\n${raw.replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))}`;
}
function expectNothingLeft(secrets: readonly string[]): void {
  expect(server.requests.length).toBeGreaterThan(0);
  const sent = everyByte().toLowerCase();
  for (const secret of secrets) expect(sent).not.toContain(secret.toLowerCase());
  for (const secret of [...secrets, KEY]) expect(log.text).not.toContain(secret);
}

it('a text or an engine that bypasses the boundary does not compile', () => {
  const remote = {} as RemoteReplyEngine;
  // @ts-expect-error a remote engine is no reply engine: it comes in by protectReply alone
  const engine: ReplyEngine = remote;
  const words: string = 'my name is Khalid';
  // @ts-expect-error what was said is not outbound before it has crossed
  const message: ChatMessage = { role: 'user', content: words };
  expect([engine, message]).toHaveLength(2);
});

describe('a turn', () => {
  it.each(someOf(SAID, 4))('$what: nothing of it leaves, and the caller hears it', async ({ text, secrets }) => {
    expect(wordsOf(await eventsOf(engines.reply, asked({ text })))).toBe(text);
    expectNothingLeft(secrets);
  });

  it.each(someOf(SAID, 8))('$what in the history and in a variable', async ({ text, secrets }) => {
    const value = secrets[0]!;
    const history = [
      { role: 'caller', text },
      { role: 'agent', text: `Did you say: ${text}` },
      { role: 'caller', text: 'yes' },
      { role: 'agent', text: `Thank you. ${value}` },
    ] as const;
    const answer = await eventsOf(engines.reply, asked({ history, variables: { of_caller: value }, text: 'and now?' }));
    expect(wordsOf(answer)).toBe('and now?');
    expectNothingLeft(secrets);
  });

  const withFlow = chatAgent({
    intents: [{ name: 'send', flow: 'send', examples: { en: ['send a parcel'], ar: ['ارسل طرد'] } }],
    flows: [{ name: 'send', slots: [{ name: 'to', type: 'text', prompts: { en: ['Where to?'] } }], actions: [] }],
  });
  it.each(someOf(SAID, 8))('$what, read for an agent with flows', async ({ text, secrets }) => {
    const history = [
      { role: 'caller', text: `send a parcel. ${text}` },
      { role: 'agent', text: 'Where to?' },
    ] as const;
    await eventsOf(engines.reply, asked({ agent: withFlow, text, history, variables: { of_caller: secrets[0]! } }));
    expectNothingLeft(secrets);
  });

  it('tables and other customers stay at home', async () => {
    const agent = chatAgent({ tables: { people: [{ name: 'Layla Hassan', phone: '0559998877' }] } });
    await eventsOf(engines.reply, asked({ agent, text: 'who is in your tables?' }));
    expectNothingLeft(['Layla', '0559998877']);
  });

  it('an agent whose boundary is off sends what was said', async () => {
    const agent = chatAgent({ privacy: 'off' });
    expect(wordsOf(await eventsOf(engines.reply, asked({ agent, text: SAID[0]!.text })))).toBe(SAID[0]!.text);
    expect(everyByte()).toContain('1012345672');
  });

  it.each([
    ['en', 'my password is hunter2', 'To protect your privacy'],
    ['ar', 'كلمة المرور حقتي abc12345', 'حفاظًا على خصوصيتك'],
  ])('an agent that blocks asks for the keys instead, %s', async (_, text, words) => {
    const agent = chatAgent({ privacy: 'block' });
    const events = await eventsOf(engines.reply, asked({ agent, text }));
    expect(wordsOf(events)).toContain(words);
    expect(events.at(-1)).toMatchObject({ action: { type: 'collect', terminator: '#' } });
    expect(server.requests).toEqual([]);
    const keyed = await eventsOf(engines.reply, asked({ agent, text: '4521', input: 'keypad' }));
    expect(wordsOf(keyed)).toBe('(keys pressed) 4521');
    expectNothingLeft(['4521', 'hunter2', 'abc12345']);
  });

  it('an agent that blocks is answered by the engine that sends nothing, where there is one', async () => {
    const agent = chatAgent({ privacy: 'block' });
    const both = await chatEngines(server, { reply: ['openai', 'scripted'] });
    const events = await eventsOf(both.reply, asked({ agent, text: 'my password is hunter2' }));
    await both.close();
    expect(wordsOf(events)).not.toBe('');
    expect(wordsOf(events)).not.toContain('privacy');
    expect(server.requests).toEqual([]);
  });
});

describe('a call', () => {
  it.each(someOf(SAID, 8))('$what over three turns', async ({ text, secrets }) => {
    const agent = chatAgent({ knowledge: [{ question: { en: ['hours'] }, answer: { en: 'Nine to five.' } }] });
    const call = rig({
      ...{ engine: engines.reply, agent, variables: { caller: '+966559990001', name: 'Dhirgham' } },
      settings: { replyTimeoutMs: 600_000, noInputMs: 600_000, synthesisTimeoutMs: 600_000 },
    });
    call.conversation.greet();
    await call.silence(2_000);
    for (const words of [text, 'please say it again', 'is Dhirgham there']) {
      const before = call.turns.length;
      await call.say(words);
      // The model's time is real, the call's is not: a little of each until both turns are on record.
      await expect
        .poll(
          async () => {
            await wait(2);
            await call.silence(200);
            return call.turns.length;
          },
          { timeout: 15_000, interval: 5 },
        )
        .toBe(before + 2);
    }
    const heard = call.turns.filter(({ role }) => role === 'agent').map((turn) => turn.text);
    expect(heard.slice(1)).toEqual([text, 'please say it again', 'is Dhirgham there']);
    expectNothingLeft([...secrets, '559990001', 'Dhirgham']);
  });
});

it('keys pressed in a call are one number, and stay at home', async () => {
  const call = rig({
    ...{ engine: engines.reply, agent: chatAgent() },
    settings: { replyTimeoutMs: 600_000, noInputMs: 600_000, synthesisTimeoutMs: 600_000 },
  });
  call.conversation.greet();
  await call.silence(2_000);
  for (const key of '1012345673') {
    call.conversation.onDigit(key);
    await call.silence(300);
  }
  await expect
    .poll(
      async () => {
        await wait(2);
        await call.silence(200);
        return call.turns.length;
      },
      { timeout: 15_000, interval: 5 },
    )
    .toBe(3);
  expect(call.turns.at(-1)!.text).toBe('(keys pressed) 1012345673');
  expect(server.requests).toHaveLength(1);
  expectNothingLeft(['1012345673', '10123']);
});

describe('the API', () => {
  let api: ApiRig;
  beforeAll(() => {
    api = apiRig({ service: { reply: engines.reply, documents: engines.documents! }, agents: [testAgent('agt_one')] });
  });
  afterAll(() => api.app.close());

  it.each(someOf(SAID, 8))('POST /v1/agents/{id}/reply: $what', async ({ text, secrets }) => {
    const history = [{ text: 'hello' }, { text: `You told me: ${text}` }];
    const body = { text, history, variables: { customer: 'Dhirgham', extra: secrets[0]! }, audio: false };
    const answer = await api.send({ url: '/v1/agents/agt_one/reply', body });
    expect(answer.json()).toMatchObject({ reply: text });
    expectNothingLeft([...secrets, 'Dhirgham']);
  });

  it.each(someOf(SAID, 8))('POST /v1/documents/ask: $what', async ({ text, secrets }) => {
    // The model quotes every passage it was given: what it quotes stands in the document again.
    server.answer = (response, received) => {
      const { messages } = JSON.parse(received.body) as { messages: SentMessage[] };
      const passages = [...messages[1]!.content.matchAll(/Passage \d+:\n(.*)/g)].map((match) => match[1]!);
      says(JSON.stringify({ answered: true, answer: passages[0], quotes: passages }))(response, received);
    };
    const file = Buffer.from(`Note about zebras\n\nThe zebra was brought by a customer who wrote: ${text}\n`);
    const question = `Who brought the zebra? ${text}`;
    const body = { file: file.toString('base64'), mime_type: 'text/plain', question };
    const answer = await api.send({ url: '/v1/documents/ask', body });
    expect(answer.statusCode).toBe(200);
    expect(JSON.stringify(answer.json())).toContain(text);
    expectNothingLeft(secrets);
  });
});
