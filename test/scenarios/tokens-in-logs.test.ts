import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { configFolder, GREETER } from '../support/config-folder.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { wavBytes } from '../support/wav-bytes.ts';

const WRONG = `service_sk_live_${'Canary0Wrong1Token2Never3Issued4By5Anybody6'}`;
const CLIP = wavBytes({ frames: Array.from({ length: 8000 }, () => [0]) });

/** The ways in which a text may stand in a file: as it is, percent-encoded, and in base64 at any place of a longer text. */
function disguises(token: string): readonly string[] {
  const base64 = [0, 1, 2].map((shift) => {
    const text = Buffer.from(`${'x'.repeat(shift)}${token}`)
      .toString('base64')
      .replace(/=+$/, '');
    return text.slice(shift === 0 ? 0 : 4, -4); // whole groups of the token itself
  });
  return [token, encodeURIComponent(token), ...base64];
}

function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? files(path) : entry.isFile() && statSync(path).size > 0 ? [path] : [];
  });
}

describe('a gateway that logs everything', () => {
  let dataDir: string;
  let config: ReturnType<typeof configFolder> | undefined;
  let gateway: Gateway;
  let token: string;
  let stdout = '';
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'nidaa-canary-'));
    config = configFolder({ 'nidaa.yaml': '', ...GREETER });
    const env = { NIDAA_LOG_LEVEL: 'trace', NIDAA_CONFIG: join(config.dir, 'nidaa.yaml') };
    gateway = await startGateway({ dataDir, env });
    token = gateway.token; // shown on standard output this once
    gateway.process.stdout!.on('data', (text) => (stdout += String(text)));
  });
  afterAll(async () => {
    await gateway?.stop();
    rmSync(dataDir, { recursive: true, force: true });
    config?.remove();
  });

  const json = (body: object): RequestInit => ({
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
  const form = (fields: Record<string, string>, file?: Buffer): RequestInit => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    if (file) body.set('file', new Blob([Uint8Array.from(file)], { type: 'audio/wav' }), 'clip.wav');
    return { method: 'POST', body };
  };
  const keyed = (key: string, init: RequestInit): RequestInit => ({
    ...init,
    headers: { ...(init.headers as Record<string, string>), 'idempotency-key': key },
  });

  /** Every operation, some of them wrong in themselves. */
  const requests = (agentId: string): readonly [string, RequestInit?][] => [
    ['/v1/agents'],
    [`/v1/agents/${agentId}/reply`, json({ text: 'hello', audio: true })],
    ['/v1/agents/nobody/reply', json({ text: 'hello' })],
    ['/v1/speech', json({ text: 'hello', format: 'wav' })],
    ['/v1/speech', keyed('canary', json({ text: 'hello', format: 'mp3' }))],
    ['/v1/speech', { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }],
    ['/v1/speech/stream', json({ text: 'hello', format: 'wav' })],
    ['/v1/privacy/redact', json({ text: 'hello' })],
    ['/v1/text/coverage', json({ text: 'hello' })],
    ['/v1/text/normalize', json({ text: 'hello' })],
    ['/v1/transcribe', form({ language: 'en-US' }, CLIP)],
    ['/v1/transcribe', form({ language: 'en-US' })],
    ['/v1/transcribe', { method: 'POST', body: '--x', headers: { 'content-type': 'multipart/form-data; boundary=x' } }],
    ['/v1/transcribe', json({ file: CLIP.toString('base64'), mime_type: 'audio/wav', language: 'en-US' })],
    ['/v1/transcribe/token', { method: 'POST' }],
    ['/v1/documents/ask', form({ question: 'When?' }, Buffer.from('The office opens at nine.'))],
    ['/v1/voices'],
    ['/v1/voices/emma'],
    ['/v1/voices/nobody'],
    ['/v1/models'],
    ['/v1/nowhere'],
    ['/v1/transcribe/ws'],
    ['/healthz'],
    ['/openapi.json'],
  ];

  async function send(path: string, init: RequestInit = {}, presented = token): Promise<void> {
    const authorization = `Bearer ${presented}`;
    for (const headers of [{ authorization }, {}] as Record<string, string>[]) {
      const query = 'authorization' in headers ? '' : `?token=${presented}`;
      const answer = await fetch(`${gateway.api}${path}${query}`, {
        ...init,
        headers: { ...(init.headers as Record<string, string>), ...headers },
      });
      await answer.arrayBuffer();
    }
  }

  function session(query: string, headers: Record<string, string>): Promise<void> {
    return new Promise((resolve) => {
      const socket = new WebSocket(`${gateway.api.replace('http', 'ws')}/v1/transcribe/ws${query}`, { headers });
      socket.on('open', () => {
        socket.send(JSON.stringify({ type: 'start', language: 'en-US', sample_rate: 8000 }));
        socket.send(CLIP.subarray(44, 44 + 3200));
        socket.send(JSON.stringify({ type: 'stop' }));
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve());
    });
  }

  it('writes no token anywhere', { timeout: 120_000 }, async () => {
    const { agents } = (await (
      await fetch(`${gateway.api}/v1/agents`, { headers: { authorization: `Bearer ${token}` } })
    ).json()) as { agents: { id: string }[] };
    const issued = (await (
      await fetch(`${gateway.api}/v1/transcribe/token`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      })
    ).json()) as { token: string };
    for (const [path, init] of requests(agents[0]!.id)) {
      await send(path, init);
      await send(path, init, WRONG);
    }
    for (const presented of [token, WRONG, issued.token]) {
      await session(`?token=${presented}`, {});
      await session('', { authorization: `Bearer ${presented}` });
    }
    expect(gateway.log()).toContain('"level":"trace"');
    expect(gateway.log()).toContain('"operation":"transcribe"');
    await gateway.stop();
    const written = [
      ...[
        { where: 'log', text: gateway.log() },
        { where: 'stdout', text: stdout },
      ],
      ...files(dataDir).map((path) => ({ where: path, text: readFileSync(path, 'latin1') })),
    ];
    expect(written.length).toBeGreaterThan(10);
    const leaks = [token, WRONG, issued.token].flatMap((secret) =>
      disguises(secret).flatMap((text) => written.filter((one) => one.text.includes(text)).map(({ where }) => where)),
    );
    expect(leaks).toEqual([]);
  });
});
