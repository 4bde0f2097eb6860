import type { AccountLimit } from './accounts.ts';

type CallLimit = Exclude<AccountLimit, 'spend-a-day'>;

/** What is known of the money of an account when something is decided about it. */
export interface AccountPage {
  readonly id: string;
  readonly balanceCents: number;
  readonly reservedCents: number; // 0..balanceCents
  /** What may still be spent today, holds included; undefined: whatever the balance has. Never written. */
  readonly spendLeftCents?: number;
  /** How many more calls its limits, and the lines that gateways give it, allow. Known where calls begin. Never written. */
  readonly callsLeft?: Readonly<Partial<Record<CallLimit, number>>>;
  /** The row as it was read: another one once anybody has written it since. */
  readonly version: string;
}

/** Why an account begins no call now. @param isCounted - the call that asks is one of those that it has. */
export function limitOf(
  { callsLeft = {}, spendLeftCents, reservedCents }: AccountPage,
  isCounted = false,
): AccountLimit | undefined {
  const isReached = (limit: CallLimit): boolean => (callsLeft[limit] ?? 1) + (isCounted ? 1 : 0) <= 0;
  if (isReached('every-line')) return 'every-line';
  if (spendLeftCents !== undefined && spendLeftCents <= reservedCents) return 'spend-a-day';
  return (['calls-at-once', 'calls-a-day'] as const).find(isReached);
}

/** One call more has begun. */
export const withCall = ({ callsLeft = {}, ...account }: AccountPage): AccountPage => ({
  ...account,
  callsLeft: Object.fromEntries(Object.entries(callsLeft).map(([limit, left]) => [limit, left - 1])),
});
