import { type TSchema, Type } from '@sinclair/typebox';
import { ServiceError } from '../core/errors.ts';
import { orNull, wholeInQuery } from './schema-names.ts';

const LIMIT = { default: 50, max: 200 } as const;

/** Query fields of every list that may be long. */
export const PAGE_QUERY = {
  limit: wholeInQuery(1, LIMIT.max, `How many, ${LIMIT.default} without it.`),
  after: Type.Optional(Type.String({ maxLength: 500, description: 'The page after that one whose `next` this is.' })),
};

/** One page; `next` is what `after` takes for the one that follows, null on the last. */
export const pageOf = <S extends TSchema>(item: S) =>
  Type.Object({ items: Type.Array(item), next: orNull(Type.String()) });

export interface PageQuery {
  readonly limit?: string;
  readonly after?: string;
}

export function limitOf({ limit }: PageQuery): number {
  const wanted = numberOf(limit) ?? LIMIT.default;
  if (wanted < 1 || wanted > LIMIT.max) throw new ServiceError('invalid_request', `limit must be 1 to ${LIMIT.max}`);
  return wanted;
}

export const numberOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text);

/** What the page follows on, as `cursor` made it. @throws ServiceError where that is nothing of ours. */
export function afterOf<const N extends number>(
  { after }: PageQuery,
  parts: N,
): (readonly string[] & { readonly length: N }) | undefined {
  if (after === undefined) return undefined;
  const read = Buffer.from(after, 'base64url').toString('utf8').split('\n');
  if (read.length !== parts || read.some((part) => part === '')) throw notOurs();
  return read as unknown as readonly string[] & { readonly length: N };
}

/** The same of a number. */
export function afterNumber(query: PageQuery): number | undefined {
  const [text] = afterOf(query, 1) ?? [];
  if (text !== undefined && !/^\d{1,15}$/.test(text)) throw notOurs();
  return numberOf(text);
}

/** The same of a moment and an id. */
export function afterMoment(query: PageQuery): { readonly at: Date; readonly id: string } | undefined {
  const [time, id] = afterOf(query, 2) ?? [];
  if (time === undefined || id === undefined) return undefined;
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) throw notOurs();
  return { at, id };
}

const notOurs = (): ServiceError => new ServiceError('invalid_request', 'after is no `next` of a page');

/**
 * @param rows - one more than `limit`, where there are so many.
 * @param cursor - what names a row to the query for the next page.
 */
export function page<R, T>(
  rows: readonly R[],
  limit: number,
  cursor: (row: R) => readonly (string | number)[],
  present: (row: R) => T,
): { items: T[]; next: string | null } {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const next = last === undefined ? null : Buffer.from(cursor(last).join('\n')).toString('base64url');
  return { items: shown.map(present), next };
}

/** Pages of a list that is all there, each row named by its place in it. */
export function pageOfAll<R, T>(
  rows: readonly R[],
  query: PageQuery,
  idOf: (row: R) => string,
  present: (row: R) => T,
) {
  const [after] = afterOf(query, 1) ?? [];
  const at = after === undefined ? -1 : rows.findIndex((row) => idOf(row) === after);
  // Beginning anew would have a reader of all pages go round for ever.
  if (after !== undefined && at < 0) throw new ServiceError('invalid_request', 'what `after` names is gone');
  const limit = limitOf(query);
  const start = at + 1;
  return page(rows.slice(start, start + limit + 1), limit, (row) => [idOf(row)], present);
}
