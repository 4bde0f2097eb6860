import OpenAI, { APIError } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChatTestServer, calls, refuses, says } from '../support/chat-server.ts';

const TOOL = { type: 'function', function: { name: 'track', parameters: { type: 'object' } } } as const;
const ASKED = { model: 'test-model', messages: [{ role: 'user', content: 'Where is my order?' }] } as const;

/** The vendor's own client finds in the stand-in of chat models what it looks for: framing, pieces of text and of calls, refusals. */
describe('the stand-in of chat models, asked by the client of OpenAI', () => {
  let server: ChatTestServer;
  let client: OpenAI;
  beforeAll(async () => {
    server = await ChatTestServer.start();
    client = new OpenAI({ apiKey: 'sk-canary', baseURL: server.baseUrl, maxRetries: 0 });
  });
  afterAll(() => server.close());
  const asked = () => ({ ...ASKED, messages: [...ASKED.messages] });

  it('answers in pieces', async () => {
    server.answer = says('It is on its way.');
    const pieces: string[] = [];
    const finishes: unknown[] = [];
    for await (const { choices } of await client.chat.completions.create({ ...asked(), stream: true })) {
      pieces.push(choices[0]?.delta.content ?? '');
      finishes.push(choices[0]?.finish_reason);
    }
    expect([pieces.join(''), finishes.at(-1)]).toEqual(['It is on its way.', 'stop']);
    expect(pieces.length).toBeGreaterThan(3);
  });

  it('calls a tool, after a word', async () => {
    server.answer = calls('One moment.', 'track', { order: 4521 });
    const whole = await client.chat.completions.stream({ ...asked(), tools: [TOOL] }).finalChatCompletion();
    const [{ message, finish_reason: finish } = { message: undefined, finish_reason: undefined }] = whole.choices;
    expect([message?.content, finish]).toEqual(['One moment.', 'tool_calls']);
    const call = { id: 'call_1', type: 'function', function: { name: 'track', arguments: '{"order":4521}' } };
    expect(message?.tool_calls).toMatchObject([call]);
  });

  it('refuses as the API does, and names its models', async () => {
    server.answer = refuses(429, { 'retry-after': '7' });
    const refusal = await client.chat.completions.create({ ...asked(), stream: true }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(APIError);
    expect(refusal).toMatchObject({ status: 429, code: 'code_429' });
    const models: string[] = [];
    for await (const { id } of client.models.list()) models.push(id);
    expect(models).toEqual(['test-model']);
  });
});
