import { bigint, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { Role, Scope } from '../core/management.ts';
import { bytes, time } from './schema.ts';

/** The tables of whoever manages, see `0014_management.sql`. */
export const managementKeys = pgTable('management_keys', {
  id: text('id').primaryKey(),
  accountId: text('account_id').notNull(),
  name: text('name').notNull(),
  scopes: text('scopes').array().$type<readonly Scope[]>().notNull(),
  secretSha256: bytes('secret_sha256').notNull(),
  prefix: text('prefix').notNull(),
  last4: text('last4').notNull(),
  createdAt: time('created_at').notNull().defaultNow(),
  lastUsedAt: time('last_used_at'),
  revokedAt: time('revoked_at'),
});

export const people = pgTable('people', {
  id: text('id').primaryKey(),
  accountId: text('account_id').notNull(),
  email: text('email').notNull(),
  role: text('role').$type<Role>().notNull(),
  passwordHash: text('password_hash'),
  createdAt: time('created_at').notNull().defaultNow(),
  updatedAt: time('updated_at').notNull().defaultNow(),
  signedInAt: time('signed_in_at'),
});

export const passwordLinks = pgTable('password_links', {
  secretSha256: bytes('secret_sha256').primaryKey(),
  accountId: text('account_id').notNull(),
  personId: text('person_id'),
  createdAt: time('created_at').notNull().defaultNow(),
  expiresAt: time('expires_at').notNull(),
});

export const personSessions = pgTable('person_sessions', {
  id: text('id').primaryKey(),
  personId: text('person_id').notNull(),
  secretSha256: bytes('secret_sha256').notNull(),
  address: text('address').notNull(),
  userAgent: text('user_agent').notNull(),
  createdAt: time('created_at').notNull().defaultNow(),
  lastUsedAt: time('last_used_at').notNull().defaultNow(),
  expiresAt: time('expires_at').notNull(),
});

export const auditEntries = pgTable('audit_entries', {
  seq: bigint('seq', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  at: time('at').notNull().defaultNow(),
  accountId: text('account_id').notNull(),
  actorKind: text('actor_kind').$type<'person' | 'key' | 'link' | 'shell' | 'gateway'>().notNull(),
  actorId: text('actor_id').notNull(),
  actorName: text('actor_name').notNull(),
  action: text('action').notNull(),
  targetKind: text('target_kind').notNull(),
  targetId: text('target_id').notNull(),
  before: jsonb('before').$type<unknown>(),
  after: jsonb('after').$type<unknown>(),
  requestId: text('request_id').notNull(),
});
