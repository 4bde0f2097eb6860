import { type Static, Type } from '@sinclair/typebox';
import { ERRORS, type ErrorCode } from '../core/errors.ts';
import { SPEECH_FORMATS, STREAM_FORMATS } from './formats.ts';

/**
 * Shapes of the public API. They check requests, write responses, make the OpenAPI document and type the client. Fields
 * that are not listed are ignored in requests, and a wrong type is an error: nothing is converted.
 */
const oneOf = <const V extends readonly string[]>(values: V, description: string) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: [...values], description });
/** A string with values that are known today; more may come. */
const openEnum = (values: readonly string[], description: string) =>
  Type.String({ description: `${description} Known values: ${values.join(', ')}. More may be added.` });
const costCents = Type.Integer({ minimum: 0, description: 'Charged for this call, in cents.', examples: [2] });
/** Of an agent, for one request or call. */
export const variables = (description: string) =>
  Type.Record(
    Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$' }),
    Type.String({ maxLength: LIMITS.variableChars }),
    { maxProperties: LIMITS.variables, additionalProperties: false, description },
  );
const binary = Type.Unsafe<string>({ type: 'string', contentMediaType: 'application/octet-stream' });

export const ErrorSchema = Type.Object(
  {
    error: Type.Object(
      {
        code: Type.Unsafe<ErrorCode>({ type: 'string', enum: Object.keys(ERRORS) }),
        message: Type.String(),
      },
      { additionalProperties: false },
    ),
  },
  { $id: 'Error', additionalProperties: false, description: 'Every error body of the API.' },
);

export const LIMITS = {
  replyTextChars: 4_000,
  historyTurns: 20,
  historyTurnsSent: 1_000,
  speechTextChars: 5_000,
  privacyTextChars: 6_000,
  questionChars: 2_000,
  fileBytes: 8 * 1024 * 1024,
  clipSeconds: 60,
  variables: 50,
  variableChars: 1_000,
} as const;

export const SPEECH_MODELS = ['sada-1', 'nabra-1'] as const;
export type SpeechModel = (typeof SPEECH_MODELS)[number];
/** The only one that streams, and the one that knows no pitch. */
export const STREAM_MODELS = ['sada-1'] as const satisfies readonly SpeechModel[];

export const AgentSchema = Type.Object(
  {
    id: Type.String({ examples: ['agt_5xq2k7w3n4b6c2d7e3fa'] }),
    name: Type.String(),
    voice_id: Type.String({ examples: ['noura'] }),
    model: Type.String({ examples: ['sada-1'] }),
    language: Type.String({ examples: ['ar-SA'] }),
    status: openEnum(['live', 'draft', 'paused'], 'Only a live agent answers.'),
    updated_at: Type.String({ format: 'date-time', description: 'UTC, RFC 3339 with milliseconds.' }),
  },
  { $id: 'Agent' },
);
export const AgentsSchema = Type.Object({
  agents: Type.Array(Type.Ref('Agent'), { description: 'Most recently updated first.' }),
});

const speechFields = {
  text: Type.String({ description: 'Text to speak, at most 5,000 characters.', examples: ['مرحبا، كيف أقدر أساعدك؟'] }),
  voice: Type.Optional(Type.String({ description: 'Voice id. Default: the voice of the language of the text.' })),
  model: Type.Optional(oneOf(SPEECH_MODELS, 'Default: the first model of the voice. sada-1 ignores pitch.')),
  sample_rate: Type.Optional(
    Type.Integer({ description: "Hz. Default: the format's own rate, 24000, or 8000 for mulaw." }),
  ),
  speed: Type.Optional(Type.Number({ minimum: 0.5, maximum: 2, description: 'Below 1.0 is slower. Default 1.0.' })),
  pitch: Type.Optional(
    Type.Number({ minimum: -12, maximum: 12, description: 'Semitones. nabra-1 only; sada-1 ignores it. Default 0.' }),
  ),
};
export const SpeechBodySchema = Type.Object(
  {
    ...speechFields,
    format: Type.Optional(oneOf(SPEECH_FORMATS, 'Goes before the Accept header. Default: that header, else mp3.')),
  },
  { $id: 'SpeechRequest' },
);
export const SpeechStreamBodySchema = Type.Object(
  {
    ...speechFields,
    model: Type.Optional(oneOf(STREAM_MODELS, 'The streaming model.')),
    format: Type.Optional(oneOf(STREAM_FORMATS, 'Default wav, with a header for a stream of unknown length.')),
  },
  { $id: 'SpeechStreamRequest' },
);

export const VoiceSchema = Type.Object(
  {
    id: Type.String({ examples: ['noura'] }),
    name: Type.String(),
    gender: oneOf(['female', 'male'], 'Gender of the speaker.'),
    age: oneOf(['18-30', '30-50', '60+'], 'Age of the speaker.'),
    language: Type.String({ examples: ['ar-SA'] }),
    dialect: oneOf(['najdi', 'hijazi', 'gulf', 'egyptian', 'msa', 'none'], 'none for voices that are not Arabic.'),
    country: Type.String(),
    styles: Type.Array(oneOf(['Professional', 'Formal', 'Casual', 'Energetic'], 'What it suits.')),
    description: Type.String(),
    supported_models: Type.Array(Type.String()),
    sample_request: Type.Object(
      {
        text: Type.String(),
        voice: Type.String(),
        model: oneOf(SPEECH_MODELS, 'A model of this voice.'),
        format: oneOf(SPEECH_FORMATS, 'Audio format.'),
      },
      { description: "A body for POST /v1/speech in the voice's language." },
    ),
  },
  { $id: 'Voice' },
);
export const VoicesSchema = Type.Object({ voices: Type.Array(Type.Ref('Voice')) });
export const VoicesQuerySchema = Type.Object({
  language: Type.Optional(Type.String({ description: 'ar-SA, or ar for every Arabic voice.' })),
  dialect: Type.Optional(Type.String()),
  gender: Type.Optional(Type.String()),
  model: Type.Optional(Type.String()),
});
export const ModelsSchema = Type.Object({
  models: Type.Array(
    Type.Object({
      id: Type.String({ examples: ['sada-1'] }),
      honours_pitch: Type.Boolean(),
      streaming: Type.Boolean({ description: 'Whether POST /v1/speech/stream takes it.' }),
      price_cents_per_1000_chars: Type.Integer({ minimum: 0 }),
    }),
  ),
});

export const TurnSchema = Type.Object(
  {
    text: Type.String(),
    role: Type.Optional(
      oneOf(['caller', 'agent', 'user', 'assistant'], 'Who said it. Without any role turns alternate up to now.'),
    ),
  },
  { $id: 'Turn' },
);
export const ReplyBodySchema = Type.Object(
  {
    text: Type.String({ description: 'What the caller said. Beyond 4,000 characters it is cut.' }),
    history: Type.Optional(
      Type.Array(Type.Ref('Turn'), {
        maxItems: LIMITS.historyTurnsSent,
        description: 'Oldest first. The last 20 are used.',
      }),
    ),
    variables: Type.Optional(variables("Override the agent's own values.")),
    audio: Type.Optional(Type.Boolean({ description: 'false: text only, no synthesis charge. Default true.' })),
  },
  { $id: 'ReplyRequest' },
);
export const ReplySchema = Type.Object(
  {
    reply: Type.String({ description: "The agent's next utterance." }),
    greeting: Type.String({ description: "The agent's greeting with variables filled in." }),
    audio: Type.Union([Type.String({ contentEncoding: 'base64' }), Type.Null()]),
    content_type: Type.Union([Type.String(), Type.Null()], { examples: ['audio/mpeg'] }),
    cost_cents: costCents,
  },
  { $id: 'Reply' },
);

export const RedactBodySchema = Type.Object(
  { text: Type.String({ description: 'Beyond 6,000 characters it is cut.' }) },
  { $id: 'RedactRequest' },
);
export const RedactSchema = Type.Object(
  {
    redacted: Type.String(),
    findings: Type.Array(
      Type.Object({
        kind: openEnum(['National ID', 'Iqama', 'IBAN', 'Phone Number', 'Email', 'Card Number'], 'What was found.'),
        value: Type.String(),
        action: openEnum(['redact', 'mask', 'flag'], 'What was done.'),
        why: Type.String(),
      }),
    ),
    verdict: openEnum(['allow', 'redact', 'block'], 'Whether the text may leave.'),
    cost_cents: costCents,
  },
  { $id: 'PrivacyReport' },
);

export const CoverageBodySchema = Type.Object({ text: Type.String() }, { $id: 'CoverageRequest' });
export const CoverageSchema = Type.Object(
  {
    language: Type.String({ examples: ['ar'] }),
    token_count: Type.Integer({ minimum: 0 }),
    flagged_count: Type.Integer({ minimum: 0 }),
    coverage: Type.Number({ minimum: 0, maximum: 1 }),
    flagged: Type.Array(
      Type.Object({
        token: Type.String(),
        reason: openEnum(['latin_word', 'digits', 'asset_tag', 'acronym'], 'Why.'),
        hint: Type.String(),
      }),
    ),
  },
  { $id: 'CoverageReport' },
);

export const NormalizeBodySchema = Type.Object(
  {
    text: Type.String(),
    language: Type.Optional(Type.String({ description: 'ar or en. Detected when omitted.', examples: ['ar'] })),
  },
  { $id: 'NormalizeRequest' },
);
export const NormalizeSchema = Type.Object(
  {
    original: Type.String(),
    normalized: Type.String({ description: 'The text as it will be spoken.' }),
    language: Type.String({ examples: ['ar'] }),
    replacements: Type.Array(Type.Object({ from: Type.String(), to: Type.String() })),
  },
  { $id: 'NormalizedText' },
);

const language = Type.Optional(Type.String({ description: 'ar, any ar-XX, en, en-US or en-GB. Default ar-SA.' }));
const mimeType = Type.Optional(Type.String({ description: 'Media type of the file. Default: by its first bytes.' }));
export const TranscribeBodySchema = Type.Object(
  { file: Type.String({ contentEncoding: 'base64', description: 'The audio.' }), mime_type: mimeType, language },
  { $id: 'TranscribeRequest' },
);
export const TranscribeFormSchema = Type.Object({ file: binary, language }, { $id: 'TranscribeForm' });
export const TranscriptSchema = Type.Object(
  {
    text: Type.String({ description: 'Empty when nobody spoke.' }),
    seconds: Type.Number({ minimum: 0, description: 'Duration of the audio.' }),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    cost_cents: costCents,
  },
  { $id: 'Transcript' },
);

const question = Type.String({ description: 'At most 2,000 characters.' });
export const AskBodySchema = Type.Object(
  {
    file: Type.String({ contentEncoding: 'base64', description: 'The document.' }),
    question,
    mime_type: mimeType,
    filename: Type.Optional(Type.String({ maxLength: 255 })),
  },
  { $id: 'AskRequest' },
);
export const AskFormSchema = Type.Object({ file: binary, question }, { $id: 'AskForm' });
export const AnswerSchema = Type.Object(
  {
    answer: Type.String(),
    quotes: Type.Array(Type.String(), { description: 'Lines of the document the answer rests on.' }),
    answered: Type.Boolean({ description: 'false when the document does not contain the answer.' }),
    cost_cents: costCents,
  },
  { $id: 'Answer' },
);
export const SocketTokenSchema = Type.Object(
  { token: Type.String(), expires_at: Type.String({ format: 'date-time' }) },
  { $id: 'SocketToken' },
);
export const TalkTokenBodySchema = Type.Object(
  {
    from: Type.Optional(
      Type.String({ maxLength: 64, description: 'Who calls, as the record of the call names them. Default web.' }),
    ),
    variables: Type.Optional(
      variables("Override the agent's own values, and those that the start frame brings: a page cannot change them."),
    ),
  },
  { $id: 'TalkTokenRequest' },
);
export const IdParamsSchema = Type.Object({ id: Type.String({ description: 'Identifier.' }) });

export const SHARED_SCHEMAS = [
  ...[ErrorSchema, AgentSchema, VoiceSchema, TurnSchema, ReplyBodySchema, ReplySchema, SpeechBodySchema],
  ...[SpeechStreamBodySchema, RedactBodySchema, RedactSchema, CoverageBodySchema, CoverageSchema, NormalizeBodySchema],
  ...[NormalizeSchema, TranscribeBodySchema, TranscribeFormSchema, TranscriptSchema, AskBodySchema, AskFormSchema],
  ...[AnswerSchema, SocketTokenSchema, TalkTokenBodySchema],
];

export type ErrorBody = Static<typeof ErrorSchema>;
export type AgentItem = Static<typeof AgentSchema>;
export type AgentList = { agents: AgentItem[] };
export type VoiceItem = Static<typeof VoiceSchema>;
export type VoiceList = { voices: VoiceItem[] };
export type VoicesQuery = Static<typeof VoicesQuerySchema>;
export type ModelList = Static<typeof ModelsSchema>;
export type TurnItem = Static<typeof TurnSchema>;
export type ReplyBody = Omit<Static<typeof ReplyBodySchema>, 'history'> & { history?: TurnItem[] };
export type Reply = Static<typeof ReplySchema>;
export type SpeechBody = Static<typeof SpeechBodySchema>;
export type SpeechStreamBody = Static<typeof SpeechStreamBodySchema>;
export type RedactBody = Static<typeof RedactBodySchema>;
export type PrivacyReport = Static<typeof RedactSchema>;
export type CoverageBody = Static<typeof CoverageBodySchema>;
export type CoverageReport = Static<typeof CoverageSchema>;
export type NormalizeBody = Static<typeof NormalizeBodySchema>;
export type NormalizedText = Static<typeof NormalizeSchema>;
export type TranscribeBody = Static<typeof TranscribeBodySchema>;
export type Transcript = Static<typeof TranscriptSchema>;
export type AskBody = Static<typeof AskBodySchema>;
export type Answer = Static<typeof AnswerSchema>;
export type TalkTokenBody = Static<typeof TalkTokenBodySchema>;
export type SocketTokenBody = Static<typeof SocketTokenSchema>;

/** Server-sent events of the speech stream. `type` is inside the data too, for clients that read only data lines. */
export type SpeechEvent =
  | { readonly type: 'audio'; readonly seq: number; readonly audio: string }
  | {
      readonly type: 'usage';
      readonly characters: number;
      readonly seconds: number;
      readonly cost_cents: number;
      readonly model: string;
      readonly voice: string;
      readonly format: string;
      readonly sample_rate: number;
    }
  | { readonly type: 'error'; readonly error: { readonly code: string; readonly message: string } };
