import type { Static } from '@sinclair/typebox';
import { OperatorError } from '../../core/errors.ts';
import { passwordLink, type Role } from '../../core/management.ts';
import type { AccountShape } from '../../manage/schemas/account.ts';
import type { InvitationShape, KeyShape, PersonShape, TokenShape } from '../../manage/schemas/people.ts';
import type {
  AccountsDesk,
  InvitedPerson,
  KeyView,
  NewKey,
  NewToken,
  PeopleDesk,
  SecretsDesk,
  TokenView,
} from '../desk/desk.ts';
import { ifKnown, type ManageClient, part, unless } from './manage-client.ts';
import type { Reach } from './reach.ts';

type Account = Static<typeof AccountShape>;
type Token = Static<typeof TokenShape>;
type Key = Static<typeof KeyShape>;

const balanceOf = ({ id, balance_cents, reserved_cents }: Account) => ({
  account_id: id,
  balance_cents,
  reserved_cents,
});

export function farAccounts(client: ManageClient, reach: Reach): AccountsDesk {
  const topup = async (accountId: string, cents: number): Promise<void> => {
    const body = { cents, reason: 'command line' };
    await client.ask({ method: 'POST', path: '/account/topups', accountId, body });
  };
  return {
    list: () => reach.refs(),
    balances: async () =>
      (await reach.accounts()).map((account) => {
        const { account_id, ...cents } = balanceOf(account);
        return { account_id, name: account.name, ...cents };
      }),
    balance: async (accountId) => balanceOf(await client.ask<Account>({ path: '/account', accountId })),
    create: async (name, creditCents) => {
      await reach.require('operator', 'account');
      const { id: accountId } = await client.ask<Account>({ method: 'POST', path: '/accounts', body: { name } });
      if (creditCents > 0) await topup(accountId, creditCents);
      const body = { name: 'first token' };
      const { secret } = await client.ask<{ secret: string }>({ method: 'POST', path: '/tokens', accountId, body });
      return { account_id: accountId, token: secret };
    },
    topup,
  };
}

interface Listed {
  readonly createdAt: string;
}
/** The latest of all accounts first, as many as the command shows of a database. */
const SHOWN_MAX = 1_000;
const latest = <T extends Listed>(rows: T[]): T[] =>
  rows.sort((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0)).slice(0, SHOWN_MAX);

const secretView = (
  accountId: string,
  shown: string,
  { id, name, created_at, last_used_at, revoked_at }: Token | Key,
) => ({
  ...{ id, accountId, name, shown, createdAt: created_at, lastUsedAt: last_used_at, revokedAt: revoked_at },
});
const tokenView = (accountId: string, token: Token): TokenView => ({
  ...secretView(accountId, token.token, token),
  expiresAt: token.expires_at,
});
const keyView = (accountId: string, key: Key): KeyView => ({
  ...secretView(accountId, key.key, key),
  scopes: key.scopes,
});

/** @param word - `tokens` or `keys`: where they are, and what one of them is called in an answer, with an `s`. */
function farSecrets<Row, View extends Listed, New extends object>(
  client: ManageClient,
  reach: Reach,
  word: 'tokens' | 'keys',
  view: (accountId: string, row: Row) => View,
): SecretsDesk<View, New> {
  const path = `/${word}`;
  return {
    create: async (accountId, body) => {
      const made = await client.ask<{ secret: string; token?: Row; key?: Row }>({
        method: 'POST',
        path,
        accountId,
        body,
      });
      return { view: view(accountId, (made.token ?? made.key) as Row), secret: made.secret };
    },
    list: async (of) =>
      latest(
        await reach.each(of, async (accountId) =>
          (await client.all<Row>({ path, accountId }, SHOWN_MAX)).map((row) => view(accountId, row)),
        ),
      ),
    revoke: async (id) => {
      const done = await reach.find(id, async (accountId) => {
        await client.ask({ method: 'DELETE', path: `${path}/${part(id)}`, accountId });
        return {};
      });
      return done !== undefined;
    },
  };
}

export const farTokens = (client: ManageClient, reach: Reach): SecretsDesk<TokenView, NewToken> =>
  farSecrets<Token, TokenView, NewToken>(client, reach, 'tokens', tokenView);
export const farKeys = (client: ManageClient, reach: Reach): SecretsDesk<KeyView, NewKey> =>
  farSecrets<Key, KeyView, NewKey>(client, reach, 'keys', keyView);

export function farPeople(client: ManageClient, reach: Reach): PeopleDesk {
  type Invitation = Static<typeof InvitationShape>;
  const personOf = (accountId: string, { id, role }: { id: string; role: Role }): InvitedPerson => ({
    id,
    role,
    accountId,
  });
  return {
    byEmail: async (email) => {
      const people = await reach.each(undefined, async (accountId) =>
        (await client.all<Static<typeof PersonShape>>({ path: '/people', accountId }))
          .filter((person) => person.email === email)
          .map((person) => personOf(accountId, person)),
      );
      return people[0];
    },
    invite: async (accountId, email, role) => {
      const asked = client.ask<Invitation>({ method: 'POST', path: '/people', accountId, body: { email, role } });
      const full = unless('full', asked, () => 'full' as const);
      const made = await unless('taken', full, () => 'taken' as const);
      if (made === 'full') throw new OperatorError('The account has as many people as there may be.');
      if (made === 'taken') throw new OperatorError(`${email} was taken meanwhile.`);
      return { person: personOf(accountId, made.person), link: passwordLink(client.baseUrl, made.link_secret) };
    },
    link: async ({ id, accountId }) => {
      const asked = client.ask<Invitation>({ method: 'POST', path: `/people/${id}/link`, accountId });
      const made = await ifKnown(asked);
      if (!made) throw new OperatorError('Whoever it was is gone meanwhile.');
      return passwordLink(client.baseUrl, made.link_secret);
    },
  };
}
