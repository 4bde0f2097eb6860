import { TALK_CHANNEL, TALK_MESSAGES, TALK_OPERATIONS } from './asyncapi-talk.ts';
import { SOCKET_SAMPLES } from './samples-socket.ts';
import { audioFrame, frame, type SocketMessage } from './socket-message.ts';
import {
  AuthenticatedFrameSchema,
  DoneFrameSchema,
  ErrorFrameSchema,
  KeepaliveFrameSchema,
  OpenedFrameSchema,
  SOCKET_ERRORS,
  StartFrameSchema,
  StopFrameSchema,
  TranscriptFrameSchema,
} from './socket-schemas.ts';

export { SOCKET_ERRORS };

const SESSION = 'ts_5xq2k7w3n4b6c2d7e3fa';

const FROM_CLIENT: readonly SocketMessage[] = [
  frame(StartFrameSchema, 'What will be sent. Every field has a default.', {
    ...{ language: 'ar-SA', sample_rate: 16_000, encoding: 'pcm' },
  }),
  audioFrame(
    'Audio in the declared encoding and rate; 20 to 100 ms a frame works well, 128 KiB is the most. Keep sending during ' +
      'silence: pauses are how a final transcript is recognised.',
  ),
  frame(StopFrameSchema, 'No more audio. The last final transcript follows, then done.', {}),
  frame(KeepaliveFrameSchema, 'Keeps a session without audio open.', {}),
];
const FROM_SERVER: readonly SocketMessage[] = [
  frame(AuthenticatedFrameSchema, 'The token is good; waiting for start.', { session_id: SESSION }),
  frame(OpenedFrameSchema, 'Transcription is open.', {
    ...{ session_id: SESSION, language: 'ar-SA', sample_rate: 16_000, encoding: 'pcm' },
  }),
  frame(TranscriptFrameSchema, 'What was said, interim or final.', {
    ...{ text: 'where is my order', final: true, confidence: 0.93, language: 'en', start: 1.24, end: 3.02 },
  }),
  frame(DoneFrameSchema, 'The session is complete and billed. The connection closes with 1000.', {
    ...{ seconds: 61.42, cost_cents: 6 },
  }),
  frame(ErrorFrameSchema, 'Something ended the session. The connection closes with the code of this error.', {
    error: { code: 'idle_timeout', message: 'No audio arrived for too long.' },
  }),
];
const MESSAGES = [...FROM_CLIENT, ...FROM_SERVER];

const CHANNEL = '#/channels/transcribe';
const inChannel = ({ name }: SocketMessage) => ({ $ref: `${CHANNEL}/messages/${name}` });
const byName = <T>(value: (message: SocketMessage) => T): Record<string, T> =>
  Object.fromEntries(MESSAGES.map((message) => [message.name, value(message)]));

/** The sockets of the API, as AsyncAPI 3. Frames and codes are those of the sockets themselves; a test compares them. */
export const ASYNCAPI = {
  asyncapi: '3.0.0',
  info: {
    title: 'Nidaa sockets',
    version: '1',
    description: [
      'Live transcription, and calls with an agent. Transcription is text while the person still speaks.',
      'Authenticate by header, or with `?token=` from POST /v1/transcribe/token.',
      'Connecting counts as a request: with the token in the header, 401, 429 (with Retry-After) and 503 answer the',
      'handshake; with the token in the query they are an error frame.',
      'The server pings every 20 s, and two pings in a row without a pong end the session.',
      `Close codes: ${Object.entries(SOCKET_ERRORS)
        .map(([code, close]) => `${code} ${close}`)
        .join(', ')}; done 1000.`,
    ].join(' '),
  },
  defaultContentType: 'application/json',
  channels: {
    transcribe: {
      address: '/v1/transcribe/ws',
      messages: byName(({ name }) => ({ $ref: `#/components/messages/${name}` })),
      bindings: {
        ws: { query: { type: 'object', properties: { token: { type: 'string' } } }, bindingVersion: '0.1.0' },
      },
      'x-codeSamples': SOCKET_SAMPLES,
    },
    talk: TALK_CHANNEL,
  },
  operations: {
    sendToTranscription: {
      action: 'receive',
      channel: { $ref: CHANNEL },
      messages: FROM_CLIENT.map(inChannel),
    },
    receiveTranscription: {
      action: 'send',
      channel: { $ref: CHANNEL },
      messages: FROM_SERVER.map(inChannel),
    },
    ...TALK_OPERATIONS,
  },
  components: {
    messages: { ...byName((message) => message), ...TALK_MESSAGES },
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
  },
};
