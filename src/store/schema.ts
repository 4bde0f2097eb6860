import {
  bigint,
  boolean,
  customType,
  date,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core';
import type { AgentDefinition, AgentStatus } from '../core/agent.ts';
import type { AnalysisState, CallAnalysis } from '../core/call-analysis.ts';
import type { KeptBinding } from '../core/registration.ts';
import type { ServicesUsed } from '../core/service-use.ts';
import type { LadderStep } from '../core/sip-ladder.ts';
import type { CallSource, TrunkDefinition } from '../core/trunk.ts';
import type { TrunkStatus } from '../core/trunk-status.ts';
import type { TurnDetails } from '../core/turn-details.ts';

/**
 * The tables as queries see them; `migrations/` makes them, and a test holds the two together. Amounts are whole cents in
 * 64-bit columns: far below 2^53, so they are plain numbers here.
 */
const cents = (name: string) => bigint(name, { mode: 'number' });
export const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
export const searched = customType<{ data: string; driverData: string }>({ dataType: () => 'tsvector' });
export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });

export const accounts = pgTable('accounts', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  balanceCents: cents('balance_cents').notNull().default(0),
  reservedCents: cents('reserved_cents').notNull().default(0),
  timeZone: text('time_zone').notNull().default('Asia/Riyadh'),
  callsAtOnceMax: integer('calls_at_once_max'),
  callsADayMax: integer('calls_a_day_max'),
  requestsAMinuteMax: integer('requests_a_minute_max'),
  spendADayMaxCents: cents('spend_a_day_max_cents'),
  recordingsDays: integer('recordings_days'),
  transcriptsDays: integer('transcripts_days'),
  callsDays: integer('calls_days'),
  ordersDays: integer('orders_days'),
  refusalsDays: integer('refusals_days'),
  spentOn: date('spent_on'),
  spentCents: cents('spent_cents').notNull().default(0),
  balanceAlertCents: cents('balance_alert_cents'),
  createdAt: time('created_at').notNull().defaultNow(),
});

export const tokens = pgTable('tokens', {
  id: text('id').primaryKey(),
  accountId: text('account_id').notNull(),
  name: text('name').notNull(),
  secretSha256: bytes('secret_sha256').notNull(),
  prefix: text('prefix').notNull(),
  last4: text('last4').notNull(),
  createdAt: time('created_at').notNull().defaultNow(),
  lastUsedAt: time('last_used_at'),
  revokedAt: time('revoked_at'),
  personId: text('person_id'),
  expiresAt: time('expires_at'),
});

export const agents = pgTable('agents', {
  id: text('id').primaryKey(),
  accountId: text('account_id').notNull(),
  name: text('name').notNull(),
  status: text('status').$type<AgentStatus>().notNull(),
  version: integer('version').notNull(),
  createdAt: time('created_at').notNull().defaultNow(),
  updatedAt: time('updated_at').notNull().defaultNow(),
  deletedAt: time('deleted_at'),
});

export const agentVersions = pgTable(
  'agent_versions',
  {
    agentId: text('agent_id').notNull(),
    version: integer('version').notNull(),
    definition: jsonb('definition').$type<AgentDefinition>().notNull(),
    createdAt: time('created_at').notNull().defaultNow(),
    yaml: text('yaml'),
  },
  (table) => [primaryKey({ columns: [table.agentId, table.version] })],
);

export const numbers = pgTable('numbers', {
  number: text('number').primaryKey(),
  accountId: text('account_id').notNull(),
  agentId: text('agent_id').notNull(),
  createdAt: time('created_at').notNull().defaultNow(),
  enabled: boolean('enabled').notNull().default(true),
});

/** Seen from us: a caller reached an agent, or an agent called somebody. */
export type CallDirection = 'inbound' | 'outbound';
export type RecordingState = 'pending' | 'ready' | 'failed';

/** One target that was tried for a caller; the row of `call/transfer-outcome.ts`. */
export interface KeptTransfer {
  readonly target: string;
  readonly by: string;
  readonly outcome: string;
  readonly detail?: string;
  readonly startedMs: number;
  readonly answeredMs?: number;
  readonly joinedMs?: number;
  readonly endedMs?: number;
}

/** One key of the caller's. */
export interface KeptKeyPress {
  readonly key: string;
  readonly means: 'event' | 'tone' | 'info';
  readonly atMs: number; // since the call was answered
}

/** Loss, jitter and MOS of stretches of `everyMs`, the first of which begins at `fromMs` since the answer; null: nothing came. */
export interface KeptQuality {
  readonly fromMs: number;
  readonly everyMs: number;
  readonly lossPercent: readonly (number | null)[];
  readonly jitterMs: readonly (number | null)[];
  readonly mos: readonly (number | null)[];
}

export const calls = pgTable('calls', {
  id: text('id').primaryKey(),
  sipCallId: text('sip_call_id').notNull(),
  accountId: text('account_id').notNull(),
  agentId: text('agent_id').notNull(),
  agentVersion: integer('agent_version').notNull(),
  agentName: text('agent_name').notNull(),
  from: text('from_number').notNull(),
  to: text('to_number').notNull(),
  gateway: text('gateway').notNull(),
  startedAt: time('started_at').notNull(),
  answeredAt: time('answered_at'),
  endedAt: time('ended_at'),
  talkMs: integer('talk_ms').notNull().default(0),
  endParty: text('end_party'),
  endReason: text('end_reason'),
  endDetail: text('end_detail'),
  dtmf: text('dtmf').notNull().default(''),
  quality: jsonb('quality').$type<Readonly<Record<string, number | string>>>(),
  recording: text('recording'),
  recordingState: text('recording_state').$type<RecordingState>(),
  costCents: cents('cost_cents').notNull().default(0),
  direction: text('direction').$type<CallDirection>().notNull().default('inbound'),
  transfers: jsonb('transfers').$type<readonly KeptTransfer[]>(),
  sourceKind: text('source_kind').$type<CallSource['kind']>(),
  sourceName: text('source_name'),
  answeredBy: text('answered_by').$type<'human' | 'machine' | 'unknown'>(),
  erasedAt: time('erased_at'),
  words: searched('words'),
  qualityOverTime: jsonb('quality_over_time').$type<KeptQuality>(),
  keys: jsonb('keys').$type<readonly KeptKeyPress[]>(),
  services: jsonb('services').$type<ServicesUsed>(),
  recordingAnswerMs: integer('recording_answer_ms'),
  judgedTurns: integer('judged_turns'),
  understoodTurns: integer('understood_turns'),
  answerMs: integer('answer_ms').array(),
  outcome: text('outcome'),
  analysis: jsonb('analysis').$type<Omit<CallAnalysis, 'outcome'>>(),
  analysisState: text('analysis_state').$type<AnalysisState>(),
  transcriptErasedAt: time('transcript_erased_at'),
});

export type DialOrderState = 'queued' | 'dialling' | 'ringing' | 'answered' | 'ended';
/** What becomes of a call that a machine takes; `undetected`: nobody looks whether one does. */
export type OnMachine = 'undetected' | 'hangup' | 'leave-message' | 'ignore';

export const dialOrders = pgTable('dial_orders', {
  id: text('id').primaryKey(),
  accountId: text('account_id').notNull(),
  agentId: text('agent_id').notNull(),
  target: text('target').notNull(),
  from: text('from_number').notNull(),
  trunk: text('trunk'),
  variables: jsonb('variables').$type<Readonly<Record<string, string>>>().notNull(),
  maxRingSeconds: integer('max_ring_seconds').notNull(),
  onMachine: text('on_machine').$type<OnMachine>().notNull(),
  message: text('message'),
  retrySeconds: jsonb('retry_seconds').$type<Readonly<Record<string, readonly number[]>>>().notNull(),
  timeZone: text('time_zone'),
  idempotencyKey: text('idempotency_key'),
  requestSha256: bytes('request_sha256').notNull(),
  state: text('state').$type<DialOrderState>().notNull().default('queued'),
  attempt: integer('attempt').notNull().default(0),
  nextAt: time('next_at').notNull(),
  expiresAt: time('expires_at').notNull(),
  cancelAt: time('cancel_at'),
  gateway: text('gateway'),
  trunkId: text('trunk_id'),
  callId: text('call_id'),
  sipCallId: text('sip_call_id'),
  createdAt: time('created_at').notNull().defaultNow(),
  diallingAt: time('dialling_at'),
  sentAt: time('sent_at'),
  ringingAt: time('ringing_at'),
  answeredAt: time('answered_at'),
  endedAt: time('ended_at'),
  lineUntil: time('line_until'),
  endParty: text('end_party'),
  endReason: text('end_reason'),
  endDetail: text('end_detail'),
});

export const dialAttempts = pgTable(
  'dial_attempts',
  {
    orderId: text('order_id').notNull(),
    attempt: integer('attempt').notNull(),
    accountId: text('account_id').notNull(),
    trunkId: text('trunk_id'),
    sipCallId: text('sip_call_id').notNull(),
    diallingAt: time('dialling_at').notNull(),
    endedAt: time('ended_at'),
    endReason: text('end_reason'),
  },
  (table) => [primaryKey({ columns: [table.orderId, table.attempt] })],
);

export const doNotCall = pgTable('do_not_call', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  accountId: text('account_id'),
  number: text('number').notNull(),
  note: text('note').notNull().default(''),
  until: time('until'),
  createdAt: time('created_at').notNull().defaultNow(),
});

export const turns = pgTable(
  'turns',
  {
    callId: text('call_id').notNull(),
    index: integer('index').notNull(),
    role: text('role').$type<'caller' | 'agent' | 'person'>().notNull(),
    text: text('text').notNull(),
    startedMs: integer('started_ms').notNull(),
    heardMs: integer('heard_ms').notNull(),
    latencyMs: integer('latency_ms'),
    timings: jsonb('timings').$type<Readonly<Record<string, number>>>(),
    heardBy: text('heard_by').$type<'person'>(),
    details: jsonb('details').$type<TurnDetails>(),
  },
  (table) => [primaryKey({ columns: [table.callId, table.index] })],
);

export type ChargeRowState = 'reserved' | 'settled' | 'released' | 'presumed';

export const charges = pgTable('charges', {
  id: text('id').primaryKey(),
  accountId: text('account_id').notNull(),
  owner: text('owner').notNull(),
  kind: text('kind').notNull(),
  state: text('state').$type<ChargeRowState>().notNull(),
  reservedCents: cents('reserved_cents').notNull(),
  settledCents: cents('settled_cents').notNull().default(0),
  shortfallCents: cents('shortfall_cents').notNull().default(0),
  gateway: text('gateway').notNull(),
  createdAt: time('created_at').notNull().defaultNow(),
  closedAt: time('closed_at'),
});

export const ledger = pgTable('ledger', {
  seq: bigint('seq', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  id: text('id').notNull(),
  accountId: text('account_id').notNull(),
  kind: text('kind').notNull(),
  cents: cents('cents').notNull(),
  balanceAfterCents: cents('balance_after_cents').notNull(),
  note: text('note').notNull().default(''),
  createdAt: time('created_at').notNull().defaultNow(),
});

export const sessions = pgTable('sessions', {
  id: text('id').primaryKey(),
  accountId: text('account_id').notNull(),
  kind: text('kind').notNull(),
  gateway: text('gateway').notNull(),
  startedAt: time('started_at').notNull().defaultNow(),
  checkpointAt: time('checkpoint_at').notNull().defaultNow(),
  checkpointMs: integer('checkpoint_ms').notNull().default(0),
  endedAt: time('ended_at'),
  endReason: text('end_reason'),
  costCents: cents('cost_cents').notNull().default(0),
});

export const gateways = pgTable('gateways', {
  id: text('id').primaryKey(),
  node: text('node').notNull(),
  startedAt: time('started_at').notNull().defaultNow(),
  seenAt: time('seen_at').notNull().defaultNow(),
  expiresAt: time('expires_at'),
  beat: text('beat'),
  fencedAt: time('fenced_at'),
  place: text('place'),
  host: text('host'),
  says: jsonb('says'),
  drainAskedAt: time('drain_asked_at'),
});

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    accountId: text('account_id').notNull(),
    path: text('path').notNull(),
    key: text('key').notNull(),
    requestSha256: bytes('request_sha256').notNull(),
    state: text('state').$type<'running' | 'done'>().notNull(),
    status: integer('status'),
    headers: jsonb('headers').$type<Readonly<Record<string, string>>>(),
    body: bytes('body'),
    createdAt: time('created_at').notNull().defaultNow(),
    lockedUntil: time('locked_until').notNull(),
    expiresAt: time('expires_at').notNull(),
    gateway: text('gateway'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.path, table.key] })],
);

export const trunks = pgTable('trunks', {
  id: text('id').primaryKey(),
  accountId: text('account_id'),
  name: text('name').notNull(),
  definition: jsonb('definition').$type<TrunkDefinition>().notNull(),
  sealed: bytes('sealed'),
  createdAt: time('created_at').notNull().defaultNow(),
  updatedAt: time('updated_at').notNull().defaultNow(),
  enabled: boolean('enabled').notNull().default(true),
  byOperator: boolean('by_operator').notNull().default(false),
});

export const phones = pgTable('phones', {
  id: text('id').primaryKey(),
  accountId: text('account_id').notNull(),
  name: text('name').notNull(),
  username: text('username').notNull(),
  sealed: bytes('sealed').notNull(),
  createdAt: time('created_at').notNull().defaultNow(),
});

export const trunkStates = pgTable(
  'trunk_states',
  {
    trunkId: text('trunk_id').notNull(),
    gateway: text('gateway').notNull(),
    status: jsonb('status').$type<TrunkStatus>().notNull(),
    updatedAt: time('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.trunkId, table.gateway] })],
);

export const registrations = pgTable('registrations', {
  phoneId: text('phone_id').primaryKey(),
  bindings: jsonb('bindings').$type<readonly KeptBinding[]>().notNull(),
  expiresAt: time('expires_at').notNull(),
  updatedAt: time('updated_at').notNull().defaultNow(),
});

export const refusedCalls = pgTable('refused_calls', {
  seq: bigint('seq', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  at: time('at').notNull(),
  from: text('from_number').notNull(),
  to: text('to_number').notNull(),
  sourceAddress: text('source_address').notNull(),
  transport: text('transport').notNull(),
  sipCallId: text('sip_call_id').notNull(),
  trunk: text('trunk'),
  accountId: text('account_id'),
  reason: text('reason').notNull(),
  detail: text('detail').notNull(),
  remedy: text('remedy').notNull(),
  gateway: text('gateway').notNull(),
});

export const sipLadders = pgTable('sip_ladders', {
  seq: bigint('seq', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  callId: text('call_id'),
  sipCallId: text('sip_call_id').notNull(),
  startedAt: time('started_at').notNull(),
  inbound: boolean('inbound').notNull(),
  answered: boolean('answered').notNull(),
  steps: jsonb('steps').$type<readonly LadderStep[]>().notNull(),
  gateway: text('gateway').notNull(),
});

export const settings = pgTable('settings', {
  name: text('name').primaryKey(),
  value: jsonb('value').$type<unknown>().notNull(),
  updatedAt: time('updated_at').notNull().defaultNow(),
});
