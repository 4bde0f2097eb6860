import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BookingRequest, book } from '../../src/billing/booking.ts';
import type { BookPages, EntryPage } from '../../src/store/booking-rows.ts';
import { runs } from '../support/property-runs.ts';

const ACCOUNTS = ['acc_a', 'acc_b', 'acc_c'];
const CHARGES = ['chg_1', 'chg_2', 'chg_3', 'chg_4', 'chg_5', 'chg_6', 'chg_7'];

const cents = fc.integer({ min: 0, max: 40 });
const chargeId = fc.constantFrom(...CHARGES);
/** A charge always asks for the same account: ids are made for one request of one account. */
const charge = fc.tuple(chargeId, cents).map(([id, amount]) => {
  const accountId = CHARGES.indexOf(id) === 6 ? 'acc_unknown' : ACCOUNTS[CHARGES.indexOf(id) % ACCOUNTS.length]!;
  return { id, accountId, cents: amount, owner: id, kind: 'ask' as const };
});
const request: fc.Arbitrary<BookingRequest> = fc.oneof(
  fc.record({ type: fc.constantFrom('reserve', 'charge', 'open', 'void'), charge }),
  fc.record({ type: fc.constant('charge'), charge, isGiven: fc.constant(true) }),
  fc.record({ type: fc.constantFrom('raise', 'settle', 'end-session'), id: chargeId, cents }),
  fc.record({ type: fc.constantFrom('release', 'presume'), id: chargeId }),
  fc.record({ type: fc.constantFrom('release-owned', 'presume-owned'), owner: chargeId }),
) as fc.Arbitrary<BookingRequest>;

const START: BookPages = {
  accounts: ACCOUNTS.map((id, position) => ({ id, balanceCents: 60 * position, reservedCents: 0, version: '' })),
  charges: [],
};

/** The pages after a batch, as the database would give them to the next one. */
function turned(pages: BookPages, requests: readonly BookingRequest[]) {
  const { results, changes } = book(pages, requests);
  const accounts = new Map([...pages.accounts, ...changes.accounts].map((row) => [row.id, row]));
  const charges = new Map([...pages.charges, ...changes.charges].map((row) => [row.id, row]));
  return { results, changes, pages: { accounts: [...accounts.values()], charges: [...charges.values()] } };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function checkBooks({ accounts, charges }: BookPages, entries: readonly EntryPage[]): void {
  for (const account of accounts) {
    const own = entries.filter((entry) => entry.accountId === account.id);
    const start = START.accounts.find(({ id }) => id === account.id)!.balanceCents;
    expect(account.balanceCents).toBe(start + sum(own.map((entry) => entry.cents)));
    expect(own.at(-1)?.balanceAfterCents ?? start).toBe(account.balanceCents);
    const mine = charges.filter((one) => one.accountId === account.id);
    const held = mine.filter((one) => one.state === 'reserved').map((one) => one.reservedCents);
    expect(account.reservedCents).toBe(sum(held));
    expect(account.balanceCents).toBeGreaterThanOrEqual(account.reservedCents);
    expect(account.reservedCents).toBeGreaterThanOrEqual(0);
    expect(sum(mine.map((one) => one.settledCents)) + sum(own.map((entry) => entry.cents))).toBe(0);
  }
  expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length);
}

describe('booking', () => {
  it('any requests in any batches: never overdrawn, balance = sum of the ledger, holds = open charges', () => {
    fc.assert(
      fc.property(fc.array(fc.array(request, { maxLength: 25 }), { maxLength: 8 }), (batches) => {
        let pages = START;
        const entries: EntryPage[] = [];
        for (const batch of batches) {
          const turn = turned(pages, batch);
          pages = turn.pages;
          entries.push(...turn.changes.entries);
          checkBooks(pages, entries);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it('a batch is what its requests are one after the other', () => {
    fc.assert(
      fc.property(fc.array(request, { maxLength: 60 }), (requests) => {
        const whole = turned(START, requests);
        let pages = START;
        const single = requests.map((one) => {
          const turn = turned(pages, [one]);
          pages = turn.pages;
          return turn;
        });
        expect(whole.results).toEqual(single.flatMap((turn) => turn.results));
        expect(whole.changes.entries).toEqual(single.flatMap((turn) => turn.changes.entries));
        expect(whole.pages).toEqual(pages);
      }),
      { numRuns: runs(300) },
    );
  });

  it('a hundred holds with credit for three: three are held, the others change nothing', () => {
    const account = { id: 'acc_a', balanceCents: 6, reservedCents: 0, version: '' };
    const requests = Array.from({ length: 100 }, (_, n) => ({
      type: 'reserve' as const,
      charge: { id: `chg_${n}`, accountId: 'acc_a', cents: 2, owner: 'x', kind: 'ask' as const },
    }));
    const { results, changes } = book({ accounts: [account], charges: [] }, requests);
    expect(results.map((result) => result.outcome)).toEqual([
      ...Array(3).fill('reserved'),
      ...Array(97).fill('insufficient-credit'),
    ]);
    expect(changes.accounts).toEqual([{ ...account, reservedCents: 6 }]);
    expect(changes.charges).toHaveLength(3);
    expect(changes.entries).toEqual([]);
  });

  it('what changes nothing writes nothing', () => {
    const { changes } = book(START, [{ type: 'release', id: 'chg_1' }]);
    expect(changes).toEqual({ accounts: [], charges: [], entries: [] });
  });
});
