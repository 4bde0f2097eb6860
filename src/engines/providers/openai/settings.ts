import { Type } from '@sinclair/typebox';
import type { SettingsOf } from '../provider.ts';

const name = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }));
const ms = (byDefault: number, minimum: number, maximum: number) =>
  Type.Integer({ minimum, maximum, default: byDefault });

/** `engines.openai`: one server for chat, ears and voice, each of which is used where it is named. */
export const openaiSettings = Type.Object({
  baseUrl: Type.String({ pattern: '^https?://', expected: 'an http(s) address' }),
  apiKeyEnv: Type.Optional(
    Type.String({ pattern: '^[A-Z_][A-Z0-9_]*$', expected: 'the name of an environment variable' }),
  ),
  chatModel: name,
  firstTokenMs: ms(3000, 100, 60_000),
  totalMs: ms(30_000, 500, 300_000),
  proposalMs: ms(2500, 100, 60_000),
  documentPrivacy: Type.Union([Type.Literal('off'), Type.Literal('redact'), Type.Literal('block')], {
    default: 'redact',
  }),
  speechModel: name,
  speechVoice: name,
  /** Of raw samples whose type does not say it. */
  speechRateHz: Type.Integer({ minimum: 8000, maximum: 48_000, default: 24_000 }),
  transcriptionModel: name,
  /** Each stretch as a file once it is whole, or what is said while it is spoken. */
  transcription: Type.Union([Type.Literal('files'), Type.Literal('realtime')], { default: 'files' }),
});
export type OpenaiSettings = SettingsOf<typeof openaiSettings>;

/** `providers.openai` of a voice: instead of `speechVoice`, and how it is to speak. */
export const openaiVoice = Type.Object({
  voice: Type.String({ minLength: 1, maxLength: 200 }),
  instructions: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
});
