import type { TSchema } from '@sinclair/typebox';
import { SOCKET_SAMPLES } from './samples-socket.ts';
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

/** The live transcription socket, as AsyncAPI 3. Frames and codes are those of the socket itself; a test compares them. */
export interface SocketMessage {
  readonly name: string;
  readonly contentType: string;
  readonly summary: string;
  readonly payload: TSchema | { readonly type: 'string'; readonly contentEncoding: string };
  readonly examples?: readonly { readonly payload: unknown }[];
}

const SESSION = 'ts_5xq2k7w3n4b6c2d7e3fa';

function frame(payload: TSchema, summary: string, example: object): SocketMessage {
  const { type } = payload['properties'] as { type: { const: string } };
  return {
    name: type.const,
    contentType: 'application/json',
    summary,
    payload,
    examples: [{ payload: { type: type.const, ...example } }],
  };
}

const FROM_CLIENT: readonly SocketMessage[] = [
  frame(StartFrameSchema, 'What will be sent. Every field has a default.', {
    ...{ language: 'ar-SA', sample_rate: 16_000, encoding: 'pcm' },
  }),
  {
    name: 'audio',
    contentType: 'application/octet-stream',
    summary:
      'Audio in the declared encoding and rate; 20 to 100 ms a frame works well, 128 KiB is the most. Keep sending during silence: pauses are how a final transcript is recognised.',
    payload: { type: 'string', contentEncoding: 'binary' },
  },
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

export const ASYNCAPI = {
  asyncapi: '3.0.0',
  info: {
    title: 'Nidaa live transcription',
    version: '1',
    description: `Text while the person still speaks. Authenticate by header, or with \`?token=\` from POST /v1/transcribe/token. Connecting counts as a request: with the token in the header, 401, 429 (with Retry-After) and 503 answer the handshake; with the token in the query they are an error frame. The server pings every 20 s, and two pings in a row without a pong end the session. Close codes: ${Object.entries(
      SOCKET_ERRORS,
    )
      .map(([code, close]) => `${code} ${close}`)
      .join(', ')}; done 1000.`,
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
  },
  components: {
    messages: byName((message) => message),
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
  },
};
