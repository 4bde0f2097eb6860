#!/usr/bin/env node
/**
 * Calls per core of the media plane, against other servers with the same packets, in one run.
 *
 *   node scripts/bench/media.mjs [--calls 100,500,1000,1500,2000] [--bridged 100,200] [--seconds 4] [--io direct,dgram]
 *   [--peer-calls 500,1000] [--srtp] [--no-c] [--no-rtpengine] [--no-fifo] [--ptime 20]
 *
 * Needs `npm run build`, Linux and a C compiler; for the rows of rtpengine, that program (Debian: rtpengine-daemon).
 *
 * nidaa      the whole chain for each call: socket, latching, jitter buffer, decode, capture ring, a main thread that reads every
 *            frame and writes it back, playout ring, encode, paced send.
 * srtp       the same with SRTP both ways (`--srtp`; needs libsrtp2-dev for the phones): by what the gateway takes here, and by
 *            `node:crypto`. The phones need the other core then: with a libsrtp2 that is built with NSS some 40 us a packet.
 * joined     our calls joined two by two, with nothing to do for the main thread.
 * C          media-echo.c: socket, decode, ring, encode, paced send, and nothing else. What the work costs at least.
 * rtpengine  a media server that people run, in user space with one worker thread: it passes the packets of phones that are joined
 *            two by two on, as they come, and neither decodes nor paces them. So it cannot be steadier than the phones are:
 *            `sent p99` is how late they were.
 *
 * A phone sends and hears the same in all of them, 50 packets a second each way. A row passes with nothing lost and p99 jitter
 * under 5 ms. With several kinds of sockets (`--io`) every row of ours is run with each, one right after the other. `other` is the
 * CPU that other programs took meanwhile, `stolen` what a virtual machine did not get of its own: above a few percent, run again.
 */
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { chooseSrtp } from '../../dist/media/srtp/choose-srtp.js';
import { nidaaRow } from './media-nidaa.mjs';
import { plainRow, rtpengineRow } from './media-peers.mjs';
import { Programs } from './media-programs.mjs';
import { raiseDescriptors, UdpPorts } from './media-room.mjs';
import { rtpengineVersion } from './media-rtpengine.mjs';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '100,200,300,400,500' },
    bridged: { type: 'string', default: '200' },
    'peer-calls': { type: 'string' },
    seconds: { type: 'string', default: '4' },
    ptime: { type: 'string', default: '20' },
    io: { type: 'string', default: 'auto' },
    srtp: { type: 'boolean', default: false },
    'no-c': { type: 'boolean', default: false },
    'no-rtpengine': { type: 'boolean', default: false },
    'no-fifo': { type: 'boolean', default: false },
  },
});
const TRIES = 3;
const SRTP_FLAGS = ['-DSRTP', '-lsrtp2'];
/** Calls per core that are left with SRTP, of those without. */
const SRTP_SHARE_MIN = 0.6;
const list = (text) => text.split(',').filter(Boolean).map(Number);
const ours = list(values.calls);
const bridged = list(values.bridged);
const peers = list(values['peer-calls'] ?? values.calls);
const kinds = values.io.split(',');
const counts = [...new Set([...ours, ...bridged, ...peers])].sort((a, b) => a - b);
raiseDescriptors(Math.max(...counts));
const bench = {
  programs: new Programs(
    ['media-load', 'media-echo'],
    !values['no-fifo'],
    values.srtp ? { 'media-load': SRTP_FLAGS } : {},
  ),
  ports: new UdpPorts(),
  measureSeconds: Number(values.seconds),
  ptimeMs: Number(values.ptime),
  realtime: !values['no-fifo'],
};
/** What can encrypt here. */
const srtps = values.srtp ? [...new Set([chooseSrtp().name, 'node:crypto'])].map((name) => ({ name })) : [];
const version = values['no-rtpengine'] ? undefined : rtpengineVersion();

/** Another program may have taken a port of the row meanwhile: then the next ports are tried. */
async function attempt(run) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (tries === TRIES) throw error;
      console.log(`again: ${error.message}`);
    }
  }
}

const shown = (value, digits = 1) => (value === undefined ? '-' : value.toFixed(digits));
const perCall = (row) => row.cpuPercent / row.calls;
const nameOf = (row) => (row.io && kinds.length > 1 ? `${row.server} ${row.io}` : row.server);
const passed = [];
const all = [];

function print(row) {
  const pass = row.lost === 0 && row.p99Ms < 5 && row.received >= row.expected * 0.99;
  all.push({ ...row, pass });
  if (pass) passed.push(row);
  console.log(
    [
      `${row.server} ${row.io ?? ''}`.padEnd(values.srtp ? 22 : 12),
      `calls ${String(row.calls).padStart(5)}`,
      pass ? 'pass' : 'FAIL',
      `p50 ${shown(row.p50Ms, 2)} p99 ${shown(row.p99Ms, 2)} max ${shown(row.maxMs, 1)} ms (sent p99 ${shown(row.sentP99Ms, 2)})`,
      `lost ${row.lost} silent ${row.silent} of ${row.received}`,
      `cpu ${shown(row.cpuPercent)} % (worker ${shown(row.workerCpuPercent)})`,
      `per call ${shown(perCall(row), 3)} %`,
      `KB/call ${shown(row.talkKbPerCall, 0)}`,
      `other ${shown(row.otherPercent, 0)} %, stolen ${shown(row.stolenPercent, 0)} %`,
    ].join('  '),
  );
  if (row.tickLatenessP99Ms === undefined) return;
  const inbound = `inbound lost ${row.inboundLost} late ${row.inboundLate} concealed ${row.concealed}`;
  console.log(`         tick p99 ${shown(row.tickLatenessP99Ms, 2)} ms, late ticks ${row.lateTicks}, ${inbound}`);
}

/** Joined calls: how many pairs a core has room for by what they cost, and against as many that the main thread echoes. */
function summarizePairs() {
  const joined = passed.filter(({ server }) => server === 'joined');
  const most = joined.at(-1);
  if (most) {
    const pairs = Math.floor(100 / (2 * perCall(most)));
    console.log(`joined pairs: ${most.calls / 2} passed, a core has room for ${pairs} by what those cost`);
  }
  for (const row of joined) {
    const alone = passed.find(({ server, calls, io }) => server === 'nidaa' && calls === row.calls && io === row.io);
    if (!alone) continue;
    const [pair, two] = [2 * perCall(row), 2 * perCall(alone)].map((percent) => percent.toFixed(3));
    const share = ((100 * perCall(row)) / perCall(alone)).toFixed(0);
    console.log(
      `a joined pair takes ${pair} % of a core, two calls echoed by the main thread ${two} %: ${share} % of it`,
    );
  }
}

/** Encrypted calls against as many in the clear. */
function summarizeEncrypted() {
  for (const row of all.filter(({ server }) => server.startsWith('srtp'))) {
    const plain = all.find(({ server, calls, io }) => server === 'nidaa' && calls === row.calls && io === row.io);
    if (!plain) continue;
    const share = perCall(plain) / perCall(row);
    const costs = [plain, row].map((one) => `${perCall(one).toFixed(3)} %`);
    const verdict = share >= SRTP_SHARE_MIN ? 'within' : 'BELOW';
    console.log(
      `${row.calls} calls, ${row.io}: ${costs[0]} of a core each in the clear, ${costs[1]} with ${row.server}: ` +
        `${share.toFixed(2)} of the calls per core, ${verdict} the budget of ` +
        `${SRTP_SHARE_MIN}${row.pass && plain.pass ? '' : ' (by its processor time: not every row passed)'}`,
    );
  }
}

/** The most calls of each server, and what a call costs each where all of them passed. */
function summarizeServers() {
  const rowsOf = (name) => passed.filter((row) => nameOf(row) === name);
  const names = [...new Set(passed.filter(({ server }) => server !== 'joined').map(nameOf))];
  const most = names.map((name) => `${name} ${Math.max(...rowsOf(name).map(({ calls }) => calls))}`);
  console.log(`most calls that passed, of those tried: ${most.join(', ') || 'none'}`);
  const common = counts.findLast((count) => names.every((name) => rowsOf(name).some(({ calls }) => calls === count)));
  const first = passed.find(({ server, calls }) => server === 'nidaa' && calls === common);
  if (!first || names.length < 2) return;
  const costs = passed.filter(({ calls }) => calls === common);
  const told = costs.map((row) => {
    const share = ((100 * perCall(row)) / perCall(first)).toFixed(0);
    return `${nameOf(row)} ${shown(perCall(row), 3)} %${row === first ? '' : ` (${share} % of ours)`}`;
  });
  console.log(`CPU per call at ${common} calls, of one core: ${told.join(', ')}`);
}

console.log(
  [
    `${cpus().length} cores, ${cpus()[0]?.model.trim()}, Node ${process.version}, ${bench.measureSeconds} s a row`,
    bench.programs.realtime ? 'SCHED_FIFO for all servers' : 'normal priority',
    `load average ${shown(loadavg()[0])}`,
  ].join(', '),
);
if (version) console.log(`rtpengine ${version} in user space, one worker thread`);
else if (!values['no-rtpengine']) console.log('rtpengine (Debian: rtpengine-daemon) is not installed: no rows of it');
for (const calls of counts) {
  for (const io of ours.includes(calls) ? kinds : []) print(await attempt(() => nidaaRow(bench, calls, io)));
  for (const srtp of ours.includes(calls) ? srtps : []) {
    for (const io of kinds) print(await attempt(() => nidaaRow(bench, calls, io, { srtp })));
  }
  for (const io of bridged.includes(calls) ? kinds : []) {
    print(await attempt(() => nidaaRow(bench, calls, io, { joined: true })));
  }
  if (!peers.includes(calls)) continue;
  if (!values['no-c']) print(await attempt(() => plainRow(bench, calls)));
  if (version && calls % 2 === 1) console.log(`rtpengine joins phones two by two: no row for ${calls}`);
  else if (version) print(await attempt(() => rtpengineRow(bench, calls)));
}
summarizePairs();
summarizeEncrypted();
summarizeServers();
