import { setPriority } from 'node:os';
import { systemClock } from '../../../core/clock.ts';
import { errorText } from '../../../core/errors.ts';
import { nativeMemory } from '../../../core/native-memory.ts';
import { FileEars } from './file-ears.ts';
import { loadSherpa } from './load-library.ts';
import { kindOf } from './model-kinds.ts';
import type { SherpaLibrary } from './native.ts';
import { detectorConfig, earsConfig, voiceConfig } from './native-configs.ts';
import type { FromModel, ModelSetup, ModelWork, Say, ToModel } from './process-protocol.ts';
import { loadSileroNet } from './silero-net.ts';
import { SpeakingWork } from './speaking-work.ts';
import { StreamingEars } from './streaming-ears.ts';
import { loadSmartTurn, TurnEndWork } from './turn-end-work.ts';
import { VoiceWork } from './voice-work.ts';

/**
 * One model in a process of its own: `node sherpa-process-main.js <setup as JSON>`, started with a channel to the gateway, without
 * which it ends. The library ends the process where a model is not what it should be.
 */
const NICE = 3; // as the recogniser's: answers come later under load, and calls still come in
const BYTES_PER_MB = 1_048_576;
/** The detector keeps the sound of speech, which nobody takes. */
const DETECTOR_SECONDS = 90;

const send = process.send?.bind(process);
if (!send) throw new Error('this file is started by the gateway');
process.on('SIGINT', () => {}).on('SIGTERM', () => {}); // to the whole group: the gateway has calls to end
process.on('disconnect', () => process.exit());
const say = (message: FromModel): void => void send(message, undefined, undefined, () => {}); // a broken channel: 'disconnect'

function earsOf(library: SherpaLibrary, setup: ModelSetup, tell: Say): ModelWork {
  const { model, threads, language, detector } = setup;
  const config = earsConfig(model, threads, language);
  const { streams, stretchMsMax = 60_000 } = kindOf(model.kind);
  if (streams) return new StreamingEars(new library.OnlineRecognizer(config), tell, systemClock);
  const vad = detector && new library.Vad(detectorConfig(detector), DETECTOR_SECONDS);
  return new FileEars(new library.OfflineRecognizer(config), stretchMsMax, vad, tell, systemClock);
}

function yieldToCalls(): void {
  try {
    setPriority(0, NICE);
  } catch {
    // Where it is not allowed, all processes are equal.
  }
}

function start(setup: ModelSetup): { readonly work: ModelWork; readonly speakers?: number } {
  if (setup.use === 'turn-end')
    return { work: new TurnEndWork(loadSmartTurn(setup.model, setup.threads), say, systemClock) };
  if (setup.use === 'vad')
    return { work: new VoiceWork(loadSileroNet(setup.model.files['model']!, setup.threads), say) };
  const library = loadSherpa();
  if (setup.use === 'ears') return { work: earsOf(library, setup, say) };
  const voice = new library.OfflineTts(voiceConfig(setup.model, setup.threads, setup.language));
  return { work: new SpeakingWork(voice, say), speakers: voice.numSpeakers };
}

nativeMemory()?.setLargeBlocksApart();
try {
  const setup = JSON.parse(process.argv[2] ?? '') as ModelSetup;
  if (setup.use !== 'vad') yieldToCalls(); // whose answers are of no use later
  const { work, ...told } = start(setup);
  process.on('message', (message) => work.handle(message as ToModel));
  say({ type: 'ready', memoryMb: Math.round(process.memoryUsage().rss / BYTES_PER_MB), ...told });
} catch (error) {
  say({ type: 'unable', why: errorText(error) });
}
