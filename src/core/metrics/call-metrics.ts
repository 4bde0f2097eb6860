import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Calls: how many, how they end, how quickly they are answered and talk. */
export function callMetrics(registers: [Registry]) {
  return {
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
    callsPeak: new Gauge({ name: 'nidaa_calls_peak', help: 'Most calls at once since start', registers }),
    callsCapacity: new Gauge({
      name: 'nidaa_calls_capacity',
      help: 'Calls that this gateway takes at once: the next one is refused as busy',
      registers,
    }),
    draining: new Gauge({
      name: 'nidaa_draining',
      help: '1 while calls may end and none is taken, else 0',
      registers,
    }),
  };
}
