import { type TSchema, Type } from '@sinclair/typebox';
import { type Notice, noticeOf } from '../core/notice.ts';

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
/** What a sentence beside it says, as data. */
export const NoticeShape = named(
  'Notice',
  Type.Object(
    {
      code: Type.String({ description: 'Stable, such as `agent.no-greeting`.' }),
      params: Type.Unsafe<Notice['params']>({
        ...{ type: 'object', additionalProperties: true },
        description: 'The values in it, by name: texts, or sentences that stand in it, as notices themselves.',
      }),
    },
    { description: 'What the English sentence beside it says, to be worded in other languages.' },
  ),
);
export const presentNotice = (said: string | Notice | undefined): Notice | null =>
  said === undefined || typeof said === 'string' ? null : said;

/** Of a call that came to nothing: why, and what would help, as data. */
export const noticesOf = ({ detail, remedy }: { readonly detail: string; readonly remedy?: string | null }) => ({
  detail_notice: noticeOf(detail, 'end') ?? null,
  remedy_notice: noticeOf(remedy ?? '', 'remedy') ?? null,
});

/** What ended a call, or became of a transfer, with its detail as data. */
export function withNotice<T extends { readonly detail?: string | undefined }>(one: T): T & { detail_notice?: Notice } {
  const found = one.detail === undefined ? undefined : noticeOf(one.detail, 'end');
  return found ? { ...one, detail_notice: found } : one;
}

/** One of some words. */
export const oneOf = <const T extends readonly string[]>(values: T, description?: string) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...(description !== undefined && { description }) });
