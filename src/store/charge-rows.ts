import type { Clock } from '../core/clock.ts';
import { idsFrom, spanOf } from '../core/ids.ts';
import type { Queryable } from './database.ts';

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
/** A charge that is closed within a day was made two days ago at most. */
const PAID_MS_MAX = 2 * 86_400_000;

/** Between which ids charges of calls, and then of live transcriptions, are that `owners` pay for: two values each, null where there is none. */
export const spansOf = (owners: readonly string[]): readonly (string | null)[] => [
  ...(spanOf('call', owners) ?? [null, null]),
  ...(spanOf('ts', owners) ?? [null, null]),
];

/** What there is and was of money, and credit. @throws whatever the database throws; `databaseFault` says what to do about it. */
export class ChargeRows {
  constructor(
    private readonly queryable: Queryable,
    private readonly clock: Clock,
  ) {}

  /** Adds credit, or takes some back, once by its id. */
  async topup(id: string, accountId: string, cents: number, kind: string, note: string): Promise<TopupOutcome> {
    const { rows } = await this.queryable.query<{ outcome: TopupOutcome }>({
      name: 'account_topup',
      text: 'SELECT account_topup($1, $2, $3, $4, $5) AS outcome',
      values: [id, accountId, cents, kind, note],
    });
    return rows[0]!.outcome;
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

  /** What a call or live transcription was charged for, in order. */
  async linesOf(owner: string): Promise<readonly ChargeLine[]> {
    const { rows } = await this.queryable.query<ChargeLine & { readonly cents: string }>(
      `SELECT id, kind, settled_cents AS cents, created_at AS "createdAt" FROM charges
       WHERE owner = $1 AND (id BETWEEN $2 AND $3 OR id BETWEEN $4 AND $5) AND state = 'settled' ORDER BY created_at, id LIMIT ${LINES_MAX}`,
      [owner, ...spansOf([owner])],
    );
    return rows.map((row) => ({ ...row, cents: Number(row.cents) }));
  }

  /** What a request has paid in the last day, by its key: whether one that is repeated under its key was paid before a crash. */
  async paidBy(owner: string): Promise<number> {
    const { rows } = await this.queryable.query<{ cents: string }>({
      name: 'charges-paid',
      text: `SELECT coalesce(sum(settled_cents), 0) AS cents FROM charges
        WHERE owner = $1 AND id >= $2 AND id < 'chh' AND state = 'settled' AND closed_at > now() - interval '23 hours 50 minutes'`,
      values: [owner, idsFrom('chg', new Date(this.clock.utc().getTime() - PAID_MS_MAX))],
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
}
