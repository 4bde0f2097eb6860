import { OperatorError } from '../core/errors.ts';
import type { Phone } from '../core/trunk.ts';
import { PHONE_NAME } from '../store/phones.ts';
import { accountIdOf, findAccount } from './accounts.ts';
import type { CommandContext } from './context.ts';
import type { Desk } from './desk/desk.ts';
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
  return context.withDesk(async (desk) => {
    const account = await findAccount(desk, options.account);
    const made = await desk.phones.create(account.id, { name, username });
    if (made === 'taken') {
      throw new OperatorError(
        `There is a phone ${name} in that account, or a phone or trunk of user ${username}. Choose another --user.`,
      );
    }
    emit(context.out, { ...jsonOf(made.phone), password: made.password, realm: made.realm }, () =>
      facts(context.out, [
        ['phone', `${made.phone.id} (${name})`],
        ['account', `${account.id} (${account.name})`],
        ['user', username],
        ['password', made.password],
        ['realm', made.realm],
        ['target', `phone:${name}`],
        ['note', 'The password is shown this once; only what it is checked against is kept, sealed.'],
      ]),
    );
  });
}

export function listPhones(context: CommandContext, options: { account?: string }): Promise<void> {
  return context.withDesk(async (desk) => {
    const phones = await desk.phones.list(await accountIdOf(desk, options.account));
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
  return context.withDesk(async (desk) => {
    const phone = await findPhone(desk, wanted, options.account);
    const { realm = null, usable } = await desk.phones.realms(phone);
    emit(context.out, { ...jsonOf(phone), realm, usable }, () =>
      facts(context.out, [
        ['phone', `${phone.id} (${phone.name})`],
        ['account', phone.accountId],
        ['user', phone.username],
        ['target', `phone:${phone.name}`],
        ['realm', usable ? `${realm}` : `${realm}, which is not sip.realm of the gateway: make the phone anew`],
      ]),
    );
  });
}

export function removePhone(context: CommandContext, wanted: string, options: { account?: string }): Promise<void> {
  return context.withDesk(async (desk) => {
    const phone = await findPhone(desk, wanted, options.account);
    await desk.phones.remove(phone);
    emit(context.out, { phone_id: phone.id, removed: true }, () =>
      context.out.write(`removed ${phone.name}: it can register no more\n`),
    );
  });
}

async function findPhone(desk: Desk, wanted: string, account: string | undefined): Promise<Phone> {
  const all = await desk.phones.list(await accountIdOf(desk, account));
  const matching = all.filter(({ id, name }) => id === wanted || name === wanted);
  if (matching.length === 1) return matching[0]!;
  const known = all.map(({ id, name }) => `${id} (${name})`).join(', ') || 'none';
  throw new OperatorError(`No single phone ${wanted}. There are: ${known}`);
}
