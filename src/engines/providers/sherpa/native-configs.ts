import { WIDEBAND_RATE_HZ } from '../../../audio/pcm.ts';
import type { ModelFiles } from './model-files.ts';
import type { ModelKindName } from './model-kinds.ts';

const FEATURES = { sampleRate: WIDEBAND_RATE_HZ, featureDim: 80 };

/** The keys of a recogniser's model, by kind. A language is told where it is one alone: else the model tells by itself. */
const EARS: Readonly<Partial<Record<ModelKindName, (files: Files, language: string) => object>>> = {
  'streaming-transducer': ({ encoder, decoder, joiner }) => ({ transducer: { encoder, decoder, joiner } }),
  'nemo-transducer': ({ encoder, decoder, joiner }) => ({
    ...{ transducer: { encoder, decoder, joiner }, modelType: 'nemo_transducer' },
  }),
  'nemo-ctc': ({ model }) => ({ nemoCtc: { model } }),
  whisper: ({ encoder, decoder }, language) => ({ whisper: { encoder, decoder, language, task: 'transcribe' } }),
  omnilingual: ({ model }) => ({ omnilingual: { model } }),
  'cohere-transcribe': ({ encoder, decoder }, language) => ({ cohereTranscribe: { encoder, decoder, language } }),
};
const VOICES: Readonly<Partial<Record<ModelKindName, (files: Files, language: string) => object>>> = {
  vits: ({ model, tokens, lexicon, dataDir }) => ({ vits: some({ model, tokens, lexicon, dataDir }) }),
  kokoro: ({ model, voices, tokens, lexicon, dataDir }, lang) => ({
    kokoro: some({ model, voices, tokens, lexicon, dataDir, lang }),
  }),
};
type Files = Readonly<Record<string, string | undefined>>;

const common = (numThreads: number) => ({ numThreads, provider: 'cpu', debug: 0 });
/** The library takes an empty text for a file that it should open. */
const some = (config: Files) => Object.fromEntries(Object.entries(config).filter(([, value]) => value));

/** @param language - '' where the model is to tell it. */
export function earsConfig({ kind, files }: ModelFiles, threads: number, language: string): object {
  const model = EARS[kind]?.(files, language);
  if (!model) throw new Error(`${kind} is no kind of ears`);
  const modelConfig = { ...model, tokens: files['tokens'], ...common(threads) };
  // Where speech ends is decided by the call, which asks for a final.
  return { featConfig: FEATURES, modelConfig, decodingMethod: 'greedy_search', enableEndpoint: 0 };
}

export function voiceConfig({ kind, files }: ModelFiles, threads: number, language: string): object {
  const model = VOICES[kind]?.(files, language);
  if (!model) throw new Error(`${kind} is no kind of voice`);
  return { model: { ...model, ...common(threads) }, maxNumSentences: 1 }; // sound comes sentence by sentence
}

/** Samples that the detector takes at once. */
export const DETECTOR_WINDOW = 512;
export function detectorConfig({ files }: ModelFiles): object {
  const sileroVad = {
    ...{ model: files['model'], threshold: 0.4, minSpeechDuration: 0.1, minSilenceDuration: 0.25 },
    windowSize: DETECTOR_WINDOW,
  };
  return { sileroVad, sampleRate: WIDEBAND_RATE_HZ, ...common(1) };
}
