import type { Billing } from '../billing/billing.ts';
import type { Store } from '../store/store.ts';

export interface SettleInterruptedDeps {
  readonly billing: Pick<Billing, 'recover'>;
  readonly store: Pick<Store, 'calls' | 'idempotency' | 'webhookDeliveries'>;
  readonly queueRecording: (callId: string, recording: string) => Promise<void>;
}

const RECORDINGS_MAX = 500; // queued again at a time; the rest next time

/**
 * The round of the caretaker, every minute: closes and books what dead gateways left open, queues recordings whose job was
 * lost (the database remembers them until they are worked on), forgets idempotency keys that have expired and what webhooks were
 * told a month ago. Safe to run twice.
 */
export async function settleInterrupted(deps: SettleInterruptedDeps): Promise<void> {
  await deps.billing.recover();
  for (const call of await deps.store.calls.pendingRecordings(RECORDINGS_MAX)) {
    if (call.recording !== null) await deps.queueRecording(call.id, call.recording);
  }
  await deps.store.idempotency.purge();
  await deps.store.webhookDeliveries.prune();
  await deps.store.webhookDeliveries.noteFull();
}
