import { and, eq, gte, inArray, isNotNull, isNull, like, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { idsFrom } from '../core/ids.ts';
import type { Queryable } from './database.ts';
import { type CallDirection, calls } from './schema.ts';

/** Which calls are listed; all of it must be so. */
export interface CallQuery {
  readonly accountId?: string;
  readonly limit?: number; // default 50
  /** Only calls older than this one: the next page. */
  readonly before?: { readonly startedAt: Date; readonly id: string };
  readonly agentId?: string;
  readonly direction?: CallDirection;
  readonly live?: boolean;
  readonly endReason?: string;
  /** The caller's number or the called one. */
  readonly number?: string;
  /** The number begins so. */
  readonly from?: string;
  readonly to?: string;
  readonly talkMsMin?: number;
  readonly hasRecording?: boolean;
  readonly answeredBy?: 'human' | 'machine' | 'unknown';
  readonly outcome?: string;
  /** Words that were said, all of them; of calls that are over and not erased. */
  readonly words?: string;
  readonly since?: Date;
  readonly until?: Date; // not part of it
}

/** @param hits - the calls of the account with those words, where they are known. */
export function conditionsOf(query: CallQuery, hits?: readonly string[]): SQL | undefined {
  const { before, accountId, agentId, direction, live, endReason, number, since, until } = query;
  const { from, to, talkMsMin, hasRecording, answeredBy, outcome, words } = query;
  return and(
    accountId === undefined ? undefined : eq(calls.accountId, accountId),
    agentId === undefined ? undefined : eq(calls.agentId, agentId),
    direction && eq(calls.direction, direction),
    live === undefined ? undefined : live ? isNull(calls.endedAt) : isNotNull(calls.endedAt),
    endReason === undefined ? undefined : eq(calls.endReason, endReason),
    number === undefined ? undefined : or(eq(calls.from, number), eq(calls.to, number)),
    from === undefined ? undefined : like(calls.from, beginning(from)),
    to === undefined ? undefined : like(calls.to, beginning(to)),
    talkMsMin === undefined ? undefined : gte(calls.talkMs, talkMsMin),
    hasRecording === undefined ? undefined : hasRecording ? isNotNull(calls.recording) : isNull(calls.recording),
    answeredBy && eq(calls.answeredBy, answeredBy),
    outcome === undefined ? undefined : eq(calls.outcome, outcome),
    hits && inArray(calls.id, [...hits]),
    words === undefined || hits ? undefined : sql`${calls.words} @@ words_query(${words}, '&')`,
    since && gte(calls.startedAt, since),
    since && gte(calls.id, callIdsFrom(since)),
    until && lt(calls.startedAt, until),
    before && lte(calls.startedAt, before.startedAt), // where an index begins to be read
    before &&
      or(lt(calls.startedAt, before.startedAt), and(eq(calls.startedAt, before.startedAt), lt(calls.id, before.id))),
  );
}

/** Which ids calls have at least that began at `since` or later: only the tables of their months are read. */
export const callIdsFrom = (since: Date): string => idsFrom('call', new Date(since.getTime() - ID_EARLY_MS));
/** An id may be made before its call begins, and by another clock. */
const ID_EARLY_MS = 86_400_000;
/** Which ids calls have at least that go on now: none does for longer. */
export const liveCallIds = (now: Date): string => callIdsFrom(new Date(now.getTime() - CALL_MS_MAX));
const CALL_MS_MAX = 31 * 86_400_000;

/** A pattern of LIKE: what is a sign of it stands for itself. */
const beginning = (text: string): string => `${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

/** One thing that was said, of a list of calls. */
export interface SaidLine {
  readonly role: 'caller' | 'agent' | 'person';
  readonly text: string;
  readonly startedMs: number;
}

/** By call: the first turn in which one of the words occurs. */
export function firstMatches(
  on: Queryable,
  ids: readonly string[],
  words: string,
): Promise<ReadonlyMap<string, SaidLine>> {
  return linesOf(on, [ids, words], `AND to_tsvector('simple', folded_words(text)) @@ words_query($2, '|')`, 'ASC');
}

/** By call: the turn that is on record as the last. */
export function lastWords(on: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, SaidLine>> {
  return linesOf(on, [ids], '', 'DESC');
}

async function linesOf(on: Queryable, values: unknown[], condition: string, order: 'ASC' | 'DESC') {
  const { rows } = await on.query<SaidLine & { readonly callId: string }>(
    `SELECT DISTINCT ON (call_id) call_id AS "callId", role, text, started_ms AS "startedMs" FROM turns
     WHERE call_id = ANY($1) ${condition} ORDER BY call_id, index ${order}`,
    values,
  );
  return new Map(rows.map(({ callId, ...line }) => [callId, line]));
}
