import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/load.ts';
import { loadVoices, type VoiceCatalogue } from '../../config/voices.ts';
import { systemClock } from '../../core/clock.ts';
import { errorText } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import { createMetrics } from '../../core/metrics.ts';
import { EngineSet } from '../../engines/engine-set.ts';
import { speechSentences } from '../../engines/speech-elsewhere.ts';
import { checkChatServer } from './chat-server.ts';
import { type Finding, fail, info, ok, warn } from './finding.ts';
import { modelLibrary } from './model-library.ts';
import { checkTools } from './tools.ts';
import { checkVoiceModel } from './voice-activity.ts';

const LANGUAGE_MODEL = '/usr/share/pocketsphinx/model/en-us/en-us.lm.bin';

/** Who listens, thinks and speaks, and whether they can here. */
export async function checkEngines(config: Config, logger: Logger): Promise<Finding[]> {
  let engines: EngineSet;
  try {
    const deps = { clock: systemClock, logger, metrics: createMetrics(), cacheDir: join(config.dataDir, 'cache') };
    engines = await EngineSet.open(config.engines, deps);
  } catch (error) {
    return [fail('engines', errorText(error), 'Correct `engines` in nidaa.yaml.')];
  }
  try {
    return [
      synthesis(engines, config),
      ...unspoken(engines, config),
      replies(engines, config),
      ...(await checkChatServer(config, logger)),
      ...(await checkTools(config, logger)),
      ...english(engines, config),
      arabic(engines, config),
      ...(await checkVoiceModel(engines.voice, config.conversation.vad, systemClock)),
      ...turnEnds(engines, config),
      ...(runsModels(engines, config) ? [modelLibrary()] : []),
      ...speechPrivacy(config),
    ];
  } finally {
    await engines.close();
  }
}

function synthesis(engines: EngineSet, { engines: { tts } }: Config): Finding {
  const state = engines.tts.available();
  if (state.ok) return ok('speech', tts.join(', '));
  const mend = tts.includes('espeak') ? 'apt-get install espeak-ng, or name' : 'Correct its settings, or name';
  return fail('speech', state.why, `${mend} another engine in engines.tts.`);
}

/** Languages whose default voice no engine speaks: some services know one language only. */
function unspoken({ tts }: EngineSet, { engines, paths, speech }: Config): Finding[] {
  const voices = voicesOf(paths.voicesFile);
  const dumb = (['ar', 'en'] as const).filter((language) => {
    const voice = voices?.get(speech.defaultVoice[language]);
    return voice !== undefined && !(tts.canSpeak?.(voice) ?? true);
  });
  return dumb.map((language) => {
    const mend = 'Name another engine after it in engines.tts: espeak speaks both languages.';
    return warn('speech', `${engines.tts.join(', ')} does not speak ${language === 'ar' ? 'Arabic' : 'English'}`, mend);
  });
}

/** None where the file is wrong: the configuration check has said so. */
function voicesOf(file: string): VoiceCatalogue | undefined {
  try {
    return loadVoices(file);
  } catch {
    return undefined;
  }
}

function replies(engines: EngineSet, { engines: { reply } }: Config): Finding {
  const state = engines.reply.available();
  if (state.ok) return ok('replies', reply.join(', '));
  return fail('replies', state.why, 'Correct engines.reply.');
}

function english(engines: EngineSet, config: Config): Finding[] {
  const check = 'hearing English';
  const names = config.engines.stt.en;
  const state = engines.stt.available('en-US');
  if (!state.ok) {
    const mend =
      'apt-get install libpocketsphinx3, or name another engine in engines.stt.en: until then English callers use the keypad.';
    return [warn(check, state.why, mend)];
  }
  const found = ok(check, `${names.join(', ')}: what an agent can understand, digits, dates, names`);
  if (names[0] !== 'pocketsphinx') return [found];
  const free = 'free English speech';
  const better = 'For transcription of free speech name another engine first in engines.stt.en.';
  return existsSync(LANGUAGE_MODEL)
    ? [found, info(free, 'degraded: about four words in ten are wrong over a telephone', better)]
    : [
        found,
        warn(free, 'not transcribed: its language model is missing', `apt-get install pocketsphinx-en-us. ${better}`),
      ];
}

function arabic(engines: EngineSet, config: Config): Finding {
  const check = 'hearing Arabic';
  const state = engines.stt.available('ar-SA');
  if (state.ok) return ok(check, config.engines.stt.ar.join(', '));
  const mend = 'Name a recogniser in engines.stt.ar of nidaa.yaml: until then Arabic agents offer a keypad menu.';
  return warn(check, config.engines.stt.ar.includes('none') ? 'no recogniser is configured' : state.why, mend);
}

/** Who judges by the sound whether turns are over, and what is done with it. */
function turnEnds({ turnEnd }: EngineSet, { conversation }: Config): Finding[] {
  if (!turnEnd) return [];
  const check = 'end of turns';
  if (turnEnd.why !== undefined) {
    return [
      warn(check, turnEnd.why, 'Correct engines.sherpa.turnEnd: until then the words and the pause alone decide.'),
    ];
  }
  const detail =
    conversation.turnEnd === 'act' ? 'moves the end of turns' : 'is compared with what callers do, and decides nothing';
  return [ok(check, `${turnEnd.name} ${detail}`)];
}

/** Whether a model on this machine's disk is used for anything. */
const runsModels = ({ turnEnd }: EngineSet, { engines: { stt, tts } }: Config): boolean =>
  turnEnd !== undefined || [...stt.ar, ...stt.en, ...tts].includes('sherpa');

/** Services that hear callers or speak for agents: what they get, and whether that was allowed. */
function speechPrivacy({ engines }: Config): Finding[] {
  const check = 'speech privacy';
  const sentences = speechSentences(engines);
  if (sentences.length === 0) return [];
  const detail = sentences.join('\n');
  if (engines.speechPrivacy === 'remote') return [info(check, detail)];
  const mend =
    'Write engines.speechPrivacy: remote, or speechPrivacy: remote in the files of the agents that may use them.';
  return [warn(check, `not used so far, as nobody has allowed it:\n${detail}`, mend)];
}
