/**
 * What the columns that can hold text say of people. Retention, erasure, export and `data-life.md` go by it, and a test holds it to the
 * tables: a column that nobody has thought of fails.
 *
 * - `recordings`, `transcripts`, `calls`, `orders`, `refusals`: of a caller or callee, kept as long as the account says.
 * - `passing`: may repeat words or numbers of theirs, and goes by itself within 30 days.
 * - `purpose`: a number that is kept because it is not to be called.
 * - `trail`: what people of the account have done; numbers in it are blacked out when their owner is erased.
 * - `staff`: people who work with the gateway.
 * - `own`: what the account or its operator has written or set up.
 * - `none`: ids, states, figures of machines, hashes, secrets.
 */
export const DATA_KINDS = [
  ...(['recordings', 'transcripts', 'calls', 'orders', 'refusals', 'passing', 'purpose', 'trail', 'staff'] as const),
  ...(['own', 'none'] as const),
] as const;
export type DataKind = (typeof DATA_KINDS)[number];

/** Kinds whose time an account sets. */
export const RETENTION_KINDS = ['recordings', 'transcripts', 'calls', 'orders', 'refusals'] as const;
export type RetentionKind = (typeof RETENTION_KINDS)[number];

type Columns = string; // names with spaces between
export type TableData = { readonly [K in DataKind]?: Columns };

/** By table. Columns of numbers, times and truth values say nothing by themselves, and are not listed. */
export const PERSONAL_DATA: Readonly<Record<string, TableData>> = {
  accounts: { own: 'name time_zone', none: 'id' },
  agent_documents: {
    own: 'name bytes lines excerpt',
    none: 'id account_id agent_id type state reason detail',
  },
  agent_test_runs: { own: 'results', none: 'id agent_id account_id mode trigger state why' },
  agent_tests: { own: 'yaml', none: 'agent_id account_id' },
  agent_versions: { own: 'definition yaml', none: 'agent_id' },
  agents: { own: 'name', none: 'id account_id status' },
  audit_entries: {
    trail: 'target_id before after',
    staff: 'actor_id actor_name',
    none: 'account_id actor_kind action target_kind request_id',
  },
  calls: {
    calls: 'from_number to_number sip_call_id end_detail transfers source_name',
    transcripts: 'dtmf keys words outcome analysis analysis_state',
    recordings: 'recording recording_state',
    own: 'agent_name',
    none: 'id account_id agent_id gateway end_party end_reason quality quality_over_time direction source_kind answered_by services answer_ms',
  },
  charges: { none: 'id account_id owner kind state gateway' },
  dial_attempts: { none: 'order_id account_id trunk_id sip_call_id end_reason' },
  dial_orders: {
    orders: 'target from_number variables message end_detail idempotency_key',
    own: 'trunk retry_seconds time_zone',
    none: 'id account_id agent_id on_machine request_sha256 state gateway trunk_id call_id sip_call_id end_party end_reason',
  },
  do_not_call: { purpose: 'number note', none: 'account_id' },
  erasures: { passing: 'sealed_number', none: 'id account_id number_hmac country_code found waits search' },
  gateway_use: { none: 'gateway report' },
  gateways: { none: 'id node beat place host says' },
  idempotency_keys: { passing: 'key body headers', none: 'account_id path request_sha256 state gateway' },
  ledger: { own: 'note', none: 'id account_id kind' },
  management_keys: { own: 'name', none: 'id account_id scopes secret_sha256 prefix last4' },
  numbers: { own: 'number', none: 'account_id agent_id' },
  one_use_tokens: { none: 'token_sha256 kind held' },
  password_links: { none: 'secret_sha256 account_id person_id' },
  people: { staff: 'email password_hash', none: 'id account_id role' },
  person_sessions: { staff: 'address user_agent', none: 'id person_id secret_sha256' },
  phones: { own: 'name username', none: 'id account_id sealed' },
  recordings: { recordings: 'name', none: 'call_id node place sha256' },
  refused_calls: {
    refusals: 'from_number to_number source_address sip_call_id detail remedy',
    own: 'trunk',
    none: 'transport account_id reason gateway',
  },
  registrations: { staff: 'bindings', none: 'phone_id' },
  schema_migrations: { none: 'name sha256' },
  sessions: { none: 'id account_id kind gateway end_reason' },
  settings: { own: 'value', none: 'name' },
  sip_ladders: { calls: 'steps sip_call_id', none: 'call_id gateway' },
  tokens: { own: 'name', none: 'id account_id secret_sha256 prefix last4 person_id' },
  trunk_outages: { none: 'trunk_id' },
  trunk_states: { own: 'status', none: 'trunk_id gateway' },
  trunks: { own: 'name definition', none: 'id account_id sealed' },
  turns: { transcripts: 'text details', none: 'call_id role timings heard_by' },
  usage_hours: { none: 'account_id kind agent_id' },
  webhook_deliveries: { passing: 'history', none: 'id event_id webhook_id account_id type state lease' },
  webhook_events: { none: 'id account_id type subject_id facts' },
  webhooks: { own: 'url events description', none: 'id account_id disabled_reason sealed sealed_before' },
};

/** The columns of a table that hold data of one kind. */
export const columnsOf = (table: string, kind: DataKind): readonly string[] =>
  (PERSONAL_DATA[table]?.[kind] ?? '').split(' ').filter((name) => name !== '');
