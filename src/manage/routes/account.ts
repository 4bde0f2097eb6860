import { Type } from '@sinclair/typebox';
import { ServiceError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { isTimeZone } from '../../core/time-zone.ts';
import type { Account } from '../../store/accounts.ts';
import type { ManageDeps } from '../deps.ts';
import { ManageError } from '../manage-error.ts';
import { known, type ManageOperation, operation, requireMatch, tag as setTag } from '../operation.ts';
import { PAGE_QUERY, pageOf, pageOfAll } from '../pages.ts';
import * as shapes from '../schemas/account.ts';

const tag = 'Account';
const CENTS_MAX = 100_000_000;

/** The account itself: its credit, the limits that it sets for itself, and how long it keeps what is personal. */
export function accountOperations({ store, retention }: ManageDeps): ManageOperation[] {
  const accountOf = async (id: string): Promise<Account> => known(await store.accounts.get(id), 'account', id);
  return [
    operation(
      {
        ...{ id: 'getAccount', method: 'GET', path: '/account', tag, scope: 'read', tagged: true },
        summary: 'Get the account: its credit, its settings, and what it has used today',
        answer: shapes.AccountNowShape,
      },
      async ({ accountId, reply }) => {
        const [account, today] = await Promise.all([accountOf(accountId), store.accounts.today(accountId)]);
        setTag(reply, shapes.accountTag(account));
        return shapes.presentAccountNow(account, today, retention);
      },
    ),
    operation(
      {
        ...{ id: 'changeAccount', method: 'PATCH', path: '/account', tag, scope: 'account', tagged: true },
        summary: 'Change the name, the limits or the retention of the account; what is left out stays',
        description:
          'Limits hold from the next call or request on, beside those of the gateway; what is beyond the retention goes within minutes, for good.',
        body: shapes.AccountChange,
        answer: shapes.AccountNowShape,
      },
      async ({ accountId, body, request, reply, changed }) => {
        const before = await accountOf(accountId);
        requireMatch(request, shapes.accountTag(before));
        if (body.time_zone !== undefined && !isTimeZone(body.time_zone)) {
          throw new ServiceError('invalid_request', 'time_zone is none, such as Asia/Riyadh');
        }
        const after = known(await store.accounts.change(accountId, shapes.settingsOf(body)), 'account', accountId);
        changed({ kind: 'account', id: accountId, before: shapes.noted(before), after: shapes.noted(after) });
        setTag(reply, shapes.accountTag(after));
        return shapes.presentAccountNow(after, await store.accounts.today(accountId), retention);
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
        answer: shapes.AccountShape,
        errors: ['not_possible'],
      },
      async ({ accountId, body, changed }) => {
        const before = await accountOf(accountId);
        const outcome = await store.charges.topup(newId('chg'), accountId, body.cents, 'topup', body.reason);
        if (outcome !== 'done') throw new ManageError('not_possible', outcome);
        const after = await accountOf(accountId);
        const noted = ({ balanceCents }: Account) => ({ balance_cents: balanceCents });
        changed({ kind: 'account', id: accountId, before: noted(before), after: { ...noted(after), ...body } });
        return shapes.presentAccount(after);
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
        ...{ query: Type.Object(PAGE_QUERY), answer: pageOf(shapes.AccountShape) },
      },
      async ({ query }) => pageOfAll(await store.accounts.list(), query, ({ id }) => id, shapes.presentAccount),
    ),
    operation(
      {
        ...{ id: 'createAccount', method: 'POST', path: '/accounts', tag, scope: 'operator', status: 201 },
        summary: 'Make an account, without credit',
        body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) }),
        answer: shapes.AccountShape,
      },
      async ({ body, changed }) => {
        const account = await store.accounts.create(body.name);
        changed({ kind: 'account', id: account.id, after: { name: account.name } });
        return shapes.presentAccount(account);
      },
    ),
  ];
}
