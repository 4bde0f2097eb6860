import { createHash, randomBytes } from 'node:crypto';
import { and, asc, eq, or, sql } from 'drizzle-orm';
import { newId } from '../core/ids.ts';
import type { DigestHashes, Phone } from '../core/trunk.ts';
import type { Database } from './database.ts';
import { phones, trunks } from './schema.ts';
import type { SecretBox } from './secrets.ts';

const PHONES_MAX = 10_000; // listed
const PASSWORD_BYTES = 18; // 144 bits, 24 characters that a person can type into a desk phone

/** What a phone and its user may be called. */
export const PHONE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const SHAPE = { id: phones.id, accountId: phones.accountId, name: phones.name, username: phones.username };

/** What a registrar keeps of a password, so that the password itself is nowhere. */
export function digestHashes(username: string, realm: string, password: string): DigestHashes {
  const ha1 = (algorithm: string): string =>
    createHash(algorithm).update(`${username}:${realm}:${password}`).digest('hex');
  return { realm, md5: ha1('md5'), sha256: ha1('sha256') };
}

/** Phones that may register, and call the agents of their account. */
export class PhoneRows {
  constructor(
    private readonly db: Database,
    private readonly secrets: () => SecretBox,
  ) {}

  /**
   * @returns the phone, and its password for the only time; `taken` where the name is one of the account already, or the
   *   user of anybody, a trunk included.
   */
  async create(
    accountId: string,
    { name, username, realm }: { readonly name: string; readonly username: string; readonly realm: string },
  ): Promise<{ readonly phone: Phone; readonly password: string } | 'taken'> {
    const ofTrunk = sql`${trunks.definition} @> ${JSON.stringify({ inbound: { auth: 'digest', username } })}::jsonb`;
    if ((await this.db.$count(trunks, ofTrunk)) > 0) return 'taken';
    const id = newId('pho');
    const password = randomBytes(PASSWORD_BYTES).toString('base64url');
    const sealed = this.secrets().seal(JSON.stringify(digestHashes(username, realm, password)), id);
    const [phone] = await this.db
      .insert(phones)
      .values({ id, accountId, name, username, sealed })
      .onConflictDoNothing()
      .returning(SHAPE);
    return phone ? { phone, password } : 'taken';
  }

  list(accountId?: string): Promise<readonly Phone[]> {
    const mine = accountId === undefined ? undefined : eq(phones.accountId, accountId);
    return this.db.select(SHAPE).from(phones).where(mine).orderBy(asc(phones.name), asc(phones.id)).limit(PHONES_MAX);
  }

  /** By id or name; another account's is as unknown as none. */
  async get(accountId: string, idOrName: string): Promise<Phone | undefined> {
    const [phone] = await this.db
      .select(SHAPE)
      .from(phones)
      .where(and(eq(phones.accountId, accountId), or(eq(phones.id, idOrName), eq(phones.name, idOrName))));
    return phone;
  }

  /**
   * Whom a digest of `username` is checked against; undefined where nobody is called so.
   *
   * @throws OperatorError where the key is not the one that it was sealed with.
   */
  async digestOf(username: string): Promise<{ readonly phone: Phone; readonly digest: DigestHashes } | undefined> {
    const [row] = await this.db
      .select({ ...SHAPE, sealed: phones.sealed })
      .from(phones)
      .where(eq(phones.username, username));
    if (!row) return undefined;
    const { sealed, ...phone } = row;
    return { phone, digest: JSON.parse(this.secrets().open(sealed, phone.id)) as DigestHashes };
  }

  /** Whether some account has a phone of that user. */
  async hasUser(username: string): Promise<boolean> {
    return (await this.db.$count(phones, eq(phones.username, username))) > 0;
  }

  async remove(id: string): Promise<boolean> {
    const rows = await this.db.delete(phones).where(eq(phones.id, id)).returning({ id: phones.id });
    return rows.length > 0;
  }
}
