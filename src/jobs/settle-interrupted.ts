import type { Billing } from '../billing/billing.ts';
import type { Store } from '../store/store.ts';

export interface SettleInterruptedDeps {
  readonly billing: Pick<Billing, 'recover'>;
  readonly store: Pick<Store, 'idempotency' | 'oneUseTokens' | 'webhookDeliveries' | 'usage' | 'months'>;
}

/**
 * The round of the caretaker, every minute: closes and books what dead gateways left open, forgets idempotency keys and tokens that have
 * expired and what webhooks were told a month ago, adds up what was used, makes the tables of the next month. Safe to run twice.
 */
export async function settleInterrupted(deps: SettleInterruptedDeps): Promise<void> {
  await deps.billing.recover();
  await deps.store.idempotency.purge();
  await deps.store.oneUseTokens.purge();
  await deps.store.webhookDeliveries.prune();
  await deps.store.webhookDeliveries.noteFull();
  await deps.store.usage.sumUp();
  await deps.store.months.prepare();
  await deps.store.months.dropEmpty();
}
