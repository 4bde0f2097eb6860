import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { wavFile } from '../../src/audio/wav.ts';
import { sphinxInstalled } from '../../src/engines/stt/model-folder.ts';
import { BROWSER } from '../support/browser-program.ts';
import { Chromium } from '../support/chromium.ts';
import type { RunningGateway } from '../support/gateway.ts';
import { freeTcpPort } from '../support/ports.ts';
import { sharedGateway } from '../support/shared-gateway.ts';
import { joined, readClip, silence } from '../support/speech-clips.ts';

const ready = BROWSER !== undefined && sphinxInstalled();
if (!ready)
  console.warn('\n!!! LIVE TRANSCRIPTION IN A BROWSER IS NOT TESTED: chromium or pocketsphinx not installed !!!\n');

interface PageResult {
  readonly frames: readonly { type: string; text?: string; final?: boolean; seconds?: number; cost_cents?: number }[];
  readonly close: { readonly code: number; readonly reason: string };
  readonly sentSeconds?: number;
}

/** A website of its own origin, whose server holds the API token and whose page never sees it. */
describe.skipIf(!ready)('a web page that transcribes', () => {
  const samples = joined(readClip('read/goforward.wav'), silence(800));
  const clip = wavFile({ channels: 1, sampleRateHz: 8000 }, samples);
  const page = readFileSync(new URL('../fixtures/pages/transcribe.html', import.meta.url));
  const issued: string[] = [];
  let gateway: RunningGateway;
  let site: Server;
  let origin: string;
  let browser: Chromium;

  async function oneUseToken(): Promise<string> {
    const answer = await fetch(`${gateway.api}/v1/transcribe/token`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.token}` },
    });
    const { token } = (await answer.json()) as { token: string };
    issued.push(token);
    return token;
  }

  beforeAll(async () => {
    gateway = await sharedGateway(inject('gatewayDesk'));
    site = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
      if (pathname === '/clip.wav') return void response.setHeader('content-type', 'audio/wav').end(clip);
      if (pathname !== '/session') return void response.setHeader('content-type', 'text/html').end(page);
      void Promise.resolve(searchParams.get('token') ?? oneUseToken()).then((token) =>
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ api: gateway.api, token })),
      );
    });
    const port = await freeTcpPort();
    await new Promise<void>((resolve) => site.listen(port, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${port}`;
    browser = await Chromium.start();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    site?.close();
  });

  const run = async (query = ''): Promise<PageResult> => {
    await browser.goTo(`${origin}/${query}`);
    await browser.until("document.title === 'closed'");
    return browser.evaluate<PageResult>('window.result');
  };

  it('gets transcripts with a one-use token, and the price', async () => {
    const { frames, close, sentSeconds } = await run();
    const picture = process.env['SOCKET_SCREENSHOT'];
    if (picture) await browser.screenshot(picture);
    expect(close).toEqual({ code: 1000, reason: '' });
    expect(frames[0]).toMatchObject({ type: 'authenticated' });
    expect(frames[1]).toMatchObject({ type: 'opened', language: 'en-US', sample_rate: 16_000, encoding: 'pcm' });
    const finals = frames.filter((frame) => frame.final === true).map((frame) => frame.text);
    expect(finals.join(' ')).toMatch(/forward|ten|meters/);
    expect(await browser.evaluate('document.getElementById("finals").innerText')).toContain(finals[0]);
    expect(sentSeconds).toBeCloseTo(samples.length / 8000, 1);
    expect(frames.at(-1)).toMatchObject({ type: 'done', cost_cents: 3 });
    expect(frames.at(-1)!.seconds).toBeCloseTo(sentSeconds!, 1);
  });

  it('is told why when its token was used already, or is none', async () => {
    for (const token of [issued[0]!, 'service_st_nonsense']) {
      const { frames, close } = await run(`?token=${token}`);
      expect(frames).toEqual([
        { type: 'error', error: { code: 'unauthorized', message: 'Invalid or missing API token.' } },
      ]);
      expect(close).toEqual({ code: 4401, reason: 'unauthorized' });
    }
  });

  it('holds a call with an agent, with a token for one', async () => {
    const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
      fetch(`${gateway.api}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json' },
      });
    const { agents } = (await (await ask('/v1/agents')).json()) as { agents: { id: string; language: string }[] };
    const path = `/v1/agents/${agents.find(({ language }) => language === 'en-US')!.id}/talk`;
    const issue = await ask(`${path}/token`, { method: 'POST', body: JSON.stringify({ from: 'a page' }) });
    const { token } = (await issue.json()) as { token: string };
    const talk = `new Promise((resolve) => {
      const socket = new WebSocket('${gateway.api.replace('http', 'ws')}${path}?token=${token}');
      socket.binaryType = 'arraybuffer';
      const result = { types: [], loud: 0 };
      let timer;
      socket.onmessage = ({ data }) => {
        if (typeof data !== 'string') {
          if (new Int16Array(data).some((sample) => Math.abs(sample) > 2000)) result.loud += 1;
          return;
        }
        const frame = JSON.parse(data);
        result.types.push(frame.type);
        if (frame.type === 'authenticated') socket.send(JSON.stringify({ type: 'start' }));
        if (frame.type === 'opened') timer = setInterval(() => socket.send(new Int16Array(320)), 20);
        if (frame.type === 'mark') socket.send(data);
        if (frame.type === 'turn') socket.send(JSON.stringify({ type: 'end' }));
      };
      socket.onclose = ({ code }) => {
        clearInterval(timer);
        resolve({ ...result, code });
      };
    })`;
    const { types, loud, code } = await browser.evaluate<{ types: string[]; loud: number; code: number }>(talk);
    expect(types.filter((type) => type !== 'mark')).toEqual(['authenticated', 'opened', 'sentence', 'turn', 'ended']);
    expect(loud).toBeGreaterThan(50); // a second of the greeting at the least
    expect(code).toBe(1000);
  });

  it('reads no HTTP operation from its own origin: CORS is off', async () => {
    const read = `fetch('${gateway.api}/v1/models', { headers: { authorization: 'Bearer ${gateway.token}' } })
      .then((answer) => answer.status, (error) => error.name)`;
    expect(await browser.evaluate(read)).toBe('TypeError');
  });
});
