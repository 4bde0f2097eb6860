import { createResampler } from '../../src/audio/resampler.ts';
import { AzureStt } from '../../src/engines/providers/azure/azure-stt.ts';
import type { AzureSettings } from '../../src/engines/providers/azure/settings.ts';
import { DeepgramStt } from '../../src/engines/providers/deepgram/deepgram-stt.ts';
import { FluxStt } from '../../src/engines/providers/deepgram/flux-stt.ts';
import type { DeepgramSettings } from '../../src/engines/providers/deepgram/settings.ts';
import { ElevenlabsStt } from '../../src/engines/providers/elevenlabs/elevenlabs-stt.ts';
import type { ElevenlabsSettings } from '../../src/engines/providers/elevenlabs/settings.ts';
import type { OpenaiSettings } from '../../src/engines/providers/openai/settings.ts';
import { OpenaiStt } from '../../src/engines/providers/openai/transcription.ts';
import { hearElsewhere } from '../../src/engines/speech-privacy.ts';
import type { SttEngine } from '../../src/engines/stt/contract.ts';
import { createScriptedStt } from '../../src/engines/stt/scripted.ts';
import type { ServiceAnswer, ServiceFault, SttService, SttStandIn } from '../conformance/stt-service.ts';
import { AZURE_WORD_MS } from './azure-listening.ts';
import { AzureTestServer } from './azure-server.ts';
import { WORD_MS } from './deepgram-listening.ts';
import { DeepgramTestServer } from './deepgram-server.ts';
import { CONNECTED_PARTS, closingFaults, earFaults, KEY, parts, socketEars } from './ear-parts.ts';
import { ElevenlabsTestServer, type ScribeFault } from './elevenlabs-server.ts';
import { SCRIBE_WORD_MS } from './scribe-listening.ts';
import { failing } from './service-sockets.ts';
import { joined } from './speech-clips.ts';
import { type SpeechFault, SpeechTestServer } from './speech-server.ts';
import { until } from './until.ts';

const SAID = 'where is my order';
/** An answer that comes so late is still waited for. */
const LATE_MS = 2_000;
const spread = (words: number, stretchMs: number): number[] =>
  Array.from({ length: words }, (_, i) => (i * stretchMs) / words);

/** No service at all: what rows say of the contract alone holds for it too. */
export function scriptedService(feed: SttService['feed']): SttService {
  return {
    ...{ name: `scripted, ${feed}`, feed, interim: true, words: true, wordStarts: spread },
    ...{ ways: [], tellsLanguage: true, has: [] },
    start: async () => {
      const { clock, log } = parts();
      const texts: string[] = [];
      const heardLanguages: string[] = [];
      const engine = createScriptedStt({ texts, heardLanguages, feed, words: true });
      return {
        ...{ engine, clock, logged: () => log.text, close: async () => {} },
        hears: (...answers) => {
          texts.push(...answers.map(({ text }) => text));
          heardLanguages.push(...answers.map(({ language = 'en' }) => language));
        },
      };
    },
  };
}

const OPENAI_PARTS: SttService['has'] = [
  ...(['audio', 'busy', 'hangUp', 'breakNext', 'silenceNext', 'redirectNext', 'told'] as const),
  ...(['faults', 'secret', 'without'] as const),
];

/** @param streamed - a model that tells words as it finds them and knows no times. */
export function openaiService(streamed: boolean): SttService {
  return {
    name: streamed ? 'openai, a model that streams' : 'openai',
    ...{ feed: 'whole-stretches', interim: false, words: !streamed, wordStarts: spread, ways: ['late'] },
    ...{ tellsLanguage: !streamed, hintLimits: { count: 200, chars: 400 }, has: OPENAI_PARTS, swaps: true },
    start: () => startOpenai(streamed),
  };
}

async function startOpenai(streamed: boolean): Promise<SttStandIn> {
  const { clock, log, deps } = parts();
  const server = await SpeechTestServer.start();
  server.key = KEY;
  const answers: ServiceAnswer[] = [];
  let ahead = 0; // answers that were given
  server.hears = async () => {
    const { text, language = 'en', as } = answers.shift() ?? { text: SAID };
    server.language = language === 'ar' ? 'arabic' : 'english';
    const atMs = clock.nowMs() + (as === 'late' ? LATE_MS : 0);
    await until(() => clock.nowMs() >= atMs);
    if (as === 'behind') await until(() => ahead > 0);
    ahead += 1;
    return text;
  };
  const settings: OpenaiSettings = {
    ...server.settings,
    ...(streamed && { transcriptionModel: 'gpt-4o-transcribe' }),
  };
  const engineOf = (own: OpenaiSettings): SttEngine => hearElsewhere(new OpenaiStt(own, deps));
  const { transcriptionModel: _, ...less } = settings;
  const fail =
    (...faults: SpeechFault[]) =>
    (): void =>
      server.failNextAt('/transcriptions', ...faults);
  const reset = { type: 'reset' } as const;
  const body = (contentType: string, text: string): SpeechFault => ({ type: 'body', contentType, body: text });
  return {
    ...{ engine: engineOf(settings), clock, logged: () => log.text },
    hears: (...more) => void answers.push(...more),
    close: () => server.close(),
    audio: {
      given: () => server.asked.flatMap(({ file }) => (file ? [file.samples] : [])),
      of: (samples) => {
        const resampler = createResampler(8000, 16_000);
        return joined(resampler.push(samples), resampler.flush());
      },
    },
    busy: () => server.inFlight,
    hangUp: () => server.hangUp(),
    breakNext: fail({ type: 'cut', afterBytes: 20 }),
    silenceNext: fail({ type: 'silent' }),
    redirectNext: (to) => fail({ type: 'redirect', to: `${to}/audio/transcriptions` })(),
    told: () => (server.asked.at(-1)?.fields['prompt']?.[0] ?? '').split('. ').filter((phrase) => phrase !== ''),
    secret: { key: KEY, addresses: () => [server.baseUrl, ...server.requests.map(({ path }) => path)] },
    without: { setting: 'transcriptionModel', engine: engineOf(less) },
    faults: [
      { name: '401', set: fail({ type: 'refuse', status: 401 }), code: 'unavailable' },
      { name: '402', set: fail({ type: 'refuse', status: 402 }), code: 'unavailable' },
      { name: '403', set: fail({ type: 'refuse', status: 403 }), code: 'unavailable' },
      { name: '429', set: fail({ type: 'refuse', status: 429, retryAfter: '7' }), code: 'unavailable' },
      { name: '500', set: fail({ type: 'refuse', status: 500 }), code: 'transcription_failed' },
      { name: '503', set: fail({ type: 'refuse', status: 503 }), code: 'unavailable' },
      { name: 'cut, twice', set: fail(reset, reset), code: 'unavailable' },
      { name: 'in small pieces', set: fail({ type: 'split' }), code: undefined },
      { name: 'unknown fields', set: fail({ type: 'strewn' }), code: undefined },
      { name: 'no JSON', set: fail(body('application/json', '<html>')), code: 'transcription_failed' },
      { name: '1 MB', set: fail(body('application/json', ' '.repeat(2_000_000))), code: 'transcription_failed' },
      { name: 'wrong types', set: fail(body('application/json', '{"text":7}')), code: 'transcription_failed' },
      // The first one may be about the format alone.
      {
        name: '400, twice',
        set: fail({ type: 'refuse', status: 400 }, { type: 'refuse', status: 400 }),
        code: 'transcription_failed',
      },
    ] satisfies ServiceFault[],
  };
}

export const deepgramService: SttService = {
  ...{ name: 'deepgram', feed: 'new-speech', interim: true, words: true },
  wordStarts: (words) => Array.from({ length: words }, (_, i) => i * WORD_MS),
  ...{ ways: ['early', 'twice', 'unanswered'], tellsLanguage: true, hintLimits: { count: 60, chars: 1_000 } },
  ...{ sessionMs: 56 * 60_000, watches: true, has: CONNECTED_PARTS },
  start: startDeepgram,
};

async function startDeepgram(): Promise<SttStandIn> {
  const { clock, log, deps } = parts();
  const server = await DeepgramTestServer.start();
  server.key = KEY;
  const engineOf = (settings: DeepgramSettings): SttEngine => hearElsewhere(new DeepgramStt(settings, deps));
  const fail = failing(server);
  const odd = [
    '{"type":"News","text":"x"}',
    '{"type":"Results","channel":7}',
    '{"type":"Results","start":"x","duration":null,"is_final":true,"channel":{"alternatives":[{"transcript":7}]}}',
    'no JSON',
    '[]',
  ];
  return {
    ...{ engine: engineOf(server.settings), clock, logged: () => log.text },
    ...socketEars(
      server,
      (language) => ({ languages: [language] }),
      (to) => `${to.replace('http', 'ws')}/listen?model=nova-3&encoding=mulaw&sample_rate=8000`,
    ),
    keptAlive: () => server.listening.flatMap(({ controls }) => controls).filter((one) => one === 'KeepAlive').length,
    hangUp: () => server.hangUp(1011),
    told: () => server.connections.at(-1)?.query.getAll('keyterm') ?? [],
    without: {
      setting: 'engines.deepgram.apiKeyEnv',
      engine: engineOf({ ...server.settings, baseUrl: 'https://api.deepgram.com/v1', apiKey: '' }),
    },
    faults: earFaults('deepgram', fail, odd),
  };
}

export const fluxService: SttService = {
  ...{ name: 'deepgram flux', feed: 'everything', interim: true, words: true, languages: ['en'] },
  wordStarts: (words) => Array.from({ length: words }, (_, i) => i * WORD_MS),
  ...{ ways: ['twice', 'ended'], tellsLanguage: false, hintLimits: { count: 60, chars: 1_000 } },
  ...{ sessionMs: 56 * 60_000, watches: true, has: CONNECTED_PARTS },
  start: startFlux,
};

async function startFlux(): Promise<SttStandIn> {
  const { clock, log, deps } = parts();
  const server = await DeepgramTestServer.start();
  server.key = KEY;
  const own = { ...server.settings, transcriptionModel: 'flux-general-en' };
  const engineOf = (settings: DeepgramSettings): SttEngine => hearElsewhere(new FluxStt(settings, deps));
  const fail = failing(server);
  const odd = [
    '{"type":"News","text":"x"}',
    '{"type":"TurnInfo","event":"constructor","transcript":"x"}',
    '{"type":"TurnInfo","event":"Update","transcript":7}',
    '{"type":"TurnInfo","event":"Update","transcript":"","audio_window_end":"x","words":{"a":1}}',
    ...['{"type":"Error"', 'no JSON', '[]'],
  ];
  return {
    ...{ engine: engineOf(own), clock, logged: () => log.text },
    ...socketEars(
      server,
      () => ({}),
      (to) =>
        `${to.replace('http', 'ws').replace('/v1', '/v2')}/listen?model=flux-general-en&encoding=mulaw&sample_rate=8000`,
    ),
    keptAlive: () => server.listening.reduce((sum, ear) => sum + ('silences' in ear ? ear.silences : 0), 0),
    hangUp: () => server.hangUp(1011),
    told: () => server.connections.at(-1)?.query.getAll('keyterm') ?? [],
    without: {
      setting: 'engines.deepgram.apiKeyEnv',
      engine: engineOf({ ...own, baseUrl: 'https://api.deepgram.com/v1', apiKey: '' }),
    },
    faults: [
      ...earFaults('deepgram flux', fail, odd),
      {
        name: 'an error of its own',
        set: fail({ type: 'say', messages: ['{"type":"Error","code":"INTERNAL","description":"x"}'] }),
        code: 'transcription_failed',
      },
    ],
  };
}

export const azureService: SttService = {
  ...{ name: 'azure', feed: 'new-speech', interim: true, words: true },
  wordStarts: (words) => Array.from({ length: words }, (_, i) => i * AZURE_WORD_MS),
  ...{ ways: ['early', 'twice', 'unended'], tellsLanguage: true, hintLimits: { count: 200, chars: 4_000 } },
  ...{ sessionMs: 10 * 60_000, watches: true, has: CONNECTED_PARTS },
  start: startAzure,
};

async function startAzure(): Promise<SttStandIn> {
  const { clock, log, deps } = parts();
  const server = await AzureTestServer.start();
  server.key = KEY;
  const engineOf = (settings: AzureSettings): SttEngine => hearElsewhere(new AzureStt(settings, deps));
  const fail = failing(server);
  const odd = [
    'Path:news\r\nX-RequestId:7\r\n\r\n{"a":1}',
    'Path:turn.start\r\n\r\n{}',
    'Path:speech.phrase\r\nX-RequestId:0\r\n\r\n{"RecognitionStatus":7}',
    'no headers',
    '[]',
  ];
  return {
    ...{ engine: engineOf(server.settings), clock, logged: () => log.text },
    ...socketEars(server, (language) => ({ language: language === 'ar' ? 'ar-SA' : 'en-US' })),
    keptAlive: () => server.listening.reduce((sum, { pings }) => sum + pings, 0),
    hangUp: () => server.hangUp(1000),
    told: () => {
      const groups = server.listening.at(-1)?.contexts.at(-1)?.dgi?.groups ?? [];
      return groups.flatMap(({ items = [] }) => items.flatMap(({ text }) => text ?? []));
    },
    without: {
      setting: 'engines.azure.apiKeyEnv',
      engine: engineOf({ baseUrl: 'https://uaenorth.stt.speech.microsoft.com' }),
    },
    faults: [...earFaults('azure', fail, odd)],
  };
}

export const elevenlabsService: SttService = {
  ...{ name: 'elevenlabs', feed: 'new-speech', interim: true, words: true },
  wordStarts: (words) => Array.from({ length: words }, (_, i) => i * SCRIBE_WORD_MS),
  ...{
    ways: ['twice', 'again', 'wordless', 'late', 'unsettled'],
    tellsLanguage: true,
    hintLimits: { count: 50, chars: 1_000 },
  },
  ...{ sessionMs: 56 * 60_000, watches: true, has: CONNECTED_PARTS },
  start: startElevenlabs,
};

async function startElevenlabs(): Promise<SttStandIn> {
  const { clock, log, deps } = parts();
  const server = await ElevenlabsTestServer.start();
  server.key = KEY;
  const engineOf = (settings: ElevenlabsSettings): SttEngine => hearElsewhere(new ElevenlabsStt(settings, deps));
  const fail =
    (...faults: ScribeFault[]) =>
    (): void =>
      server.failListening(...faults);
  const times = (count: number, fault: ScribeFault) => Array.from({ length: count }, () => fault);
  const error = (of: (ScribeFault & { type: 'error' })['of'], afterBytes = 4_000): ScribeFault => ({
    ...{ type: 'error', of, afterBytes },
  });
  const odd = [
    '{"message_type":"news","text":"x"}',
    '{"message_type":"partial_transcript","text":7}',
    '{"message_type":"committed_transcript_with_timestamps","words":"x"}',
    '{"message_type":"constructor"}',
    ...['{"message_type":7}', 'no JSON', '[]'],
  ];
  return {
    ...{ engine: engineOf(server.settings), clock, logged: () => log.text },
    ...socketEars(server, (language) => ({ language: language === 'ar' ? 'ara' : 'eng' })),
    keptAlive: () => server.listening.reduce((sum, { silences }) => sum + silences, 0),
    hangUp: () => server.hangUp(1000),
    told: () => server.connections.at(-1)?.query.getAll('keyterms') ?? [],
    without: {
      setting: 'engines.elevenlabs.apiKeyEnv',
      engine: engineOf({ ...server.settings, baseUrl: 'https://api.elevenlabs.io/v1', apiKey: '' }),
    },
    faults: [
      { name: '400', set: fail({ type: 'refuse', status: 400 }), code: 'transcription_failed' },
      ...[401, 402, 403, 503].map((status) => ({
        ...{ name: `${status}`, set: fail({ type: 'refuse', status }), code: 'unavailable' as const },
      })),
      { name: '429', set: fail({ type: 'refuse', status: 429, retryAfter: '7' }), code: 'unavailable' },
      { name: '500', set: fail({ type: 'refuse', status: 500 }), code: 'transcription_failed' },
      { name: 'reset, once', set: fail({ type: 'reset' }), code: undefined },
      { name: 'reset, for ever', set: fail(...times(4, { type: 'reset' })), code: 'unavailable' },
      { name: 'a handshake without an answer', set: fail(...times(4, { type: 'never' })), code: 'unavailable' },
      { name: 'a session that does not begin', set: fail({ type: 'mute' }), code: 'transcription_failed' },
      { name: 'silence', set: fail({ type: 'silent' }), code: 'transcription_failed' },
      ...closingFaults('elevenlabs', fail),
      { name: 'every message in two frames', set: fail({ type: 'split' }), code: undefined },
      { name: 'unknown messages between all others', set: fail({ type: 'strewn', message: odd[0]! }), code: undefined },
      ...(['auth_error', 'quota_exceeded', 'unaccepted_terms', 'rate_limited', 'queue_overflow'] as const).map(
        (of) => ({ name: of, set: fail(error(of)), code: 'unavailable' as const }),
      ),
      { name: 'resource_exhausted', set: fail(error('resource_exhausted')), code: 'unavailable' },
      ...(['input_error', 'invalid_request', 'chunk_size_exceeded', 'transcriber_error', 'error'] as const).map(
        (of) => ({ name: of, set: fail(error(of)), code: 'transcription_failed' as const }),
      ),
      { name: 'the session is over', set: fail(error('session_time_limit_exceeded')), code: undefined },
      { name: 'odd messages', set: fail({ type: 'say', messages: odd }), code: undefined },
      {
        name: 'odd messages without an end',
        set: fail({ type: 'say', messages: Array.from({ length: 30 }, () => 'no JSON') }),
        code: 'transcription_failed',
      },
      { name: 'a message of 1 MB', set: fail({ type: 'say', messages: ['x'.repeat(1_000_000)] }), code: undefined },
      {
        name: 'a message of 3 MB',
        set: fail({ type: 'say', messages: ['x'.repeat(3_000_000)] }),
        code: 'transcription_failed',
      },
    ],
  };
}
