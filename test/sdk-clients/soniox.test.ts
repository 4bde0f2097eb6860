import { SonioxNodeClient, type SttSessionConfig } from '@soniox/node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { encodeMulaw } from '../../src/audio/g711.ts';
import { startRequest } from '../../src/engines/providers/soniox/start-request.ts';
import { SonioxTestServer } from '../support/soniox-server.ts';
import { tone } from '../support/speech-server.ts';
import { until } from '../support/until.ts';

const KEY = 'sx-canary';
/** What the adapter begins a session with. */
const start = JSON.parse(
  startRequest(
    'stt-rt-v5',
    { language: 'ar-SA', languages: ['ar-SA', 'en-US'], sampleRateHz: 8000, interim: true },
    { phrases: ['order'], expect: [] },
  ),
) as SttSessionConfig;

/**
 * The vendor's own client finds in the stand-in what it looks for: the address, the first message, framing, the order of messages and of
 * closing. It sends its key in the first message alone, which the adapter does not do: what the service does with a key in a header is
 * taken from its documentation. It wants the WebSocket of a newer Node.
 */
describe('the stand-in, asked by the client of Soniox', () => {
  let server: SonioxTestServer;
  beforeAll(async () => {
    vi.stubGlobal('WebSocket', WebSocket);
    server = await SonioxTestServer.start();
    server.key = KEY;
    server.takesKeyField = true;
  });
  afterAll(async () => {
    vi.unstubAllGlobals();
    await server.close();
  });

  const clientOf = (apiKey: string): SonioxNodeClient => {
    const base = `http://${server.host}`;
    const ws = `ws://${server.host}/transcribe-websocket`;
    return new SonioxNodeClient({ api_key: apiKey, base_url: base, realtime: { ws_base_url: ws } });
  };

  it('hears: words that change, words that do not, the answer to a flush, the end', async () => {
    server.otherwise = { text: 'وين order حقي', languages: ['ar', 'en', 'ar'] };
    const session = clientOf(KEY).realtime.stt(start);
    const told: string[] = [];
    const settled: (readonly [string, string | undefined, number | undefined])[] = [];
    session.on('result', ({ tokens }) => {
      for (const { text, language, start_ms: startMs, is_final: isFinal } of tokens)
        if (isFinal) settled.push([text, language, startMs]);
      told.push(tokens.map(({ text }) => text).join(''));
    });
    let finalized = 0;
    session.on('finalized', () => {
      finalized += 1;
    });
    await session.connect();
    for (let piece = 0; piece < 10; piece += 1) session.sendAudio(encodeMulaw(tone(100, 8000)));
    session.keepAlive();
    session.finalize();
    await until(() => finalized === 1);
    await session.finish();
    expect(told).toEqual(['وين order', 'وين order حقي', 'وين order حقي', '', '']);
    expect(settled).toEqual([
      ...[['وين', 'ar', 0], [' or', 'en', 200], ['der', 'en', 200]], // biome-ignore format: rows
      ...[[' حق', 'ar', 400], ['ي', 'ar', 400]], // biome-ignore format: rows
    ]);
    expect(session.state).toBe('finished');
    const [{ listening } = { listening: undefined }] = server.connections;
    expect(listening?.start).toEqual({ api_key: KEY, ...start });
    expect([listening?.controls, listening?.audio.length]).toEqual([['keepalive', 'finalize'], 8_000]);
  });

  it.each([
    { name: 'a stranger', key: 'sx-wrong', config: start, status: 401 },
    { name: 'a model that it does not have', key: KEY, config: { ...start, model: 'nova-3' }, status: 400 },
    { name: 'a language twice', key: KEY, config: { ...start, language_hints: ['ar', 'ar'] }, status: 400 },
  ])('refuses $name when the session begins', async ({ key, config, status }) => {
    const session = clientOf(key).realtime.stt(config);
    const statuses: unknown[] = [];
    session.on('error', (error) => statuses.push((error as { statusCode?: number }).statusCode));
    await session.connect();
    await until(() => statuses.length > 0);
    expect(statuses).toEqual([status]);
  });

  it('lists its models', async () => {
    const listed = clientOf(KEY).models.list();
    expect((await listed).map(({ id }) => id)).toEqual(['stt-rt-v5']);
  });
});
