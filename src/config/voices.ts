import { type TSchema, Type } from '@sinclair/typebox';
import { languageOf } from '../core/agent.ts';
import { OperatorError } from '../core/errors.ts';
import type { Voice } from '../core/voice.ts';
import { LOCAL_PROVIDERS, PROVIDERS } from '../engines/providers/providers.ts';
import { didYouMean, Problems } from './problems.ts';
import { YamlFile } from './yaml-file.ts';

const oneOf = <T extends string>(...values: T[]) => Type.Union(values.map((value) => Type.Literal(value)));
const text = Type.String({ minLength: 1, maxLength: 1000 });

const VoiceSchema = Type.Object({
  id: Type.String({ pattern: '^[a-z][a-z0-9-]{0,63}$', expected: 'lower-case letters, digits and dashes' }),
  name: text,
  gender: oneOf('female', 'male'),
  age: oneOf('18-30', '30-50', '60+'),
  language: Type.String({ pattern: '^[a-z]{2}-[A-Z]{2}$', expected: 'a language like ar-SA' }),
  dialect: oneOf('najdi', 'hijazi', 'gulf', 'egyptian', 'msa', 'none'),
  country: text,
  styles: Type.Array(oneOf('Professional', 'Formal', 'Casual', 'Energetic'), { minItems: 1 }),
  description: text,
  descriptionAr: Type.Optional(text),
  supportedModels: Type.Array(oneOf('sada-1', 'nabra-1'), { minItems: 1 }),
  sampleText: text,
  providers: Type.Optional(
    Type.Object(
      Object.fromEntries(
        [...PROVIDERS, ...LOCAL_PROVIDERS].flatMap(({ name, voice }) =>
          voice ? [[name, Type.Optional(voice)] as const] : [],
        ),
      ) as Record<string, TSchema>,
    ),
  ),
  espeak: Type.Object({
    voice: Type.String({ pattern: '^[a-z][a-z0-9-]*(\\+[A-Za-z][A-Za-z0-9]*)?$', expected: 'a voice like ar+f2' }),
    pitch: Type.Integer({ minimum: 0, maximum: 99 }),
    wordsPerMinute: Type.Integer({ minimum: 80, maximum: 450 }),
  }),
});
export const VoicesSchema = Type.Object({ voices: Type.Array(VoiceSchema, { minItems: 1 }) });

/** The voices of this installation, in the order of the file. */
export class VoiceCatalogue {
  readonly #byId: ReadonlyMap<string, Voice>;
  constructor(readonly list: readonly Voice[]) {
    this.#byId = new Map(list.map((voice) => [voice.id, voice]));
  }
  get(id: string): Voice | undefined {
    return this.#byId.get(id);
  }
  get ids(): readonly string[] {
    return [...this.#byId.keys()];
  }
}

/** @throws OperatorError that lists every problem. */
export function loadVoices(path: string, cwd = process.cwd()): VoiceCatalogue {
  const problems = new Problems(cwd);
  const file = new YamlFile(path, problems);
  const voices: readonly Voice[] = file.read(VoicesSchema)?.voices ?? [];
  const seen = new Set<string>();
  voices.forEach((voice, index) => {
    const refuse = (field: keyof Voice, message: string): void => file.problem(['voices', index, field], message);
    if (seen.has(voice.id)) refuse('id', `expected an id of its own, got ${voice.id} again`);
    seen.add(voice.id);
    const isArabic = languageOf(voice.language) === 'ar';
    if (isArabic === (voice.dialect === 'none')) {
      refuse(
        'dialect',
        `expected ${isArabic ? 'an Arabic dialect' : 'none'} for ${voice.language}, got ${voice.dialect}`,
      );
    }
    if (languageOf(voice.espeak.voice) !== languageOf(voice.language)) {
      refuse('espeak', `expected a synthesiser voice for ${voice.language}, got ${voice.espeak.voice}`);
    }
  });
  problems.throwIfAny();
  return new VoiceCatalogue(voices);
}

/** @throws OperatorError when a default voice is missing or speaks another language. */
export function checkDefaultVoices(
  config: { readonly speech: { readonly defaultVoice: { readonly ar: string; readonly en: string } } },
  voices: VoiceCatalogue,
): void {
  for (const language of ['ar', 'en'] as const) {
    const id = config.speech.defaultVoice[language];
    const voice = voices.get(id);
    if (voice && languageOf(voice.language) === language) continue;
    const hint = voice ? `, which speaks ${voice.language}` : didYouMean(id, voices.ids);
    throw new OperatorError(`speech.defaultVoice.${language}: expected a voice of that language, got ${id}${hint}`);
  }
}
