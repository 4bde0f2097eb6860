import { type TSchema, Type } from '@sinclair/typebox';

interface Named {
  readonly name: string;
  /** Written into the document in the place of what requests are checked against. */
  readonly shown: TSchema;
}

/** Shapes that the document writes once, and how it calls them. Known by identity: what checks requests has no references. */
const names = new WeakMap<TSchema, Named>();
const shownAs = new WeakMap<TSchema, TSchema>();

export function named<S extends TSchema>(name: string, schema: S, shown: TSchema = schema): S {
  names.set(schema, { name, shown });
  return schema;
}
export const nameOf = (schema: TSchema): Named | undefined => names.get(schema);
export const shownOf = (schema: TSchema): TSchema => shownAs.get(schema) ?? schema;

/** A whole number of a query string, where everything is text; `numberOf` reads it. */
export function wholeInQuery(minimum: number, maximum: number, description: string) {
  const schema = Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$', description }));
  shownAs.set(schema, Type.Integer({ minimum, maximum, description }));
  return schema;
}

export const timestamp = (description?: string) =>
  Type.String({ format: 'date-time', ...(description !== undefined && { description }) });
export const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
/** One of some words. */
export const oneOf = <const T extends readonly string[]>(values: T, description?: string) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...(description !== undefined && { description }) });
