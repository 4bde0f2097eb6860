import { Readable } from 'node:stream';
import { Type } from '@sinclair/typebox';
import { ServiceError } from '../../core/errors.ts';
import { isTimeZone } from '../../core/time-zone.ts';
import type { LedgerEntry } from '../../store/charge-rows.ts';
import { USAGE_DAYS_MAX } from '../../store/usage.ts';
import { CSV_START, csvLine } from '../csv.ts';
import type { ManageDeps } from '../deps.ts';
import { known, type ManageOperation, operation } from '../operation.ts';
import { afterNumber, limitOf, PAGE_QUERY, page, pageOf } from '../pages.ts';
import { named, orNull, timestamp } from '../schema-names.ts';

const tag = 'Account';
const DAY_MS = 86_400_000;
const FORECAST_DAYS = 7;
const CSV = 'text/csv';
const CSV_ROWS_MAX = 100_000;
const CSV_ROWS_AT_ONCE = 1_000;

const EntryShape = named(
  'LedgerEntry',
  Type.Object({
    seq: Type.Integer(),
    id: Type.String({ description: 'Of the charge or the top-up.' }),
    kind: Type.String(),
    cents: Type.Integer({ description: 'Below zero: a charge.' }),
    balance_after_cents: Type.Integer(),
    note: Type.String(),
    created_at: timestamp(),
  }),
);
const presentEntry = ({ seq, id, kind, cents, balanceAfterCents, note, createdAt }: LedgerEntry) => ({
  ...{ seq, id, kind, cents, balance_after_cents: balanceAfterCents, note, created_at: createdAt.toISOString() },
});

const PERIOD = {
  from: Type.Optional(Type.String({ format: 'date-time', description: '30 days before `to` without it.' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Not part of it; now without it.' })),
};
const UsageQuery = Type.Object({
  ...PERIOD,
  time_zone: Type.Optional(Type.String({ maxLength: 64, description: 'Whose days; those of the account without it.' })),
});
interface UsageQueryFields {
  readonly from?: string;
  readonly to?: string;
  readonly time_zone?: string;
}

/** What moved the balance, what it was used for, and how long it lasts. */
export function usageOperations({ store, clock }: ManageDeps): ManageOperation[] {
  const periodOf = (query: UsageQueryFields): { readonly from: Date; readonly to: Date } => {
    const to = query.to === undefined ? clock.utc() : new Date(query.to);
    const from = query.from === undefined ? new Date(to.getTime() - 30 * DAY_MS) : new Date(query.from);
    if (from < to && to.getTime() - from.getTime() <= USAGE_DAYS_MAX * DAY_MS) return { from, to };
    throw new ServiceError('invalid_request', `from must be before to, by ${USAGE_DAYS_MAX} days at most`);
  };
  const usageOf = async (accountId: string, query: UsageQueryFields) => {
    const period = periodOf(query);
    const account = known(await store.accounts.get(accountId), 'account', accountId);
    const timeZone = query.time_zone ?? account.timeZone;
    if (!isTimeZone(timeZone)) throw new ServiceError('invalid_request', 'time_zone is none, such as Asia/Riyadh');
    return { ...period, timeZone, lines: await store.usage.of(accountId, { ...period, timeZone }) };
  };
  return [
    operation(
      {
        ...{ id: 'listLedger', method: 'GET', path: '/account/ledger', tag, scope: 'read' },
        ...{ summary: 'List what moved the balance, newest first' },
        ...{ query: Type.Object(PAGE_QUERY), answer: pageOf(EntryShape) },
      },
      async ({ accountId, query }) => {
        const limit = limitOf(query);
        const rows = await store.charges.entries(accountId, limit + 1, afterNumber(query));
        return page(rows, limit, ({ seq }) => [seq], presentEntry);
      },
    ),
    operation(
      {
        ...{ id: 'exportLedger', method: 'GET', path: '/account/ledger.csv', tag, scope: 'read', files: [CSV] },
        summary: `Get what moved the balance as a table, newest first; ${CSV_ROWS_MAX} lines at most`,
        query: Type.Object(PERIOD),
      },
      async ({ accountId, query, reply }) => {
        const lines = ledgerLines((limit, seq) => store.charges.entries(accountId, limit, seq), periodOf(query));
        return reply
          .type(`${CSV}; charset=utf-8`)
          .header(...attached('ledger'))
          .send(Readable.from(lines));
      },
    ),
    operation(
      {
        ...{ id: 'getUsage', method: 'GET', path: '/account/usage', tag, scope: 'read' },
        summary: 'What was paid for, by day, kind and agent',
        query: UsageQuery,
        answer: Type.Object({
          from: timestamp(),
          to: timestamp(),
          time_zone: Type.String(),
          total_cents: Type.Integer(),
          lines: Type.Array(
            Type.Object({
              day: Type.String({ description: 'Such as 2026-01-31.' }),
              kind: Type.String(),
              agent_id: orNull(Type.String({ description: 'Of a call.' })),
              count: Type.Integer(),
              cents: Type.Integer(),
            }),
          ),
        }),
      },
      async ({ accountId, query }) => {
        const { from, to, timeZone, lines } = await usageOf(accountId, query);
        return {
          ...{ from: from.toISOString(), to: to.toISOString(), time_zone: timeZone },
          total_cents: lines.reduce((sum, { cents }) => sum + cents, 0),
          lines: lines.map(({ day, kind, agentId, count, cents }) => ({ day, kind, agent_id: agentId, count, cents })),
        };
      },
    ),
    operation(
      {
        ...{ id: 'exportUsage', method: 'GET', path: '/account/usage.csv', tag, scope: 'read', files: [CSV] },
        ...{ summary: 'Get what was paid for as a table', query: UsageQuery },
      },
      async ({ accountId, query, reply }) => {
        const { lines } = await usageOf(accountId, query);
        const rows = lines.map(({ day, kind, agentId, count, cents }) => csvLine([day, kind, agentId, count, cents]));
        const head = csvLine(['day', 'kind', 'agent_id', 'count', 'cents']);
        return reply
          .type(`${CSV}; charset=utf-8`)
          .header(...attached('usage'))
          .send([CSV_START, head, ...rows].join(''));
      },
    ),
    operation(
      {
        ...{ id: 'getForecast', method: 'GET', path: '/account/forecast', tag, scope: 'read' },
        summary: `How long the balance lasts at the pace of the last ${FORECAST_DAYS} days`,
        answer: Type.Object({
          days: Type.Integer({ description: 'That the pace is taken from; fewer where the account is younger.' }),
          cents_a_day: Type.Number(),
          days_left: orNull(Type.Number({ description: 'Null: nothing was spent.' })),
          empty_at: orNull(timestamp()),
        }),
      },
      async ({ accountId }) => {
        const { createdAt, balanceCents } = known(await store.accounts.get(accountId), 'account', accountId);
        const to = clock.utc();
        const age = Math.ceil((to.getTime() - createdAt.getTime()) / DAY_MS);
        const days = Math.min(FORECAST_DAYS, Math.max(1, age));
        const from = new Date(to.getTime() - FORECAST_DAYS * DAY_MS);
        const lines = await store.usage.of(accountId, { from, to, timeZone: 'UTC' });
        const perDay = lines.reduce((sum, { cents }) => sum + cents, 0) / days;
        const left = perDay > 0 ? balanceCents / perDay : null;
        return {
          ...{ days, cents_a_day: Math.round(perDay * 100) / 100, days_left: left && Math.round(left * 10) / 10 },
          empty_at: left === null ? null : momentAfter(to, left),
        };
      },
    ),
  ];
}

/** Beyond what a date can be the balance lasts for ever. */
function momentAfter(from: Date, days: number): string | null {
  const at = new Date(from.getTime() + days * DAY_MS);
  return at.getUTCFullYear() > 9_999 || Number.isNaN(at.getTime()) ? null : at.toISOString();
}

const attached = (name: string): ['content-disposition', string] => [
  'content-disposition',
  `attachment; filename="${name}.csv"`,
];

async function* ledgerLines(
  read: (limit: number, seq: number | undefined) => Promise<readonly LedgerEntry[]>,
  { from, to }: { readonly from: Date; readonly to: Date },
): AsyncGenerator<string> {
  yield CSV_START + csvLine(['created_at', 'kind', 'cents', 'balance_after_cents', 'note', 'id']);
  let seq: number | undefined;
  for (let count = 0; count < CSV_ROWS_MAX; ) {
    const entries = await read(CSV_ROWS_AT_ONCE, seq);
    const wanted = entries
      .filter(({ createdAt }) => createdAt >= from && createdAt < to)
      .slice(0, CSV_ROWS_MAX - count);
    count += wanted.length;
    yield wanted.map((entry) => csvLine([entry.createdAt.toISOString(), ...cellsOf(entry)])).join('');
    seq = entries.at(-1)?.seq;
    if (entries.length < CSV_ROWS_AT_ONCE || entries.at(-1)!.createdAt < from) return;
  }
}

const cellsOf = ({ kind, cents, balanceAfterCents, note, id }: LedgerEntry): (string | number)[] => [
  ...[kind, cents, balanceAfterCents, note, id],
];
