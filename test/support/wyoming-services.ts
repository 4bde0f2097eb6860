import { createResampler } from '../../src/audio/resampler.ts';
import type { WyomingSettings } from '../../src/engines/providers/wyoming/settings.ts';
import { WyomingStt } from '../../src/engines/providers/wyoming/wyoming-stt.ts';
import { WyomingTts } from '../../src/engines/providers/wyoming/wyoming-tts.ts';
import { hearElsewhere, speakElsewhere } from '../../src/engines/speech-privacy.ts';
import type { ServiceAnswer, SttService, SttStandIn } from '../conformance/stt-service.ts';
import type { TtsService, TtsStandIn } from '../conformance/tts-service.ts';
import { KEY, parts } from './ear-parts.ts';
import { joined } from './speech-clips.ts';
import { type WyomingFault, type WyomingHeard, WyomingTestServer } from './wyoming-server.ts';

const times = (count: number, fault: WyomingFault): WyomingFault[] => Array.from({ length: count }, () => fault);
const say = (bytes: string | Buffer): WyomingFault => ({ type: 'say', bytes });
const ODD = '{"type":"news","data":{"text":"x"}}\n{"type":"voice-started","data":[],"data_length":0}\n';
const ERROR = '{"type":"error","data":{"text":"where is my order","code":"x"}}\n';

/** Ways of failing that ears and voices share, and how they take them. */
const faultsFor = <Code extends string>(fail: (...faults: WyomingFault[]) => () => void, failed: Code) => [
  { name: 'an error', set: fail(say(ERROR)), code: failed },
  { name: 'no JSON', set: fail(say('HTTP/1.1 400 Bad Request\r\n')), code: failed },
  { name: 'no event', set: fail(say('{"data":{}}\n')), code: failed },
  { name: 'a length below nothing', set: fail(say('{"type":"info","data_length":-1}\n')), code: failed },
  { name: 'a line without an end', set: fail(say('x'.repeat(1_100_000))), code: failed },
  { name: 'a payload of a gigabyte', set: fail(say('{"type":"info","payload_length":1e9}\n')), code: failed },
  { name: 'odd events', set: fail(say(ODD)), code: undefined },
  { name: 'every event in two pieces', set: fail({ type: 'split' }), code: undefined },
  { name: 'unknown events between all others', set: fail({ type: 'strewn' }), code: undefined },
];

const EARS_PARTS: SttService['has'] = [
  ...(['audio', 'busy', 'hangUp', 'breakNext', 'silenceNext', 'deafenNext', 'faults', 'secret'] as const),
];

/** @param streams - a server that tells words while they are spoken. */
export function wyomingService(streams: boolean): SttService {
  return {
    ...{ name: streams ? 'wyoming, a server that streams' : 'wyoming', feed: 'whole-stretches', interim: streams },
    ...{
      words: false,
      wordStarts: () => [],
      ways: ['stays', 'inline', 'early', 'twice'],
      swaps: true,
      tellsLanguage: true,
      has: EARS_PARTS,
    },
    start: () => startEars(streams),
  };
}

async function startEars(streams: boolean): Promise<SttStandIn> {
  const { clock, log, deps } = parts();
  const server = await WyomingTestServer.start();
  server.streams = streams;
  const fail =
    (...faults: WyomingFault[]) =>
    (): void =>
      server.failNext(...faults);
  return {
    ...{ engine: hearElsewhere(new WyomingStt({ baseUrl: server.url, streams }, deps)), clock, logged: () => log.text },
    hears: (...answers) => {
      const told = ({ text, language, as }: ServiceAnswer): WyomingHeard => ({
        ...{ text, as: (as ?? 'whole') as NonNullable<WyomingHeard['as']> },
        ...(language && { language }),
      });
      server.hears.push(...answers.map(told));
    },
    close: () => server.close(),
    audio: {
      given: () => server.heard,
      of: (samples) => {
        const resampler = createResampler(8000, 16_000);
        return joined(resampler.push(samples), resampler.flush());
      },
    },
    busy: () => server.open,
    hangUp: () => server.hangUp(),
    breakNext: fail({ type: 'cut', afterBytes: 16_000 }),
    silenceNext: fail({ type: 'silent' }),
    deafenNext: fail({ type: 'deaf' }),
    secret: { key: KEY, addresses: () => [server.url] }, // nobody has one
    faults: [
      ...faultsFor(fail, 'transcription_failed' as const),
      { name: 'reset, once', set: fail({ type: 'reset' }), code: undefined },
      { name: 'reset, for ever', set: fail(...times(4, { type: 'reset' })), code: 'unavailable' },
      { name: 'cut before the answer', set: fail({ type: 'cut', afterBytes: 32_000 }), code: undefined },
      {
        name: 'wrong types',
        set: fail(say('{"type":"transcript","data":{"text":7}}\n')),
        code: 'transcription_failed',
      },
    ],
  };
}

export const wyomingVoiceService: TtsService = {
  ...{ name: 'wyoming', marks: false },
  has: ['asked', 'sound', 'busy', 'busiest', 'stallNext', 'breakNext', 'muteNext', 'faults', 'secret', 'others'],
  start: startVoice,
};

async function startVoice(): Promise<TtsStandIn> {
  const { clock, log, deps } = parts();
  const server = await WyomingTestServer.start();
  const engineOf = (change: Partial<WyomingSettings> = {}) =>
    speakElsewhere(new WyomingTts({ baseUrl: server.url, streams: false, ...change }, deps));
  const fail =
    (...faults: WyomingFault[]) =>
    (): void =>
      server.failNext(...faults);
  const start = (data: string): WyomingFault => say(`{"type":"audio-start","data":${data}}\n`);
  const failed = 'synthesis_failed' as const;
  return {
    ...{ engine: engineOf(), clock, logged: () => log.text, close: () => server.close() },
    asked: () => server.asked.map(({ text }) => String(text)),
    sound: {
      rateHz: 22_050,
      set: (samples) => {
        server.speaks = () => samples;
      },
      of: (samples) => {
        const resampler = createResampler(22_050, 8000);
        return joined(resampler.push(samples), resampler.flush());
      },
    },
    busy: () => server.open,
    busiest: () => server.speakingMax,
    stallNext: fail({ type: 'stall', afterBytes: 4_801 }),
    breakNext: fail({ type: 'cut', afterBytes: 22_001 }),
    muteNext: fail({ type: 'no-sound' }),
    secret: { key: KEY, addresses: () => [server.url] },
    others: [
      ...[engineOf({ speechVoice: 'en_US-lessac-medium' }), engineOf({ speechVoice: 'en_US-amy-low' })],
      engineOf({ speechUrl: 'tcp://127.0.0.1:1' }),
    ],
    faults: [
      ...faultsFor(fail, failed),
      { name: 'reset', set: fail({ type: 'reset' }), code: 'unavailable' },
      { name: 'silence', set: fail({ type: 'silent' }), code: failed },
      { name: 'cut in the middle', set: fail({ type: 'cut', afterBytes: 4_801 }), code: failed },
      { name: 'stalled in the middle', set: fail({ type: 'stall', afterBytes: 4_801 }), code: failed },
      { name: 'stereo', set: fail(start('{"rate":22050,"width":2,"channels":2}')), code: failed },
      { name: 'samples of four bytes', set: fail(start('{"rate":22050,"width":4,"channels":1}')), code: failed },
      { name: 'a rate that is none', set: fail(start('{"rate":"x","width":2,"channels":1}')), code: failed },
      { name: 'a rate beyond all', set: fail(start('{"rate":1000000,"width":2,"channels":1}')), code: failed },
    ],
  };
}
