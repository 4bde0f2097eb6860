import { and, asc, eq, isNull, or } from 'drizzle-orm';
import { newId } from '../core/ids.ts';
import type { DigestHashes, Trunk, TrunkDefinition } from '../core/trunk.ts';
import type { Database } from './database.ts';
import { trunks } from './schema.ts';
import type { SecretBox } from './secrets.ts';

/** Trunks of one installation: all are held in memory, and looked through for every call. */
export const TRUNKS_MAX = 1_000;

/** What a trunk keeps sealed. */
export interface TrunkSecrets {
  /** Answers challenges to calls and registrations of ours. */
  readonly password?: string;
  /** What a digest of the other side is checked against. */
  readonly inbound?: DigestHashes;
}

const SHAPE = {
  ...{ id: trunks.id, accountId: trunks.accountId, definition: trunks.definition },
  ...{ enabled: trunks.enabled, byOperator: trunks.byOperator },
};
type Row = Pick<typeof trunks.$inferSelect, keyof typeof SHAPE>;
const trunkOf = ({ accountId, ...row }: Row): Trunk => ({ ...row, accountId: accountId ?? undefined });
const ofAccount = (accountId: string | undefined) =>
  accountId === undefined ? isNull(trunks.accountId) : eq(trunks.accountId, accountId);

/** Trunks, of an account or (without one) of the operator. Another account's trunk is as unknown as none. */
export class TrunkRows {
  constructor(
    private readonly db: Database,
    private readonly secrets: () => SecretBox,
  ) {}

  /** Every trunk there is, by name. */
  async list(): Promise<readonly Trunk[]> {
    const rows = await this.db.select(SHAPE).from(trunks).orderBy(asc(trunks.name), asc(trunks.id)).limit(TRUNKS_MAX);
    return rows.map(trunkOf);
  }

  /** Those that an account may call by: its own first, then the operator's. */
  async listFor(accountId: string): Promise<readonly Trunk[]> {
    const rows = await this.db
      .select(SHAPE)
      .from(trunks)
      .where(or(eq(trunks.accountId, accountId), isNull(trunks.accountId)))
      .orderBy(asc(trunks.accountId), asc(trunks.name)) // NULL is last
      .limit(TRUNKS_MAX);
    return rows.map(trunkOf);
  }

  /** By id, or by name among those of `accountId` (the operator's, where it is undefined). */
  async get(idOrName: string, accountId: string | undefined): Promise<Trunk | undefined> {
    const [row] = await this.db
      .select(SHAPE)
      .from(trunks)
      .where(and(ofAccount(accountId), or(eq(trunks.id, idOrName), eq(trunks.name, idOrName))));
    return row && trunkOf(row);
  }

  /**
   * Makes a trunk, or gives the one of that name a new definition; its secrets stay where none are given.
   *
   * @param byOperator - who wrote this definition.
   * @returns `full` where there are as many as are held.
   */
  async put(
    accountId: string | undefined,
    definition: TrunkDefinition,
    secrets?: TrunkSecrets,
    byOperator = false,
  ): Promise<Trunk | 'full'> {
    const known = await this.get(definition.name, accountId);
    if (!known && (await this.db.$count(trunks)) >= TRUNKS_MAX) return 'full';
    const id = known?.id ?? newId('trk');
    const kept = secrets && known ? { ...(await this.secretsOf(id)), ...secrets } : secrets;
    const sealed = kept && this.secrets().seal(JSON.stringify(kept), id);
    const changed = { definition, byOperator, updatedAt: new Date(), ...(sealed && { sealed }) };
    await this.db
      .insert(trunks)
      .values({ id, accountId: accountId ?? null, name: definition.name, ...changed })
      .onConflictDoUpdate({ target: trunks.id, set: changed });
    return { id, accountId, definition, enabled: known?.enabled ?? true, byOperator };
  }

  /** @throws OperatorError where the key is not the one that they were sealed with. */
  async secretsOf(id: string): Promise<TrunkSecrets> {
    const [row] = await this.db.select({ sealed: trunks.sealed }).from(trunks).where(eq(trunks.id, id));
    return row?.sealed ? (JSON.parse(this.secrets().open(row.sealed, id)) as TrunkSecrets) : {};
  }

  /** @returns whether there is such a trunk. */
  async setEnabled(id: string, enabled: boolean): Promise<boolean> {
    const changed = { enabled, updatedAt: new Date() };
    return (await this.db.update(trunks).set(changed).where(eq(trunks.id, id)).returning({ id: trunks.id })).length > 0;
  }

  async remove(id: string): Promise<boolean> {
    const rows = await this.db.delete(trunks).where(eq(trunks.id, id)).returning({ id: trunks.id });
    return rows.length > 0;
  }
}
