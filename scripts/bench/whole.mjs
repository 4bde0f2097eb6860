#!/usr/bin/env node
/**
 * How many calls a whole gateway carries: real calls that come at a steady rate, with audio both ways for as long as they are up.
 *
 *   node scripts/bench/whole.mjs [--rate 20] [--max 1000] [--hold 20] [--silent 500] [--speakers 10] [--json]
 *
 * Needs `npm run build`, sipp, a C compiler, Linux and, for the second part, espeak-ng and a recogniser for English. Starts a whole
 * gateway in a process of its own, with the limits of its own measurements and those of numbers raised. First calls come until one
 * is refused, a packet is lost in either direction or `--max` are up; they hold for `--hold` seconds and hang up. Each has its
 * greeting played, is recorded, and sends the noise of a quiet line. Then a second gateway: `--speakers` callers ask questions,
 * alone and with `--silent` calls beside them. `--max 0` or `--speakers 0` leaves that part out.
 *
 * The load shares the machine with the gateway: what it takes is in the table. Takes about five minutes. Exit code 1 when a mark is
 * missed; a part too small for a mark is not measured.
 */
import { cpus, loadavg, totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Phone } from '../../dist/cli/phone.js';
import { silentLogger } from '../../dist/core/logger.js';
import { callerProgram } from './latency/caller-voice.mjs';
import { startGateway } from './latency/gateway-process.mjs';
import { haveSipp, inviteTimes } from './latency/invite-times.mjs';
import { Crowd } from './whole/crowd.mjs';
import { killLeft, ProcessorTimes, processTree } from './whole/processors.mjs';
import { LOAD_PORTS, RtpProgram } from './whole/rtp-load.mjs';
import { raiseDescriptors, wholeSettings } from './whole/settings.mjs';
import { askQuestions } from './whole/speakers.mjs';
import { rank, TABLE_NOTES, tableHead, tableRow } from './whole/table.mjs';

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '20' },
    max: { type: 'string', default: '1000' },
    hold: { type: 'string', default: '20' },
    silent: { type: 'string', default: '500' },
    speakers: { type: 'string', default: '10' },
    json: { type: 'boolean', default: false },
  },
});
const rate = wholeNumber('rate', 1, 1000);
const max = wholeNumber('max', 0, 4000);
const holdMs = 1000 * wholeNumber('hold', 1, 3600);
const silent = wholeNumber('silent', 0, 2000);
const speakers = wholeNumber('speakers', 0, 30);
/** Who else may call meanwhile. */
const SPARE_CALLS = 50;
const ROWS = 10;
const PREPARED_MS_MAX = 60_000;
const QUESTIONS_MS_MAX = 200_000;
const MARKS = { calls: 800, setupP95Ms: 25, answerRatio: 1.2 };

if (!haveSipp()) throw new Error('this bench needs sipp (Debian: sip-tester)');
const say = (text) => values.json || process.stdout.write(`${text}\n`);
const stopped = new AbortController();
const { signal } = stopped;
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stopped.abort(new Error(`ended by ${name}`)));

function wholeNumber(name, from, to) {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= from && value <= to) return value;
  throw new Error(`--${name} is a whole number from ${from} to ${to}`);
}

const percent = (value) => `${value.toFixed(0)} %`;
const verdicts = [];
/** @param isMet - undefined: not measured. */
function judge(name, isMet, found, mark) {
  verdicts.push({ name, verdict: isMet === undefined ? 'not measured' : isMet ? 'ok' : 'MISSED', found, mark });
}

/** Runs `work` with a gateway for so many calls, and ends whatever it has started. */
async function withGateway(calls, work) {
  const settings = await wholeSettings(calls + SPARE_CALLS);
  try {
    const startedMs = performance.now();
    const gateway = await startGateway(settings.env);
    try {
      signal.throwIfAborted();
      await agentsPrepared(gateway);
      say(`\ngateway ready and its agents prepared after ${Math.round(performance.now() - startedMs)} ms`);
      await inviteTimes(gateway, { calls: 3, callsPerSecond: 3, talkMs: 200 }); // warm
      return await work(gateway);
    } finally {
      const tree = processTree(gateway.pid);
      await gateway.stop();
      killLeft(tree);
    }
  } finally {
    settings.close();
  }
}

/** It takes calls before that, and works on the first sentences of its agents meanwhile. */
async function agentsPrepared(gateway) {
  const untilMs = performance.now() + PREPARED_MS_MAX;
  while (!gateway.log().includes('agents are prepared') && performance.now() < untilMs) {
    await sleep(250, undefined, { signal });
  }
}

async function withCrowd(gateway, work) {
  const crowd = new Crowd(gateway, signal);
  try {
    return await work(crowd);
  } finally {
    await crowd.close();
  }
}

/** First part: as many as it carries. */
function manyCalls(program) {
  return withGateway(max, (gateway) =>
    withCrowd(gateway, async (crowd) => {
      await crowd.start(program, { calls: max, callsPerSecond: rate, holdMs });
      say(`\nCalls come at ${rate} a second\n${tableHead()}`);
      const rows = [];
      const { why, up } = await crowd.grow(Math.ceil(max / ROWS), (row) => {
        rows.push(row);
        say(tableRow(row));
      });
      say(`no more came at ${up}: ${why}`);
      const held = await crowd.hold(holdMs);
      say(`${tableRow(held)}   held for ${holdMs / 1000} s`);
      const left = await crowd.leave();
      sayTotals(left);
      return { rows, why, up, held, ...left };
    }),
  );
}

function sayTotals({ times, lost, sip, rtp, endings }) {
  const setup = rank(times);
  const worst = rtp.calls.toSorted((a, b) => b.p99Ms - a.p99Ms)[0];
  const counted = `${rtp.sent} packets sent, ${rtp.received} received`;
  say(`in all: ${sip.placed} calls, ${sip.failed} failed, ${sip.repeated} SIP messages repeated; ${counted}`);
  say(
    `  lost to callers ${rtp.lost}, left out ${rtp.leftOut}, lost to the gateway ${lost} (by its own count ${rtp.unheard} at the end)`,
  );
  say(
    `  set-up p50 ${setup.p50} ms, p95 ${setup.p95} ms, max ${setup.max} ms; worst jitter p99 of one call ${worst?.p99Ms} ms`,
  );
  say(`  calls ended: ${endings.map(({ by, calls }) => `${calls} ${by}`).join(', ')}`);
}

function judgeCalls({ up, rtp, times, lost }) {
  const atOnce = rtp.upMax;
  judge(
    'calls at once',
    max < MARKS.calls && up === max ? undefined : atOnce >= MARKS.calls,
    atOnce,
    `>= ${MARKS.calls}`,
  );
  const { p95 } = rank(times);
  judge('set-up, p95', p95 < MARKS.setupP95Ms, `${p95} ms`, `< ${MARKS.setupP95Ms} ms`);
  judge('packets lost, both ways', rtp.lost + lost === 0, rtp.lost + lost, '0');
}

/** Second part: answers, alone and with many silent calls beside them. */
function answersBeside(program) {
  return withGateway(silent + speakers, async (gateway) => {
    const avoid = { min: LOAD_PORTS.min, max: LOAD_PORTS.min + 2 * (silent + SPARE_CALLS) };
    const phone = await Phone.open({ address: gateway.host, logger: silentLogger, avoid });
    try {
      const { parts } = await (await fetch(`${gateway.api}/readyz`)).json();
      if (parts.transcription_en?.state !== 'ok') {
        say(`\nNo questions are asked: ${parts.transcription_en?.detail ?? 'no recogniser for English'}`);
        return undefined;
      }
      say(`\n${speakers} callers ask questions (${callerProgram})`);
      const times = new ProcessorTimes(gateway.pid, { bench: process.pid });
      const alone = await askQuestions(gateway, phone, speakers, signal);
      sayAnswers('alone', alone);
      const { gateway: used, bench, strangers } = times.take();
      say(
        `  ${''.padEnd(24)} gateway ${percent(used)}, callers ${percent(bench)}, other programs ${percent(strangers)}`,
      );
      const beside = await withCrowd(gateway, (crowd) => askBeside(program, gateway, phone, crowd));
      return { alone, ...beside };
    } finally {
      await phone.close();
    }
  });
}

async function askBeside(program, gateway, phone, crowd) {
  await crowd.start(program, { calls: silent, callsPerSecond: rate, holdMs: QUESTIONS_MS_MAX });
  const { why, up } = await crowd.grow(silent, () => {});
  await sleep(3000, undefined, { signal }); // the last greetings
  await crowd.row();
  const crowded = await askQuestions(gateway, phone, speakers, signal);
  const row = { ...(await crowd.row()), mbEach: undefined }; // recognisers came and went meanwhile
  sayAnswers(`beside ${up} silent calls`, crowded);
  say(`${tableHead()}\n${tableRow(row)}`);
  if (up < silent) say(`no more silent calls came: ${why}`);
  const left = await crowd.leave();
  sayTotals(left);
  return { up, crowded, row, lostBeside: left.lost + left.rtp.lost };
}

function sayAnswers(name, { asked, refused, heard, wordForWord, perceived, after }) {
  const [all, own] = [rank(perceived), rank(after)];
  const ms = (value) => (value === undefined ? '-' : `${Math.round(value)} ms`);
  say(
    `  ${name.padEnd(24)} answer p50 ${ms(all.p50)}, p95 ${ms(all.p95)} (after endpointing ${ms(own.p50)}, ${ms(own.p95)})`,
  );
  say(
    `  ${''.padEnd(24)} ${all.count} of ${asked} answered, ${wordForWord} of ${heard} recognised word for word, ${refused} callers refused`,
  );
}

function judgeAnswers({ alone, crowded, up }) {
  const [before, after] = [rank(alone.perceived).p50, rank(crowded.perceived).p50];
  const found = after === undefined ? 'no answers' : `${after} ms, ${before} ms alone`;
  judge(`answer beside ${up} calls, p50`, after <= before * MARKS.answerRatio, found, 'within 20 % of alone');
}

/** Which thread of the gateway has least room left. */
function sayLimit({ held, why }) {
  const { main, media } = held.used;
  const name = main > media ? 'main' : 'media';
  const used = `main ${percent(main)} of a processor, media ${percent(media)}`;
  say(`\nBusiest thread at ${held.up} calls: ${name} (${used}). No more came because ${why}.`);
}

const [{ model }] = cpus();
const load = () =>
  loadavg()
    .map((each) => each.toFixed(1))
    .join(' ');
const gigabytes = Math.round(totalmem() / 2 ** 30);
say(`${model}, ${cpus().length} cores, ${gigabytes} GB, Node ${process.versions.node}, load ${load()}`);
for (const note of TABLE_NOTES) say(note);
raiseDescriptors(Math.max(max, silent) + SPARE_CALLS);
const found = {};
const program = new RtpProgram();
try {
  if (max > 0) found.many = await manyCalls(program);
  if (speakers > 0) found.answers = await answersBeside(program);
} catch (error) {
  if (!signal.aborted) throw error;
  say(`\n${signal.reason.message}`);
} finally {
  program.close();
}
if (found.many) {
  sayLimit(found.many);
  judgeCalls(found.many);
}
if (found.answers) judgeAnswers(found.answers);
else judge('answers', undefined);
say('');
for (const { name, verdict, found: value, mark } of verdicts) {
  say(`${verdict.padEnd(12)} ${name.padEnd(34)} ${String(value ?? '-').padStart(24)}  mark ${mark ?? '-'}`);
}
if (values.json)
  process.stdout.write(`${JSON.stringify({ machine: { model, cores: cpus().length }, ...found, verdicts })}\n`);
process.exitCode = signal.aborted || verdicts.some(({ verdict }) => verdict === 'MISSED') ? 1 : 0;
