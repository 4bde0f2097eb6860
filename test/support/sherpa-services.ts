import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SherpaSettings } from '../../src/engines/providers/sherpa/settings.ts';
import { SherpaStt } from '../../src/engines/providers/sherpa/sherpa-stt.ts';
import { SherpaTts } from '../../src/engines/providers/sherpa/sherpa-tts.ts';
import type { SttService, SttStandIn } from '../conformance/stt-service.ts';
import type { TtsService, TtsStandIn } from '../conformance/tts-service.ts';
import { FakeClock } from './fake-clock.ts';
import { LogCapture } from './log-capture.ts';
import { type JobFault, ScriptedModel } from './scripted-model.ts';
import { tinyTransducer, tinyVits } from './tiny-models.ts';

/** No key is anywhere. */
const NO_KEY = 'sk-canary-0123456789';
const EAR = { model: 'ears', kind: 'streaming-transducer' as const, languages: ['en', 'ar'] };
const VOICE = { model: 'voice', kind: 'vits' as const, languages: ['en', 'ar'], speaker: 0 };

function parts() {
  const modelsDir = mkdtempSync(join(tmpdir(), 'nidaa-models-'));
  tinyTransducer(join(modelsDir, 'ears'));
  tinyVits(join(modelsDir, 'voice'));
  tinyVits(join(modelsDir, 'other'));
  const clock = new FakeClock();
  const log = new LogCapture();
  const model = new ScriptedModel();
  const settings = (change: Partial<SherpaSettings>): SherpaSettings => ({
    ...{ threads: 1, idleMinutes: 0, ears: [], voices: [], modelsDir, ...change },
  });
  const close = async (): Promise<void> => rmSync(modelsDir, { recursive: true, force: true });
  return {
    clock,
    log,
    model,
    settings,
    close,
    deps: { clock, logger: log.logger, start: model.start, lacking: () => undefined },
  };
}

const EARS_PARTS: SttService['has'] = ['audio', 'busy', 'hangUp', 'silenceNext', 'faults', 'secret', 'without'];
export const sherpaEars: SttService = {
  ...{
    name: 'sherpa',
    feed: 'whole-stretches',
    interim: true,
    words: true,
    ways: [],
    tellsLanguage: true,
    swaps: true,
    has: EARS_PARTS,
  },
  wordStarts: (words, stretchMs) => Array.from({ length: words }, (_, i) => (i * stretchMs) / words),
  start: async (): Promise<SttStandIn> => {
    const { clock, log, model, settings, close, deps } = parts();
    const fault = (what: JobFault) => (): void => void model.faults.push(what);
    return {
      ...{ engine: new SherpaStt(settings({ ears: [EAR] }), deps), clock, close, logged: () => log.text },
      hears: (...answers) => model.answers.push(...answers),
      audio: {
        given: () => model.stretches.map((pieces) => Int16Array.from(pieces.flatMap((piece) => [...piece]))),
        of: (samples) => samples,
      },
      busy: () => model.busy,
      hangUp: () => model.crash(),
      silenceNext: fault('silent'),
      secret: { key: NO_KEY, addresses: () => [] },
      without: { setting: 'engines.sherpa.ears', engine: new SherpaStt(settings({}), deps) },
      faults: [
        { name: 'it fails', set: fault('failed'), code: 'transcription_failed' },
        { name: 'its process ends', set: fault('crash'), code: 'transcription_failed' },
        { name: 'it says nothing', set: fault('silent'), code: 'unavailable' },
      ],
    };
  },
};

const VOICE_PARTS: TtsService['has'] = [
  ...(['asked', 'sound', 'busy', 'busiest', 'stallNext', 'breakNext', 'muteNext'] as const),
  ...(['faults', 'secret', 'without', 'others'] as const),
];
export const sherpaVoices: TtsService = {
  ...{ name: 'sherpa', marks: false, has: VOICE_PARTS },
  start: async (): Promise<TtsStandIn> => {
    const { clock, log, model, settings, close, deps } = parts();
    const fault = (what: JobFault) => (): void => void model.faults.push(what);
    const engineOf = (change: Partial<typeof VOICE> = {}) =>
      new SherpaTts(settings({ voices: [{ ...VOICE, ...change }] }), deps);
    return {
      ...{ engine: engineOf(), clock, close, logged: () => log.text, asked: () => model.asked },
      sound: {
        rateHz: 8_000,
        set: (samples) => {
          model.sound = samples as Int16Array<ArrayBuffer>;
        },
        of: (samples) => samples,
      },
      busy: () => model.busy,
      busiest: () => model.busiest,
      stallNext: fault('silent'),
      breakNext: fault('crash'),
      muteNext: fault('mute'),
      secret: { key: NO_KEY, addresses: () => [] },
      without: { setting: 'engines.sherpa.voices', engine: new SherpaTts(settings({}), deps) },
      others: [engineOf({ speaker: 3 }), engineOf({ model: 'other' })],
      faults: [
        { name: 'it fails', set: fault('failed'), code: 'synthesis_failed' },
        { name: 'its process ends', set: fault('crash'), code: 'synthesis_failed' },
        { name: 'it stops in the middle', set: fault('silent'), code: 'synthesis_failed' },
        { name: 'no sound', set: fault('mute'), code: 'synthesis_failed' },
      ],
    };
  },
};
