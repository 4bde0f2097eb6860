import type { Static } from '@sinclair/typebox';
import { OperatorError } from '../../core/errors.ts';
import type { Scope } from '../../core/management.ts';
import type { AccountShape } from '../../manage/schemas/account.ts';
import type { WhoShape } from '../../manage/schemas/people.ts';
import type { AccountRef, OfAccount } from '../desk/desk.ts';
import { ifKnown, type ManageClient } from './manage-client.ts';

type Account = Static<typeof AccountShape>;
type Who = Static<typeof WhoShape>;

/** Accounts that one command asks one after the other. */
const ACCOUNTS_MAX = 500;
const REMEMBERED_MAX = 1_000;

/** Which accounts a key reaches: its own, and with the scope `operator` all. */
export class Reach {
  #who: Promise<Who> | undefined;
  #accounts: Promise<readonly Account[]> | undefined;
  /** Where a thing was found: a command that waits for it asks again. */
  readonly #ownerOf = new Map<string, string>();

  constructor(private readonly client: ManageClient) {}

  who(): Promise<Who> {
    this.#who ??= this.client.ask<Who>({ path: '/session' });
    return this.#who;
  }

  /** @throws OperatorError where the key cannot do all of what follows: half of it would be worse than nothing. */
  async require(...scopes: readonly Scope[]): Promise<void> {
    const { scopes: own } = await this.who();
    const lacking = scopes.filter((scope) => !own.includes(scope));
    if (lacking.length > 0) throw new OperatorError(`The key lacks the scope ${lacking.join(' and ')}.`);
  }

  async isOperator(): Promise<boolean> {
    return (await this.who()).scopes.includes('operator');
  }

  /** With their credit. */
  accounts(): Promise<readonly Account[]> {
    this.#accounts ??= this.#ask();
    return this.#accounts;
  }

  async #ask(): Promise<readonly Account[]> {
    if (await this.isOperator()) return this.client.all<Account>({ path: '/accounts' });
    return [await this.client.ask<Account>({ path: '/account' })];
  }

  /** Accounts by name; of a key that may not read, its own by its id. */
  async refs(): Promise<readonly AccountRef[]> {
    const { account_id: id, scopes } = await this.who();
    return scopes.includes('read') || scopes.includes('operator') ? this.accounts() : [{ id, name: id }];
  }

  /** Rows of one account, or of all that are reached, one account after the other. */
  async each<T>(of: OfAccount, rowsOf: (accountId: string) => Promise<readonly T[]>): Promise<T[]> {
    const rows: T[] = [];
    for (const accountId of of === undefined ? await this.#ids() : [of]) rows.push(...(await rowsOf(accountId)));
    return rows;
  }

  /** A thing by its id, in whichever account it is. */
  async find<T>(id: string, ask: (accountId: string) => Promise<T>): Promise<(T & object) | undefined> {
    const before = this.#ownerOf.get(id);
    for (const accountId of before === undefined ? await this.#ids() : [before]) {
      const found = await ifKnown(ask(accountId));
      if (found === undefined || found === null) continue;
      this.remember(id, accountId);
      return found as T & object;
    }
    return undefined;
  }

  remember(id: string, accountId: string): void {
    if (this.#ownerOf.size < REMEMBERED_MAX) this.#ownerOf.set(id, accountId);
  }

  /** Its own first: most things that are asked for are there. */
  async #ids(): Promise<readonly string[]> {
    const { account_id: own } = await this.who();
    if (!(await this.isOperator())) return [own];
    const others = (await this.accounts()).map(({ id }) => id).filter((id) => id !== own);
    if (others.length >= ACCOUNTS_MAX) {
      throw new OperatorError(
        `There are more than ${ACCOUNTS_MAX} accounts: name one, or use a key that is no operator's.`,
      );
    }
    return [own, ...others];
  }
}
