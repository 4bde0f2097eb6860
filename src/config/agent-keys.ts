import { type TSchema, Type } from '@sinclair/typebox';
import { notice } from '../core/notice.ts';

/** What keys of agent files are described with. */
export const text = Type.String({ minLength: 1, maxLength: 4000, form: 'text' });
export const name = Type.String({
  ...{ pattern: '^[A-Za-z_][A-Za-z0-9_-]{0,63}$', expected: notice('wanted.name'), form: 'name' },
});
export const localized = Type.Object(
  { ar: Type.Optional(text), en: Type.Optional(text) },
  { minProperties: 1, form: 'text per language' },
);
export const texts = Type.Array(text, { minItems: 1 });
export const localizedList = Type.Object(
  { ar: Type.Optional(texts), en: Type.Optional(texts) },
  { minProperties: 1, form: 'list of texts per language' },
);
export const oneOf = <T extends string>(...values: readonly T[]) =>
  Type.Union(values.map((value) => Type.Literal(value)));

/** A key with what the guide says about it. `example` is the value as it is written in the file. */
export function key<T extends TSchema>(schema: T, description: string, example: unknown): T {
  return { ...schema, description, examples: [example] };
}
/** The same for a key that may be left out. */
export const may = <T extends TSchema>(schema: T, description: string, example: unknown) =>
  Type.Optional(key(schema, description, example));

export const slotTypes = ['text', 'name', 'date', 'time', 'number', 'digits', 'phone', 'yesno', 'choice'] as const;
