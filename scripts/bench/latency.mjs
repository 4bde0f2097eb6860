#!/usr/bin/env node
/**
 * How long callers wait: for the answer to an INVITE, for the answer to a question, for silence when they interrupt.
 *
 *   node scripts/bench/latency.mjs [--turns 50] [--invites 20] [--interruptions 10] [--callers 2] [--json]
 *
 * Needs `npm run build`, espeak-ng, a recogniser for English and, for INVITE times, sipp; callers speak by flite where it is
 * installed. Starts a whole gateway in a process of its own and calls its English agent. Turn times are the gateway's own
 * record of each turn; interruptions are measured on the wire. Everything shares this machine's cores, callers too: on a
 * busy machine run it again. Takes about four minutes. Exit code 1 when a budget is missed.
 */
import { readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { Phone } from '../../dist/cli/phone.js';
import { silentLogger } from '../../dist/core/logger.js';
import { callerProgram, spoken } from './latency/caller-voice.mjs';
import { startGateway } from './latency/gateway-process.mjs';
import { fromFirstSound, interruptions } from './latency/interruptions.mjs';
import { haveSipp, inviteTimes } from './latency/invite-times.mjs';
import { AGENT, PATIENCE_MS, QUESTIONS } from './latency/questions.mjs';

const { values } = parseArgs({
  options: {
    turns: { type: 'string', default: '50' },
    invites: { type: 'string', default: '20' },
    interruptions: { type: 'string', default: '10' },
    callers: { type: 'string', default: '2' },
    json: { type: 'boolean', default: false },
  },
});
/** The agent calls a person, and cannot be interrupted while it does, when it has said the same too often. */
const INTERRUPTIONS_A_CALL = 5;
const INTERRUPTION = 'tell me until when are you open';

const say = (text) => values.json || process.stdout.write(`${text}\n`);
const rank = (sorted, p) => sorted[Math.min(sorted.length - 1, Math.ceil(p * sorted.length) - 1)];
function spread(times) {
  const sorted = times.toSorted((a, b) => a - b);
  return { count: sorted.length, p50: rank(sorted, 0.5), p95: rank(sorted, 0.95), max: sorted.at(-1) };
}
const ms = (value) => (value === undefined ? '-' : `${Math.round(value)}`.padStart(5));
const line = (name, { count, p50, p95, max }, note = '') =>
  say(
    `  ${name.padEnd(34)} p50 ${ms(p50)} ms   p95 ${ms(p95)} ms   max ${ms(max)} ms   (${count})${note && `  ${note}`}`,
  );

/** Share of the machine's processors in use since the last call of this, by whomever. */
let lastTicks;
function machineBusy() {
  const ticks = readFileSync('/proc/stat', 'latin1').split('\n')[0].trim().split(/\s+/).slice(1, 9).map(Number);
  const since = ticks.map((each, i) => each - (lastTicks?.[i] ?? 0));
  lastTicks = ticks;
  const all = since.reduce((sum, each) => sum + each, 0);
  return `machine ${Math.round((100 * (all - since[3] - since[4])) / Math.max(1, all))} % busy`;
}

const verdicts = [];
function judge(name, value, budget) {
  if (value === undefined) verdicts.push({ name, verdict: 'not measured', budget });
  else verdicts.push({ name, verdict: value < budget ? 'ok' : 'MISSED', value: Math.round(value * 10) / 10, budget });
}

/** Calls that ask their share of the questions, one after the other; the gateway's record of each. */
async function askQuestions(gateway, phone) {
  const questions = QUESTIONS.map((label) => ({ label, samples: spoken(label) }));
  const [turns, callers] = [Number(values.turns), Number(values.callers)];
  const calls = Array.from({ length: callers }, async (_, caller) => {
    await new Promise((resolve) => setTimeout(resolve, caller * 1700));
    const share = Math.ceil((turns - caller) / callers);
    const steps = Array.from({ length: share }, (_, i) => ({
      type: 'speak',
      ...questions[(i + caller) % questions.length],
    }));
    const options = { uri: gateway.uri(AGENT), from: `bench${caller}`, patienceMs: PATIENCE_MS, maxMs: 270_000 };
    const report = await phone.call({ ...options, steps });
    if (!report.answered)
      throw new Error(`the gateway did not answer: ${JSON.stringify(report.end)}\n${gateway.log()}`);
    return recordOf(gateway, report.sipCallId);
  });
  return Promise.all(calls);
}

/** The record is complete a moment after the call. */
async function recordOf(gateway, sipCallId) {
  for (let attempt = 0; ; attempt += 1) {
    const record = await gateway.nidaa('calls', 'show', sipCallId);
    if (record.ended_at !== null || attempt === 20) return record;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

function reportTurns(records) {
  const turns = records.flatMap((record) => record.turns);
  const timings = turns.flatMap((turn) => (turn.timings ? [{ ...turn.timings, perceived: turn.latency_ms }] : []));
  const heard = turns.filter(({ role }) => role === 'caller');
  const known = new Set(QUESTIONS.map((question) => question.toLowerCase()));
  const understood = heard.filter(({ text }) => known.has(text.toLowerCase().trim())).length;
  say(
    `\nQuestions answered: ${timings.length} of ${values.turns} asked; ${understood} of ${heard.length} recognised word for word (callers: ${callerProgram})`,
  );
  if (timings.length === 0) return {};
  const stages = {
    endpointing: timings.map((t) => t.endpointMs - t.speechEndMs),
    'final transcript after it': timings.map((t) => Math.max(0, t.finalTranscriptMs - t.endpointMs)),
    reply: timings.map((t) => Math.max(0, t.firstTextMs - Math.max(t.endpointMs, t.finalTranscriptMs))),
    synthesis: timings.map((t) => t.firstAudioMs - t.firstTextMs),
    playout: timings.map((t) => t.firstPacketMs - t.firstAudioMs),
    'total after endpointing': timings.map((t) => t.firstPacketMs - t.endpointMs),
    'perceived (end of speech to answer)': timings.map((t) => t.perceived),
  };
  const spreads = Object.fromEntries(Object.entries(stages).map(([name, times]) => [name, spread(times)]));
  for (const [name, found] of Object.entries(spreads)) line(name, found);
  say(`  ${machineBusy()}`);
  return spreads;
}

async function measureInvites(gateway) {
  const calls = Number(values.invites);
  say(`\nINVITE to 200 (${haveSipp() ? 'sipp' : 'sipp is not installed: not measured'})`);
  if (!haveSipp()) return {};
  await inviteTimes(gateway, { calls: 3, callsPerSecond: 3, talkMs: 200 }); // warm
  machineBusy();
  const idle = await inviteTimes(gateway, { calls, callsPerSecond: 2, talkMs: 300 });
  line('idle', spread(idle.times), machineBusy());
  const busy = await inviteTimes(gateway, { calls: Math.max(calls, 60), callsPerSecond: 10, talkMs: 3000 });
  line('at 10 calls/s', spread(busy.times), machineBusy());
  const found = { idle: spread(idle.times), 'at 10 calls/s': spread(busy.times) };
  if (idle.failed + busy.failed > 0) say(`  ${idle.failed + busy.failed} calls failed`);
  return found;
}

/** From the caller's first sound to the last one of the turn of the agent that it cut. */
function untilCut(turn, next) {
  const cutMs = turn.started_ms + turn.heard_ms;
  return turn.role === 'agent' && next?.role === 'caller' && next.started_ms < cutMs ? [cutMs - next.started_ms] : [];
}

/** Interruptions on the wire, and from the gateway's record how long it listened before it decided. */
async function measureInterruptions(gateway, phone) {
  const speech = fromFirstSound(spoken(INTERRUPTION));
  const measured = [];
  const decided = [];
  for (let left = Number(values.interruptions); left > 0; left -= INTERRUPTIONS_A_CALL) {
    const count = Math.min(left, INTERRUPTIONS_A_CALL);
    const call = await interruptions(phone, { uri: gateway.uri(AGENT), speech, count });
    measured.push(...call.measured);
    const { turns } = await recordOf(gateway, call.sipCallId);
    decided.push(...turns.flatMap((turn, i) => untilCut(turn, turns[i + 1])));
  }
  say(`\nInterruptions: ${measured.length} of ${values.interruptions}`);
  if (measured.length === 0) return {};
  const wire = spread(measured.map(({ silentMs }) => silentMs));
  line('first speech packet to silence', wire, machineBusy());
  if (decided.length > 0) line('of it, until the gateway decided', spread(decided));
  if (decided.length === 0) return { wire };
  return { wire, decided: spread(decided), overMs: wire.p50 - spread(decided).p50 };
}

const [{ model }] = cpus();
say(
  `${model}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, load ${loadavg()
    .map((l) => l.toFixed(1))
    .join(' ')}`,
);
const startedMs = performance.now();
const gateway = await startGateway();
say(`gateway ready after ${Math.round(performance.now() - startedMs)} ms (first start: database made)`);
const phone = await Phone.open({ address: gateway.host, logger: silentLogger });
let results;
try {
  const { parts } = await (await fetch(`${gateway.api}/readyz`)).json();
  const invites = await measureInvites(gateway);
  const hears = parts.transcription_en?.state === 'ok';
  if (!hears) say(`\nNo questions are asked: ${parts.transcription_en?.detail ?? 'no recogniser for English'}`);
  const turns = hears ? reportTurns(await askQuestions(gateway, phone)) : {};
  const bargeIn = hears ? await measureInterruptions(gateway, phone) : {};
  results = { turns, invites, bargeIn };
} finally {
  await phone.close();
  await gateway.stop();
}

const total = results.turns['total after endpointing'];
judge('answer after endpointing, p50', total?.p50, 150);
judge('answer after endpointing, p95', total?.p95, 300);
judge('INVITE to 200, idle, p95', results.invites.idle?.p95, 50);
judge('INVITE to 200, 10 calls/s, p95', results.invites['at 10 calls/s']?.p95, 150);
judge('barge-in: silence after it was decided', results.bargeIn.overMs, 40);
const load = loadavg().map((each) => Number(each.toFixed(1)));
say(`\nload at the end ${load.join(' ')}; took ${Math.round((performance.now() - startedMs) / 1000)} s\n`);
for (const { name, verdict, value, budget } of verdicts) {
  say(
    `${verdict.padEnd(12)} ${name.padEnd(40)} ${value === undefined ? '' : `${value} ms`.padStart(9)}  budget ${budget} ms`,
  );
}
if (values.json)
  process.stdout.write(`${JSON.stringify({ machine: { model, cores: cpus().length, load }, ...results, verdicts })}\n`);
process.exitCode = verdicts.some(({ verdict }) => verdict === 'MISSED') ? 1 : 0;
