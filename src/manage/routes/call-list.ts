import { Readable } from 'node:stream';
import { type Static, Type } from '@sinclair/typebox';
import { type CallQuery, firstMatches, lastWords, type SaidLine } from '../../store/call-query.ts';
import type { CallRow } from '../../store/call-rows.ts';
import { CSV_ROWS_MAX, CSV_TYPE, type CsvCell, csvTable } from '../csv.ts';
import type { ManageDeps } from '../deps.ts';
import { type ManageOperation, operation } from '../operation.ts';
import { afterMoment, limitOf, numberOf, PAGE_QUERY, page, pageOf } from '../pages.ts';
import { oneOf, timestamp, wholeInQuery } from '../schema-names.ts';
import * as shapes from '../schemas/calls.ts';

const tag = 'Calls';
const CSV_PAGE = 500;
const RECORDS_MAX = 50;
const DAY_SECONDS = 86_400;
const COUNTED_DAYS = 30;
const maybe = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 300, description }));
const moment = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

const FILTERS = {
  q: Type.Optional(
    Type.String({
      ...{ minLength: 1, maxLength: 200 },
      description:
        'Words that were said, or stand in the summary, all of them, or their beginnings, in Arabic or English, however they are spelt. ' +
        'Of calls that are over; of erased ones nothing is found.',
    }),
  ),
  state: Type.Optional(oneOf(['live', 'ended'] as const)),
  direction: Type.Optional(oneOf(shapes.DIRECTIONS)),
  agent_id: maybe('Only of this agent.'),
  end_reason: maybe('Only those that ended so.'),
  answered_by: Type.Optional(
    oneOf(['human', 'machine', 'unknown'] as const, 'Of calls out, where that was listened for.'),
  ),
  outcome: maybe('Only those that came to this.'),
  number: maybe('Only those from or to this number.'),
  from: maybe('Only those from numbers that begin so.'),
  to: maybe('Only those to numbers that begin so.'),
  min_seconds: wholeInQuery(0, DAY_SECONDS, 'Only those in which people talked at least so long.'),
  has_recording: Type.Optional(oneOf(['true', 'false'] as const)),
  since: moment('Begun then or later.'),
  until: moment('Begun before that.'),
};
const Filters = Type.Object(FILTERS);

function wantedBy(accountId: string, query: Static<typeof Filters>): Omit<CallQuery, 'limit' | 'before'> {
  const minSeconds = numberOf(query.min_seconds);
  return {
    accountId,
    ...(query.q !== undefined && { words: query.q }),
    ...(query.state && { live: query.state === 'live' }),
    ...(query.direction && { direction: query.direction }),
    ...(query.agent_id !== undefined && { agentId: query.agent_id }),
    ...(query.end_reason !== undefined && { endReason: query.end_reason }),
    ...(query.answered_by && { answeredBy: query.answered_by }),
    ...(query.outcome !== undefined && { outcome: query.outcome }),
    ...(query.number !== undefined && { number: query.number }),
    ...(query.from !== undefined && { from: query.from }),
    ...(query.to !== undefined && { to: query.to }),
    ...(minSeconds !== undefined && { talkMsMin: 1_000 * Math.min(minSeconds, DAY_SECONDS) }),
    ...(query.has_recording && { hasRecording: query.has_recording === 'true' }),
    ...(query.since !== undefined && { since: new Date(query.since) }),
    ...(query.until !== undefined && { until: new Date(query.until) }),
  };
}

/** Calls by what they are, as pages and as a table. */
export function callListOperations({ store, clock }: ManageDeps): ManageOperation[] {
  const linesOf = (
    ids: readonly string[],
    query: Static<typeof Filters>,
  ): Promise<ReadonlyMap<string, SaidLine>> | undefined => {
    if (query.q !== undefined) return firstMatches(store.pool, ids, query.q);
    return query.state === 'live' ? lastWords(store.pool, ids) : undefined;
  };
  return [
    operation(
      {
        ...{ id: 'listCalls', method: 'GET', path: '/calls', tag, scope: 'read', summary: 'List calls, newest first' },
        description:
          'With `q` each has the turn that was found (`excerpt`), with `state=live` the turn that was last (`last_words`): a page that shows ' +
          'what goes on begins with that, and goes on with `GET /live`.',
        query: Type.Object({
          ...{ ...PAGE_QUERY, ...FILTERS },
          record: Type.Optional(
            oneOf(['true', 'false'] as const, `With what was said and how it went; ${RECORDS_MAX} a page at most.`),
          ),
        }),
        answer: pageOf(shapes.ListedCall),
      },
      async ({ accountId, query }) => {
        const withRecord = query.record === 'true';
        const limit = Math.min(limitOf(query), withRecord ? RECORDS_MAX : Number.POSITIVE_INFINITY);
        const after = afterMoment(query);
        const before = after && { startedAt: after.at, id: after.id };
        const rows = await store.calls.list({
          ...wantedBy(accountId, query),
          limit: limit + 1,
          ...(before && { before }),
        });
        const lines = await linesOf(
          rows.map(({ id }) => id),
          query,
        );
        const name = query.q === undefined ? 'last_words' : 'excerpt';
        const present = (call: CallRow) => {
          const line = lines?.get(call.id);
          const shown = line ? { role: line.role, text: line.text, started_ms: line.startedMs } : null;
          return { ...shapes.presentCallHead(call), ...(lines && { [name]: shown }) };
        };
        const shown = page(
          rows,
          limit,
          ({ startedAt, id }) => [startedAt.toISOString(), id],
          (call) => call,
        );
        const items = [];
        for (const call of shown.items) {
          const record = withRecord && shapes.presentRecord({ call, turns: await store.calls.turnsOf(call.id) });
          items.push({ ...present(call), ...(record && { record }) });
        }
        return { items, next: shown.next };
      },
    ),
    operation(
      {
        ...{ id: 'listOutcomes', method: 'GET', path: '/calls/outcomes', tag, scope: 'read' },
        summary: 'List what calls came to, and how many to each',
        description:
          'Every outcome that calls of the account ever had, where agents have outcomes written down. Counted are calls begun since.',
        query: Type.Object({ since: moment('30 days ago without it.') }),
        answer: Type.Object({ since: timestamp(), items: Type.Array(shapes.OutcomeShape) }),
      },
      async ({ accountId, query }) => {
        const since =
          query.since === undefined
            ? new Date(clock.utc().getTime() - COUNTED_DAYS * DAY_SECONDS * 1_000)
            : new Date(query.since);
        const items = await store.callAnalyses.outcomes(accountId, since);
        return {
          since: since.toISOString(),
          items: items.map(({ label, ...one }) => ({ ...one, label: label && { ...label } })),
        };
      },
    ),
    operation(
      {
        ...{ id: 'exportCalls', method: 'GET', path: '/calls.csv', tag, scope: 'read', files: ['text/csv'] },
        summary: 'Get calls as a table, newest first',
        description: `The filters of the list. At most ${CSV_ROWS_MAX} rows: ask for more by \`until\`. No cell is taken for a formula.`,
        query: Filters,
      },
      async ({ accountId, query, reply }) => {
        const wanted = wantedBy(accountId, query);
        const table = csvTable(
          COLUMNS.map(([name]) => name),
          (last: CallRow | undefined) =>
            store.calls.list({
              ...wanted,
              limit: CSV_PAGE,
              ...(last && { before: { startedAt: last.startedAt, id: last.id } }),
            }),
          (call) => COLUMNS.map(([, of]) => of(call)),
        );
        reply.header('content-disposition', 'attachment; filename="calls.csv"').type(CSV_TYPE);
        return reply.send(Readable.from(table));
      },
    ),
  ];
}

const time = (at: Date | null): string | null => at?.toISOString() ?? null;
const COLUMNS: readonly (readonly [name: string, of: (call: CallRow) => CsvCell])[] = [
  ['id', ({ id }) => id],
  ['direction', ({ direction }) => direction],
  ['agent', ({ agentName }) => agentName],
  ['from', ({ from }) => from],
  ['to', ({ to }) => to],
  ['started_at', ({ startedAt }) => time(startedAt)],
  ['answered_at', ({ answeredAt }) => time(answeredAt)],
  ['ended_at', ({ endedAt }) => time(endedAt)],
  ['talk_seconds', ({ talkMs }) => Math.round(talkMs / 1_000)],
  ['end_party', ({ endParty }) => endParty],
  ['end_reason', ({ endReason }) => endReason],
  ['answered_by', ({ answeredBy }) => answeredBy],
  ['judged_turns', ({ judgedTurns }) => judgedTurns],
  ['understood_turns', ({ understoodTurns }) => understoodTurns],
  ['mos', ({ quality }) => quality?.['mos']],
  ['outcome', ({ outcome }) => outcome],
  ['summary', ({ analysis }) => analysis?.summary],
  ['cost_cents', ({ costCents }) => costCents],
  ['has_recording', ({ recording }) => recording !== null],
];
