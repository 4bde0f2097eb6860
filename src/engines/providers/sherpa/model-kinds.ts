/** Where one file of a model is looked for in its folder. */
export interface FileRole {
  readonly role: string;
  /** Of the name, of files and folders alike; of several, one with `int8` in its name goes first, being the smaller. */
  readonly name: RegExp;
  /** For people who look for it. */
  readonly shown: string;
  readonly optional?: true;
  readonly folder?: true;
}

export type ModelUse = 'ears' | 'voice' | 'detector' | 'turn-end';
export interface ModelKind {
  readonly use: ModelUse;
  /** Ears that hear while somebody speaks, else a stretch as a whole. */
  readonly streams?: true;
  /** The most of one stretch that the model takes; of a longer one the latest part. */
  readonly stretchMsMax?: number;
  readonly files: readonly FileRole[];
}

const file = (role: string, name: RegExp, shown: string): FileRole => ({ role, name, shown });
const ENCODER = file('encoder', /encoder.*\.onnx$/i, '*encoder*.onnx');
const DECODER = file('decoder', /decoder.*\.onnx$/i, '*decoder*.onnx');
const JOINER = file('joiner', /joiner.*\.onnx$/i, '*joiner*.onnx');
const TOKENS = file('tokens', /(?:^|-)tokens\.txt$/i, 'tokens.txt');
const MODEL = file('model', /^(?!.*(?:encoder|decoder|joiner|vocoder)).*\.onnx$/i, '*.onnx');
const LEXICON: FileRole = { ...file('lexicon', /^lexicon.*\.txt$/i, 'lexicon.txt'), optional: true };
const ESPEAK_DATA: FileRole = {
  ...{ role: 'dataDir', name: /^espeak-ng-data$/, shown: 'espeak-ng-data/', optional: true, folder: true },
};
const MINUTE_MS = 60_000;
/** Whisper hears windows of half a minute, the last half second of which has to be silence; what is after them is left out. */
const WHISPER_MS = 29_000;

/** What kinds of models there are, and the files of each. One more is a row here and one in `native-configs.ts`. */
export const MODEL_KINDS = {
  'streaming-transducer': { use: 'ears', streams: true, files: [ENCODER, DECODER, JOINER, TOKENS] },
  'nemo-transducer': { use: 'ears', stretchMsMax: MINUTE_MS, files: [ENCODER, DECODER, JOINER, TOKENS] },
  'nemo-ctc': { use: 'ears', stretchMsMax: MINUTE_MS, files: [MODEL, TOKENS] },
  whisper: { use: 'ears', stretchMsMax: WHISPER_MS, files: [ENCODER, DECODER, TOKENS] },
  omnilingual: { use: 'ears', stretchMsMax: MINUTE_MS, files: [MODEL, TOKENS] },
  'cohere-transcribe': { use: 'ears', stretchMsMax: WHISPER_MS, files: [ENCODER, DECODER, TOKENS] },
  vits: { use: 'voice', files: [MODEL, TOKENS, LEXICON, ESPEAK_DATA] },
  kokoro: {
    use: 'voice',
    files: [MODEL, file('voices', /^voices.*\.bin$/i, 'voices.bin'), TOKENS, LEXICON, ESPEAK_DATA],
  },
  'silero-vad': { use: 'detector', files: [MODEL] },
  'smart-turn': { use: 'turn-end', files: [MODEL] },
} as const satisfies Readonly<Record<string, ModelKind>>;

export type ModelKindName = keyof typeof MODEL_KINDS;
export const MODEL_KIND_NAMES = Object.keys(MODEL_KINDS) as readonly ModelKindName[];

export function kindOf(name: ModelKindName): ModelKind {
  return MODEL_KINDS[name];
}
export function isModelKind(name: unknown): name is ModelKindName {
  return typeof name === 'string' && Object.hasOwn(MODEL_KINDS, name);
}
