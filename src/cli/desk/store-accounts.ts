import { OperatorError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { passwordLink } from '../../core/management.ts';
import type { ManagementKey } from '../../store/management-keys.ts';
import type { Person } from '../../store/people.ts';
import type { Store } from '../../store/store.ts';
import type { Token } from '../../store/tokens.ts';
import type { Settings } from '../settings.ts';
import type { AccountsDesk, KeyView, NewKey, NewToken, PeopleDesk, SecretsDesk, TokenView } from './desk.ts';
import { note } from './shell-note.ts';

export function accountsOfStore(store: Store): AccountsDesk {
  const topup = async (accountId: string, cents: number): Promise<void> => {
    const outcome = await store.charges.topup(newId('chg'), accountId, cents, 'topup', 'command line');
    if (outcome !== 'done') throw new OperatorError(`The balance was not changed: ${outcome}`);
  };
  return {
    list: () => store.accounts.list(),
    balances: async () =>
      (await store.accounts.list()).map(({ id, name, balanceCents, reservedCents }) => ({
        ...{ account_id: id, name, balance_cents: balanceCents, reserved_cents: reservedCents },
      })),
    balance: async (id) => {
      const { balanceCents = 0, reservedCents = 0 } = (await store.charges.balance(id)) ?? {};
      return { account_id: id, balance_cents: balanceCents, reserved_cents: reservedCents };
    },
    create: async (name, creditCents) => {
      const account = await store.accounts.create(name);
      if (creditCents > 0) await topup(account.id, creditCents);
      const { secret } = await store.tokens.create(account.id, 'first token');
      return { account_id: account.id, token: secret };
    },
    topup,
  };
}

const secretView = ({
  id,
  accountId,
  name,
  prefix,
  last4,
  createdAt,
  lastUsedAt,
  revokedAt,
}: Token | ManagementKey) => ({
  ...{ id, accountId, name, shown: `${prefix}...${last4}`, createdAt: createdAt.toISOString() },
  ...{ lastUsedAt: lastUsedAt?.toISOString() ?? null, revokedAt: revokedAt?.toISOString() ?? null },
});
const tokenView = (token: Token): TokenView => ({
  ...secretView(token),
  expiresAt: token.expiresAt?.toISOString() ?? null,
});
const keyView = (key: ManagementKey): KeyView => ({ ...secretView(key), scopes: key.scopes });

export const tokensOfStore = ({ tokens }: Store): SecretsDesk<TokenView, NewToken> => ({
  create: async (accountId, { name }) => {
    const { token, secret } = await tokens.create(accountId, name);
    return { view: tokenView(token), secret };
  },
  list: async (accountId) => (await tokens.list(accountId)).map(tokenView),
  revoke: (id) => tokens.revoke(id),
});

export const keysOfStore = (store: Store): SecretsDesk<KeyView, NewKey> => ({
  create: async (accountId, { name, scopes }) => {
    const { key, secret } = await store.managementKeys.create(accountId, name, scopes);
    await note(store, accountId, 'createKey', { kind: 'key', id: key.id }, { name, scopes: key.scopes });
    return { view: keyView(key), secret };
  },
  list: async (accountId) => (await store.managementKeys.list(accountId)).map(keyView),
  revoke: async (id) => {
    const key = await store.managementKeys.revoke(id);
    if (key) await note(store, key.accountId, 'revokeKey', { kind: 'key', id }, { revoked: true });
    return key !== undefined;
  },
});

export function peopleOfStore(store: Store, { config }: Pick<Settings, 'config'>): PeopleDesk {
  const { host, port } = config.http;
  const linkFor = async ({ id, accountId, role }: Pick<Person, 'id' | 'accountId' | 'role'>): Promise<string> => {
    const secret = await store.personAccess.createLink(accountId, id);
    await note(store, accountId, 'createPersonLink', { kind: 'person', id }, { role });
    return passwordLink(`http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`, secret);
  };
  return {
    byEmail: async (email) => (await store.people.byEmail(email))?.person,
    invite: async (accountId, email, role) => {
      const person = await store.people.create(accountId, email, role);
      if (person === 'full') throw new OperatorError('The account has as many people as there may be.');
      if (person === 'taken') throw new OperatorError(`${email} was taken meanwhile.`);
      return { person, link: await linkFor(person) };
    },
    link: linkFor,
  };
}
