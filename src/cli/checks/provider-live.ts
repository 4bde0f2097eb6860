import { FRAME_SAMPLES, TELEPHONE_RATE_HZ } from '../../audio/pcm.ts';
import type { Config } from '../../config/load.ts';
import { loadVoices } from '../../config/voices.ts';
import type { Language } from '../../core/agent.ts';
import { type Clock, systemClock, timeoutSignal } from '../../core/clock.ts';
import { errorText } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import type { Voice } from '../../core/voice.ts';
import type { Provider, ServerSettings } from '../../engines/providers/provider.ts';
import type { RemoteStt, SttEvent } from '../../engines/stt/contract.ts';
import type { RemoteTts, TtsEngine } from '../../engines/tts/contract.ts';
import { EspeakTts } from '../../engines/tts/espeak.ts';
import { type Finding, fail, info, ok } from './finding.ts';

const WITHIN_MS = 20_000;
const TAGS = { ar: 'ar-SA', en: 'en-US' } as const;
const SENTENCES: Readonly<Record<Language, string>> = { en: 'When are you open tomorrow?', ar: 'متى تفتحون بكرة؟' };
const NAMES: Readonly<Record<Language, string>> = { ar: 'Arabic', en: 'English' };
const LANGUAGES = ['ar', 'en'] as const;

/** A service at work: it says a sentence of ours, and hears one that a voice of this machine says. As on the telephone, 8 kHz. */
export async function checkProviderLive(
  config: Config,
  { name, stt, tts }: Provider,
  settings: ServerSettings,
  logger: Logger,
): Promise<Finding[]> {
  const deps = { clock: systemClock, logger, used: () => {} };
  const voices = loadVoices(config.paths.voicesFile);
  const voiceOf = (language: Language): Voice => voices.get(config.speech.defaultVoice[language])!;
  const local = new EspeakTts({ clock: systemClock });
  const ears = stt?.(settings, deps);
  const voice = tts?.(settings, deps);
  try {
    const found: Finding[] = [];
    for (const language of LANGUAGES) {
      if (voice)
        found.push(await tried(`says ${NAMES[language]}`, name, () => speak(voice, voiceOf(language), language)));
    }
    for (const language of LANGUAGES) {
      if (ears)
        found.push(await tried(`hears ${NAMES[language]}`, name, () => hear(ears, local, voiceOf(language), language)));
    }
    return found;
  } finally {
    await Promise.all([ears?.close(), voice?.close(), local.close()]);
  }
}

async function tried(check: string, name: string, work: () => Promise<Finding | string>): Promise<Finding> {
  try {
    const found = await work();
    return typeof found === 'string' ? ok(check, found) : { ...found, check };
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? `: ${errorText(error.cause)}` : '';
    return fail(check, `${errorText(error)}${cause}`, `Correct engines.${name}, or do not name it for this.`);
  }
}

async function speak(engine: RemoteTts, voice: Voice, language: Language): Promise<Finding | string> {
  if (!(engine.canSpeak?.(voice) ?? true))
    return info('', 'its voice does not speak that: the next engine of engines.tts does');
  const watch = new Watch(systemClock);
  const samples = await soundOf(engine, voice, language, watch);
  return `first sound after ${watch.firstMs} ms, ${seconds(samples.length)} of sound in ${watch.totalMs} ms`;
}

async function hear(engine: RemoteStt, local: TtsEngine, voice: Voice, language: Language): Promise<Finding | string> {
  const tag = TAGS[language];
  const state = engine.available(tag);
  if (!state.ok) throw new Error(state.why);
  const samples = await soundOf(local, voice, language, new Watch(systemClock));
  const limit = timeoutSignal(systemClock, WITHIN_MS);
  const options = { language: tag, sampleRateHz: TELEPHONE_RATE_HZ, interim: true };
  try {
    const stream = engine.open(options, limit.signal);
    for (let at = 0; at < samples.length; at += FRAME_SAMPLES) {
      stream.write({ samples: samples.subarray(at, at + FRAME_SAMPLES), sampleRateHz: TELEPHONE_RATE_HZ });
    }
    const watch = new Watch(systemClock);
    stream.end();
    let interims = 0;
    let final: Extract<SttEvent, { type: 'final' }> | undefined;
    for await (const event of stream) {
      if (event.type === 'final') final = event;
      else interims += 1;
    }
    watch.seen();
    if (!final) throw new Error(limit.signal.aborted ? 'no answer in 20 s' : 'no answer');
    const words = final.words ? `${final.words.length} words with times` : 'no times of words';
    const told = `${seconds(samples.length)} of speech in ${watch.firstMs} ms, ${interims} interims, ${words}`;
    const said = `said "${SENTENCES[language]}", heard "${final.text}", ${Math.round(final.confidence * 100)} % sure`;
    if (final.text === '') throw new Error(`it understood nothing: ${told}`);
    return `${said}\n${told}`;
  } finally {
    limit.cancel();
  }
}

async function soundOf(
  engine: Pick<TtsEngine, 'synthesize'>,
  voice: Voice,
  language: Language,
  watch: Watch,
): Promise<Int16Array> {
  const limit = timeoutSignal(systemClock, WITHIN_MS);
  const request = { text: SENTENCES[language], voice, sampleRateHz: TELEPHONE_RATE_HZ, speed: 1, pitchSemitones: 0 };
  const samples: number[] = [];
  try {
    for await (const chunk of engine.synthesize(request, limit.signal)) {
      watch.seen();
      for (const sample of chunk) samples.push(sample);
    }
  } finally {
    limit.cancel();
  }
  if (samples.length === 0) throw new Error('no sound came');
  return Int16Array.from(samples);
}

class Watch {
  readonly #startMs: number;
  firstMs: number | undefined;
  constructor(private readonly clock: Clock) {
    this.#startMs = clock.nowMs();
  }
  seen(): void {
    this.firstMs ??= this.totalMs;
  }
  get totalMs(): number {
    return Math.round(this.clock.nowMs() - this.#startMs);
  }
}

const seconds = (samples: number): string => `${(samples / TELEPHONE_RATE_HZ).toFixed(1)} s`;
