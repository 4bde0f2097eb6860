import { expect } from 'vitest';
import type { Store } from '../../src/store/store.ts';

/** `store` is of a gateway that lives, for as long as a test lasts. */
export async function takeLease({ gateways }: Store): Promise<void> {
  const claim = await gateways.claim({ id: gateways.id, beat: 'test', leaseSeconds: 3_600 });
  expect(claim.outcome).toBe('held');
}
