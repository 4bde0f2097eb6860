import { type Static, Type } from '@sinclair/typebox';
import { Problems } from '../../config/problems.ts';
import { YamlFile } from '../../config/yaml-file.ts';
import { MODEL_KIND_NAMES } from '../../engines/providers/sherpa/model-kinds.ts';
import { nameAfter } from './brought-files.ts';

const text = Type.String({ minLength: 1, maxLength: 500 });
const ModelShape = Type.Object({
  name: Type.String({
    pattern: '^[a-z0-9][a-z0-9._-]{0,62}$',
    expected: 'lower-case letters, digits, dots and dashes',
  }),
  kind: Type.Union(MODEL_KIND_NAMES.map((name) => Type.Literal(name))),
  languages: Type.Array(Type.String({ pattern: '^[a-z]{2}$', expected: 'a language like ar' }), { maxItems: 100 }),
  licence: text,
  /** Of the files that are loaded, where a source tells it. */
  sizeMb: Type.Optional(Type.Number({ minimum: 0.1, maximum: 100_000 })),
  /** What it is called there. */
  upstream: text,
  source: Type.String({ pattern: '^https://', expected: 'an https address' }),
  lookedUp: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', expected: 'a date like 2026-01-31' }),
  /** Of files whose sum is told by who publishes them, and by others who have them. */
  files: Type.Array(
    Type.Object({ name: text, sha256: Type.String({ pattern: '^[0-9a-f]{64}$', expected: 'a SHA-256 in hex' }) }),
    { default: [] },
  ),
  /** Of its process, where somebody has measured it. */
  memory: Type.Optional(Type.Object({ mb: Type.Integer({ minimum: 1, maximum: 1_000_000 }), source: text })),
  note: Type.Optional(text),
});
export const ModelsShape = Type.Object({ models: Type.Array(ModelShape, { minItems: 1 }) });
export type KnownModel = Static<typeof ModelShape>;

/** The models that are known to fit. @throws OperatorError that lists every problem. */
export function loadCatalogue(path: string, cwd = process.cwd()): readonly KnownModel[] {
  const problems = new Problems(cwd);
  const models = new YamlFile(path, problems).read(ModelsShape)?.models ?? [];
  problems.throwIfAny();
  return models;
}

/** The one that is called so, here or where it comes from. */
export function knownAs(models: readonly KnownModel[], name: string): KnownModel | undefined {
  return models.find((model) => model.name === name || model.upstream === name || nameAfter(model.upstream) === name);
}
