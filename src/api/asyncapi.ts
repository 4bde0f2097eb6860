/** The live transcription socket, as AsyncAPI 3. Frames and codes are those of the socket itself; a test compares them. */
const frame = (name: string, properties: Record<string, object>, required: readonly string[]) => ({
  name,
  contentType: 'application/json',
  payload: {
    type: 'object',
    properties: { type: { const: name }, ...properties },
    required: ['type', ...required],
  },
});
const sessionId = { type: 'string', examples: ['ts_5xq2k7w3n4b6c2d7e3fa'] };
const language = { type: 'string', default: 'ar-SA', description: 'ar, any ar-XX, en, en-US or en-GB.' };
const sampleRate = { type: 'integer', minimum: 8000, maximum: 48_000, default: 16_000 };
const encoding = { type: 'string', enum: ['pcm', 'mulaw'], default: 'pcm' };

/** What ends a socket, by `error.code`, with the close code that follows. Every error frame is the last one. */
export const SOCKET_ERRORS = {
  unauthorized: 4401,
  insufficient_credit: 4402,
  invalid_frame: 4400,
  not_started: 4409,
  already_started: 4409,
  unknown_language: 4400,
  invalid_sample_rate: 4400,
  unknown_encoding: 4400,
  frame_too_large: 1009,
  start_timeout: 4408,
  idle_timeout: 4408,
  session_too_long: 4413,
  too_many_sessions: 4429,
  rate_limited: 4429,
  unavailable: 4503,
  transcription_failed: 1011,
  shutting_down: 1012,
} as const;

const messages = {
  start: frame('start', { language, sample_rate: sampleRate, encoding }, []),
  audio: {
    name: 'audio',
    contentType: 'application/octet-stream',
    summary: 'Audio in the declared encoding and rate; 20 to 100 ms a frame works well. Keep sending during silence.',
    payload: { type: 'string', contentEncoding: 'binary' },
  },
  stop: frame('stop', {}, []),
  keepalive: frame('keepalive', {}, []),
  authenticated: frame('authenticated', { session_id: sessionId }, ['session_id']),
  opened: frame('opened', { session_id: sessionId, language, sample_rate: sampleRate, encoding }, [
    ...['session_id', 'language', 'sample_rate', 'encoding'],
  ]),
  transcript: frame(
    'transcript',
    {
      text: { type: 'string' },
      final: { type: 'boolean', description: 'false: interim, may be revised.' },
      confidence: { type: 'number', minimum: 0, maximum: 1, description: 'Finals only.' },
      language: { type: 'string', description: 'When it was detected.' },
      start: { type: 'number', description: 'Seconds since the first audio; finals only.' },
      end: { type: 'number' },
    },
    ['text', 'final'],
  ),
  done: frame('done', { seconds: { type: 'number' }, cost_cents: { type: 'integer' } }, ['seconds', 'cost_cents']),
  error: frame(
    'error',
    {
      error: {
        type: 'object',
        properties: { code: { type: 'string', enum: Object.keys(SOCKET_ERRORS) }, message: { type: 'string' } },
        required: ['code', 'message'],
      },
    },
    ['error'],
  ),
};

const FROM_CLIENT = ['start', 'audio', 'stop', 'keepalive'];
const FROM_SERVER = ['authenticated', 'opened', 'transcript', 'done', 'error'];
const CHANNEL = '#/channels/transcribe';
const inChannel = (name: string) => ({ $ref: `${CHANNEL}/messages/${name}` });

export const ASYNCAPI = {
  asyncapi: '3.0.0',
  info: {
    title: 'Nidaa live transcription',
    version: '1',
    description: `Text while the person still speaks. Authenticate by header, or with \`?token=\` from POST /v1/transcribe/token. Close codes: ${Object.entries(
      SOCKET_ERRORS,
    )
      .map(([code, close]) => `${code} ${close}`)
      .join(', ')}; done 1000.`,
  },
  defaultContentType: 'application/json',
  channels: {
    transcribe: {
      address: '/v1/transcribe/ws',
      messages: Object.fromEntries(
        Object.keys(messages).map((name) => [name, { $ref: `#/components/messages/${name}` }]),
      ),
      bindings: {
        ws: { query: { type: 'object', properties: { token: { type: 'string' } } }, bindingVersion: '0.1.0' },
      },
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
    messages,
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
  },
};
