import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** The API, jobs, money, the database. */
export function serviceMetrics(registers: [Registry]) {
  return {
    httpSeconds: new Histogram({
      name: 'nidaa_http_seconds',
      help: 'Requests of the public API, by operation and status',
      labelNames: ['operation', 'status'],
      buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
      registers,
    }),
    socketsActive: new Gauge({
      name: 'nidaa_transcribe_sockets_active',
      help: 'Live transcription sockets',
      registers,
    }),
    streamsActive: new Gauge({
      name: 'nidaa_streams_active',
      help: 'WebSockets that carry a call, or are about to',
      registers,
    }),
    socketsEnded: new Counter({
      name: 'nidaa_transcribe_sockets_ended_total',
      help: 'Live transcription sockets ended, by reason',
      labelNames: ['reason'],
      registers,
    }),
    socketInterimsDropped: new Counter({
      name: 'nidaa_transcribe_interims_dropped_total',
      help: 'Interim transcripts not sent because the client reads too slowly',
      registers,
    }),
    recordingsOdd: new Gauge({
      name: 'nidaa_recordings_odd',
      help: 'Recordings at the last hourly look, by place (disk, home): unknown (no call knows the file), missing (no file where one should be)',
      labelNames: ['place', 'what'],
      registers,
    }),
    retentionOverdue: new Gauge({
      name: 'nidaa_retention_overdue_seconds',
      help: 'For how long the oldest call or order of this database should have been gone; 0 where nothing waits',
      registers,
    }),
    retentionFailed: new Counter({
      name: 'nidaa_retention_failed_total',
      help: 'Times that something was passed over in a round of retention because it failed by itself, by kind: call, erasure',
      labelNames: ['kind'],
      registers,
    }),
    jobsWaiting: new Gauge({
      name: 'nidaa_jobs_waiting',
      help: 'Background jobs waiting',
      labelNames: ['queue'],
      registers,
    }),
    jobsFailed: new Gauge({
      name: 'nidaa_jobs_failed',
      help: 'Background jobs that were given up and are kept to be tried again by hand',
      labelNames: ['queue'],
      registers,
    }),
    ledgerCents: new Counter({
      name: 'nidaa_ledger_cents_total',
      help: 'Cents moved through the ledger',
      labelNames: ['kind'],
      registers,
    }),
    journalPending: new Gauge({
      name: 'nidaa_billing_journal_pending',
      help: 'Charges on disk waiting for the database',
      registers,
    }),
    jobsDone: new Counter({
      name: 'nidaa_jobs_done_total',
      help: 'Runs of background jobs on this node, by outcome: completed, failed (and tried again later), given_up',
      labelNames: ['queue', 'outcome'],
      registers,
    }),
    callCents: new Counter({
      name: 'nidaa_call_cents_total',
      help: 'Cents that calls on this node were charged, by what for: minutes, turns; what their accounts no longer had is in it',
      labelNames: ['for'],
      registers,
    }),
    creditRefusals: new Counter({
      name: 'nidaa_credit_refusals_total',
      help: 'What calls were refused for want of credit: call (it was not answered), minute (it ends); requests are in nidaa_http_seconds',
      labelNames: ['what'],
      registers,
    }),
    traceSpans: new Counter({
      name: 'nidaa_trace_spans_total',
      help: 'Spans of traces: exported, failed (the collector did not take them), dropped (too many waited)',
      labelNames: ['outcome'],
      registers,
    }),
    journalAge: new Gauge({
      name: 'nidaa_billing_journal_oldest_seconds',
      help: 'How long the oldest charge has waited for the database; 0 where none waits',
      registers,
    }),
    journalFaults: new Counter({
      name: 'nidaa_billing_journal_faults_total',
      help: 'Charges that need a person: unwritten (the disk refused them), rejected (the database never takes them), torn (read back broken)',
      labelNames: ['fault'],
      registers,
    }),
    databaseConnections: new Gauge({
      name: 'nidaa_database_connections',
      help: 'Connections of the pool for calls and requests, by state: busy, idle',
      labelNames: ['state'],
      registers,
    }),
    databaseConnectionsMax: new Gauge({
      name: 'nidaa_database_connections_max',
      help: 'Connections that this pool may open',
      registers,
    }),
    databaseWaiting: new Gauge({
      name: 'nidaa_database_waiting',
      help: 'Statements that wait for a connection of the pool',
      registers,
    }),
    partState: new Gauge({
      name: 'nidaa_part_state',
      help: 'Parts of the gateway as /readyz has them, 1 for the state each is in: ok, degraded, down',
      labelNames: ['part', 'state'],
      registers,
    }),
  };
}
