import { Type } from '@sinclair/typebox';
import { ServiceError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { isTimeZone } from '../../core/time-zone.ts';
import type { Account } from '../../store/accounts.ts';
import { USAGE_DAYS_MAX } from '../../store/usage.ts';
import type { ManageDeps } from '../deps.ts';
import { ManageError } from '../manage-error.ts';
import { known, type ManageOperation, operation } from '../operation.ts';
import { afterNumber, limitOf, PAGE_QUERY, page, pageOf, pageOfAll } from '../pages.ts';
import { named, orNull, timestamp } from '../schema-names.ts';

const tag = 'Account';
const CENTS_MAX = 100_000_000;
const DAY_MS = 86_400_000;
const TIME_ZONE = 'Asia/Riyadh';

const AccountShape = named(
  'Account',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    balance_cents: Type.Integer(),
    reserved_cents: Type.Integer({ description: 'Held for what is under way.' }),
    available_cents: Type.Integer(),
    created_at: timestamp(),
  }),
);
const present = ({ id, name, balanceCents, reservedCents, createdAt }: Account) => ({
  ...{ id, name, balance_cents: balanceCents, reserved_cents: reservedCents },
  ...{ available_cents: balanceCents - reservedCents, created_at: createdAt.toISOString() },
});

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

/** Credit: what there is, what moved it, and what it was used for. */
export function accountOperations({ store, clock }: ManageDeps): ManageOperation[] {
  const accountOf = async (id: string): Promise<Account> => known(await store.accounts.get(id), 'account', id);
  return [
    operation(
      {
        ...{
          id: 'getAccount',
          method: 'GET',
          path: '/account',
          tag,
          scope: 'read',
          summary: 'Get the account and its credit',
        },
        answer: AccountShape,
      },
      async ({ accountId }) => present(await accountOf(accountId)),
    ),
    operation(
      {
        ...{ id: 'listLedger', method: 'GET', path: '/account/ledger', tag, scope: 'read' },
        ...{
          summary: 'List what moved the balance, newest first',
          query: Type.Object(PAGE_QUERY),
          answer: pageOf(EntryShape),
        },
      },
      async ({ accountId, query }) => {
        const limit = limitOf(query);
        const rows = await store.charges.entries(accountId, limit + 1, afterNumber(query));
        return page(
          rows,
          limit,
          ({ seq }) => [seq],
          ({ seq, id, kind, cents, balanceAfterCents, note, createdAt }) => ({
            ...{
              seq,
              id,
              kind,
              cents,
              balance_after_cents: balanceAfterCents,
              note,
              created_at: createdAt.toISOString(),
            },
          }),
        );
      },
    ),
    operation(
      {
        ...{ id: 'topUp', method: 'POST', path: '/account/topups', tag, scope: 'operator', status: 201 },
        summary: 'Add credit',
        body: Type.Object({
          cents: Type.Integer({ minimum: 1, maximum: CENTS_MAX }),
          reason: Type.String({ minLength: 1, maxLength: 200, description: 'Stands in the ledger.' }),
        }),
        answer: AccountShape,
        errors: ['not_possible'],
      },
      async ({ accountId, body, changed }) => {
        const before = await accountOf(accountId);
        const outcome = await store.charges.topup(newId('chg'), accountId, body.cents, 'topup', body.reason);
        if (outcome !== 'done') throw new ManageError('not_possible', outcome);
        const after = await accountOf(accountId);
        const noted = ({ balanceCents }: Account) => ({ balance_cents: balanceCents });
        changed({ kind: 'account', id: accountId, before: noted(before), after: { ...noted(after), ...body } });
        return present(after);
      },
    ),
    operation(
      {
        ...{ id: 'getUsage', method: 'GET', path: '/account/usage', tag, scope: 'read' },
        summary: 'What was paid for, by day, kind and agent',
        query: Type.Object({
          from: Type.Optional(Type.String({ format: 'date-time', description: '30 days before `to` without it.' })),
          to: Type.Optional(Type.String({ format: 'date-time', description: 'Not part of it; now without it.' })),
          time_zone: Type.Optional(Type.String({ maxLength: 64, description: `Whose days; ${TIME_ZONE} without it.` })),
        }),
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
        const to = query.to === undefined ? clock.utc() : new Date(query.to);
        const from = query.from === undefined ? new Date(to.getTime() - 30 * DAY_MS) : new Date(query.from);
        const timeZone = query.time_zone ?? TIME_ZONE;
        if (!isTimeZone(timeZone)) throw new ServiceError('invalid_request', 'time_zone is none, such as Asia/Riyadh');
        if (from >= to || to.getTime() - from.getTime() > USAGE_DAYS_MAX * DAY_MS) {
          throw new ServiceError('invalid_request', `from must be before to, by ${USAGE_DAYS_MAX} days at most`);
        }
        const lines = await store.usage.of(accountId, { from, to, timeZone });
        return {
          ...{ from: from.toISOString(), to: to.toISOString(), time_zone: timeZone },
          total_cents: lines.reduce((sum, { cents }) => sum + cents, 0),
          lines: lines.map(({ day, kind, agentId, count, cents }) => ({ day, kind, agent_id: agentId, count, cents })),
        };
      },
    ),
    operation(
      {
        ...{
          id: 'listAccounts',
          method: 'GET',
          path: '/accounts',
          tag,
          scope: 'operator',
          summary: 'List all accounts, oldest first',
        },
        ...{ query: Type.Object(PAGE_QUERY), answer: pageOf(AccountShape) },
      },
      async ({ query }) => pageOfAll(await store.accounts.list(), query, ({ id }) => id, present),
    ),
    operation(
      {
        ...{ id: 'createAccount', method: 'POST', path: '/accounts', tag, scope: 'operator', status: 201 },
        summary: 'Make an account, without credit',
        body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) }),
        answer: AccountShape,
      },
      async ({ body, changed }) => {
        const account = await store.accounts.create(body.name);
        changed({ kind: 'account', id: account.id, after: { name: account.name } });
        return present(account);
      },
    ),
  ];
}
