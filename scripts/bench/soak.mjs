#!/usr/bin/env node
/**
 * Whether the gateway keeps its memory: many calls one after the other, many at once, and what is left when it is idle.
 *
 *   node scripts/bench/soak.mjs [--minutes 60] [--calls 40] [--at-once 200] [--idle 180] [--csv FILE] [--json]
 *
 * Needs `npm run build`, sipp, Linux, and a recogniser for English. Starts a whole gateway in a process of its own. `--calls`
 * callers at once speak for 10 to 20 s each and hang up, the next one dials at once; memory is looked at every two seconds, since
 * decoders of 50 MB come and go in seconds and fewer looks would be a matter of luck.
 * Then nobody calls for `--idle` seconds, then a quarter of `--at-once` callers at once for 30 s, then all of them, then nobody
 * again. `total` counts every process of the gateway but PostgreSQL, each page once; the other columns are the
 * first process by its own metrics: native bytes in use tell what is kept, resident bytes beyond them are freed and not given
 * back. Judged are the slope after the first quarter of an hour (or the first quarter, where it is shorter), memory for each call
 * at once, and what idle comes back to. `--minutes 0` leaves the first part out, `--at-once 0` the second. Exit code 1 when a
 * goal is missed or a call failed.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startGateway } from './latency/gateway-process.mjs';
import { haveSipp } from './latency/invite-times.mjs';
import { Callers, soakSettings } from './soak/callers.mjs';
import { endingsOf, memoryOf, slopeErrorPerMinute, slopePerMinute } from './soak/memory.mjs';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    calls: { type: 'string', default: '40' },
    'at-once': { type: 'string', default: '200' },
    idle: { type: 'string', default: '180' },
    csv: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes);
const calls = Number(values.calls);
const atOnce = Number(values['at-once']);
const SAMPLE_EVERY_MS = 2000;
const TOLD_EVERY = 30;
const IDLE_MS = Number(values.idle) * 1000;
const AT_ONCE_MS = 30_000;
const SETTLED_MINUTE = Math.min(15, minutes / 4);
const MB = 1024 * 1024;
const KINDS = ['total', 'resident', 'heap', 'buffers', 'native', 'native_free'];

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
    if (n % everyth === everyth - 1)
      say(`${phase.padEnd(12)} ${taken.minute.toFixed(1).padStart(6)} ${columns(taken)}`);
  }
  return samples.at(-1);
}
/** Highest sample while `number` callers are there at once. */
async function peakOf(number) {
  phase = `${number} at once`;
  const asked = callers.atOnce(number, AT_ONCE_MS);
  await watch(AT_ONCE_MS + number * callers.betweenMs, 8);
  const peak = samples.filter((each) => each.phase === phase).reduce((a, b) => (b.total > a.total ? b : a));
  return { number, peak, ...(await asked) };
}

const found = {};
try {
  if (values.csv) writeFileSync(values.csv, `minute,phase,${KINDS.join()}\n`);
  say(`phase        minute ${KINDS.map((kind) => kind.padStart(11)).join(' ')}   MB`);
  await sleep(20_000); // the agents are prepared
  found.start = await sample();
  say(`start        ${' '.repeat(6)} ${columns(found.start)}`);
  if (minutes > 0) {
    phase = 'turnover';
    const turnover = callers.turnover(calls, minutes * 60_000);
    await watch(minutes * 60_000, TOLD_EVERY);
    found.turnover = await turnover;
    phase = 'idle';
    found.idle = await watch(IDLE_MS, TOLD_EVERY);
  }
  if (atOnce > 0) {
    found.few = await peakOf(Math.ceil(atOnce / 4));
    found.many = await peakOf(atOnce);
    phase = 'idle';
    found.idleAgain = await watch(IDLE_MS, TOLD_EVERY);
  }
  found.endings = await endingsOf(gateway);
} finally {
  await gateway.stop();
  callers.close();
  settings.close();
}

const goals = [];
const judge = (name, value, goal, unit, error) => goals.push({ name, value, goal, unit, error });
const judgeSlope = (of, name, kind) =>
  judge(name, slopePerMinute(of, kind) / MB, 0.2, 'MB a minute', slopeErrorPerMinute(of, kind) / MB);
const { start, turnover, idle, few, many, idleAgain } = found;
if (turnover) {
  const settled = samples.filter((each) => each.phase === 'turnover' && each.minute >= SETTLED_MINUTE);
  judgeSlope(settled, 'total, slope', 'total');
  judgeSlope(settled, 'native in use, slope', 'native');
  judge('idle, of the start', idle.total / start.total, 1.2, 'times');
  judge('calls failed', turnover.failed, 1, `of ${turnover.successful + turnover.failed}`);
}
if (many) {
  const mb = (of) => (of.total / MB).toFixed(0);
  say(
    `\ntotal at the start ${mb(start)} MB, at ${few.number} calls ${mb(few.peak)}, at ${many.number} ${mb(many.peak)}, after giving back ${mb(idleAgain)}`,
  );
  const each = (from, to, number) => (to.total - from.total) / MB / number;
  judge(`${many.number} calls at once, each`, each(start, many.peak, many.number), 0.5, 'MB');
  judge(`each of the last ${many.number - few.number}`, each(few.peak, many.peak, many.number - few.number), 0.5, 'MB');
  judge('idle after them, of the start', idleAgain.total / start.total, 1.2, 'times');
  judge('calls failed', few.failed + many.failed, 1, `of ${few.number + many.number}`);
}
say(`calls ended: ${found.endings.map(({ by, calls: ended }) => `${ended} ${by}`).join(', ')}`);
for (const { name, value, goal, unit, error } of goals) {
  const within = error === undefined ? '' : ` ± ${error.toFixed(2)}`;
  say(
    `${value < goal ? 'ok    ' : 'MISSED'} ${name.padEnd(34)} ${value.toFixed(2).padStart(7)}${within} ${unit}, goal < ${goal}`,
  );
}
if (values.json) process.stdout.write(`${JSON.stringify({ ...found, goals })}\n`);
process.exitCode = goals.some(({ value, goal }) => !(value < goal)) ? 1 : 0;
