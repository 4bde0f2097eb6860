import { createHash } from 'node:crypto';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import type { Account, AccountSettings, AccountToday } from '../../store/accounts.ts';
import type { RetentionDays } from '../../store/retention-rows.ts';
import { named, orNull, timestamp } from '../schema-names.ts';

const DAYS_MAX = 36_500;
const COUNT_MAX = 1_000_000;
const CENTS_MAX = 100_000_000;

const limitFields = {
  calls_at_once: Type.Integer({
    minimum: 0,
    maximum: COUNT_MAX,
    description: 'In and out; more calls in are refused.',
  }),
  calls_a_day: Type.Integer({ minimum: 0, maximum: COUNT_MAX, description: 'In and out, from midnight to midnight.' }),
  spend_a_day_cents: Type.Integer({
    ...{ minimum: 0, maximum: CENTS_MAX },
    description: 'Of calls and of the API: no call begins, no minute of one and no request that would go beyond it.',
  }),
  requests_a_minute: Type.Integer({
    ...{ minimum: 1, maximum: COUNT_MAX },
    description: 'Of the API, over all tokens together and beside the limit of each; a change holds within 4 seconds.',
  }),
};
const days = (description: string) => Type.Integer({ minimum: 1, maximum: DAYS_MAX, description });
const retentionFields = {
  recordings_days: days('Then recordings are deleted.'),
  transcripts_days: days('Then what was said and keyed is erased, with what was made of it: summary, outcome, values.'),
  calls_days: days('Then everything personal of a call is erased: words, keys, numbers, messages, recording.'),
  orders_days: days('After the end of an order: then whom it was to call, and what it was to say, are erased.'),
  refusals_days: days('Then callers who were refused are deleted.'),
};
const orNone = <T extends Record<string, TSchema>>(fields: T) =>
  Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, orNull(one)])) as {
    [K in keyof T]: ReturnType<typeof orNull<T[K]>>;
  };

const settings = {
  name: Type.String({ minLength: 1, maxLength: 100 }),
  time_zone: Type.String({ minLength: 1, maxLength: 64, description: 'Whose days limits and usage go by.' }),
  limits: Type.Object(orNone(limitFields), { description: 'Of the account itself; null: no limit.' }),
  retention: Type.Object(orNone(retentionFields), { description: 'Null: as `retention_default` says.' }),
  balance_alert_cents: orNull(
    Type.Integer({ minimum: 1, maximum: CENTS_MAX, description: 'A balance below it is told to webhooks.' }),
  ),
};
const credit = {
  id: Type.String(),
  balance_cents: Type.Integer(),
  reserved_cents: Type.Integer({ description: 'Held for what is under way.' }),
  available_cents: Type.Integer(),
  created_at: timestamp(),
};

export const AccountShape = named('Account', Type.Object({ ...credit, ...settings }));
export const AccountNowShape = named(
  'AccountNow',
  Type.Object({
    ...{ ...credit, ...settings },
    retention_default: Type.Object(orNone(retentionFields), {
      description: 'How long the gateway keeps it where the account sets nothing; null: until somebody erases it.',
    }),
    today: Type.Object({ calls_now: Type.Integer(), calls: Type.Integer(), spent_cents: Type.Integer() }),
  }),
);
export const AccountChange = Type.Object({
  name: Type.Optional(settings.name),
  time_zone: Type.Optional(settings.time_zone),
  limits: Type.Optional(Type.Partial(settings.limits)),
  retention: Type.Optional(Type.Partial(settings.retention)),
  balance_alert_cents: Type.Optional(settings.balance_alert_cents),
});

/** No days and no value are the same to whoever reads it. */
const retentionShown = (kept: { readonly [K in keyof RetentionDays]: number | null }) => ({
  ...{ recordings_days: kept.recordingsDays || null, transcripts_days: kept.transcriptsDays || null },
  ...{ calls_days: kept.callsDays || null, orders_days: kept.ordersDays || null },
  refusals_days: kept.refusalsDays || null,
});

const settingsShown = (account: Account) => ({
  ...{ name: account.name, time_zone: account.timeZone },
  limits: {
    ...{ calls_at_once: account.callsAtOnceMax, calls_a_day: account.callsADayMax },
    ...{ spend_a_day_cents: account.spendADayMaxCents, requests_a_minute: account.requestsAMinuteMax },
  },
  retention: retentionShown(account),
  balance_alert_cents: account.balanceAlertCents,
});

export const presentAccount = (account: Account) => ({
  ...{ id: account.id, balance_cents: account.balanceCents, reserved_cents: account.reservedCents },
  available_cents: account.balanceCents - account.reservedCents,
  created_at: account.createdAt.toISOString(),
  ...settingsShown(account),
});

export const presentAccountNow = (
  account: Account,
  { callsNow, calls, spentCents }: AccountToday,
  byDefault: RetentionDays,
) => ({
  ...presentAccount(account),
  retention_default: retentionShown(byDefault),
  today: { calls_now: callsNow, calls, spent_cents: spentCents },
});

/** For the audit log. */
export const noted = settingsShown;

/** Of the settings alone: the balance moves while somebody edits. */
export const accountTag = (account: Account): string =>
  `"${createHash('sha256')
    .update(JSON.stringify(settingsShown(account)))
    .digest('hex')
    .slice(0, 16)}"`;

/** What is asked for, as it is stored. */
export function settingsOf(change: Static<typeof AccountChange>) {
  const { name, time_zone, limits = {}, retention = {}, balance_alert_cents } = change;
  const wanted = {
    ...{ name, timeZone: time_zone, callsAtOnceMax: limits.calls_at_once, callsADayMax: limits.calls_a_day },
    ...{ spendADayMaxCents: limits.spend_a_day_cents, requestsAMinuteMax: limits.requests_a_minute },
    ...{ recordingsDays: retention.recordings_days, transcriptsDays: retention.transcripts_days },
    ...{ callsDays: retention.calls_days, ordersDays: retention.orders_days, refusalsDays: retention.refusals_days },
    balanceAlertCents: balance_alert_cents,
  };
  return Object.fromEntries(Object.entries(wanted).filter(([, one]) => one !== undefined)) as Partial<AccountSettings>;
}
