import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ApiClient } from '../../src/client/api-client.ts';

const TOKEN = 'service_sk_live_one';
const BODY = { error: { code: 'synthesis_failed', message: 'Synthesis failed. Please try again.' } };

/** Answers with these statuses one after the other; 0 is a connection that breaks. */
function answering(...statuses: readonly number[]): { fetch: typeof fetch; sent: () => number } {
  let sent = 0;
  const fetching: typeof fetch = async () => {
    const status = statuses[Math.min(sent, statuses.length - 1)]!;
    sent += 1;
    if (status === 0)
      throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) });
    const headers = { 'retry-after': '0' };
    return status === 200 ? Response.json({ findings: [] }) : Response.json(BODY, { status, headers });
  };
  return { fetch: fetching, sent: () => sent };
}
const clientOf = (fetching: typeof fetch): ApiClient =>
  new ApiClient({ baseUrl: 'http://service.test', token: TOKEN, fetch: fetching });

describe('what is sent again', () => {
  const paid = (client: ApiClient) => client.redactText({ text: 'a' });
  const keyed = (client: ApiClient) => client.redactText({ text: 'a' }, { idempotencyKey: 'k' });
  const free = (client: ApiClient) => client.normalizeText({ text: 'a' });

  it.each([
    { name: 'paid, refused for now', call: paid, statuses: [503, 429, 200], sent: 3, outcome: 'ok' },
    { name: 'paid, failed on the way', call: paid, statuses: [502, 200], sent: 1, outcome: 'synthesis_failed' },
    { name: 'paid, connection broken', call: paid, statuses: [0, 200], sent: 1, outcome: 'unreachable' },
    { name: 'keyed, failed on the way', call: keyed, statuses: [502, 200], sent: 2, outcome: 'ok' },
    { name: 'keyed, connection broken for good', call: keyed, statuses: [0], sent: 3, outcome: 'unreachable' },
    { name: 'free, connection broken', call: free, statuses: [0, 200], sent: 2, outcome: 'ok' },
    { name: 'free, refused for good', call: free, statuses: [400, 200], sent: 1, outcome: 'synthesis_failed' },
  ])('$name', async ({ call, statuses, sent, outcome }) => {
    const service = answering(...statuses);
    const result = await call(clientOf(service.fetch)).then(
      () => 'ok',
      (error) => error.code,
    );
    expect([result, service.sent()]).toEqual([outcome, sent]);
  });

  it('tells why the service cannot be reached', async () => {
    const { fetch: fetching } = answering(0);
    await expect(paid(clientOf(fetching))).rejects.toMatchObject({
      ...{ code: 'unreachable', status: 0, message: 'The service cannot be reached: ECONNRESET.' },
    });
  });
});

describe('time and signals', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });
  /** A service that begins an answer, or none, and then says nothing more. */
  async function silent(begin: boolean): Promise<string> {
    server = createServer((_request, response) => {
      if (!begin) return;
      response.writeHead(200, { 'content-type': 'audio/wav' });
      response.write('RIFF');
    });
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it.each([
    { name: 'no answer', begin: false },
    { name: 'an answer that stops', begin: true },
  ])('$name ends with client_timeout, not sent again', async ({ begin }) => {
    let sent = 0;
    const counting: typeof fetch = (...request) => {
      sent += 1;
      return fetch(...request);
    };
    const client = new ApiClient({ baseUrl: await silent(begin), token: TOKEN, timeoutMs: 50, fetch: counting });
    await expect(client.listVoices()).rejects.toMatchObject({ code: 'client_timeout' }); // free: it might be repeated
    expect(sent).toBe(1);
  });

  it('a stream that stops ends with client_timeout after what came', async () => {
    const client = new ApiClient({ baseUrl: await silent(true), token: TOKEN, timeoutMs: 2_000 });
    const pieces: string[] = [];
    const reading = (async () => {
      for await (const piece of client.streamSpeech({ text: 'a' })) pieces.push(Buffer.from(piece).toString());
    })();
    await expect(reading).rejects.toMatchObject({ code: 'client_timeout' });
    expect(pieces).toEqual(['RIFF']);
  });

  it('a signal ends it with its own reason', async () => {
    const client = new ApiClient({ baseUrl: await silent(false), token: TOKEN });
    const reason = new Error('the user left');
    await expect(client.listModels({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const leaving = new AbortController();
    const asked = client.listModels({ signal: leaving.signal });
    leaving.abort(reason);
    await expect(asked).rejects.toBe(reason);
  });

  it('a page of somebody else is unreadable', async () => {
    const page: typeof fetch = async () => new Response('<html>', { status: 200 });
    await expect(clientOf(page).listModels()).rejects.toMatchObject({ code: 'unreadable' });
    const events: typeof fetch = async () => new Response('data: {\n\n', { status: 200 });
    const next = clientOf(events).streamSpeechEvents({ text: 'a' }).next();
    await expect(next).rejects.toMatchObject({ code: 'unreadable' });
  });
});
