import { AudioFormat, CommitStrategy, ElevenLabsClient, RealtimeEvents } from '@elevenlabs/elevenlabs-js';
import type { StreamingAudioChunkWithTimestampsResponse } from '@elevenlabs/elevenlabs-js/serialization/types/StreamingAudioChunkWithTimestampsResponse.js';
import type {
  CommittedTranscriptMessage,
  CommittedTranscriptWithTimestampsMessage,
  InputAudioChunk,
  PartialTranscriptMessage,
  ServerErrorMessage,
  SessionStartedMessage,
} from '@elevenlabs/elevenlabs-js/wrapper/realtime/connection.js';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { encodeMulaw } from '../../src/audio/g711.ts';
import { ElevenlabsTestServer } from '../support/elevenlabs-server.ts';
import type {
  ScribeChunk,
  ScribeError,
  ScribeStarted,
  ScribeText,
  ScribeWords,
  TimedSpeech,
} from '../support/scribe-messages.ts';
import { tone } from '../support/speech-server.ts';
import { until } from '../support/until.ts';

it('the messages of the stand-in are those that the client of ElevenLabs has, as the compiler sees them', () => {
  expectTypeOf<InputAudioChunk>().toExtend<ScribeChunk>();
  expectTypeOf<'manual'>().toExtend<`${CommitStrategy}`>();
  expectTypeOf<Omit<ScribeStarted['config'], 'commit_strategy'>>().toExtend<SessionStartedMessage['config']>();
  expectTypeOf<Omit<ScribeStarted, 'config'>>().toExtend<Omit<SessionStartedMessage, 'config'>>();
  expectTypeOf<ScribeText>().toExtend<PartialTranscriptMessage | CommittedTranscriptMessage>();
  expectTypeOf<ScribeWords>().toExtend<CommittedTranscriptWithTimestampsMessage>();
  expectTypeOf<ScribeError['message_type']>().toEqualTypeOf<ServerErrorMessage['message_type']>();
  expectTypeOf<TimedSpeech>().toExtend<StreamingAudioChunkWithTimestampsResponse.Raw>();
});

/** The vendor's own client finds in the stand-in what it looks for: addresses, query, framing, the order of messages. */
describe('the stand-in, asked by the client of ElevenLabs', () => {
  let server: ElevenlabsTestServer;
  const clientOf = (apiKey: string): ElevenLabsClient =>
    new ElevenLabsClient({ apiKey, baseUrl: server.baseUrl.replace(/\/v1$/, ''), maxRetries: 0 });
  beforeAll(async () => {
    server = await ElevenlabsTestServer.start();
    server.key = 'el-canary';
  });
  afterAll(() => server.close());

  const listenTo = async (apiKey: string) => {
    const connection = await clientOf(apiKey).speechToText.realtime.connect({
      ...{ modelId: 'scribe_v2_realtime', audioFormat: AudioFormat.ULAW_8000, sampleRate: 8000 },
      ...{ commitStrategy: CommitStrategy.MANUAL, languageCode: 'en', secondaryLanguages: ['ar'] },
      ...{ includeTimestamps: true, includeLanguageDetection: true, keyterms: ['order'] },
    });
    const said: string[] = [];
    const words: CommittedTranscriptWithTimestampsMessage[] = [];
    const errors: unknown[] = [];
    let closed = false;
    connection.on(RealtimeEvents.SESSION_STARTED, ({ config }) => said.push(`started ${config.sample_rate}`));
    connection.on(RealtimeEvents.PARTIAL_TRANSCRIPT, ({ text }) => said.push(`partial ${text}`));
    connection.on(RealtimeEvents.COMMITTED_TRANSCRIPT, ({ text }) => said.push(`committed ${text}`));
    connection.on(RealtimeEvents.COMMITTED_TRANSCRIPT_WITH_TIMESTAMPS, (message) => words.push(message));
    connection.on(RealtimeEvents.ERROR, (error) => errors.push(error));
    connection.on(RealtimeEvents.CLOSE, () => {
      closed = true;
    });
    return { connection, said, words, errors, closed: () => closed };
  };

  it('hears: that it begins, words that change, words that do not, and the same with times', async () => {
    const { connection, said, words, errors, closed } = await listenTo('el-canary');
    await until(() => said.length > 0);
    const audio = Buffer.from(encodeMulaw(tone(100, 8000))).toString('base64');
    for (let piece = 0; piece < 10; piece += 1) connection.send({ audioBase64: audio });
    connection.commit();
    await until(() => words.length > 0);
    expect(said).toEqual([
      ...['started 8000', 'partial where is', 'partial where is my order', 'committed where is my order'],
    ]);
    expect(words[0]).toMatchObject({ text: 'where is my order', language_code: 'en' });
    const entries = words[0]?.words ?? [];
    expect(entries.map(({ text }) => text).join('')).toBe('where is my order');
    expect(entries.filter(({ type }) => type === 'word').map(({ start }) => start)).toEqual([0, 0.2, 0.4, 0.6]);
    connection.commit();
    await until(() => errors.length > 0);
    expect((errors[0] as ServerErrorMessage).message_type).toBe('commit_throttled');
    connection.close();
    await until(closed);
    const [{ query, listening } = { query: undefined, listening: undefined }] = server.connections;
    expect([query?.getAll('secondary_languages'), query?.get('keyterms'), query?.get('commit_strategy')]).toEqual([
      ...[['ar'], 'order', 'manual'],
    ]);
    expect([listening?.audio.length, listening?.commits]).toEqual([8000, 2]);
  });

  it('speaks: sound in pieces, each with the times of its letters', async () => {
    const stream = await clientOf('el-canary').textToSpeech.streamWithTimestamps('JBFqnCBsd6RMkjVDRZzb', {
      ...{ text: 'Hello.', modelId: 'eleven_turbo_v2_5', outputFormat: 'ulaw_8000', languageCode: 'en' },
      ...{ applyTextNormalization: 'off', voiceSettings: { speed: 1 } },
    });
    let bytes = 0;
    const letters: string[] = [];
    const starts: number[] = [];
    for await (const { audioBase64, alignment } of stream) {
      bytes += Buffer.from(audioBase64, 'base64').length;
      letters.push(...(alignment?.characters ?? []));
      starts.push(...(alignment?.characterStartTimesSeconds ?? []));
    }
    expect([bytes, letters.join('')]).toEqual([6 * 50 * 8, 'Hello.']);
    expect(starts.map((start) => Math.round(start * 1000))).toEqual([0, 50, 100, 150, 200, 250]);
  });

  it('speaks without times', async () => {
    const body = await clientOf('el-canary').textToSpeech.stream('JBFqnCBsd6RMkjVDRZzb', {
      ...{ text: 'Hello.', modelId: 'eleven_turbo_v2_5', outputFormat: 'ulaw_8000' },
    });
    let bytes = 0;
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.length;
    expect(bytes).toBe(6 * 50 * 8);
  });

  it('has voices, and refuses a stranger', async () => {
    const { voiceId } = await clientOf('el-canary').voices.get('JBFqnCBsd6RMkjVDRZzb');
    expect(voiceId).toBe('JBFqnCBsd6RMkjVDRZzb');
    const before = server.connections.length;
    await expect(clientOf('el-wrong').voices.get('JBFqnCBsd6RMkjVDRZzb')).rejects.toMatchObject({ statusCode: 401 });
    const { errors, closed } = await listenTo('el-wrong');
    await until(closed);
    expect([errors.length > 0, server.connections.length]).toEqual([true, before]);
  });
});
