import { type Static, Type } from '@sinclair/typebox';
import { MODEL_KIND_NAMES, type ModelKindName } from './model-kinds.ts';

/** Of a folder of models that `nidaa models install` made, or of any folder. */
const model = Type.String({ minLength: 1, maxLength: 500, expected: 'the name of an installed model, or a folder' });
const kind = Type.Optional(
  Type.Union(
    MODEL_KIND_NAMES.map((name) => Type.Literal(name as ModelKindName)),
    { expected: `one of ${MODEL_KIND_NAMES.join(', ')}` },
  ),
);
const languages = Type.Array(Type.String({ pattern: '^[a-z]{2}$', expected: 'a language like ar' }), { minItems: 1 });
/** What is what, where the names of the files do not say it. */
const files = Type.Optional(
  Type.Record(Type.String({ pattern: '^[a-zA-Z]{1,20}$' }), Type.String({ minLength: 1, maxLength: 500 })),
);

/** `engines.sherpa`: models on this machine's disk. */
export const sherpaSettings = Type.Object({
  /** Threads of one model; each model has a process of its own. */
  threads: Type.Integer({ minimum: 1, maximum: 64, default: 1 }),
  /** A model that nobody needed for so long gives its memory back, and takes its time to load again; 0 keeps it. */
  idleMinutes: Type.Integer({ minimum: 0, maximum: 10_080, default: 0 }),
  ears: Type.Array(Type.Object({ model, kind, languages, files }), { default: [] }),
  voices: Type.Array(
    Type.Object({ model, kind, languages, files, speaker: Type.Integer({ minimum: 0, maximum: 10_000, default: 0 }) }),
    { default: [] },
  ),
  /** Silero's detector: what it takes for no speech is not given to ears that hear stretches as a whole, which invent words. */
  detector: Type.Optional(Type.Object({ model, kind, files })),
  /** The same detector, beside the gateway's own on every call: a window so likely is a voice. `conversation.vad` says what comes of it. */
  vad: Type.Optional(
    Type.Object({ model, kind, files, voice: Type.Number({ minimum: 0.05, maximum: 0.95, default: 0.5 }) }),
  ),
  /** Judges by the sound of a turn whether the caller is through: `complete` is how likely that has to be. */
  turnEnd: Type.Optional(
    Type.Object({ model, kind, files, complete: Type.Number({ minimum: 0.01, maximum: 0.99, default: 0.5 }) }),
  ),
});

/** With the folder of models that have been installed, which is known when the configuration is read. */
export type SherpaSettings = Static<typeof sherpaSettings> & { readonly modelsDir: string };
export type EarSettings = SherpaSettings['ears'][number];
export type VoiceSettings = SherpaSettings['voices'][number];
export type TurnEndSettings = NonNullable<SherpaSettings['turnEnd']>;
export type VadSettings = NonNullable<SherpaSettings['vad']>;
export type ModelChoice = Pick<EarSettings, 'model' | 'kind' | 'files'>;

/** `providers.sherpa` of a voice: one of `engines.sherpa.voices` by its model, and a speaker of it. */
export const sherpaVoice = Type.Object({
  model: Type.Optional(model),
  speaker: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
});
export type VoiceAtSherpa = Static<typeof sherpaVoice>;
