import { type Deepgram, DeepgramClient } from '@deepgram/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeMulaw } from '../../src/audio/g711.ts';
import { DeepgramTestServer } from '../support/deepgram-server.ts';
import { tone } from '../support/speech-server.ts';
import { until } from '../support/until.ts';

/** The vendor's own client finds in the stand-in what it looks for: addresses, query, framing, the order of events and of closing. */
describe('the stand-in, asked by the client of Deepgram', () => {
  let server: DeepgramTestServer;
  const clientOf = (apiKey: string): DeepgramClient => {
    const base = `http://${server.host}`;
    const production = `ws://${server.host}`;
    return new DeepgramClient({ apiKey, environment: { base, production, agent: production, agentRest: base } });
  };
  beforeAll(async () => {
    server = await DeepgramTestServer.start();
    server.key = 'dg-canary';
  });
  afterAll(() => server.close());

  const listenTo = async (apiKey: string) => {
    const socket = await clientOf(apiKey).listen.v1.connect({
      ...{ model: 'nova-3', language: 'en-US', encoding: 'mulaw', sample_rate: 8000, interim_results: 'true' },
      ...{ reconnectAttempts: 0, keyterm: ['order'] },
    });
    const messages: Deepgram.listen.ListenV1Results[] = [];
    const closes: number[] = [];
    let metadata = 0;
    socket.on('message', (message) => {
      if (message.type === 'Results') messages.push(message as Deepgram.listen.ListenV1Results);
      else if (message.type === 'Metadata') metadata += 1;
    });
    socket.on('close', ({ code }) => closes.push(code));
    socket.on('error', () => {});
    socket.connect();
    return { socket, messages, closes, metadata: () => metadata };
  };

  it('hears: words that change, words that do not, the answer to a flush, goodbye', async () => {
    const { socket, messages, closes, metadata } = await listenTo('dg-canary');
    await socket.waitForOpen();
    for (let piece = 0; piece < 10; piece += 1) socket.sendMedia(encodeMulaw(tone(100, 8000)));
    socket.sendKeepAlive({ type: 'KeepAlive' });
    socket.sendFinalize({ type: 'Finalize' });
    await until(() => messages.some(({ from_finalize }) => from_finalize === true));
    socket.sendCloseStream({ type: 'CloseStream' });
    await until(() => closes.length > 0);
    expect(messages.map(({ is_final, channel }) => [is_final, channel.alternatives[0]?.transcript])).toEqual([
      [false, 'where is'],
      [false, 'where is my order'],
      [true, 'where is my order'],
    ]);
    expect(messages.at(-1)?.channel.alternatives[0]?.words.map(({ start }) => start)).toEqual([0, 0.2, 0.4, 0.6]);
    expect([closes, metadata()]).toEqual([[1000], 1]);
    const [{ query, listening } = { query: undefined, listening: undefined }] = server.connections;
    expect([query?.get('keyterm'), listening?.audio.length]).toEqual(['order', 8000]);
    expect(listening?.controls).toEqual(['KeepAlive', 'Finalize', 'CloseStream']);
  });

  it('hears by Flux: a turn that begins, is taken for over, goes on, and is ended', async () => {
    const socket = await clientOf('dg-canary').listen.v2.connect({
      ...{ model: 'flux-general-en', encoding: 'mulaw', sample_rate: 8000, eager_eot_threshold: 0.5 },
      ...{ Authorization: '', reconnectAttempts: 0, keyterm: ['order'] },
    });
    const told: Deepgram.listen.ListenV2TurnInfo[] = [];
    const sequence: number[] = [];
    const closes: number[] = [];
    socket.on('message', (message) => {
      if ('sequence_id' in message) sequence.push(message.sequence_id);
      if (message.type === 'TurnInfo') told.push(message as Deepgram.listen.ListenV2TurnInfo);
    });
    socket.on('close', ({ code }) => closes.push(code));
    socket.on('error', () => {});
    socket.connect();
    await socket.waitForOpen();
    const send = (samples: Int16Array): void => {
      for (let at = 0; at < samples.length; at += 640) socket.sendMedia(encodeMulaw(samples.subarray(at, at + 640)));
    };
    send(tone(1_000, 8000));
    send(new Int16Array(1_600));
    send(tone(400, 8000));
    socket.sendForceEndTurn({ type: 'ForceEndTurn' });
    await until(() => told.some(({ event }) => event === 'EndOfTurn'));
    socket.sendCloseStream({ type: 'CloseStream' });
    await until(() => closes.length > 0);
    const turns = told.filter(({ event }) => event !== 'Update');
    expect(turns.map(({ event }) => event)).toEqual(['StartOfTurn', 'EagerEndOfTurn', 'TurnResumed', 'EndOfTurn']);
    expect(turns.at(-1)).toMatchObject({ transcript: 'where is my order', trigger: 'manual', turn_index: 0 });
    expect(sequence).toEqual(sequence.map((_, at) => at));
    const connection = server.connections.at(-1)!;
    expect([connection.path, connection.query.get('keyterm'), closes]).toEqual(['/v2/listen', 'order', [1000]]);
  });

  it('speaks: sound in pieces, then that it was all', async () => {
    const socket = await clientOf('dg-canary').speak.v1.connect({
      ...{ model: 'aura-2-thalia-en', encoding: 'mulaw', sample_rate: '8000', reconnectAttempts: 0 },
    });
    let bytes = 0;
    const types: string[] = [];
    socket.on('message', (message) => {
      if (message instanceof Blob) bytes += message.size;
      else types.push((message as { type: string }).type);
    });
    socket.connect();
    await socket.waitForOpen();
    socket.sendText({ type: 'Speak', text: 'Hello.' });
    socket.sendFlush({ type: 'Flush' });
    await until(() => types.includes('Flushed'));
    expect([types, bytes]).toEqual([['Metadata', 'Flushed'], 6 * 50 * 8]);
    socket.sendClose({ type: 'Close' });
    await until(() => server.connections.at(-1)?.isOpen === false);
  });

  it('refuses a stranger', async () => {
    const before = server.connections.length;
    const { closes } = await listenTo('dg-wrong');
    await until(() => closes.length > 0);
    expect(server.connections.length).toBe(before);
  });
});
