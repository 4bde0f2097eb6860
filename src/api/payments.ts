import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { ChargeKind, NewCharge } from '../store/charge-rows.ts';
import type { ServiceDeps } from './deps.ts';
import { fromStore } from './from-store.ts';

export type PaidKind = Extract<ChargeKind, 'reply' | 'speech' | 'privacy' | 'ask' | 'transcribe'>;

export type HoldEnd = 'booked' | 'given-back';

/** Money held for one request. Exactly one of `settle` and `release` ends it; a second one does nothing. */
export interface Hold {
  /** Holds `cents` in all. @throws ServiceError `insufficient_credit`. */
  raise(cents: number): Promise<void>;
  /** Books it. @returns what the request costs. */
  settle(cents: number): Promise<number>;
  release(): Promise<void>;
}

/**
 * What requests cost. Every paid request holds its price before any work, and pays after it; what fails costs nothing. A
 * request with an Idempotency-Key that had paid when its gateway died is served again for what it paid.
 */
export class Payments {
  constructor(private readonly deps: Pick<ServiceDeps, 'ledger' | 'charges'>) {}

  /** @throws ServiceError `insufficient_credit`, or `unavailable` when the database is away. */
  async hold(request: FastifyRequest, kind: PaidKind, cents: number): Promise<Hold> {
    const paid = await this.#paidBefore(request);
    const hold = paid > 0 ? alreadyPaid(paid) : await this.#reserve(newCharge(request, kind, cents));
    let hasEnded: (how: HoldEnd) => void = () => {};
    if (request.idempotent) {
      request.idempotent.holdEnded = new Promise<HoldEnd>((resolve) => {
        hasEnded = resolve;
      });
    }
    let ending: Promise<number> | undefined;
    const end = (how: HoldEnd, work: () => Promise<number>): Promise<number> => {
      ending ??= work().finally(() => hasEnded(how));
      return ending;
    };
    return {
      raise: hold.raise,
      settle: (total) => end('booked', () => hold.settle(total)),
      release: async () => void (await end('given-back', () => hold.release().then(() => 0))),
    };
  }

  async #reserve(charge: NewCharge): Promise<Hold> {
    const { ledger } = this.deps;
    const { id } = charge;
    if ((await ledger.reserve(charge)) !== 'reserved') throw new ServiceError('insufficient_credit');
    return {
      raise: async (total) => {
        if ((await ledger.raise(id, total)) === 'insufficient-credit') throw new ServiceError('insufficient_credit');
      },
      settle: (total) => ledger.settle(id, total),
      release: () => ledger.release(id),
    };
  }

  /**
   * Does `work` for `cents`, or for what `work` says it cost, and names the cost in a header.
   *
   * @throws what `hold` or `work` throw; then nothing is charged.
   */
  async pay<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    price: { readonly kind: PaidKind; readonly cents: number },
    work: (hold: Hold) => Promise<{ readonly value: T; readonly cents?: number }>,
  ): Promise<{ readonly value: T; readonly costCents: number }> {
    const hold = await this.hold(request, price.kind, price.cents);
    let done: { readonly value: T; readonly cents?: number };
    try {
      done = await work(hold);
    } catch (error) {
      await hold.release();
      throw error;
    }
    const costCents = await hold.settle(done.cents ?? price.cents);
    reply.header('x-service-cost-cents', costCents);
    return { value: done.value, costCents };
  }

  /**
   * Books `cents` at once and names them in a header: for what is made already and worth nothing until it is sent.
   *
   * @returns what the request costs. @throws ServiceError `insufficient_credit`, or `unavailable`.
   */
  async charge(
    request: FastifyRequest,
    reply: FastifyReply,
    { kind, cents }: { readonly kind: PaidKind; readonly cents: number },
  ): Promise<number> {
    const paid = await this.#paidBefore(request);
    if (paid === 0) {
      const { outcome } = await this.deps.ledger.charge(newCharge(request, kind, cents));
      if (outcome !== 'settled') throw new ServiceError('insufficient_credit');
    }
    const costCents = paid > 0 ? paid : cents;
    reply.header('x-service-cost-cents', costCents);
    return costCents;
  }

  /** What an earlier run of this request under its key has paid; 0 for nearly all. */
  async #paidBefore({ idempotent }: FastifyRequest): Promise<number> {
    return idempotent ? fromStore(() => this.deps.charges.paidBy(idempotent.owner)) : 0;
  }
}

/** Ids are our own: one that a client chooses could be used twice. */
function newCharge(request: FastifyRequest, kind: PaidKind, cents: number): NewCharge {
  const id = newId('chg');
  return { id, accountId: request.caller.accountId, cents, owner: request.idempotent?.owner ?? id, kind };
}

function alreadyPaid(cents: number): Hold {
  return { raise: async () => {}, settle: async () => cents, release: async () => {} };
}
