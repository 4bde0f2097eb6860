import { OperatorError } from '../core/errors.ts';
import type { Trunk, TrunkDefinition } from '../core/trunk.ts';
import { inTransaction } from '../store/database.ts';
import { digestHashes } from '../store/phones.ts';
import type { Store } from '../store/store.ts';
import type { TrunkSecrets } from '../store/trunks.ts';

/** A trunk that is to be stored, with what is sealed of it. */
export interface NewTrunk {
  readonly definition: TrunkDefinition;
  readonly account: string | undefined; // id or name; the operator's without
  readonly password: string | undefined;
  readonly inboundPassword: string | undefined;
  /** Who wrote it; an account where it is left out. What an account wrote leads to the public internet alone. */
  readonly byOperator?: boolean;
  /** Environment variables that should have had a password. */
  readonly unset: readonly string[];
}

const SETTING = 'imported-trunks';
const LOCK_KEY = 7_102_318_346; // gateways that start together on one database take turns

/** @throws OperatorError where the environment lacks a password that the file wants from it. */
export function requirePasswords({ definition, unset }: Pick<NewTrunk, 'definition' | 'unset'>): void {
  if (unset.length === 0) return;
  throw new OperatorError(
    `Trunk ${definition.name} takes a password from the environment: set ${unset.join(' and ')}, this once.`,
  );
}

/** Stores a trunk under its name, in place of one that has it. @throws OperatorError where that cannot be. */
export async function storeTrunk(store: Store, file: NewTrunk, realm: string): Promise<Trunk> {
  const { definition, password, inboundPassword, byOperator = false } = file;
  requirePasswords(file);
  const accountId = file.account === undefined ? undefined : await accountNamed(store, file.account);
  await refuseOverlap(store, definition, accountId);
  await refuseNamesake(store, definition, accountId);
  const { username } = definition.inbound;
  const secrets: TrunkSecrets = {
    ...(password !== undefined && { password }),
    ...(inboundPassword !== undefined &&
      username !== undefined && { inbound: digestHashes(username, realm, inboundPassword) }),
  };
  const kept = Object.keys(secrets).length > 0 ? secrets : undefined;
  const trunk = await store.trunks.put(accountId, definition, kept, byOperator);
  if (trunk === 'full') throw new OperatorError('There are as many trunks as a gateway holds: remove one.');
  return trunk;
}

/**
 * Imports the trunks of the configuration, each once: from then on the database owns it, and one that was removed does not come
 * back.
 *
 * @returns the names of those that are new.
 */
export async function importTrunks(
  store: Store,
  files: readonly NewTrunk[],
  realm: string,
): Promise<readonly string[]> {
  if (files.length === 0) return [];
  return inTransaction(store.pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK_KEY]);
    const known = (await store.settings.get<readonly string[]>(SETTING)) ?? [];
    const fresh = files.filter((file) => !known.includes(keyOf(file)));
    for (const file of fresh) await storeTrunk(store, { ...file, byOperator: true }, realm);
    if (fresh.length > 0) await store.settings.set(SETTING, [...known, ...fresh.map(keyOf)]);
    return fresh.map(({ definition }) => definition.name);
  });
}

const keyOf = ({ account = '', definition }: NewTrunk): string => `${account}/${definition.name}`;

/** Whoever says that user from anywhere could be two: the password of one would be asked of the other. */
async function refuseNamesake(store: Store, definition: TrunkDefinition, accountId: string | undefined): Promise<void> {
  const { name, inbound } = definition;
  const { username } = inbound;
  if (inbound.auth !== 'digest' || username === undefined) return;
  if (await store.phones.hasUser(username)) {
    throw new OperatorError(`There is a phone of user ${username}: give the trunk another inbound.username.`);
  }
  if (inbound.sources.length > 0) return; // Its address tells it apart.
  const other = (await store.trunks.list()).find(
    ({ definition: one, accountId: owner }) =>
      (one.name !== name || owner !== accountId) &&
      one.inbound.sources.length === 0 &&
      one.inbound.username === username,
  );
  if (other) throw new OperatorError(`Trunk ${other.definition.name} is known by user ${username} already.`);
}

async function accountNamed(store: Store, wanted: string): Promise<string> {
  const all = await store.accounts.list();
  const matching = all.filter(({ id, name }) => id === wanted || name === wanted);
  if (matching.length === 1) return matching[0]!.id;
  const known = all.map(({ id, name }) => `${id} (${name})`).join(', ') || 'none';
  throw new OperatorError(`No single account ${wanted}. There are: ${known}`);
}

/** Two trunks of one address could not be told apart: the calls of one account would be looked for in the other. */
async function refuseOverlap(store: Store, definition: TrunkDefinition, accountId: string | undefined): Promise<void> {
  const { name, inbound } = definition;
  const others = (await store.trunks.list()).filter((t) => t.definition.name !== name || t.accountId !== accountId);
  for (const { definition: other } of others) {
    const shared = inbound.sources.find((entry) => other.inbound.sources.includes(entry));
    const apart =
      inbound.auth === 'digest' && other.inbound.auth === 'digest' && inbound.username !== other.inbound.username;
    if (shared !== undefined && !apart) {
      throw new OperatorError(
        `Trunk ${other.name} takes the calls of ${shared} already. One trunk without an account serves all accounts; a ` +
          'digest user each tells two trunks apart.',
      );
    }
  }
}
