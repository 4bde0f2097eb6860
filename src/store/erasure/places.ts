/** Columns that hold the number of a person and nothing else. */
export const NUMBER_COLUMNS = [
  { table: 'calls', column: 'from_number' },
  { table: 'calls', column: 'to_number' },
  { table: 'dial_orders', column: 'target' },
  { table: 'dial_orders', column: 'from_number' },
  { table: 'refused_calls', column: 'from_number' },
  { table: 'refused_calls', column: 'to_number' },
] as const;

/** What an erasure walks through row by row, the latest calls first: by an index of the account's, or of all. */
export const WALKS = [
  { table: 'calls', key: 'id', time: 'started_at', numbers: ['from_number', 'to_number'], rows: 500 },
  { table: 'dial_orders', key: 'id', time: 'created_at', numbers: ['target', 'from_number'], rows: 1_000 },
  { table: 'audit_entries', key: 'seq', rows: 1_000 },
  { table: 'webhook_deliveries', key: 'seq', rows: 1_000 },
] as const;
export type Walk = (typeof WALKS)[number];

interface NamingColumn {
  readonly table: string;
  readonly column: string;
  readonly is: 'text' | 'json';
  readonly ofCall?: string;
}
interface NamingRow {
  readonly table: string;
  readonly columns: readonly string[];
  readonly ofCall?: string;
  readonly bytes?: string;
}

/** Columns whose text or JSON may name a person among other things: what names them is taken out, the rest stays. */
export const NAMING_COLUMNS: readonly NamingColumn[] = [
  { table: 'turns', column: 'text', is: 'text', ofCall: 'call_id' },
  { table: 'turns', column: 'details', is: 'json', ofCall: 'call_id' },
  { table: 'calls', column: 'sip_call_id', is: 'text' },
  { table: 'calls', column: 'dtmf', is: 'text', ofCall: 'id' },
  { table: 'calls', column: 'end_detail', is: 'text' },
  { table: 'calls', column: 'transfers', is: 'json' },
  { table: 'calls', column: 'analysis', is: 'json' },
  { table: 'dial_orders', column: 'variables', is: 'json' },
  { table: 'dial_orders', column: 'message', is: 'text' },
  { table: 'dial_orders', column: 'end_detail', is: 'text' },
  { table: 'dial_orders', column: 'idempotency_key', is: 'text' },
  { table: 'audit_entries', column: 'target_id', is: 'text' },
  { table: 'audit_entries', column: 'before', is: 'json' },
  { table: 'audit_entries', column: 'after', is: 'json' },
  { table: 'webhook_deliveries', column: 'history', is: 'json' },
];

/** Rows that go as a whole where any of these columns names a person: nobody needs the rest of them. */
export const NAMING_ROWS: readonly NamingRow[] = [
  { table: 'refused_calls', columns: ['detail', 'remedy', 'source_address', 'sip_call_id'] },
  { table: 'sip_ladders', columns: ['steps', 'sip_call_id'], ofCall: 'call_id' },
  { table: 'idempotency_keys', columns: ['key', 'headers'], bytes: 'body' },
];

/** What a call is left with: its id, agent, times, figures and costs. */
export const ERASED_CALL = `from_number = '', to_number = '', dtmf = '', keys = NULL, words = NULL, end_detail = NULL, transfers = NULL,
  source_name = NULL, outcome = NULL, analysis = NULL, analysis_state = NULL, recording = NULL, recording_state = NULL,
  erased_at = coalesce(erased_at, now())`;
export const ERASED_ORDER = `target = '', from_number = '', variables = '{}', message = NULL, end_detail = NULL`;
