import type { BookingRequest, BookingResult } from '../../src/billing/booking.ts';
import { Bookings } from '../../src/billing/bookings.ts';
import { CallOpenings } from '../../src/billing/call-openings.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { BookingRows } from '../../src/store/booking-rows.ts';
import type { CallStart } from '../../src/store/call-rows.ts';
import type { NewCharge } from '../../src/store/charge-rows.ts';
import type { Store } from '../../src/store/store.ts';

/** Money of a test, booked as the gateway books it. @param gateway - another one than that of the store. */
export function moneyOf(store: Pick<Store, 'pool' | 'bookings'>, gateway?: string) {
  const rows = gateway === undefined ? store.bookings : new BookingRows(store.pool, { id: gateway });
  const book = async (request: BookingRequest): Promise<BookingResult> =>
    (await new Bookings(rows).on(store.pool, [request]))[0]!;
  const outcomeOf = async (request: BookingRequest) => (await book(request)).outcome;
  return {
    reserve: (charge: NewCharge) => outcomeOf({ type: 'reserve', charge }),
    raise: (id: string, cents: number) => outcomeOf({ type: 'raise', id, cents }),
    settle: (id: string, cents: number) => book({ type: 'settle', id, cents }),
    release: (id: string) => outcomeOf({ type: 'release', id }),
    presume: (id: string) => outcomeOf({ type: 'presume', id }),
    void: (charge: NewCharge) => outcomeOf({ type: 'void', charge }),
    charge: (charge: NewCharge) => book({ type: 'charge', charge }),
    /** For service already given. */
    given: (charge: NewCharge) => book({ type: 'charge', charge, isGiven: true }),
  };
}

/** A call begins, with the hold of its first minute, or is refused. */
export async function beginCall(store: Store, call: CallStart, charge: NewCharge): Promise<string> {
  const { pool, bookings, calls, oneTrip } = store;
  const deps = { pool, oneTrip, bookings: new Bookings(bookings), calls, logger: silentLogger };
  return new CallOpenings(deps).begin({ call, charge });
}
