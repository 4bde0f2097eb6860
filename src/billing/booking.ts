import type { AccountPage, BookChanges, BookPages, ChargePage, EntryPage } from '../store/booking-rows.ts';
import type { Booked, NewCharge } from '../store/charge-rows.ts';
import { type ChargeEvent, nextChargeState } from './charge-state.ts';

/** One movement of money that somebody waits for. `charge` is a reserve and a settle in one. */
export type BookingRequest =
  | { readonly type: 'reserve' | 'charge'; readonly charge: NewCharge }
  | { readonly type: 'raise' | 'settle'; readonly id: string; readonly cents: number }
  | { readonly type: 'release'; readonly id: string };

export type BookingOutcome =
  | 'reserved'
  | 'raised'
  | 'settled'
  | 'released'
  | 'duplicate'
  | 'closed'
  | 'insufficient-credit'
  | 'unknown-account'
  | 'unknown-charge';
export type BookingResult = Booked<BookingOutcome>;

/**
 * Applies requests in order, each as if it were alone: a refused one changes nothing and does not touch the others. The
 * same rules as the functions of `0002_charge-functions.sql`; a test holds the two together.
 */
export function book(
  found: BookPages,
  requests: readonly BookingRequest[],
): { readonly results: readonly BookingResult[]; readonly changes: BookChanges } {
  const books = new Books(found);
  const results = requests.map((request) => books.apply(request));
  return { results, changes: books.changes() };
}

/** A result that booked nothing. */
export const plain = (outcome: BookingOutcome): BookingResult => ({ outcome, cents: 0, shortfallCents: 0 });

class Books {
  readonly #accounts: Map<string, AccountPage>;
  readonly #charges: Map<string, ChargePage>;
  readonly #changedAccounts = new Set<string>();
  readonly #changedCharges = new Set<string>();
  readonly #entries: EntryPage[] = [];

  constructor(found: BookPages) {
    this.#accounts = new Map(found.accounts.map((account) => [account.id, account]));
    this.#charges = new Map(found.charges.map((charge) => [charge.id, charge]));
  }

  apply(request: BookingRequest): BookingResult {
    switch (request.type) {
      case 'reserve':
        return this.#reserve(request.charge);
      case 'charge':
        return this.#chargeAtOnce(request.charge);
      case 'raise':
        return this.#ofOpen(request.id, 'raise', (charge, account) => this.#raise(charge, account, request.cents));
      case 'settle':
        return this.#ofOpen(request.id, 'settle', (charge, account) => this.#settle(charge, account, request.cents));
      case 'release':
        return this.#ofOpen(request.id, 'release', (charge, account) => this.#release(charge, account));
    }
  }

  changes(): BookChanges {
    return {
      accounts: [...this.#changedAccounts].map((id) => this.#accounts.get(id)!),
      charges: [...this.#changedCharges].map((id) => this.#charges.get(id)!),
      entries: this.#entries,
    };
  }

  #reserve({ cents, ...charge }: NewCharge): BookingResult {
    const account = this.#accounts.get(charge.accountId);
    if (!account) return plain('unknown-account');
    if (this.#charges.has(charge.id)) return plain('duplicate');
    if (mayHold(account) < cents) return plain('insufficient-credit');
    this.#putAccount({ ...account, reservedCents: account.reservedCents + cents });
    this.#putCharge({ ...charge, state: 'reserved', reservedCents: cents, settledCents: 0, shortfallCents: 0 });
    return plain('reserved');
  }

  #chargeAtOnce(charge: NewCharge): BookingResult {
    const held = this.#reserve(charge);
    if (held.outcome !== 'reserved' && held.outcome !== 'duplicate') return held;
    return this.apply({ type: 'settle', id: charge.id, cents: charge.cents });
  }

  /** Who settles a charge that is closed hears what it has cost. */
  #ofOpen(
    id: string,
    event: ChargeEvent,
    work: (charge: ChargePage, account: AccountPage) => BookingResult,
  ): BookingResult {
    const charge = this.#charges.get(id);
    const account = charge && this.#accounts.get(charge.accountId);
    if (!charge || !account) return plain('unknown-charge');
    if (nextChargeState(charge.state, event) !== undefined) return work(charge, account);
    if (event !== 'settle') return plain('closed');
    return { outcome: 'closed', cents: charge.settledCents, shortfallCents: charge.shortfallCents };
  }

  #raise(charge: ChargePage, account: AccountPage, cents: number): BookingResult {
    const more = cents - charge.reservedCents;
    if (more <= 0) return plain('raised');
    if (mayHold(account) < more) return plain('insufficient-credit');
    this.#putAccount({ ...account, reservedCents: account.reservedCents + more });
    this.#putCharge({ ...charge, state: 'reserved', reservedCents: cents });
    return plain('raised');
  }

  /** Taken first from what is held and then from what is free; what neither covers is a shortfall, never a debt. */
  #settle(charge: ChargePage, account: AccountPage, due: number): BookingResult {
    const cents = Math.min(due, charge.reservedCents + available(account));
    const shortfallCents = due - cents;
    const balanceAfterCents = account.balanceCents - cents;
    const reservedCents = account.reservedCents - charge.reservedCents;
    this.#putAccount({ ...account, balanceCents: balanceAfterCents, reservedCents, ...spentOf(account, cents) });
    this.#putCharge({ ...charge, state: 'settled', settledCents: cents, shortfallCents });
    const { id, accountId, kind } = charge;
    if (cents !== 0) this.#entries.push({ id, accountId, kind, cents: -cents, balanceAfterCents });
    return { outcome: 'settled', cents, shortfallCents };
  }

  #release(charge: ChargePage, account: AccountPage): BookingResult {
    this.#putAccount({ ...account, reservedCents: account.reservedCents - charge.reservedCents });
    this.#putCharge({ ...charge, state: 'released' });
    return plain('released');
  }

  #putAccount(account: AccountPage): void {
    this.#accounts.set(account.id, account);
    this.#changedAccounts.add(account.id);
  }

  #putCharge(charge: ChargePage): void {
    this.#charges.set(charge.id, charge);
    this.#changedCharges.add(charge.id);
  }
}

const available = (account: AccountPage): number => account.balanceCents - account.reservedCents;
/** What a new hold may take: no more than the account may still spend today. */
const mayHold = ({ balanceCents, reservedCents, spendLeftCents = balanceCents }: AccountPage): number =>
  Math.max(0, Math.min(balanceCents, spendLeftCents) - reservedCents);
const spentOf = ({ spendLeftCents }: AccountPage, cents: number): Pick<AccountPage, 'spendLeftCents'> =>
  spendLeftCents === undefined ? {} : { spendLeftCents: Math.max(0, spendLeftCents - cents) };
