import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Recognition, replies, voices: here and at services. */
export function engineMetrics(registers: [Registry]) {
  return {
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
      name: 'nidaa_engine_paused_until_timestamp_seconds',
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
    speechFinalSeconds: new Gauge({
      name: 'nidaa_recognition_final_p90_seconds',
      help: 'End of speech to its final, p90 of the last half minute, embedded recogniser',
      registers,
    }),
  };
}
