import type { NewCharge } from '../../src/store/charge-rows.ts';

/** The first minute of a call, for nothing. */
export const freeMinute = (callId: string, accountId: string): NewCharge => ({
  ...{ id: `${callId}/minute/0`, accountId, cents: 0, owner: callId, kind: 'call-minute' },
});
