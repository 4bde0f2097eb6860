import { bigint, boolean, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { WEBHOOK_TEST, WebhookEventType } from '../core/webhook.ts';
import { bytes, time } from './schema.ts';

/** The tables of webhooks, see `0023_webhooks.sql`. */
export const webhooks = pgTable('webhooks', {
  id: text('id').primaryKey(),
  accountId: text('account_id').notNull(),
  url: text('url').notNull(),
  events: text('events').array().$type<readonly WebhookEventType[]>().notNull(),
  description: text('description').notNull().default(''),
  enabled: boolean('enabled').notNull().default(true),
  disabledReason: text('disabled_reason').$type<'gone' | 'failing'>(),
  sealed: bytes('sealed').notNull(),
  sealedBefore: bytes('sealed_before'),
  beforeUntil: time('before_until'),
  failingSince: time('failing_since'),
  isSlow: boolean('is_slow').notNull().default(false),
  isFull: boolean('is_full').notNull().default(false),
  createdAt: time('created_at').notNull().defaultNow(),
  updatedAt: time('updated_at').notNull().defaultNow(),
});

export const webhookEvents = pgTable('webhook_events', {
  id: text('id').primaryKey(),
  accountId: text('account_id').notNull(),
  type: text('type').$type<WebhookEventType | typeof WEBHOOK_TEST>().notNull(),
  subjectId: text('subject_id').notNull(),
  facts: jsonb('facts').$type<Readonly<Record<string, unknown>>>().notNull(),
  createdAt: time('created_at').notNull().defaultNow(),
});

/** One try of a delivery. */
export interface WebhookTry {
  readonly at: string; // ISO 8601
  readonly status: number | null;
  readonly ms: number;
  readonly error: string | null; // why it was no success
  readonly answer?: string; // the beginning of what was answered; goes with what is erased
}

export const webhookDeliveries = pgTable('webhook_deliveries', {
  seq: bigint('seq', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  id: text('id').notNull(),
  eventId: text('event_id').notNull(),
  webhookId: text('webhook_id').notNull(),
  accountId: text('account_id').notNull(),
  type: text('type').$type<WebhookEventType | typeof WEBHOOK_TEST>().notNull(),
  state: text('state').$type<'pending' | 'delivered' | 'failed'>().notNull().default('pending'),
  tries: integer('tries').notNull().default(0),
  history: jsonb('history').$type<readonly WebhookTry[]>().notNull().default([]),
  nextAt: time('next_at').notNull().defaultNow(),
  lease: text('lease'),
  leasedUntil: time('leased_until'),
  createdAt: time('created_at').notNull().defaultNow(),
  closedAt: time('closed_at'),
});

export const trunkOutages = pgTable('trunk_outages', {
  trunkId: text('trunk_id').primaryKey(),
  since: time('since').notNull().defaultNow(),
});
