import { TALK_ERRORS } from '../core/talk-errors.ts';
import { TALK_SAMPLES } from './samples-talk.ts';
import { audioFrame, frame, type SocketMessage } from './socket-message.ts';
import {
  TalkAuthenticatedSchema,
  TalkClearSchema,
  TalkDtmfSchema,
  TalkEndedSchema,
  TalkEndSchema,
  TalkErrorSchema,
  TalkKeepaliveSchema,
  TalkMarkSchema,
  TalkOpenedSchema,
  TalkSentenceSchema,
  TalkStartSchema,
  TalkTranscriptSchema,
  TalkTurnSchema,
} from './talk-schemas.ts';

/** The talk socket in the AsyncAPI document. Its messages have names of their own there, since transcription has some of the same. */
const MARK = { name: 'nidaa-12' };

const FROM_CLIENT: readonly SocketMessage[] = [
  frame(TalkStartSchema, 'Begins the call. Every field has a default.', {
    ...{ sample_rate: 16_000, input_sample_rate: 16_000, variables: { name: 'Noura' } },
  }),
  audioFrame(
    'What the caller says: 16-bit little-endian, mono, at `input_sample_rate`. 20 to 100 ms a frame work well, a second ' +
      'is the most. Keep sending during silence: 30 seconds without audio end the call.',
  ),
  frame(TalkDtmfSchema, 'Keys that the caller presses.', { digits: '4521#' }),
  frame(
    TalkMarkSchema,
    'Everything that came before this mark was played. Without these the gateway has to guess.',
    MARK,
  ),
  frame(TalkEndSchema, 'Hangs up. Ended follows.', {}),
  frame(TalkKeepaliveSchema, 'Does nothing.', {}),
];
const FROM_SERVER: readonly SocketMessage[] = [
  frame(TalkAuthenticatedSchema, 'The token is good; waiting for start, for ten seconds.', {
    ...{ session_id: 'str_5xq2k7w3n4b6c2d7e3fa', input_sample_rate: 16_000 },
  }),
  frame(TalkOpenedSchema, 'The agent has answered.', {
    ...{ call_id: 'call_5xq2k7w3n4b6c2d7e3fa', sample_rate: 16_000, input_sample_rate: 16_000, encoding: 'pcm' },
  }),
  audioFrame(
    'What the agent says, at `sample_rate`, 20 ms a frame, as it should sound and 60 ms ahead of it. Nothing is sent while it is silent.',
  ),
  frame(TalkMarkSchema, 'To be sent back when everything before it was played.', MARK),
  frame(TalkClearSchema, 'The agent was interrupted: forget what was not played yet, and its marks.', {}),
  frame(TalkDtmfSchema, 'Keys that the other side presses.', { digits: '1' }),
  frame(TalkTranscriptSchema, 'What the caller says, as it is recognised.', { text: 'where is my order', final: true }),
  frame(TalkSentenceSchema, 'What the agent says.', { text: 'What is your order number?' }),
  frame(TalkTurnSchema, 'A turn is over.', {
    ...{ role: 'agent', text: 'What is your order number?', started_ms: 7210, heard_ms: 1615, latency_ms: 571 },
  }),
  frame(TalkEndedSchema, 'The call is over. The connection closes with 1000, or 1012 where the service restarts.', {
    ...{ party: 'agent', reason: 'agent-hangup', seconds: 41.3 },
  }),
  frame(TalkErrorSchema, 'There is no call, or none any more. The connection closes with the code of this error.', {
    error: { code: 'start_timeout', message: 'No start frame arrived in time.' },
  }),
];

/** Under which a message stands in the document. */
const keyOf = ({ name }: SocketMessage): string => `talk.${name}`;
const CHANNEL = '#/channels/talk';
const inChannel = (message: SocketMessage) => ({ $ref: `${CHANNEL}/messages/${keyOf(message)}` });
const MESSAGES = new Map([...FROM_CLIENT, ...FROM_SERVER].map((message) => [keyOf(message), message]));

const closeCodes = Object.entries(TALK_ERRORS)
  .map(([code, close]) => `${code} ${close}`)
  .join(', ');

export const TALK_CHANNEL = {
  address: '/v1/agents/{id}/talk',
  description: [
    'A call with an agent, for browsers and programs: the same conversation, record and charges as of a call by telephone.',
    'Authenticate by header, or with `?token=` from POST /v1/agents/{id}/talk/token.',
    'The server pings every 20 s, and two pings in a row without a pong end the call.',
    `Close codes: ${closeCodes}; ended 1000.`,
  ].join(' '),
  parameters: { id: { description: 'Of the agent.' } },
  messages: Object.fromEntries([...MESSAGES.keys()].map((key) => [key, { $ref: `#/components/messages/${key}` }])),
  bindings: { ws: { query: { type: 'object', properties: { token: { type: 'string' } } }, bindingVersion: '0.1.0' } },
  'x-codeSamples': TALK_SAMPLES,
};

export const TALK_OPERATIONS = {
  sendToTalk: { action: 'receive', channel: { $ref: CHANNEL }, messages: FROM_CLIENT.map(inChannel) },
  receiveTalk: { action: 'send', channel: { $ref: CHANNEL }, messages: FROM_SERVER.map(inChannel) },
};

export const TALK_MESSAGES: Readonly<Record<string, SocketMessage>> = Object.fromEntries(MESSAGES);
