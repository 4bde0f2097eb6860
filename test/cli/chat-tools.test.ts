import { afterEach, beforeEach, expect, it } from 'vitest';
import { chat } from '../../src/cli/chat.ts';
import type { CommandContext } from '../../src/cli/context.ts';
import { loadConfig } from '../../src/config/load.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { ChatTestServer, calls, refuses, says } from '../support/chat-server.ts';
import { configFolder } from '../support/config-folder.ts';
import { MemoryOutput } from '../support/memory-output.ts';
import { answers, ToolService } from '../support/tool-service.ts';

const KEY = 'tool-canary-4711';
let model: ChatTestServer;
let service: ToolService;
let folder: ReturnType<typeof configFolder>;
beforeEach(async () => {
  model = await ChatTestServer.start();
  service = await ToolService.start(answers({ status: 'with the driver' }));
  folder = configFolder({
    'nidaa.yaml': `engines:
  reply: openai
  openai: { baseUrl: "${model.baseUrl}", chatModel: test-model }
  httpTools:
    allowedHosts: ["${service.host}"]
    secrets: { shop: { env: SHOP_KEY, hosts: ["${service.host}"] } }
`,
    'agents/shop.yaml': `number: "7000"
name: Shop
language: en-US
voice: emma
model: sada-1
greeting: { en: Welcome to the shop. }
tools:
  - name: find_order
    description: Tells where an order is.
    parameters: [{ name: order, type: digits, minDigits: 4, maxDigits: 4 }]
    method: GET
    url: http://${service.host}/orders/{{order}}
    headers: { authorization: "Bearer {{secret:shop}}" }
  - name: cancel_order
    description: Cancels an order.
    parameters: [{ name: order, type: digits, minDigits: 4, maxDigits: 4 }]
    method: POST
    url: http://${service.host}/cancel
    body: { order: "{{order}}" }
    confirm: { en: "I cancel order {{order}}. Shall I?" }
`,
  });
});
afterEach(async () => {
  folder.remove();
  await model.close();
  await service.close();
});

it('a typed conversation with an agent file: a tool that reads, one that changes, and what the model does not learn', async () => {
  const config = loadConfig({ env: { SHOP_KEY: KEY }, cwd: folder.dir, configDir: folder.dir });
  const out = new MemoryOutput(true);
  const context = { out, config, logger: silentLogger } as unknown as CommandContext;
  model.answer = (response, { body }) => {
    const { messages } = JSON.parse(body) as { messages: { role: string; content: string }[] };
    const last = messages.at(-1)!;
    if (last.role === 'tool')
      return says(`It is ${/"status":"([^"]*)"/.exec(last.content)?.[1]}.`)(response, { body } as never);
    if (/cancel/.test(last.content)) return calls('', 'cancel_order', { order: '4521' })(response, { body } as never);
    if (/where/.test(last.content)) return calls('', 'find_order', { order: '4521' })(response, { body } as never);
    refuses(500)(response, { body } as never);
  };
  const lines = async function* () {
    yield* ['where is my order 4521', 'then cancel it please', 'yes please'];
  };
  await chat(context, '7000', {}, lines());
  const replies = out.lines.map((line) => (JSON.parse(line) as { reply: string }).reply);
  expect(replies).toEqual([
    'It is with the driver.',
    'I cancel order 4 5 2 1. Shall I?',
    'That is done. Is there anything else?',
  ]);
  expect(service.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
    ['GET', '/orders/4521', ''],
    ['POST', '/cancel', '{"order":"4521"}'],
  ]);
  expect(service.requests[0]!.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(model.received + out.text).not.toContain(KEY);
});
