import type { Prices } from '../billing/prices.ts';
import { AUDIO_MEDIA_TYPES } from './audio-type.ts';
import type { ApiSettings } from './deps.ts';
import { DOCUMENT_MEDIA_TYPES } from './document-type.ts';
import { SAMPLE_RATES_HZ } from './formats.ts';
import { UNANSWERED_MAX } from './pipelining.ts';
import { LIMITS } from './schemas.ts';

/** What this installation charges and allows: the reference says it as it is configured. */
export interface ReferenceFacts {
  readonly prices: Prices;
  readonly settings: Pick<ApiSettings, 'requestsPerMinute' | 'requestBurst' | 'requestsInFlightPerAccount'>;
  readonly sockets?: { readonly socketsPerAccount: number; readonly socketMaxSeconds: number };
}

const FREE = 'Free.';
/** 5000 -> `5,000`, without all that the runtime knows of other languages. */
const number = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
const cents = (value: number): string => `${value} cent${value === 1 ? '' : 's'}`;
const speechRates = ({ speechCentsPer1000 }: Prices): string =>
  Object.entries(speechCentsPer1000)
    .map(([model, price]) => `${model} ${cents(price)}`)
    .join(', ');

const PRICES: Readonly<Record<string, (prices: Prices) => string>> = {
  listAgents: () => 'Free, but refused on a balance that is used up.',
  createAgentReply: (prices) =>
    `${cents(prices.replyCents)} a turn, plus the speech of the reply at the agent's model rate; no speech is charged with \`audio\` false.`,
  createSpeech: (prices) => `For 1,000 characters of text: ${speechRates(prices)}. Rounded up, at least 1 cent.`,
  streamSpeech: (prices) =>
    `For 1,000 characters of text: sada-1 ${cents(prices.speechCentsPer1000['sada-1'] ?? 0)}. Rounded up, at least 1 cent.`,
  redactText: (prices) => `${cents(prices.privacyCents)} a check.`,
  transcribe: (prices) => `${cents(prices.transcribeMinuteCents)} a minute, rounded up.`,
  askDocument: (prices) => `${cents(prices.askCents)} a question, answered or not.`,
};

const TEXT_5000 = `Text: ${number(LIMITS.speechTextChars)} characters, else \`text_too_long\`.`;
const accepted = (types: readonly string[]): string => `Accepted: ${types.map((type) => `\`${type}\``).join(', ')}.`;
const FILE = `File: 8 MB, else \`file_too_large\`.`;
const rates = (format: keyof typeof SAMPLE_RATES_HZ): string => SAMPLE_RATES_HZ[format].slice(1).map(String).join(', ');
const SPEECH_LIMITS = [
  TEXT_5000,
  `Sample rates: ${rates('wav')}; opus ${[...SAMPLE_RATES_HZ.opus].sort((a, b) => a - b).join(', ')}; mulaw ${SAMPLE_RATES_HZ.mulaw.join(', ')}.`,
];
const LIMIT_TEXTS: Readonly<Record<string, readonly string[]>> = {
  createAgentReply: [
    `Text: ${number(LIMITS.replyTextChars)} characters; longer text is cut and \`X-Service-Truncated: true\` says so.`,
    `History: the last ${LIMITS.historyTurns} turns are used.`,
    `Variables: ${LIMITS.variables}, each up to ${number(LIMITS.variableChars)} characters.`,
  ],
  createSpeech: SPEECH_LIMITS,
  streamSpeech: SPEECH_LIMITS,
  redactText: [
    `Text: ${number(LIMITS.privacyTextChars)} characters; longer text is cut and \`X-Service-Truncated: true\` says so.`,
  ],
  checkCoverage: [TEXT_5000],
  normalizeText: [TEXT_5000],
  transcribe: [
    accepted(Object.keys(AUDIO_MEDIA_TYPES)),
    FILE,
    `Clip: ${LIMITS.clipSeconds} seconds, else \`audio_too_long\`.`,
  ],
  askDocument: [
    accepted(DOCUMENT_MEDIA_TYPES),
    FILE,
    `Question: ${number(LIMITS.questionChars)} characters, else \`question_too_long\`.`,
  ],
  createTranscribeToken: ['Token: one connection, within 60 seconds.'],
  createTalkToken: [
    'Token: one call, within 60 seconds.',
    `Variables: ${LIMITS.variables}, each up to ${number(LIMITS.variableChars)} characters.`,
  ],
};

export interface OperationFacts {
  readonly 'x-price': string;
  readonly 'x-limits': string[];
}

/** What an operation costs and where it ends, as extensions of its entry in the OpenAPI document. */
export function operationFacts(id: string, { prices }: ReferenceFacts): OperationFacts {
  return { 'x-price': PRICES[id]?.(prices) ?? FREE, 'x-limits': [...(LIMIT_TEXTS[id] ?? [])] };
}

export function socketFacts({ prices, sockets }: ReferenceFacts): OperationFacts {
  const sessions = sockets && [
    `Sessions: ${sockets.socketsPerAccount} at once on one account, else \`too_many_sessions\`.`,
    `Length: ${number(sockets.socketMaxSeconds / 60)} minutes, then \`session_too_long\`.`,
  ];
  return {
    'x-price': `${cents(prices.liveMinuteCents)} a started minute of audio received, billed once when the session ends.`,
    'x-limits': [
      'Sample rate: 8000 to 48000. Frames: 20 to 100 ms work well, 128 KiB is the most.',
      'Waiting: 10 seconds for `start`, then 30 seconds without audio or `keepalive`.',
      ...(sessions ?? []),
    ],
  };
}

export function talkFacts({ prices }: ReferenceFacts): OperationFacts {
  return {
    'x-price': `As a call by telephone: ${cents(prices.liveMinuteCents)} a started minute, ${cents(prices.replyCents)} a reply, and its speech.`,
    'x-limits': [
      'Sample rate: 8000 or 16000. Frames: 20 to 100 ms work well, a second is the most.',
      'Waiting: 10 seconds for `start`, then 30 seconds without audio.',
    ],
  };
}

/** Limits that hold for every operation. */
export function commonLimits({ settings }: ReferenceFacts): string[] {
  return [
    `${number(settings.requestsPerMinute)} requests a minute on one token, ${number(settings.requestBurst)} of them at once; ` +
      '`RateLimit-*` headers tell what is left, `Retry-After` when to come back.',
    'An account may have a limit of requests a minute for all its tokens together; the headers tell the nearer of both.',
    `${number(settings.requestsInFlightPerAccount)} requests of one account at the same time.`,
    `${UNANSWERED_MAX} requests by one connection before their answers; with one more it is closed without any.`,
    'JSON bodies: 1 MiB; uploads as JSON: 12 MiB.',
  ];
}
