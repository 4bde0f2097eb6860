import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { nativeMemory } from './native-memory.ts';

/** Every metric of the gateway in one place; `/metrics` renders `registry`. Labels never carry personal data. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    callsActive: new Gauge({ name: 'nidaa_calls_active', help: 'Calls not yet ended', registers }),
    callsEnded: new Counter({
      name: 'nidaa_calls_ended_total',
      help: 'Calls ended or refused, by reason',
      labelNames: ['party', 'reason'],
      registers,
    }),
    dialOrders: new Counter({
      name: 'nidaa_dial_orders_total',
      help: 'What happened to orders to call somebody: dial, ring, answer, hold, retry, and each way to end, with its reason',
      labelNames: ['event', 'reason'],
      registers,
    }),
    callSeconds: new Histogram({
      name: 'nidaa_call_seconds',
      help: 'Talk time of answered calls',
      buckets: [5, 15, 30, 60, 120, 300, 600, 1800],
      registers,
    }),
    phonesRegistered: new Gauge({ name: 'nidaa_phones_registered', help: 'Phones with a contact', registers }),
    authentications: new Gauge({
      name: 'nidaa_authentications',
      help: 'Requests that had to prove who sent them, since start: challenged, good, wrong, blocked, unavailable',
      labelNames: ['result'],
      registers,
    }),
    trunkHosts: new Gauge({
      name: 'nidaa_trunk_hosts',
      help: 'Hosts of trunks, by trunk and state: up, down, unknown',
      labelNames: ['trunk', 'state'],
      registers,
    }),
    trunkRegistrations: new Gauge({
      name: 'nidaa_trunk_registrations',
      help: 'Registrations of ours at trunks, by trunk and state',
      labelNames: ['trunk', 'state'],
      registers,
    }),
    inviteToAnswerSeconds: new Histogram({
      name: 'nidaa_invite_to_answer_seconds',
      help: 'INVITE received to 200 sent',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1],
      registers,
    }),
    turnLatencySeconds: new Histogram({
      name: 'nidaa_turn_latency_seconds',
      help: 'Stages of an answer: endpointing, stt, reply, tts, playout, total (endpoint to first packet), perceived (speech end to first packet)',
      labelNames: ['stage'],
      buckets: [0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 2, 4],
      registers,
    }),
    turnEndPauses: new Counter({
      name: 'nidaa_turn_end_pauses_total',
      help:
        'Pauses of callers that a model judged by their sound: said complete, incomplete, late, failed; ' +
        'truth over, went-on (before the pause was long enough), cut (although it was)',
      labelNames: ['language', 'said', 'truth'],
      registers,
    }),
    turnEndModelSeconds: new Histogram({
      name: 'nidaa_turn_end_model_seconds',
      help: 'From the question to the answer of the model that judges pauses',
      buckets: [0.01, 0.02, 0.04, 0.08, 0.15, 0.3, 1],
      registers,
    }),
    turnEndWaitSeconds: new Histogram({
      name: 'nidaa_turn_end_wait_seconds',
      help: 'Waited after the answer of that model until a turn that was over was taken as over',
      labelNames: ['language', 'said'],
      buckets: [0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 4],
      registers,
    }),
    voiceFound: new Counter({
      name: 'nidaa_voice_found_total',
      help:
        'Turns of callers, and sounds that were none, by who took them for speech: both, denied (by the model), added (by the model alone), ' +
        'away (the model did not judge all of it in time); words: yes where any were recognised',
      labelNames: ['language', 'found', 'words'],
      registers,
    }),
    voiceLaterSeconds: new Histogram({
      name: 'nidaa_voice_later_seconds',
      help: 'How much later speech begins with the model that judges whether there is a voice than with the detector alone',
      buckets: [-0.2, -0.05, 0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5],
      registers,
    }),
    voiceModelAway: new Counter({
      name: 'nidaa_voice_model_away_total',
      help: 'How often a call was left to its detector alone for a while: late (answers of the model), gone (its process), full (too many calls)',
      labelNames: ['why'],
      registers,
    }),
    bargeIns: new Counter({ name: 'nidaa_barge_ins_total', help: 'Agent speech cut by the caller', registers }),
    rtpLostPackets: new Counter({ name: 'nidaa_rtp_lost_packets_total', help: 'Caller packets lost', registers }),
    rtpJitterMs: new Histogram({
      name: 'nidaa_rtp_jitter_ms',
      help: 'Interarrival jitter of finished calls',
      buckets: [1, 2, 5, 10, 20, 50, 100],
      registers,
    }),
    mos: new Histogram({
      name: 'nidaa_call_mos',
      help: 'Estimated MOS of finished calls (E-model)',
      buckets: [1.5, 2, 2.5, 3, 3.5, 4, 4.2, 4.4],
      registers,
    }),
    tickLatenessMs: new Gauge({
      name: 'nidaa_media_tick_lateness_p99_ms',
      help: 'Lateness of the media clock, p99 of the last seconds, worst worker',
      registers,
    }),
    mediaIo: new Gauge({
      name: 'nidaa_media_io',
      help: '1 for what carries audio: direct (calls of the C library) or dgram (sockets of Node)',
      labelNames: ['io'],
      registers,
    }),
    mediaSrtp: new Gauge({
      name: 'nidaa_media_srtp',
      help: '1 for what encrypts audio: openssl (called directly) or node:crypto',
      labelNames: ['implementation'],
      registers,
    }),
    srtpRejected: new Counter({
      name: 'nidaa_srtp_rejected_packets_total',
      help: 'Packets of encrypted calls that were not believed: forged (wrong tag) or replayed, counted when the call ends',
      labelNames: ['reason'],
      registers,
    }),
    lateTicks: new Gauge({
      name: 'nidaa_media_late_ticks',
      help: 'Media ticks more than 5 ms late since start',
      registers,
    }),
    engineSeconds: new Histogram({
      name: 'nidaa_engine_seconds',
      help: 'Time to first result of an engine call',
      labelNames: ['capability', 'engine'],
      buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    engineErrors: new Counter({
      name: 'nidaa_engine_errors_total',
      help: 'Engine calls that failed, by kind',
      labelNames: ['capability', 'engine', 'kind'],
      registers,
    }),
    engineUsed: new Counter({
      name: 'nidaa_engine_used_total',
      help: 'What services were sent, and charge for, by unit: speech of ears and voices, tokens of chat models',
      labelNames: ['capability', 'engine', 'unit'],
      registers,
    }),
    speechAhead: new Counter({
      name: 'nidaa_speech_ahead_total',
      help: 'Phrases of agents that were spoken before anybody called: ready, busy (the voice was in use), failed',
      labelNames: ['outcome'],
      registers,
    }),
    speechCache: new Counter({
      name: 'nidaa_speech_cache_total',
      help: 'Sentences that were remembered (hit) and that were not (miss), when they were to be said',
      labelNames: ['result'],
      registers,
    }),
    enginePausedUntil: new Gauge({
      name: 'nidaa_engine_paused_until_seconds',
      help: 'Unix time until which an engine is not asked, by why (failures, key-refused, left-alone); 0: it is in use',
      labelNames: ['capability', 'engine', 'why'],
      registers,
    }),
    replyHedges: new Counter({
      name: 'nidaa_reply_hedges_total',
      help:
        'Turns in which a reply engine was late with its first words, and what came of asking the next one too: ' +
        'won, lost, declined (nothing it was sure of), failed, aborted, over-budget (not asked)',
      labelNames: ['engine', 'outcome'],
      registers,
    }),
    engineQueue: new Gauge({
      name: 'nidaa_engine_queue_depth',
      help: 'Engine calls waiting for a slot',
      labelNames: ['capability', 'engine'],
      registers,
    }),
    speechStretches: new Gauge({
      name: 'nidaa_recognition_stretches',
      help: 'Stretches of speech that the embedded recogniser has not settled',
      registers,
    }),
    speechFinalMs: new Gauge({
      name: 'nidaa_recognition_final_p90_ms',
      help: 'End of speech to its final, p90 of the last half minute, embedded recogniser',
      registers,
    }),
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
    jobsWaiting: new Gauge({
      name: 'nidaa_jobs_waiting',
      help: 'Background jobs waiting',
      labelNames: ['queue'],
      registers,
    }),
    ledgerCents: new Counter({
      name: 'nidaa_ledger_cents_total',
      help: 'Cents moved through the ledger',
      labelNames: ['kind'],
      registers,
    }),
    memoryBytes: new Gauge({
      name: 'nidaa_memory_bytes',
      help:
        'resident: of the process; heap: of the main thread, in use; buffers: array buffers; ' +
        'native: from malloc, in use; native_free: freed and not given back',
      labelNames: ['kind'],
      registers,
      collect() {
        for (const [kind, bytes] of Object.entries(memoryByKind())) this.set({ kind }, bytes);
      },
    }),
    journalPending: new Gauge({
      name: 'nidaa_billing_journal_pending',
      help: 'Charges on disk waiting for the database',
      registers,
    }),
  };
}

function memoryByKind(): Record<string, number> {
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  const native = nativeMemory();
  return {
    ...{ resident: rss, heap: heapUsed, buffers: arrayBuffers },
    ...(native && { native: native.inUseBytes(), native_free: native.freeBytes() }),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
