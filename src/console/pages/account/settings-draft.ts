import { centsOf, dollarsOf, wholeOf } from './money.ts';

/** Null: no limit. */
interface Limits {
  readonly calls_at_once: number | null;
  readonly calls_a_day: number | null;
  readonly spend_a_day_cents: number | null;
  readonly requests_a_minute: number | null;
}
/** What is kept for a time of its own. */
export const KEPT = ['recordings_days', 'transcripts_days', 'calls_days', 'orders_days', 'refusals_days'] as const;
export type Kept = (typeof KEPT)[number];
/** Null: as the gateway has it. */
type Retention = { readonly [K in Kept]: number | null };
interface Account {
  readonly name: string;
  readonly time_zone: string;
  readonly balance_alert_cents: number | null;
  readonly limits: Limits;
  readonly retention: Retention;
  readonly retention_default: Retention;
}
interface Change {
  readonly name?: string;
  readonly time_zone?: string;
  readonly balance_alert_cents?: number | null;
  readonly limits?: Partial<Limits>;
  readonly retention?: Partial<Retention>;
}
export type NumberField = number | string; // '' is no value

/** What the fields hold while somebody edits. */
export interface Draft {
  readonly name: string;
  readonly timeZone: string;
  readonly callsAtOnce: NumberField;
  readonly callsADay: NumberField;
  readonly spendADay: NumberField; // dollars
  readonly requestsAMinute: NumberField;
  readonly alertBelow: NumberField; // dollars
  readonly days: { readonly [K in Kept]: NumberField };
}

export const draftOf = ({ name, time_zone, limits, retention, balance_alert_cents }: Account): Draft => ({
  ...{ name, timeZone: time_zone, callsAtOnce: limits.calls_at_once ?? '', callsADay: limits.calls_a_day ?? '' },
  ...{ spendADay: dollarsOf(limits.spend_a_day_cents), requestsAMinute: limits.requests_a_minute ?? '' },
  alertBelow: dollarsOf(balance_alert_cents),
  days: ofEach((name) => retention[name] ?? ''),
});

/** What is to be changed for the account to be as the fields say; undefined: it is. */
export function changeOf(account: Account, draft: Draft): Change | undefined {
  const limits = differing(account.limits, {
    calls_at_once: wholeOf(draft.callsAtOnce),
    calls_a_day: wholeOf(draft.callsADay),
    spend_a_day_cents: centsOf(draft.spendADay),
    requests_a_minute: wholeOf(draft.requestsAMinute) || null, // none at all is no limit anybody can have
  });
  const retention = differing(
    account.retention,
    ofEach((name) => wholeOf(draft.days[name])),
  );
  const plain = differing(account, {
    ...{ name: draft.name.trim(), time_zone: draft.timeZone },
    balance_alert_cents: centsOf(draft.alertBelow) || null, // there is no alert at nothing
  });
  if (!limits && !retention && !plain) return undefined;
  return { ...plain, ...(limits && { limits }), ...(retention && { retention }) };
}

function differing<T extends object>(before: T, after: { readonly [K in keyof T]?: T[K] }): Partial<T> | undefined {
  const changed = Object.entries(after).filter(([name, value]) => before[name as keyof T] !== value);
  return changed.length > 0 ? (Object.fromEntries(changed) as Partial<T>) : undefined;
}

const ofEach = <T>(value: (name: Kept) => T) =>
  Object.fromEntries(KEPT.map((name) => [name, value(name)])) as { readonly [K in Kept]: T };

/** Of which that is to be kept for shorter how many days are left: what is older goes for good. */
export function shortened(
  { retention, retention_default }: Account,
  change: Change,
): readonly (readonly [Kept, number])[] {
  return KEPT.flatMap((name) => {
    const asked = change.retention?.[name];
    if (asked === undefined) return [];
    const days = asked ?? retention_default[name] ?? Number.POSITIVE_INFINITY;
    const before = retention[name] ?? retention_default[name] ?? Number.POSITIVE_INFINITY;
    return days < before ? [[name, days] as const] : [];
  });
}
