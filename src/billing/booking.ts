import { type AccountPage, limitOf, withCall } from '../store/account-page.ts';
import type { AccountLimit } from '../store/accounts.ts';
import type { BookChanges, BookPages, ChargePage, EntryPage, WhatToRead } from '../store/booking-rows.ts';
import type { NewCharge } from '../store/charge-rows.ts';
import { type ChargeEvent, nextChargeState } from './charge-state.ts';

/**
 * One movement of money.
 *
 * - `charge` reserves and settles at once. `isGiven`: for service already given; takes what there is and notes the shortfall.
 * - `open` is a reserve of a call that begins, within the limits of its account.
 * - `presume` gives back what a gateway held that was taken for dead: should it live after all, it settles late.
 * - `void` takes back whatever a charge took or may still take, even when it is settled: the request it was for has failed. Where there
 *   is none it leaves a closed one, so that one that is still on its way finds it and changes nothing.
 * - `end-session` is what a session costs in the end, by its charge. One whose gateway was taken for dead was booked by its last
 *   checkpoint: what came after that is charged once, and what it should not have cost is given back.
 */
export type BookingRequest =
  | { readonly type: 'reserve' | 'open' | 'void'; readonly charge: NewCharge }
  | { readonly type: 'charge'; readonly charge: NewCharge; readonly isGiven?: true }
  | { readonly type: 'raise' | 'settle' | 'end-session'; readonly id: string; readonly cents: number }
  | { readonly type: 'release' | 'presume'; readonly id: string }
  | { readonly type: 'release-owned' | 'presume-owned'; readonly owner: string };

export type BookingOutcome =
  | 'reserved'
  | 'raised'
  | 'settled'
  | 'released'
  | 'presumed'
  | 'voided'
  | 'duplicate'
  | 'closed'
  | 'insufficient-credit'
  | AccountLimit
  | 'unknown-account'
  | 'unknown-charge';
/** `cents` is what the charge has cost; `shortfallCents` what was due and not covered by the balance. */
export interface BookingResult {
  readonly outcome: BookingOutcome;
  readonly cents: number;
  readonly shortfallCents: number;
}

/**
 * Applies requests in order, each as if it were alone: a refused one changes nothing and does not touch the others. Whatever money moves
 * by, moves by these rules: no other place has them.
 */
export function book(
  found: BookPages,
  requests: readonly BookingRequest[],
): { readonly results: readonly BookingResult[]; readonly changes: BookChanges } {
  const books = new Books(found);
  const results = requests.map((request) => books.apply(request));
  return { results, changes: books.changes() };
}

/** What has to be known of accounts and charges to decide them. */
export function touched(requests: readonly BookingRequest[]): WhatToRead {
  const accountIds = new Set<string>();
  const chargeIds = new Set<string>();
  const owners = new Set<string>();
  for (const request of requests) {
    if ('owner' in request) owners.add(request.owner);
    else chargeIds.add('charge' in request ? request.charge.id : request.id);
    if ('charge' in request) accountIds.add(request.charge.accountId);
    if (request.type === 'end-session') chargeIds.add(restOf(request.id));
  }
  const hasCalls = requests.some(({ type }) => type === 'open');
  return { accountIds: [...accountIds], chargeIds: [...chargeIds], owners: [...owners], hasCalls };
}

const restOf = (sessionId: string): string => `${sessionId}/rest`;
/** A result that booked nothing. */
const plain = (outcome: BookingOutcome): BookingResult => ({ outcome, cents: 0, shortfallCents: 0 });

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
      case 'open':
        return this.#open(request.charge);
      case 'charge':
        return this.#chargeAtOnce(request.charge, request.isGiven);
      case 'void':
        return this.#void(request.charge);
      case 'end-session':
        return this.#endSession(request.id, request.cents);
      case 'release-owned':
        return this.#ofOwner(request.owner, 'release');
      case 'presume-owned':
        return this.#ofOwner(request.owner, 'presume');
      case 'presume':
        return this.#ofOpen(request.id, 'presume', (charge, account) => this.#presume(charge, account));
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

  #open(charge: NewCharge): BookingResult {
    const account = this.#accounts.get(charge.accountId);
    const limit = account && limitOf(account, this.#charges.has(charge.id));
    if (limit) return plain(limit);
    const held = this.#reserve(charge);
    if (held.outcome === 'reserved')
      this.#accounts.set(charge.accountId, withCall(this.#accounts.get(charge.accountId)!));
    return held;
  }

  /** What was given already is taken from the balance, whatever may be spent today: no hold has to fit in. */
  #chargeAtOnce(charge: NewCharge, isGiven = false): BookingResult {
    const account = this.#accounts.get(charge.accountId);
    const cents = account && isGiven ? Math.min(charge.cents, mayHold(account)) : charge.cents;
    const held = this.#reserve({ ...charge, cents });
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

  #presume(charge: ChargePage, account: AccountPage): BookingResult {
    this.#putAccount({ ...account, reservedCents: account.reservedCents - charge.reservedCents });
    this.#putCharge({ ...charge, state: 'presumed', reservedCents: 0 });
    return plain('presumed');
  }

  /** Of a charge that is settled the booking is reversed under an id of its own. */
  #void({ cents: _, ...charge }: NewCharge): BookingResult {
    const account = this.#accounts.get(charge.accountId);
    if (!account) return plain('unknown-account');
    const none = { ...charge, reservedCents: 0, settledCents: 0, shortfallCents: 0 } as const;
    const made = this.#charges.get(charge.id) ?? { ...none, state: 'none' };
    if (made.state === 'released') return plain('voided');
    const isOpen = made.state === 'reserved' || made.state === 'presumed';
    const [reservedCents, back] = [account.reservedCents - (isOpen ? made.reservedCents : 0), made.settledCents];
    const balanceAfterCents = account.balanceCents + back;
    this.#putAccount({ ...account, balanceCents: balanceAfterCents, reservedCents });
    this.#putCharge({ ...made, state: 'released', settledCents: 0, shortfallCents: 0 });
    const entry = {
      id: `${charge.id}/reversal`,
      accountId: account.id,
      kind: made.kind,
      cents: back,
      balanceAfterCents,
    };
    if (back !== 0) this.#entries.push({ ...entry, note: 'the request failed' });
    return plain('voided');
  }

  #endSession(id: string, cents: number): BookingResult {
    const ended = this.apply(cents > 0 ? { type: 'settle', id, cents } : { type: 'release', id });
    const session = this.#charges.get(id);
    if (ended.outcome !== 'closed' || !session?.isInterrupted) return ended;
    const { accountId, kind } = session;
    if (cents === 0) return this.#void({ id, accountId, cents, owner: id, kind });
    const rest = cents - ended.cents - ended.shortfallCents;
    if (rest > 0) this.#chargeAtOnce({ id: restOf(id), accountId, cents: rest, owner: id, kind }, true);
    return ended;
  }

  #ofOwner(owner: string, event: 'release' | 'presume'): BookingResult {
    const held = [...this.#charges.values()].filter((charge) => charge.owner === owner && charge.state === 'reserved');
    for (const { id } of held) this.apply({ type: event, id });
    return plain('closed');
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
