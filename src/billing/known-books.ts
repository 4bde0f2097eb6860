import type { AccountPage } from '../store/account-page.ts';
import type { BookPages, ChargePage } from '../store/booking-rows.ts';
import type { BookingRequest } from './booking.ts';

/** About 0.3 kB each. */
const ACCOUNTS_MAX = 4_096;
const CHARGES_MAX = 16_384;

interface Known<P> {
  readonly page: P;
  /** From here on nobody else has written the account: so nobody has moved its charges. */
  readonly since: object;
}

/**
 * Accounts and open charges as this process wrote them last: what is decided by them is written only where the account still is so. Neither
 * an account whose day has a limit, since days end unwritten, nor anything that is closed.
 */
export class KnownBooks {
  readonly #accounts = new Map<string, Known<AccountPage>>();
  readonly #charges = new Map<string, Known<ChargePage>>();

  /** What is to be known for one request, if it is. A charge that is to be made is taken for new. */
  pages(request: BookingRequest): BookPages | undefined {
    const isNew = request.type === 'reserve' || request.type === 'charge';
    if (!isNew && !('id' in request)) return undefined;
    const charge = this.#charges.get('id' in request ? request.id : request.charge.id);
    const account = this.#accounts.get('charge' in request ? request.charge.accountId : (charge?.page.accountId ?? ''));
    if (!account || (charge && charge.since !== account.since)) return undefined;
    return { accounts: [account.page], charges: charge ? [charge.page] : [] };
  }

  /** @param changes - with the accounts as they had been read. @param accounts - as they are since. */
  put(changes: BookPages, accounts: readonly AccountPage[]): void {
    const before = new Map(changes.accounts.map(({ id, version }) => [id, version]));
    for (const page of accounts) {
      const known = this.#accounts.get(page.id);
      const since = known && known.page.version === before.get(page.id) ? known.since : {};
      if (page.spendLeftCents === undefined) put(this.#accounts, { page, since }, ACCOUNTS_MAX);
      else this.#accounts.delete(page.id);
    }
    for (const page of changes.charges) {
      const since = this.#accounts.get(page.accountId)?.since;
      if (page.state === 'reserved' && since) put(this.#charges, { page, since }, CHARGES_MAX);
      else this.#charges.delete(page.id);
    }
  }

  forget({ accounts }: BookPages): void {
    for (const { id } of accounts) this.#accounts.delete(id);
  }
}

/** The one that was written longest ago leaves. */
function put<P extends { readonly id: string }>(pages: Map<string, Known<P>>, known: Known<P>, max: number): void {
  pages.delete(known.page.id);
  pages.set(known.page.id, known);
  if (pages.size > max) pages.delete(pages.keys().next().value!);
}
