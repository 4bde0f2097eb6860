import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { silentLogger } from '../../../src/core/logger.ts';
import { createMetrics } from '../../../src/core/metrics.ts';
import { ServiceUse } from '../../../src/core/service-use.ts';
import { ChatClient } from '../../../src/engines/openai/chat-client.ts';
import { authored } from '../../../src/engines/privacy/outbound.ts';
import { asked, chatAgent, chatEngines, eventsOf } from '../../support/chat-engines.ts';
import { type Answer, ChatTestServer, chunk, refuses, says, streaming, usage } from '../../support/chat-server.ts';
import { plainAgent } from '../../support/reply-agents.ts';

let server: ChatTestServer;
beforeEach(async () => {
  server = await ChatTestServer.start();
});
afterEach(() => server.close());

const never = new AbortController().signal;
const DONE = 'data: [DONE]\n\n';
const clientOf = (used: ServiceUse): ChatClient =>
  new ChatClient(
    { baseUrl: server.baseUrl, model: 'test-model' },
    { clock: systemClock, logger: silentLogger, used: used.tell },
  );

/** The text of an answer, or what kind of failure it was. */
async function answerOf(client: ChatClient, used?: ServiceUse): Promise<string> {
  const messages = [{ role: 'user', content: authored('Hello?') }] as const;
  let text = '';
  try {
    const request = { messages, maxTokens: 10, temperature: 0, ...(used && { used: used.tell }) };
    for await (const event of client.chat(request, never)) if (event.type === 'text') text += event.text;
  } catch (error) {
    return (error as { kind: string }).kind;
  }
  return text;
}

describe('what an answer of a chat server took', () => {
  const pieces =
    (...parts: readonly string[]): Answer =>
    (response) =>
      void streaming(response).end(parts.join(''));
  const whole: Answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const choices = [{ message: { content: 'Hi.' }, finish_reason: 'stop' }];
    response.end(JSON.stringify({ choices, usage: { prompt_tokens: 7, completion_tokens: 3 } }));
  };
  const word = chunk({ content: 'Hi.' });
  const counted = { requests: 1, 'input-tokens': 7, 'output-tokens': 3 };
  const unknown = { requests: 1, 'uncounted-requests': 1 };

  it.each<{ name: string; answer: Answer; used: object }>([
    { name: 'is told at its end', answer: says('Hi.', 5, usage(7, 3)), used: counted },
    { name: 'is the last that was told', answer: pieces(word, usage(7, 1), usage(7, 3), DONE), used: counted },
    { name: 'is told by a server that does not stream', answer: whole, used: counted },
    { name: 'is unknown where nobody tells it', answer: says('Hi.'), used: unknown },
    { name: 'is unknown where half of it is told', answer: says('Hi.', 5, usage(7, undefined)), used: unknown },
    { name: 'is unknown where it is no number', answer: says('Hi.', 5, usage('7', -3)), used: unknown },
    { name: 'is unknown where it broke off', answer: pieces(word), used: unknown },
  ])('$name', async ({ answer, used }) => {
    server.answer = answer;
    const [own, call] = [new ServiceUse(), new ServiceUse()];
    await answerOf(clientOf(own), call);
    expect([own.totals, call.totals]).toEqual([{ 'openai-chat': used }, { 'openai-chat': used }]);
  });

  it('is unknown where nobody waits for it any more', async () => {
    const abort = new AbortController();
    server.answer = (response) => void streaming(response).write(word);
    const use = new ServiceUse();
    const request = {
      messages: [{ role: 'user', content: authored('Hello?') }],
      maxTokens: 10,
      temperature: 0,
    } as const;
    for await (const _ of clientOf(use).chat(request, abort.signal)) abort.abort();
    expect(use.totals).toEqual({ 'openai-chat': unknown });
  });

  it('is nothing where it was refused', async () => {
    server.answer = refuses(500);
    const use = new ServiceUse();
    expect(await answerOf(clientOf(use))).toBe('broken');
    expect(use.totals).toBeUndefined();
  });
});

describe('a server that does not know the wish for a count', () => {
  const wishes = (): readonly boolean[] => server.requests.map(({ body }) => body.includes('stream_options'));

  it.each([400, 422])('and refuses it with %i, is asked without it, then and from then on', async (status) => {
    const refusal = refuses(status);
    server.answer = (response, request) =>
      (request.body.includes('stream_options') ? refusal : says('Hi.'))(response, request);
    const client = clientOf(new ServiceUse());
    expect([await answerOf(client), await answerOf(client)]).toEqual(['Hi.', 'Hi.']);
    expect(wishes()).toEqual([true, false, false]);
  });

  it('is not looked for in what refuses another thing', async () => {
    const client = clientOf(new ServiceUse());
    server.answer = refuses(400);
    expect(await answerOf(client)).toBe('refused');
    server.answer = says('Hi.');
    expect(await answerOf(client)).toBe('Hi.');
    server.answer = refuses(400);
    expect(await answerOf(client)).toBe('refused');
    expect(wishes()).toEqual([true, false, true, true]);
  });
});

describe('what chat models took', () => {
  const proposal = JSON.stringify({ acts: [], say: 'Good.' });
  it.each([
    { name: 'an answer', agent: chatAgent(), answer: says('It is on its way.', 5, usage(7, 3)) },
    { name: 'how a sentence is read', agent: plainAgent('delivery-en'), answer: says(proposal, 5, usage(7, 3)) },
  ])('is told to the call that it was for, and counted: $name', async ({ agent, answer }) => {
    const metrics = createMetrics();
    const engines = await chatEngines(server, { metrics });
    server.answer = answer;
    const call = new ServiceUse();
    await eventsOf(engines.reply, asked({ agent, text: 'the kettle leaks a little', used: call.tell }));
    await engines.close();
    expect(call.totals).toEqual({ 'openai-chat': { requests: 1, 'input-tokens': 7, 'output-tokens': 3 } });
    const told = await metrics.registry.metrics();
    for (const [unit, amount] of [['requests', 1], ['input-tokens', 7], ['output-tokens', 3]]) // biome-ignore format: rows
      expect(told).toContain(`nidaa_engine_used_total{capability="reply",engine="openai",unit="${unit}"} ${amount}`);
  });
});
