import { boolean, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { DialogueResult } from '../core/agent-tests.ts';
import { time } from './schema.ts';

/** The tables of agents' tests, see `0018_agent-tests.sql`. */
export const agentTests = pgTable('agent_tests', {
  agentId: text('agent_id').primaryKey(),
  accountId: text('account_id').notNull(),
  yaml: text('yaml').notNull(),
  required: boolean('required').notNull().default(false),
  revision: integer('revision').notNull().default(1),
  updatedAt: time('updated_at').notNull().defaultNow(),
});

export type TestRunState = 'running' | 'passed' | 'failed' | 'broken';

export const agentTestRuns = pgTable('agent_test_runs', {
  id: text('id').primaryKey(),
  agentId: text('agent_id').notNull(),
  accountId: text('account_id').notNull(),
  agentVersion: integer('agent_version'),
  mode: text('mode').$type<'text' | 'voice'>().notNull(),
  trigger: text('trigger').$type<'asked' | 'publish'>().notNull(),
  state: text('state').$type<TestRunState>().notNull(),
  why: text('why'),
  dialogues: integer('dialogues').notNull(),
  results: jsonb('results').$type<readonly DialogueResult[]>().notNull().default([]),
  startedAt: time('started_at').notNull().defaultNow(),
  endedAt: time('ended_at'),
});
