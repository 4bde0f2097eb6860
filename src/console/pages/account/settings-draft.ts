import { centsOf, dollarsOf, wholeOf } from './money.ts';

/** Null: no limit. */
interface Limits {
  readonly calls_at_once: number | null;
  readonly calls_a_day: number | null;
  readonly spend_a_day_cents: number | null;
}
/** Null: kept until somebody erases it. */
interface Retention {
  readonly recordings_days: number | null;
  readonly transcripts_days: number | null;
}
interface Account {
  readonly name: string;
  readonly time_zone: string;
  readonly balance_alert_cents: number | null;
  readonly limits: Limits;
  readonly retention: Retention;
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
  readonly alertBelow: NumberField; // dollars
  readonly recordingsDays: NumberField;
  readonly transcriptsDays: NumberField;
}

export const draftOf = ({ name, time_zone, limits, retention, balance_alert_cents }: Account): Draft => ({
  ...{ name, timeZone: time_zone, callsAtOnce: limits.calls_at_once ?? '', callsADay: limits.calls_a_day ?? '' },
  spendADay: dollarsOf(limits.spend_a_day_cents),
  alertBelow: dollarsOf(balance_alert_cents),
  recordingsDays: retention.recordings_days ?? '',
  transcriptsDays: retention.transcripts_days ?? '',
});

/** What is to be changed for the account to be as the fields say; undefined: it is. */
export function changeOf(account: Account, draft: Draft): Change | undefined {
  const limits = differing(account.limits, {
    calls_at_once: wholeOf(draft.callsAtOnce),
    calls_a_day: wholeOf(draft.callsADay),
    spend_a_day_cents: centsOf(draft.spendADay),
  });
  const retention = differing(account.retention, {
    recordings_days: wholeOf(draft.recordingsDays),
    transcripts_days: wholeOf(draft.transcriptsDays),
  });
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

/** Which of what is kept is to be kept for shorter: what is older goes for good. */
export function shortened({ retention }: Account, change: Change): readonly ('recordings_days' | 'transcripts_days')[] {
  return (['recordings_days', 'transcripts_days'] as const).filter((name) => {
    const days = change.retention?.[name];
    const before = retention[name];
    return days !== undefined && days !== null && (before === null || days < before);
  });
}
