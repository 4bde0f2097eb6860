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

async function check(settings: { readonly baseUrl?: string; readonly model?: string; readonly reply?: string }) {
  const { baseUrl = server.baseUrl, model = 'test-model', reply = 'openai' } = settings;
  const openai = `{ baseUrl: "${baseUrl}", chatModel: "${model}", apiKeyEnv: A_KEY }`;
  const folder = configFolder({ 'nidaa.yaml': `engines: { reply: ${reply}, openai: ${openai} }` });
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
