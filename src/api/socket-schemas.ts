import { type Static, Type } from '@sinclair/typebox';

/** Frames of the live transcription socket: they make the AsyncAPI document and type the client. */
const language = (description: string) => Type.String({ description, examples: ['ar-SA'] });
const sampleRate = { minimum: 8_000, maximum: 48_000 };
const encodings = ['pcm', 'mulaw'] as const;
const encoding = (description: string) =>
  Type.Unsafe<(typeof encodings)[number]>({ type: 'string', enum: [...encodings], description });
const sessionId = Type.String({ examples: ['ts_5xq2k7w3n4b6c2d7e3fa'] });

export const StartFrameSchema = Type.Object({
  type: Type.Literal('start'),
  language: Type.Optional(language('ar, any ar-XX, en, en-US or en-GB. Default ar-SA.')),
  sample_rate: Type.Optional(Type.Integer({ ...sampleRate, description: 'Hz. Default 16000.' })),
  encoding: Type.Optional(encoding('pcm is 16-bit little-endian, mono. Default pcm.')),
});
export const StopFrameSchema = Type.Object({ type: Type.Literal('stop') });
export const KeepaliveFrameSchema = Type.Object({ type: Type.Literal('keepalive') });

export const AuthenticatedFrameSchema = Type.Object({ type: Type.Literal('authenticated'), session_id: sessionId });
export const OpenedFrameSchema = Type.Object({
  type: Type.Literal('opened'),
  session_id: sessionId,
  language: language('As started.'),
  sample_rate: Type.Integer({ ...sampleRate, description: 'Hz, as started.' }),
  encoding: encoding('As started.'),
});
export const TranscriptFrameSchema = Type.Object({
  type: Type.Literal('transcript'),
  text: Type.String(),
  final: Type.Boolean({ description: 'false: interim, may be revised. true: settles a stretch of speech.' }),
  confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'Finals only.' })),
  language: Type.Optional(Type.String({ description: 'ar or en, when it was detected.' })),
  start: Type.Optional(Type.Number({ minimum: 0, description: 'Seconds since the first audio; finals only.' })),
  end: Type.Optional(Type.Number({ minimum: 0, description: 'Seconds since the first audio; finals only.' })),
});
export const DoneFrameSchema = Type.Object({
  type: Type.Literal('done'),
  seconds: Type.Number({ minimum: 0, description: 'Audio received.' }),
  cost_cents: Type.Integer({ minimum: 0 }),
});

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
export type SocketErrorCode = keyof typeof SOCKET_ERRORS;

export const ErrorFrameSchema = Type.Object({
  type: Type.Literal('error'),
  error: Type.Object({
    code: Type.Unsafe<SocketErrorCode>({ type: 'string', enum: Object.keys(SOCKET_ERRORS) }),
    message: Type.String(),
  }),
});

export type StartFrame = Static<typeof StartFrameSchema>;
export type AuthenticatedFrame = Static<typeof AuthenticatedFrameSchema>;
export type OpenedFrame = Static<typeof OpenedFrameSchema>;
export type TranscriptFrame = Static<typeof TranscriptFrameSchema>;
export type DoneFrame = Static<typeof DoneFrameSchema>;
export type ErrorFrame = Static<typeof ErrorFrameSchema>;
export type ServerFrame = AuthenticatedFrame | OpenedFrame | TranscriptFrame | DoneFrame | ErrorFrame;
