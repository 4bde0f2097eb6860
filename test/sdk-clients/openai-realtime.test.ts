import { type NetConnectOpts, connect as netConnect } from 'node:net';
import OpenAI from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import type { RealtimeTranscriptionSessionCreateRequest } from 'openai/resources/realtime/realtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientOptions } from 'ws';
import { encodeMulaw } from '../../src/audio/g711.ts';
import { sessionUpdate } from '../../src/engines/providers/openai/realtime-messages.ts';
import { RealtimeTestServer } from '../support/realtime-server.ts';
import { tone } from '../support/speech-server.ts';
import { until } from '../support/until.ts';

/** What the adapter asks for, in the types of the vendor. */
const { session } = JSON.parse(
  sessionUpdate('gpt-4o-transcribe', { language: 'ar-SA', sampleRateHz: 8000, interim: true }, undefined),
) as { session: RealtimeTranscriptionSessionCreateRequest };

/** The vendor's own client finds in the stand-in what it looks for: framing, names and the order of events. */
describe('the stand-in, asked by the realtime client of OpenAI', () => {
  let server: RealtimeTestServer;
  beforeAll(async () => {
    server = await RealtimeTestServer.start();
    server.takesModelUrl = true;
    server.key = 'sk-canary';
  });
  afterAll(() => server.close());

  /** The client goes to addresses of TLS alone, which the stand-in does not speak. */
  const options = { createConnection: (to: NetConnectOpts) => netConnect(to) } as ClientOptions;
  const connect = (apiKey: string): OpenAIRealtimeWS =>
    new OpenAIRealtimeWS({ model: 'any', options }, new OpenAI({ apiKey, baseURL: `http://${server.host}/v1` }));

  it('hears what is appended, from one commit to the next', async () => {
    server.otherwise = { text: 'وين طلبي' };
    const client = connect('sk-canary');
    const told: string[] = [];
    const transcripts: string[] = [];
    client.on('event', ({ type }) => void told.push(type));
    client.on('conversation.item.input_audio_transcription.completed', ({ transcript }) => {
      transcripts.push(transcript);
    });
    client.on('error', () => {});
    await until(() => told.includes('session.created'), 'a session');
    client.send({ type: 'session.update', session });
    const audio = Buffer.from(encodeMulaw(tone(1_000, 8_000))).toString('base64');
    client.send({ type: 'input_audio_buffer.append', audio });
    client.send({ type: 'input_audio_buffer.commit' });
    await until(() => transcripts.length > 0, 'a transcript');
    expect(transcripts).toEqual(['وين طلبي']);
    const about = 'conversation.item.input_audio_transcription';
    expect(told).toEqual([
      ...['session.created', 'session.updated', 'input_audio_buffer.committed'],
      ...[`${about}.delta`, `${about}.delta`, `${about}.completed`],
    ]);
    client.close();
  });

  it('refuses a session that is none, and too little audio, as an error of the client', async () => {
    const client = connect('sk-canary');
    const codes: (string | null | undefined)[] = [];
    client.on('error', ({ error }) => void codes.push(error?.code));
    await until(() => client.socket.readyState === 1, 'it is open');
    client.send({
      type: 'session.update',
      session: { type: 'transcription', audio: { input: { turn_detection: null } } },
    });
    client.send({ type: 'input_audio_buffer.commit' });
    await until(() => codes.length === 2, 'two errors');
    expect(codes).toEqual(['invalid_value', 'input_audio_buffer_commit_empty']);
    client.close();
  });

  it('takes no other key', async () => {
    const client = connect('sk-other');
    const failed: string[] = [];
    client.on('error', ({ message }) => void failed.push(message));
    await until(() => failed.length > 0, 'a refusal');
    expect(failed[0]).toContain('401');
  });
});
