import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import type { DocumentFault, DocumentState } from '../core/agent-documents.ts';
import { bytes, time } from './schema.ts';

/** The table of agents' documents, see `0027_agent-documents.sql`. */
export const agentDocuments = pgTable('agent_documents', {
  id: text('id').primaryKey(),
  accountId: text('account_id').notNull(),
  agentId: text('agent_id').notNull(),
  name: text('name').notNull(),
  type: text('type').notNull(),
  size: integer('size').notNull(),
  bytes: bytes('bytes').notNull(),
  state: text('state').$type<DocumentState>().notNull().default('queued'),
  reason: text('reason').$type<DocumentFault>(),
  detail: text('detail'),
  tries: integer('tries').notNull().default(0),
  lines: bytes('lines'),
  characters: integer('characters'),
  words: integer('words'),
  pages: integer('pages'),
  excerpt: text('excerpt'),
  createdAt: time('created_at').notNull().defaultNow(),
  touchedAt: time('touched_at').notNull().defaultNow(),
});
