import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import { TtlCache } from './ttl-cache.ts';

/** A revoked secret may work that much longer at another gateway on the same database; here it stops at once. */
const IDENTITY_TTL_MS = 4_000;
const IDENTITIES_MAX = 10_000;
const LAST_USED_EVERY_MS = 60_000;
const SECRET_CHARS_MAX = 200; // longer ones are hashed cut: they match nothing

export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

export interface SecretOwner<I> {
  readonly identity: I;
  readonly secretSha256: Buffer;
}

export interface SecretTable<I> {
  /** The row in force of that hash. One that is not in force yields none: reading and then refusing it took a tenth longer. */
  look(hash: Buffer): Promise<SecretOwner<I> | undefined>;
  idOf(identity: I): string;
  /** Told once a minute of one that is used. */
  used(id: string): Promise<unknown>;
}

/**
 * Whose a secret is. Missing, malformed, unknown and revoked ones take the same way through hash, query and comparison, so
 * that time tells nothing.
 */
export class SecretIdentities<I> {
  readonly #identities: TtlCache<I | undefined>;
  readonly #lastUsed: TtlCache<unknown>;
  constructor(
    private readonly table: SecretTable<I>,
    clock: Clock,
  ) {
    this.#identities = new TtlCache(clock, IDENTITY_TTL_MS, IDENTITIES_MAX);
    this.#lastUsed = new TtlCache(clock, LAST_USED_EVERY_MS, IDENTITIES_MAX);
  }

  async authenticate(presented: string | undefined): Promise<I | undefined> {
    const hash = sha256((presented ?? '').slice(0, SECRET_CHARS_MAX));
    const key = hash.toString('hex');
    const identity = await this.#identities.get(key, () => this.#look(hash));
    if (!identity) {
      this.#identities.delete(key); // A guess takes no room, and a secret made a moment later works.
      return undefined;
    }
    const id = this.table.idOf(identity);
    void this.#lastUsed.get(id, () => this.table.used(id)).catch(() => undefined);
    return identity;
  }

  /** It is in force no more. */
  forget(secretSha256: Buffer): void {
    this.#identities.delete(secretSha256.toString('hex'));
  }

  forgetAll(): void {
    this.#identities.clear();
  }

  async #look(hash: Buffer): Promise<I | undefined> {
    const found = await this.table.look(hash);
    const same = timingSafeEqual(found?.secretSha256 ?? Buffer.alloc(hash.length), hash);
    return found && same ? found.identity : undefined;
  }
}
