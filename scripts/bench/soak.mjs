#!/usr/bin/env node
/**
 * Whether the gateway keeps its memory: many calls one after the other, many at once, and what is left when it is idle.
 *
 *   node scripts/bench/soak.mjs [--minutes 60] [--calls 40] [--at-once 200] [--csv FILE] [--json]
 *
 * Needs `npm run build`, sipp, and a recogniser for English. Starts a whole gateway in a process of its own. `--calls` callers
 * at once speak for 10 to 20 s each and hang up, the next one dials at once; a minute is sampled four times, by the gateway's
 * own metrics. Then nobody calls for three minutes, then `--at-once` callers at once for 30 s, then nobody again. Judged are
 * the slope after the first quarter of an hour (or the first quarter, where it is shorter), memory for each call at once, and what
 * idle comes back to. Native bytes in use tell what is kept; resident bytes beyond them are freed and not given back. Takes the
 * given minutes and eight more. Exit code 1 when a goal is missed.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startGateway } from './latency/gateway-process.mjs';
import { haveSipp } from './latency/invite-times.mjs';
import { Callers, soakSettings } from './soak/callers.mjs';
import { memoryOf, slopePerMinute } from './soak/memory.mjs';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    calls: { type: 'string', default: '40' },
    'at-once': { type: 'string', default: '200' },
    csv: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes);
const calls = Number(values.calls);
const atOnce = Number(values['at-once']);
const SAMPLE_EVERY_MS = 15_000;
const IDLE_MS = 180_000;
const AT_ONCE_MS = 30_000;
const SETTLED_MINUTE = Math.min(15, minutes / 4);
const MB = 1024 * 1024;
const KINDS = ['resident', 'heap', 'buffers', 'native', 'native_free'];

if (!haveSipp()) throw new Error('the soak needs sipp (Debian: sip-tester)');
const say = (text) => values.json || process.stdout.write(`${text}\n`);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const columns = (sample) => KINDS.map((kind) => (sample[kind] / MB).toFixed(1).padStart(11)).join(' ');

const settings = soakSettings(Math.max(calls, atOnce));
const gateway = await startGateway({ NIDAA_CONFIG: settings.file });
const callers = new Callers(gateway);
const startedMs = performance.now();
const samples = [];
let phase = 'start';
async function sample() {
  const taken = { minute: (performance.now() - startedMs) / 60_000, phase, ...(await memoryOf(gateway)) };
  samples.push(taken);
  if (values.csv)
    appendFileSync(values.csv, `${[taken.minute.toFixed(2), phase, ...KINDS.map((kind) => taken[kind])].join()}\n`);
  return taken;
}
/** Samples until `ms` have passed, and tells of every `everyth` sample. */
async function watch(ms, everyth) {
  const untilMs = performance.now() + ms;
  for (let n = 0; performance.now() < untilMs; n += 1) {
    await sleep(Math.min(SAMPLE_EVERY_MS, untilMs - performance.now()));
    const taken = await sample();
    if (n % everyth === everyth - 1) say(`${phase.padEnd(8)} ${taken.minute.toFixed(1).padStart(6)} ${columns(taken)}`);
  }
  return samples.at(-1);
}

const found = {};
try {
  if (values.csv) writeFileSync(values.csv, `minute,phase,${KINDS.join()}\n`);
  say(`phase    minute ${KINDS.map((kind) => kind.padStart(11)).join(' ')}   MB`);
  await sleep(20_000); // the agents are prepared
  found.start = await sample();
  say(`start    ${' '.repeat(6)} ${columns(found.start)}`);
  phase = 'turnover';
  const turnover = callers.turnover(calls, minutes * 60_000);
  await watch(minutes * 60_000, 4);
  found.turnover = await turnover;
  phase = 'idle';
  found.idle = await watch(IDLE_MS, 4);
  if (atOnce > 0) {
    phase = 'at once';
    const many = callers.atOnce(atOnce, AT_ONCE_MS);
    await watch(AT_ONCE_MS, 1);
    found.peak = samples.filter((each) => each.phase === phase).reduce((a, b) => (b.resident > a.resident ? b : a));
    found.atOnce = await many;
    phase = 'idle';
    found.idleAgain = await watch(IDLE_MS, 4);
  }
} finally {
  await gateway.stop();
  callers.close();
  settings.close();
}

const settled = samples.filter((each) => each.phase === 'turnover' && each.minute >= SETTLED_MINUTE);
const goals = [
  { name: 'resident, slope', value: slopePerMinute(settled, 'resident') / MB, goal: 0.2, unit: 'MB a minute' },
  { name: 'native in use, slope', value: slopePerMinute(settled, 'native') / MB, goal: 0.2, unit: 'MB a minute' },
  { name: 'idle, of the start', value: found.idle.resident / found.start.resident, goal: 1.2, unit: 'times' },
];
if (found.peak) {
  const perCall = (found.peak.resident - found.idle.resident) / MB / atOnce;
  goals.push({ name: `${atOnce} calls at once, each`, value: perCall, goal: 0.5, unit: 'MB' });
  goals.push({
    name: 'idle after them, of the start',
    value: found.idleAgain.resident / found.start.resident,
    goal: 1.2,
    unit: 'times',
  });
}
say(
  `\n${found.turnover.successful} calls, ${found.turnover.failed} failed; at once: ${found.atOnce?.successful ?? 0}, ${found.atOnce?.failed ?? 0} failed`,
);
for (const { name, value, goal, unit } of goals) {
  say(`${value < goal ? 'ok    ' : 'MISSED'} ${name.padEnd(34)} ${value.toFixed(2).padStart(7)} ${unit}, goal ${goal}`);
}
if (values.json) process.stdout.write(`${JSON.stringify({ ...found, goals })}\n`);
process.exitCode = goals.some(({ value, goal }) => !(value < goal)) ? 1 : 0;
