import { Type } from '@sinclair/typebox';
import { TALK_ERRORS, type TalkErrorCode } from '../core/talk-errors.ts';
import { variables } from './schemas.ts';

/** Frames of the talk socket, for the reference. They are read and written by `streams/talk-protocol.ts`; a test compares. */
const markName = Type.String({ maxLength: 64, examples: ['nidaa-12'] });
const keys = Type.String({ pattern: '^[0-9*#A-Da-d]{1,32}$', examples: ['4521#'] });
const sampleRate = (description: string) =>
  Type.Unsafe<8000 | 16000>({ type: 'integer', enum: [8000, 16000], description });
const role = Type.Unsafe<'caller' | 'agent'>({ type: 'string', enum: ['caller', 'agent'] });

export const TalkStartSchema = Type.Object({
  type: Type.Literal('start'),
  sample_rate: Type.Optional(sampleRate('Hz, of what the agent says. Default 16000.')),
  input_sample_rate: Type.Optional(
    sampleRate('Hz, of what the caller says. Default `sample_rate`. More than the agent can hear is sent for nothing.'),
  ),
  variables: Type.Optional(variables("Override the agent's own values, and not those that came with the token.")),
  transcript: Type.Optional(Type.Boolean({ description: 'false: no transcript and sentence frames. Default true.' })),
});
export const TalkDtmfSchema = Type.Object({ type: Type.Literal('dtmf'), digits: keys });
export const TalkMarkSchema = Type.Object({ type: Type.Literal('mark'), name: markName });
export const TalkEndSchema = Type.Object({ type: Type.Literal('end') });
export const TalkKeepaliveSchema = Type.Object({ type: Type.Literal('keepalive') });

export const TalkAuthenticatedSchema = Type.Object({
  type: Type.Literal('authenticated'),
  session_id: Type.String({ examples: ['str_5xq2k7w3n4b6c2d7e3fa'] }),
  input_sample_rate: sampleRate('Hz, the best at which the caller can be heard: that of the recogniser of the agent.'),
});
export const TalkOpenedSchema = Type.Object({
  type: Type.Literal('opened'),
  call_id: Type.String({ description: 'As in the record of the call.', examples: ['call_5xq2k7w3n4b6c2d7e3fa'] }),
  sample_rate: sampleRate('Hz, of what the agent says, as started.'),
  input_sample_rate: sampleRate('Hz, of what the caller says, as started.'),
  encoding: Type.Literal('pcm', { description: '16-bit little-endian, mono.' }),
});
export const TalkTranscriptSchema = Type.Object({
  type: Type.Literal('transcript'),
  text: Type.String({ description: 'What the caller says.' }),
  final: Type.Boolean({ description: 'false: may be revised. true: settles a stretch of speech.' }),
});
export const TalkSentenceSchema = Type.Object({
  type: Type.Literal('sentence'),
  text: Type.String({ description: 'What the agent begins to say; its turn tells how much of it was heard.' }),
});
export const TalkTurnSchema = Type.Object({
  type: Type.Literal('turn'),
  role,
  text: Type.String({ description: 'As it goes on record: of the agent, what was heard.' }),
  started_ms: Type.Integer({ minimum: 0, description: 'Since the call was answered.' }),
  heard_ms: Type.Integer({ minimum: 0, description: 'How long it sounded.' }),
  latency_ms: Type.Optional(
    Type.Integer({ description: "From the end of the caller's speech to the answer; of answers alone." }),
  ),
});
export const TalkClearSchema = Type.Object({ type: Type.Literal('clear') });
export const TalkEndedSchema = Type.Object({
  type: Type.Literal('ended'),
  party: Type.String({ examples: ['agent'] }),
  reason: Type.String({ description: 'As in the record of the call.', examples: ['agent-hangup'] }),
  seconds: Type.Number({ minimum: 0, description: 'Since the call was answered.' }),
});
export const TalkErrorSchema = Type.Object({
  type: Type.Literal('error'),
  error: Type.Object({
    code: Type.Unsafe<TalkErrorCode>({ type: 'string', enum: Object.keys(TALK_ERRORS) }),
    message: Type.String(),
  }),
});
