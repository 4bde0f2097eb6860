import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkChatServer } from '../../../src/cli/checks/chat-server.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { silentLogger } from '../../../src/core/logger.ts';
import { ChatTestServer } from '../../support/chat-server.ts';
import { configFolder } from '../../support/config-folder.ts';
import { freeTcpPort } from '../../support/ports.ts';

const KEY = 'sk-canary-5555555555';
let server: ChatTestServer;
beforeEach(async () => {
  server = await ChatTestServer.start();
});
afterEach(() => server.close());

const AGENT = 'number: "1"\nname: Desk\nlanguage: en-US\nvoice: emma\nmodel: sada-1\ngreeting: { en: Hello. }\n';

interface Settings {
  readonly baseUrl?: string;
  readonly model?: string;
  readonly reply?: string;
  readonly agent?: string;
}

async function check(settings: Settings) {
  const { baseUrl = server.baseUrl, model = 'test-model', reply = 'openai' } = settings;
  const openai = `{ baseUrl: "${baseUrl}", chatModel: "${model}", apiKeyEnv: A_KEY }`;
  const folder = configFolder({
    'nidaa.yaml': `engines: { reply: ${reply}, openai: ${openai} }`,
    'agents/desk.yaml': `${AGENT}${settings.agent ?? ''}`,
  });
  try {
    const config = loadConfig({ env: { A_KEY: KEY }, cwd: folder.dir, configDir: '.' });
    return await checkChatServer(config, silentLogger);
  } finally {
    folder.remove();
  }
}

/** A server that answers everything with one status. */
async function answering(status: number, work: (baseUrl: string) => Promise<void>): Promise<void> {
  const other = createServer((_, response) => void response.writeHead(status).end(`no, ${KEY}`));
  const port = await freeTcpPort();
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
  await work(`http://127.0.0.1:${port}/v1`);
  await new Promise((resolve) => other.close(resolve));
}

describe('checkChatServer', () => {
  it('is satisfied with a server that has the model', async () => {
    expect(await check({})).toEqual([
      { check: 'chat server', state: 'ok', detail: `${server.baseUrl}, test-model`, fix: null },
    ]);
  });

  it('does not look where no engine needs it', async () => {
    expect(await check({ reply: 'scripted', baseUrl: 'http://127.0.0.1:1/v1' })).toEqual([]);
  });

  it.each([
    ['privacy: "off"', 'openai', true],
    ['privacy: redact', 'openai', false],
    ['', 'openai', false],
    ['privacy: "off"\nreplyEngine: scripted', '[openai, scripted]', false],
  ])('an agent with %j, engines %s: warns %s', async (agent, reply, warns) => {
    const findings = await check({ agent, reply });
    expect(findings.slice(1).map(({ detail }) => detail)).toEqual(
      warns ? ['what callers of Desk say goes to the chat server as it is'] : [],
    );
  });

  it('looks where only an agent names it, and says so when nothing is configured for it', async () => {
    const agent = 'replyEngine: openai';
    expect(await check({ agent, reply: 'scripted' })).toMatchObject([{ check: 'chat server', state: 'ok' }]);
    const folder = configFolder({ 'nidaa.yaml': '', 'agents/desk.yaml': `${AGENT}${agent}` });
    const config = loadConfig({ env: {}, cwd: folder.dir, configDir: '.' });
    const [finding] = await checkChatServer(config, silentLogger);
    folder.remove();
    expect(finding).toMatchObject({ state: 'fail', detail: 'Desk: replyEngine is openai, which is not configured' });
  });

  it('names the models there are', async () => {
    const [finding] = await check({ model: 'another' });
    expect(finding).toMatchObject({ state: 'fail', fix: expect.stringContaining('ollama pull another') });
    expect(finding!.detail).toContain('does not have another; it has test-model');
  });

  it('takes a server that names no models at its word', async () => {
    server.models = [];
    expect((await check({}))[0]!.state).toBe('ok');
  });

  it('says what to start when nobody is there, and only warns where another engine serves', async () => {
    const baseUrl = `http://127.0.0.1:${await freeTcpPort()}/v1`;
    const [finding] = await check({ baseUrl });
    expect(finding).toMatchObject({ state: 'fail', detail: `${baseUrl}: unreachable: ECONNREFUSED` });
    expect(finding!.fix).toContain('11434');
    expect((await check({ baseUrl, reply: '[openai, scripted]' }))[0]!.state).toBe('warn');
  });

  it.each([
    [401, 'apiKeyEnv'],
    [404, '/chat/completions'],
    [429, 'left alone'],
    [500, 'does not speak'],
    [200, 'does not speak'],
  ])('status %i: says how to mend it, without the key', async (status, mend) => {
    await answering(status, async (baseUrl) => {
      const [finding] = await check({ baseUrl });
      expect(finding!.fix).toContain(mend);
      expect(JSON.stringify(finding)).not.toContain(KEY);
    });
  });
});
