import { OperatorError } from '../core/errors.ts';
import type { Phone } from '../core/trunk.ts';
import { PHONE_NAME } from '../store/phones.ts';
import type { Store } from '../store/store.ts';
import { findAccount } from './accounts.ts';
import type { CommandContext } from './context.ts';
import { emit, facts, table } from './output.ts';

const jsonOf = ({ id, accountId, name, username }: Phone) => ({
  phone_id: id,
  account_id: accountId,
  name,
  user: username,
});

/** A phone that may register, with the password that it is set up with: the only time that this is seen. */
export function createPhone(
  context: CommandContext,
  name: string,
  options: { account?: string; user?: string },
): Promise<void> {
  const username = options.user ?? name;
  for (const text of [name, username]) {
    if (!PHONE_NAME.test(text))
      throw new OperatorError(`${text} is no name of a phone: expected letters, digits, dot, _ and -.`);
  }
  return context.withStore(async (store) => {
    const account = await findAccount(store, options.account);
    const { realm } = context.config.sip;
    const made = await store.phones.create(account.id, { name, username, realm });
    if (made === 'taken') {
      throw new OperatorError(
        `There is a phone ${name} in that account, or a phone or trunk of user ${username}. Choose another --user.`,
      );
    }
    emit(context.out, { ...jsonOf(made.phone), password: made.password, realm }, () =>
      facts(context.out, [
        ['phone', `${made.phone.id} (${name})`],
        ['account', `${account.id} (${account.name})`],
        ['user', username],
        ['password', made.password],
        ['realm', realm],
        ['target', `phone:${name}`],
        ['note', 'The password is shown this once; only what it is checked against is kept, sealed.'],
      ]),
    );
  });
}

export function listPhones(context: CommandContext, options: { account?: string }): Promise<void> {
  return context.withStore(async (store) => {
    const accountId = options.account === undefined ? undefined : (await findAccount(store, options.account)).id;
    const phones = await store.phones.list(accountId);
    emit(context.out, phones.map(jsonOf), () =>
      table(
        context.out,
        ['id', 'name', 'user', 'account'],
        phones.map(({ id, name, username, accountId: owner }) => [id, name, username, owner]),
      ),
    );
  });
}

export function showPhone(context: CommandContext, wanted: string, options: { account?: string }): Promise<void> {
  return context.withStore(async (store) => {
    const phone = await findPhone(store, wanted, options.account);
    const found = await store.phones.digestOf(phone.username);
    const { realm } = context.config.sip;
    const same = found?.digest.realm === realm;
    emit(context.out, { ...jsonOf(phone), realm: found?.digest.realm ?? null, usable: same }, () =>
      facts(context.out, [
        ['phone', `${phone.id} (${phone.name})`],
        ['account', phone.accountId],
        ['user', phone.username],
        ['target', `phone:${phone.name}`],
        ['realm', same ? realm : `${found?.digest.realm}, which is not sip.realm (${realm}): make the phone anew`],
      ]),
    );
  });
}

export function removePhone(context: CommandContext, wanted: string, options: { account?: string }): Promise<void> {
  return context.withStore(async (store) => {
    const { id, name } = await findPhone(store, wanted, options.account);
    await store.phones.remove(id);
    emit(context.out, { phone_id: id, removed: true }, () =>
      context.out.write(`removed ${name}: it can register no more\n`),
    );
  });
}

async function findPhone(store: Store, wanted: string, account: string | undefined): Promise<Phone> {
  const accountId = account === undefined ? undefined : (await findAccount(store, account)).id;
  const all = await store.phones.list(accountId);
  const matching = all.filter(({ id, name }) => id === wanted || name === wanted);
  if (matching.length === 1) return matching[0]!;
  const known = all.map(({ id, name }) => `${id} (${name})`).join(', ') || 'none';
  throw new OperatorError(`No single phone ${wanted}. There are: ${known}`);
}
