import { decodeMulaw, encodeMulaw } from '../../src/audio/g711.ts';
import { createResampler } from '../../src/audio/resampler.ts';
import { AzureTts } from '../../src/engines/providers/azure/azure-tts.ts';
import type { AzureSettings } from '../../src/engines/providers/azure/settings.ts';
import { DeepgramTts } from '../../src/engines/providers/deepgram/deepgram-tts.ts';
import type { DeepgramSettings } from '../../src/engines/providers/deepgram/settings.ts';
import { ElevenlabsTts } from '../../src/engines/providers/elevenlabs/elevenlabs-tts.ts';
import type { ElevenlabsSettings } from '../../src/engines/providers/elevenlabs/settings.ts';
import type { OpenaiSettings } from '../../src/engines/providers/openai/settings.ts';
import { OpenaiTts } from '../../src/engines/providers/openai/speech.ts';
import { speakElsewhere } from '../../src/engines/speech-privacy.ts';
import type { TtsEngine } from '../../src/engines/tts/contract.ts';
import { ScriptedTts } from '../../src/engines/tts/scripted.ts';
import type { TtsService, TtsStandIn, VoiceFault } from '../conformance/tts-service.ts';
import { AzureTestServer } from './azure-server.ts';
import { DeepgramTestServer } from './deepgram-server.ts';
import { KEY, parts } from './ear-parts.ts';
import { ElevenlabsTestServer, type SentenceFault } from './elevenlabs-server.ts';
import { closingsOf } from './service-rows.ts';
import { failing, type SocketFault } from './service-sockets.ts';
import { joined } from './speech-clips.ts';
import { type SpeechFault, SpeechTestServer } from './speech-server.ts';

/** No service at all: what rows say of the contract alone holds for it too. */
export function scriptedVoice(marks: boolean): TtsService {
  return {
    ...{ name: marks ? 'scripted, with marks' : 'scripted', marks, has: ['asked'] },
    start: async () => {
      const { clock, log } = parts();
      const engine = new ScriptedTts({ marks });
      const asked = (): string[] => engine.requests.flatMap(({ text }) => (text.trim() === '' ? [] : [text]));
      return { engine, clock, asked, logged: () => log.text, close: async () => {} };
    },
  };
}

const PARTS: TtsService['has'] = [
  ...(['asked', 'sound', 'busy', 'busiest', 'stallNext', 'breakNext', 'muteNext', 'redirectNext'] as const),
  ...(['faults', 'secret', 'without', 'others'] as const),
];

export const openaiVoice: TtsService = { name: 'openai', marks: false, has: PARTS, start: startOpenai };

async function startOpenai(): Promise<TtsStandIn> {
  const { clock, log, deps } = parts();
  const server = await SpeechTestServer.start();
  server.key = KEY;
  const engineOf = (change: Partial<OpenaiSettings> = {}): TtsEngine =>
    speakElsewhere(new OpenaiTts({ ...server.settings, ...change }, deps));
  const fail =
    (...faults: SpeechFault[]) =>
    (): void =>
      server.failNextAt('/speech', ...faults);
  const body = (contentType: string, bytes: Buffer | string): SpeechFault => ({
    type: 'body',
    contentType,
    body: bytes,
  });
  const { speechModel: _, ...less } = server.settings;
  const engine = engineOf();
  return {
    ...{ engine, clock, logged: () => log.text, close: () => server.close() },
    asked: () => server.asked.map(({ json }) => String(json['input'])),
    sound: {
      rateHz: 24_000,
      set: (samples) => {
        server.speaks = () => samples;
      },
      of: (samples) => {
        const resampler = createResampler(24_000, 8000);
        return joined(resampler.push(samples), resampler.flush());
      },
    },
    busy: () => server.inFlight,
    busiest: () => server.inFlightMax,
    stallNext: fail({ type: 'stall', afterBytes: 4_801 }),
    breakNext: fail({ type: 'cut', afterBytes: 24_001 }),
    muteNext: fail(body('audio/pcm', '')),
    redirectNext: (to) => fail({ type: 'redirect', to: `${to}/audio/speech` })(),
    secret: { key: KEY, addresses: () => [server.baseUrl, ...server.requests.map(({ path }) => path)] },
    without: { setting: 'speechModel', engine: speakElsewhere(new OpenaiTts(less, deps)) },
    others: [engineOf({ speechModel: 'tts-1-hd' }), engineOf({ baseUrl: 'http://127.0.0.1:1/v1' })],
    faults: [
      { name: '400', set: fail({ type: 'refuse', status: 400 }), code: 'synthesis_failed' },
      { name: '401', set: fail({ type: 'refuse', status: 401 }), code: 'unavailable' },
      { name: '402', set: fail({ type: 'refuse', status: 402 }), code: 'unavailable' },
      { name: '403', set: fail({ type: 'refuse', status: 403 }), code: 'unavailable' },
      { name: '429', set: fail({ type: 'refuse', status: 429, retryAfter: '7' }), code: 'unavailable' },
      { name: '500', set: fail({ type: 'refuse', status: 500 }), code: 'synthesis_failed' },
      { name: '503', set: fail({ type: 'refuse', status: 503 }), code: 'unavailable' },
      { name: 'reset', set: fail({ type: 'reset' }), code: 'unavailable' },
      { name: 'cut in the middle', set: fail({ type: 'cut', afterBytes: 9_601 }), code: 'synthesis_failed' },
      { name: 'stalled in the middle', set: fail({ type: 'stall', afterBytes: 9_601 }), code: 'synthesis_failed' },
      { name: 'in small pieces', set: fail({ type: 'split' }), code: undefined },
      { name: 'a web page', set: fail(body('text/html', '<html>')), code: 'synthesis_failed' },
      { name: 'mp3', set: fail(body('audio/pcm', Buffer.from('ID3 and more'))), code: 'synthesis_failed' },
    ],
  };
}

export const deepgramVoice: TtsService = { name: 'deepgram', marks: false, has: PARTS, start: startDeepgram };

async function startDeepgram(): Promise<TtsStandIn> {
  const { clock, log, deps } = parts();
  const server = await DeepgramTestServer.start();
  server.key = KEY;
  const engineOf = (change: Partial<DeepgramSettings> = {}): TtsEngine =>
    speakElsewhere(new DeepgramTts({ ...server.settings, ...change }, deps));
  const fail = failing(server);
  return {
    ...{ engine: engineOf(), clock, logged: () => log.text },
    ...socketVoice(server, (to) => `${to.replace('http', 'ws')}/speak?encoding=mulaw&sample_rate=8000`),
    asked: () => server.connections.flatMap(({ said }) => said.filter((text) => !['Flush', 'Close'].includes(text))),
    without: {
      setting: 'engines.deepgram.apiKeyEnv',
      engine: engineOf({ baseUrl: 'https://api.deepgram.com/v1', apiKey: '' }),
    },
    others: [engineOf({ speechModel: 'aura-2-apollo-en' }), engineOf({ baseUrl: 'http://127.0.0.1:1/v1' })],
    faults: [
      ...voiceFaults('deepgram', fail, ['{"type":"News"}', 'no JSON', '[]']),
      { name: 'an error', set: fail({ type: 'say', messages: ['{"type":"Error"}'] }), code: 'synthesis_failed' },
    ],
  };
}

export const elevenlabsVoice: TtsService = { name: 'elevenlabs', marks: true, has: PARTS, start: startElevenlabs };

async function startElevenlabs(): Promise<TtsStandIn> {
  const { clock, log, deps } = parts();
  const server = await ElevenlabsTestServer.start();
  server.key = KEY;
  const engineOf = (change: Partial<ElevenlabsSettings> = {}): TtsEngine =>
    speakElsewhere(new ElevenlabsTts({ ...server.settings, ...change }, deps));
  const fail =
    (...faults: SentenceFault[]) =>
    (): void =>
      server.failSpeaking(...faults);
  const { speechVoice: _, ...less } = server.settings;
  const body = (text: string): SentenceFault => ({ type: 'body', body: text });
  return {
    ...{ engine: engineOf(), clock, logged: () => log.text, close: () => server.close() },
    asked: () => server.asked.map(({ json }) => String(json['text'])),
    sound: {
      rateHz: 8000,
      set: (samples) => {
        server.speaks = () => samples;
      },
      of: (samples) => decodeMulaw(encodeMulaw(samples)),
    },
    busy: () => server.speaking,
    busiest: () => server.speakingMax,
    stallNext: fail({ type: 'stall', afterBytes: 801 }),
    breakNext: fail({ type: 'cut', afterBytes: 4_001 }),
    muteNext: fail(body('{"audio_base64":"","alignment":null,"normalized_alignment":null}\n')),
    redirectNext: (to) => fail({ type: 'redirect', to })(),
    secret: { key: KEY, addresses: () => [server.baseUrl, ...server.urls] },
    without: { setting: 'speechVoice', engine: speakElsewhere(new ElevenlabsTts(less, deps)) },
    others: [
      ...[engineOf({ speechModel: 'eleven_multilingual_v2' }), engineOf({ speechVoice: server.voices[1]! })],
      engineOf({ baseUrl: 'http://127.0.0.1:1/v1' }),
    ],
    faults: [
      { name: '400', set: fail({ type: 'refuse', status: 400 }), code: 'synthesis_failed' },
      {
        name: '401, nothing left',
        set: fail({ type: 'refuse', status: 401, code: 'quota_exceeded' }),
        code: 'unavailable',
      },
      { name: '402', set: fail({ type: 'refuse', status: 402 }), code: 'unavailable' },
      { name: '403', set: fail({ type: 'refuse', status: 403 }), code: 'unavailable' },
      { name: '404', set: fail({ type: 'refuse', status: 404, code: 'voice_not_found' }), code: 'unavailable' },
      { name: '429', set: fail({ type: 'refuse', status: 429, retryAfter: '7' }), code: 'unavailable' },
      { name: '500', set: fail({ type: 'refuse', status: 500 }), code: 'synthesis_failed' },
      { name: '503', set: fail({ type: 'refuse', status: 503 }), code: 'unavailable' },
      { name: 'reset', set: fail({ type: 'reset' }), code: 'unavailable' },
      { name: 'silence', set: fail({ type: 'never' }), code: 'synthesis_failed' },
      { name: 'cut in the middle', set: fail({ type: 'cut', afterBytes: 1_601 }), code: 'synthesis_failed' },
      { name: 'stalled in the middle', set: fail({ type: 'stall', afterBytes: 1_601 }), code: 'synthesis_failed' },
      { name: 'in small pieces', set: fail({ type: 'split' }), code: undefined },
      { name: 'unknown messages between all others', set: fail({ type: 'strewn' }), code: undefined },
      { name: 'an empty answer', set: fail(body('')), code: 'synthesis_failed' },
      { name: 'a web page', set: fail(body('<html>')), code: 'synthesis_failed' },
      { name: 'an error in the stream', set: fail(body('{"detail":{"status":"x"}}\n')), code: 'synthesis_failed' },
      { name: 'wrong types', set: fail(body('{"audio_base64":7,"alignment":[]}\n[]\n')), code: 'synthesis_failed' },
      { name: 'a line of 5 MB', set: fail(body(`"${'x'.repeat(5_000_000)}`)), code: 'synthesis_failed' },
    ],
  };
}

export const azureVoice: TtsService = { name: 'azure', marks: true, has: PARTS, start: startAzure };

async function startAzure(): Promise<TtsStandIn> {
  const { clock, log, deps } = parts();
  const server = await AzureTestServer.start();
  server.key = KEY;
  const engineOf = (change: Partial<AzureSettings> = {}): TtsEngine =>
    speakElsewhere(new AzureTts({ ...server.settings, ...change }, deps));
  const fail = failing(server);
  const text = (path: string): string => `X-RequestId:7\r\nPath:${path}\r\n\r\n{}`;
  return {
    ...{ engine: engineOf(), clock, logged: () => log.text },
    ...socketVoice(server),
    asked: () => server.said.map((said) => said.text),
    without: {
      setting: 'engines.azure.apiKeyEnv',
      engine: speakElsewhere(new AzureTts({ baseUrl: 'https://uaenorth.stt.speech.microsoft.com' }, deps)),
    },
    others: [engineOf({ baseUrl: 'http://127.0.0.1:1' })],
    faults: [...voiceFaults('azure', fail, [text('news'), 'no headers', text('turn.end')])],
  };
}

/** A service that speaks over WebSockets, in mu-law on the telephone. */
interface SpeakingServer {
  key: string | undefined;
  speaks: (text: string, speed: number, rateHz: number, voice: string) => Int16Array | Promise<Int16Array>;
  readonly open: number;
  readonly speakingMax: number;
  readonly urls: readonly string[];
  readonly settings: { readonly baseUrl: string };
  failNext(...faults: SocketFault[]): void;
  close(): Promise<void>;
}

/** @param redirectedTo - the address of another such service, where it differs from the one that the settings name. */
function socketVoice(server: SpeakingServer, redirectedTo: (address: string) => string = (address) => address) {
  const fail = failing(server);
  return {
    close: () => server.close(),
    sound: {
      rateHz: 8000,
      set: (samples) => {
        server.speaks = () => samples;
      },
      of: (samples) => decodeMulaw(encodeMulaw(samples)),
    },
    busy: () => server.open,
    busiest: () => server.speakingMax,
    stallNext: fail({ type: 'stall', afterBytes: 801 }),
    breakNext: fail({ type: 'cut', afterBytes: 4_001 }),
    muteNext: fail({ type: 'no-sound' }),
    redirectNext: (to) => fail({ type: 'redirect', to: redirectedTo(to) })(),
    secret: { key: KEY, addresses: () => [server.settings.baseUrl, ...server.urls] },
  } satisfies Partial<TtsStandIn>;
}

/**
 * How voices over WebSockets take what goes wrong.
 *
 * @param odd - messages of the service that are of no use; the first is of no known kind.
 */
function voiceFaults(adapter: string, fail: ReturnType<typeof failing>, odd: readonly string[]): VoiceFault[] {
  const afterBytes = 1_601;
  const codes = { failed: 'synthesis_failed', away: 'unavailable' } as const;
  return [
    { name: '400', set: fail({ type: 'refuse', status: 400 }), code: 'synthesis_failed' },
    { name: '401', set: fail({ type: 'refuse', status: 401 }), code: 'unavailable' },
    { name: '402', set: fail({ type: 'refuse', status: 402 }), code: 'unavailable' },
    { name: '403', set: fail({ type: 'refuse', status: 403 }), code: 'unavailable' },
    { name: '429', set: fail({ type: 'refuse', status: 429, retryAfter: '7' }), code: 'unavailable' },
    { name: '500', set: fail({ type: 'refuse', status: 500 }), code: 'synthesis_failed' },
    { name: '503', set: fail({ type: 'refuse', status: 503 }), code: 'unavailable' },
    { name: 'reset', set: fail({ type: 'reset' }), code: 'unavailable' },
    { name: 'a handshake without an answer', set: fail({ type: 'never' }), code: 'unavailable' },
    { name: 'silence', set: fail({ type: 'silent' }), code: 'synthesis_failed' },
    { name: 'cut in the middle', set: fail({ type: 'cut', afterBytes }), code: 'synthesis_failed' },
    { name: 'stalled in the middle', set: fail({ type: 'stall', afterBytes }), code: 'synthesis_failed' },
    ...closingsOf(adapter).flatMap(({ code, voices }) =>
      voices
        ? { name: `closed with ${code}`, set: fail({ type: 'close', code, afterBytes }), code: codes[voices] }
        : [],
    ),
    { name: 'every message in two frames', set: fail({ type: 'split' }), code: undefined },
    { name: 'unknown messages between all others', set: fail({ type: 'strewn', message: odd[0]! }), code: undefined },
    { name: 'a message of 1 MB', set: fail({ type: 'say', messages: ['x'.repeat(1_000_000)] }), code: undefined },
    {
      name: 'a message of 3 MB',
      set: fail({ type: 'say', messages: ['x'.repeat(3_000_000)] }),
      code: 'synthesis_failed',
    },
    { name: 'odd messages', set: fail({ type: 'say', messages: odd }), code: undefined },
  ];
}
