/**
 * A charge, from before the service to its end:
 *
 *   (none) --reserve--> reserved --settle--> settled
 *                       reserved --release--> released      reserved --raise--> reserved
 *                       reserved --presume--> presumed --settle, release, raise--> as of reserved
 *
 * No way leads out of settled or released: that is what makes every operation safe to repeat, and why a charge id is never
 * used for a second service. `presumed`: given back because its gateway was taken for dead, which may have done the work and say
 * so later.
 */
export const CHARGE_TRANSITIONS = {
  none: { reserve: 'reserved' },
  reserved: { raise: 'reserved', settle: 'settled', release: 'released', presume: 'presumed' },
  presumed: { raise: 'reserved', settle: 'settled', release: 'released' },
  settled: {},
  released: {},
} as const;

export type ChargeState = keyof typeof CHARGE_TRANSITIONS;
export type ChargeEvent = 'reserve' | 'raise' | 'settle' | 'release' | 'presume';

/** The state after `event`, or undefined where it changes nothing (a repeated or late request). */
export function nextChargeState(state: ChargeState, event: ChargeEvent): ChargeState | undefined {
  const row: Partial<Record<ChargeEvent, ChargeState>> = CHARGE_TRANSITIONS[state];
  return row[event];
}
