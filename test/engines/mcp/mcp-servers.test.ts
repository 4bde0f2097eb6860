import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentDefinition } from '../../../src/core/agent.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { silentLogger } from '../../../src/core/logger.ts';
import type { EngineSet } from '../../../src/engines/engine-set.ts';
import { type McpServerSettings, McpServers } from '../../../src/engines/mcp/mcp-servers.ts';
import { OfficialMcpServer, type OfficialTool } from '../../sdk-clients/mcp-official.ts';
import { chatAgent, chatEngines } from '../../support/chat-engines.ts';
import { ChatTestServer, calls, says } from '../../support/chat-server.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { Conversation } from '../../support/reply-conversation.ts';
import { answers, ToolService } from '../../support/tool-service.ts';
import { until } from '../../support/until.ts';

const FIND: OfficialTool = {
  name: 'find_order',
  description: 'Tells where an order is.',
  inputSchema: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
};
const OPEN: OfficialTool = {
  name: 'open_ticket',
  description: 'Opens a ticket.',
  inputSchema: {
    type: 'object',
    properties: {
      subject: { type: 'string' },
      pieces: { type: 'integer' },
      urgent: { type: 'boolean' },
      extra: { type: 'object' },
    },
    required: ['subject', 'pieces'],
  },
};
const READS = { changes: false } as const;
const OPENS = { confirm: { en: 'I open a ticket about {{subject}} for {{pieces}} pieces. Shall I?' } };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
const started = async (tools: readonly OfficialTool[] = [FIND, OPEN]): Promise<OfficialMcpServer> => {
  const server = await OfficialMcpServer.start({
    tools,
    call: (name) =>
      name === 'find_order'
        ? { content: [], structuredContent: { status: 'with the driver', driver: '0551234567' } }
        : { content: [{ type: 'text', text: 'opened' }] },
  });
  closing.push(() => server.close());
  return server;
};
const serversOf = (crm: Partial<McpServerSettings> & { readonly url: string }, clock = systemClock): McpServers => {
  const tools = { find_order: READS, open_ticket: OPENS };
  const servers = new McpServers(
    { crm: { headers: {}, timeoutMs: 20_000, tools, ...crm } },
    { clock, logger: silentLogger, version: '1' },
  );
  closing.unshift(() => servers.close());
  return servers;
};
const agentWith = (change: Partial<AgentDefinition> = {}) => chatAgent({ mcp: ['crm'], ...change });
const namesOf = (servers: McpServers, agent = agentWith()): string[] => servers.toolsOf(agent).map(({ name }) => name);

describe('the list of a server', () => {
  it('is read at the start, in nobody`s way, and holds what may be called', async () => {
    const server = await started([FIND, OPEN, { ...FIND, name: 'delete_everything' }]);
    const servers = serversOf({ url: server.url });
    expect(namesOf(servers)).toEqual([]); // asked, and not waited for
    await servers.listed();
    expect(namesOf(servers)).toEqual(['crm_find_order', 'crm_open_ticket']);
    expect(namesOf(servers, chatAgent())).toEqual([]);
    expect(namesOf(servers, agentWith({ mcp: ['other'] }))).toEqual([]);
  });

  it('is for the accounts it is meant for', async () => {
    const server = await started();
    const servers = serversOf({ url: server.url, accounts: ['acc_other'] });
    await servers.listed();
    expect(namesOf(servers)).toEqual([]);
    expect(namesOf(servers, { ...agentWith(), accountId: 'acc_other' })).toHaveLength(2);
  });

  it('tells what cannot be called, and why', async () => {
    const server = await started();
    const servers = serversOf({
      url: server.url,
      tools: {
        find_order: READS,
        open_ticket: { confirm: { en: 'I open a ticket about {{subject}}. Shall I?' } },
        find_customer: READS,
      },
    });
    await servers.listed();
    expect(servers.states).toEqual([
      {
        ...{ name: 'crm', url: server.url, tools: ['crm_find_order'] },
        leftOut: [
          { tool: 'open_ticket', why: 'its read-back does not name pieces, which it needs' },
          { tool: 'find_customer', why: 'the server has no such tool' },
        ],
      },
    ]);
  });

  it.each([
    ['{{subject}}, {{pieces}}, {{extra}}?', 'extra is no plain value: nobody could agree to it'],
    ['{{subject}}, {{pieces}}, {{nothing}}?', 'it has no nothing, which its read-back names'],
  ])('a read-back of %s is none', async (en, why) => {
    const servers = serversOf({ url: (await started()).url, tools: { open_ticket: { confirm: { en } } } });
    await servers.listed();
    expect(servers.states[0]!.leftOut).toEqual([{ tool: 'open_ticket', why }]);
  });

  it('is read again every five minutes, and sooner where the server was away', async () => {
    const clock = new FakeClock();
    const server = await started();
    const servers = serversOf({ url: server.url }, clock);
    await servers.listed();
    const lists = (): number => server.requests.filter(({ rpc }) => rpc === 'tools/list').length;
    clock.advance(299_999);
    expect(lists()).toBe(1);
    clock.advance(1);
    await until(() => lists() === 2, 'it is asked again');
  });

  it('is asked for sooner where the server was away, and less and less often', async () => {
    const clock = new FakeClock();
    const server = await ToolService.start(answers({}, 500));
    closing.push(() => server.close());
    const servers = serversOf({ url: `http://${server.host}/mcp` }, clock);
    await servers.listed();
    expect(servers.states[0]).toMatchObject({ why: 'status', tools: [] });
    let asked = 1;
    for (const waitMs of [5_000, 10_000, 20_000, 40_000, 80_000, 80_000]) {
      await until(() => clock.pending === 1, 'only the next try is waited for');
      clock.advance(waitMs - 1);
      expect(server.requests).toHaveLength(asked);
      clock.advance(1);
      asked += 1;
      await until(() => server.requests.length === asked, 'it is asked again');
    }
    await servers.close();
    await until(() => clock.pending === 0, 'nothing is left');
  });
});

describe('a whole conversation with an agent of a model', () => {
  let model: ChatTestServer;
  let engines: EngineSet;
  let server: OfficialMcpServer;
  beforeEach(async () => {
    model = await ChatTestServer.start();
    server = await started();
    const servers = serversOf({ url: server.url });
    await servers.listed();
    engines = await chatEngines(model, { servers });
    closing.unshift(
      () => engines.close(),
      () => model.close(),
    );
  });

  it('reads from a server, behind the privacy boundary, and changes something after a yes', async () => {
    const conversation = new Conversation(engines.reply, agentWith());
    let steps = [calls('', 'crm_find_order', { order: '4521' }), says('It is with the driver, on [Phone Number 1].')];
    model.answer = (...args) => steps.shift()!(...args);
    expect((await conversation.say('where is my order 4521')).text).toBe('It is with the driver, on 0551234567.');
    expect(server.calls).toEqual([{ name: 'find_order', args: { order: '4521' } }]);
    expect(model.received).not.toContain('0551234567');
    const args = { subject: 'a broken lamp', pieces: 2 };
    steps = [calls('', 'crm_open_ticket', args)];
    const { text } = await conversation.say('two pieces of it are broken');
    expect(text).toBe('I open a ticket about a broken lamp for 2 pieces. Shall I?');
    expect(server.calls).toHaveLength(1);
    expect((await conversation.say('yes please')).text).toBe('That is done. Is there anything else?');
    expect(server.calls[1]).toEqual({ name: 'open_ticket', args });
  });

  it('a server that is gone is told to the model and to the caller', async () => {
    const conversation = new Conversation(engines.reply, agentWith());
    model.answer = calls('', 'crm_open_ticket', { subject: 'a lamp', pieces: 1 });
    await conversation.say('my lamp is broken');
    await server.close();
    expect((await conversation.say('yes')).text).toBe(
      'Sorry, I could not reach the system just now. Please try again later.',
    );
  });
});
