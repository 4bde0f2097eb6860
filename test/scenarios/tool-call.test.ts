import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { OfficialMcpServer } from '../sdk-clients/mcp-official.ts';
import { endedLine } from '../support/call-log.ts';
import { saidIn, texts } from '../support/call-record.ts';
import { ChatTestServer, calls, says, usage } from '../support/chat-server.ts';
import { configFolder } from '../support/config-folder.ts';
import { type Gateway, nidaa, prepared, startGateway } from '../support/gateway.ts';
import { callWith, missingForCalls } from '../support/phone-call.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { answers, ToolService } from '../support/tool-service.ts';

const KEY = 'tool-canary-0815';

/** An agent without flows: a model answers it, and calls an HTTP service and an MCP server. */
describe.skipIf(missingForCalls.length > 0)('a call of an agent whose model has tools', () => {
  let model: ChatTestServer;
  let service: ToolService;
  let crm: OfficialMcpServer;
  let gateway: Gateway;
  let folder: ReturnType<typeof configFolder>;

  beforeAll(async () => {
    model = await ChatTestServer.start();
    service = await ToolService.start(answers({ receipt: 'seven' }));
    const schema = { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] } as const;
    crm = await OfficialMcpServer.start({
      tools: [{ name: 'find', description: 'Finds an order.', inputSchema: schema }],
      call: () => ({ content: [], structuredContent: { status: 'on a red van' } }),
    });
    folder = configFolder({
      'nidaa.yaml': `# What is judged here is no matter of milliseconds.
media: { maxLatenessP99Ms: 50 }
conversation: { replyTimeoutMs: 30000 }
engines:
  reply: openai
  openai: { baseUrl: "${model.baseUrl}", chatModel: test-model, firstTokenMs: 20000 }
  httpTools:
    allowedHosts: ["${service.host}"]
    secrets:
      shop: { env: SHOP_KEY, hosts: ["${service.host}", "${crm.host}"] }
  modelTools: { fillerAfterMs: 10000 } # no word meanwhile because the machine does much else
  mcp:
    crm:
      url: ${crm.url}
      headers: { authorization: "Bearer {{secret:shop}}" }
      tools: { find: { changes: false } }
`,
      'agents/shop.yaml': `number: "1000"
name: Shop
language: en-US
voice: emma
model: sada-1
status: live
greeting: { en: "Welcome to the shop. Key in your order." }
mcp: [crm]
tools:
  - name: cancel_order
    description: Cancels an order.
    parameters: [{ name: order, type: digits, minDigits: 4, maxDigits: 4 }]
    method: POST
    url: http://${service.host}/cancel
    body: { order: "{{order}}" }
    headers: { authorization: "Bearer {{secret:shop}}" }
    confirm: { en: "I cancel order {{order}}. Shall I?" }
    then: { en: "It is cancelled, receipt {{receipt}}." }
`,
    });
    gateway = await startGateway({
      databaseUrl: await sharedDatabase(inject('postgresDesk')),
      env: { NIDAA_CONFIG: `${folder.dir}/nidaa.yaml`, SHOP_KEY: KEY },
    });
    await prepared(gateway);
  });
  afterAll(async () => {
    await gateway?.dispose();
    folder?.remove();
    await Promise.all([model?.close(), service?.close(), crm?.close()]);
  });

  it('reads from the server, reads back what it is to change, and does it after the key for yes', async () => {
    service.requests.length = 0;
    crm.calls.length = 0;
    let turns = 0; // of the caller
    model.answer = (response, request) => {
      const { messages } = JSON.parse(request.body) as { messages: { role: string; content: string }[] };
      const last = messages.at(-1)!;
      if (last.role === 'tool') {
        const status = /"status":"([^"]*)"/.exec(last.content)?.[1];
        return says(`It is ${status}. To cancel it press nine.`, 5, usage(900, 20))(response, request);
      }
      turns += 1;
      const keyed = messages.flatMap(({ role, content }) =>
        role === 'user' ? (/\[Value \d+\]/.exec(content) ?? []) : [],
      );
      calls('', turns === 1 ? 'crm_find' : 'cancel_order', { order: keyed[0] })(response, request);
    };
    const { call } = await callWith(gateway, '1000', [], async (phone) => {
      await saidIn(gateway, phone.sipCallId, 'your order');
      await phone.press('4521#');
      await saidIn(gateway, phone.sipCallId, 'red van');
      await phone.press('9#');
      await saidIn(gateway, phone.sipCallId, 'Shall I');
      expect(service.requests).toEqual([]);
      await phone.press('1');
      await saidIn(gateway, phone.sipCallId, 'receipt seven');
    });
    expect(texts(call, 'agent').slice(1)).toEqual([
      'It is on a red van. To cancel it press nine.',
      'I cancel order 4 5 2 1. Shall I?',
      'It is cancelled, receipt seven.',
    ]);
    expect(crm.calls).toEqual([{ name: 'find', args: { order: '4521' } }]);
    expect(service.requests.map(({ path, body }) => [path, body])).toEqual([['/cancel', '{"order":"4521"}']]);
    expect(service.requests[0]!.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(crm.requests.every(({ authorization }) => authorization === `Bearer ${KEY}`)).toBe(true);
    expect(model.received).not.toMatch(/4521|4 5 2 1|tool-canary/);
    expect(gateway.log()).not.toMatch(/tool-canary|red van/);
    const asked = model.requests.length;
    expect((await endedLine(gateway, call.sip_call_id)).services).toEqual({
      'openai-chat': { requests: asked, 'input-tokens': 900, 'output-tokens': 20, 'uncounted-requests': asked - 1 },
    });
  });

  it('is what doctor sees', async () => {
    const { stdout } = await nidaa(gateway, 'doctor');
    expect(stdout).toMatch(/MCP server crm.*crm_find/s);
  });
});
