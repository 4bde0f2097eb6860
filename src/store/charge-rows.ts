import type pg from 'pg';
import type { Queryable } from './database.ts';
import type { Owner } from './gateway-identity.ts';

/** A charge to be made. `id` makes it happen once: a second one of the same id is answered `duplicate`. */
export interface NewCharge {
  readonly id: string; // <call id>/minute/0, a request id
  readonly accountId: string;
  readonly cents: number; // whole, >= 0
  readonly owner: string; // call, session or request it belongs to
  readonly kind: ChargeKind;
}

export type ChargeKind =
  | 'call-minute'
  | 'call-turn'
  | 'live-transcription'
  | 'reply'
  | 'speech'
  | 'privacy'
  | 'ask'
  | 'transcribe';
export type ReserveOutcome = 'reserved' | 'duplicate' | 'insufficient-credit' | 'unknown-account';
export type RaiseOutcome = 'raised' | 'insufficient-credit' | 'closed' | 'unknown-charge';
export type SettleOutcome = 'settled' | 'closed' | 'unknown-charge';
export type ReleaseOutcome = 'released' | 'closed' | 'unknown-charge';
export type PresumeOutcome = 'presumed' | 'closed' | 'unknown-charge';
export type VoidOutcome = 'voided' | 'unknown-account';
export type ChargeOutcome = 'settled' | 'closed' | 'insufficient-credit' | 'unknown-account';
export type TopupOutcome = 'done' | 'duplicate' | 'unknown-account' | 'insufficient-credit';

/** `cents` is what the charge has cost; `shortfallCents` what was due and not covered by the balance. */
export interface Booked<O> {
  readonly outcome: O;
  readonly cents: number;
  readonly shortfallCents: number;
}

export interface Balance {
  readonly balanceCents: number;
  readonly reservedCents: number;
  readonly availableCents: number;
}

export interface LedgerEntry {
  readonly seq: number;
  readonly id: string;
  readonly kind: string;
  readonly cents: number; // negative: a charge
  readonly balanceAfterCents: number;
  readonly note: string;
  readonly createdAt: Date;
}

export interface ChargeLine {
  readonly id: string;
  readonly kind: string;
  readonly cents: number;
  readonly createdAt: Date;
}
/** Of one owner: a call of a day has a few thousand. */
const LINES_MAX = 10_000;

type Value = string | number | boolean;

/**
 * Money, one statement each, atomic in the database (`0002_charge-functions.sql`). Works on the pool or inside a
 * transaction. @throws whatever the database throws; `databaseFault` says what to do about it.
 */
export class ChargeRows {
  /** @param owner - which gateway process open charges belong to, so that they can be released after it died. */
  constructor(
    private readonly queryable: Queryable,
    private readonly owner: Owner,
  ) {}

  /** The same operations inside the transaction of `client`. */
  within(client: pg.PoolClient): ChargeRows {
    return new ChargeRows(client, this.owner);
  }

  reserve(charge: NewCharge): Promise<ReserveOutcome> {
    return this.#outcome('charge_reserve', this.#fields(charge));
  }

  /** Holds `cents` in all for a charge that is open. */
  raise(id: string, cents: number): Promise<RaiseOutcome> {
    return this.#outcome('charge_raise', [id, cents]);
  }

  settle(id: string, cents: number): Promise<Booked<SettleOutcome>> {
    return this.#booked('charge_settle', [id, cents]);
  }

  release(id: string): Promise<ReleaseOutcome> {
    return this.#outcome('charge_release', [id]);
  }

  /** Gives back what a gateway held that was taken for dead: should it live after all, it settles late. */
  presume(id: string): Promise<PresumeOutcome> {
    return this.#outcome('charge_presume', [id]);
  }

  /** Reserve and settle at once. `partial`: for service already given; takes what there is and notes the shortfall. */
  charge(charge: NewCharge, partial: boolean): Promise<Booked<ChargeOutcome>> {
    return this.#booked('charge_now', [...this.#fields(charge), partial]);
  }

  /** What a session costs in the end, by its charge; what it may have been booked as when it was taken for dead is set right. */
  endSession(id: string, cents: number): Promise<string> {
    return this.#outcome('session_book', [id, cents, this.owner.id]);
  }

  /** Takes back whatever `charge` took or may still take, even when it is settled: the request it was for has failed. */
  void({ id, accountId, owner, kind }: NewCharge): Promise<VoidOutcome> {
    return this.#outcome('charge_void', [id, accountId, owner, kind, this.owner.id]);
  }

  topup(id: string, accountId: string, cents: number, kind: string, note: string): Promise<TopupOutcome> {
    return this.#outcome('account_topup', [id, accountId, cents, kind, note]);
  }

  async balance(accountId: string): Promise<Balance | undefined> {
    const { rows } = await this.queryable.query<{ balance: string; reserved: string }>({
      name: 'account-balance',
      text: 'SELECT balance_cents AS balance, reserved_cents AS reserved FROM accounts WHERE id = $1',
      values: [accountId],
    });
    const row = rows[0];
    if (!row) return undefined;
    const balanceCents = Number(row.balance);
    const reservedCents = Number(row.reserved);
    return { balanceCents, reservedCents, availableCents: balanceCents - reservedCents };
  }

  /** Gives back everything that `owner` still holds. */
  async releaseOwnedBy(owner: string): Promise<void> {
    await this.queryable.query({
      name: 'charges-release-owned',
      text: `SELECT charge_release(id) FROM charges WHERE owner = $1 AND state = 'reserved'`,
      values: [owner],
    });
  }

  /** As `presume`, of everything that `owner` holds. */
  async presumeOwnedBy(owner: string): Promise<void> {
    const { rows } = await this.queryable.query<{ id: string }>({
      name: 'charges-held',
      text: `SELECT id FROM charges WHERE owner = $1 AND state = 'reserved'`,
      values: [owner],
    });
    for (const { id } of rows) await this.presume(id);
  }

  /** What `owner` was charged for, in order. */
  async linesOf(owner: string): Promise<readonly ChargeLine[]> {
    const { rows } = await this.queryable.query<ChargeLine & { readonly cents: string }>(
      `SELECT id, kind, settled_cents AS cents, created_at AS "createdAt" FROM charges
       WHERE owner = $1 AND state = 'settled' ORDER BY created_at, id LIMIT ${LINES_MAX}`,
      [owner],
    );
    return rows.map((row) => ({ ...row, cents: Number(row.cents) }));
  }

  /** What `owner` has paid in the last day: whether a request that is repeated under its key was paid before a crash. */
  async paidBy(owner: string): Promise<number> {
    const { rows } = await this.queryable.query<{ cents: string }>({
      name: 'charges-paid',
      text: `SELECT coalesce(sum(settled_cents), 0) AS cents FROM charges
        WHERE owner = $1 AND state = 'settled' AND closed_at > now() - interval '23 hours 50 minutes'`,
      values: [owner],
    });
    return Number(rows[0]?.cents ?? 0);
  }

  /** The latest movements of an account, newest first; those before `seq`, where it is given. */
  async entries(accountId: string, limit: number, seq?: number): Promise<readonly LedgerEntry[]> {
    const { rows } = await this.queryable.query<LedgerEntry & { readonly balanceAfterCents: string }>(
      `SELECT seq, id, kind, cents, balance_after_cents AS "balanceAfterCents", note, created_at AS "createdAt"
       FROM ledger WHERE account_id = $1 AND ($3::bigint IS NULL OR seq < $3) ORDER BY seq DESC LIMIT $2`,
      [accountId, limit, seq ?? null],
    );
    return rows.map((row) => ({
      ...row,
      seq: Number(row.seq),
      cents: Number(row.cents),
      balanceAfterCents: Number(row.balanceAfterCents),
    }));
  }

  #fields(charge: NewCharge): Value[] {
    return [charge.id, charge.accountId, charge.cents, charge.owner, charge.kind, this.owner.id];
  }

  async #outcome<O extends string>(name: string, values: readonly Value[]): Promise<O> {
    const { rows } = await this.queryable.query<{ outcome: O }>({
      name,
      text: `SELECT ${call(name, values)} AS outcome`,
      values: [...values],
    });
    return rows[0]!.outcome;
  }

  async #booked<O extends string>(name: string, values: readonly Value[]): Promise<Booked<O>> {
    const { rows } = await this.queryable.query<{ outcome: O; cents: string; shortfall: string }>({
      name,
      text: `SELECT outcome, cents, shortfall FROM ${call(name, values)}`,
      values: [...values],
    });
    const row = rows[0]!;
    return { outcome: row.outcome, cents: Number(row.cents), shortfallCents: Number(row.shortfall) };
  }
}

const call = (name: string, values: readonly Value[]): string =>
  `${name}(${values.map((_, position) => `$${position + 1}`).join(', ')})`;
