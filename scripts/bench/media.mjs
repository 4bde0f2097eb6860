#!/usr/bin/env node
/**
 * Calls per core of the media plane, against a plain C server with the same packets, in one run.
 *
 *   node scripts/bench/media.mjs [--calls 100,200,300] [--bridged 100,200] [--seconds 4] [--io direct,dgram]
 *   [--no-c] [--no-fifo] [--ptime 20]
 *
 * Needs `npm run build` and a C compiler. Each call runs the whole chain: socket, latching, jitter buffer, decode, capture
 * ring, a main thread that reads every frame and writes it back, playout ring, encode, paced send. A row passes with nothing
 * lost and p99 jitter under 5 ms. A row of bridged calls has them joined two by two, and nothing for the main thread to do.
 * With several kinds of sockets (`--io`) every row is run with each of them, one right after the other.
 * `other` is the CPU that other programs took meanwhile: above a few percent, run again.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { systemClock } from '../../dist/core/clock.js';
import { createLogger } from '../../dist/core/logger.js';
import { createMediaPlane } from '../../dist/media/plane/media-plane.js';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '100,200,300,400,500' },
    bridged: { type: 'string', default: '200' },
    'c-calls': { type: 'string' },
    seconds: { type: 'string', default: '4' },
    ptime: { type: 'string', default: '20' },
    io: { type: 'string', default: 'auto' },
    'no-c': { type: 'boolean', default: false },
    'no-fifo': { type: 'boolean', default: false },
  },
});
const WARMUP_S = 1.5;
const CUSHION_SAMPLES = 800;
const measureSeconds = Number(values.seconds);
const here = fileURLToPath(new URL('.', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'nidaa-bench-'));
const compiler = ['cc', 'gcc', 'clang'].find((name) => {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});
if (!compiler) throw new Error('the media bench needs a C compiler (cc, gcc or clang)');
for (const name of ['media-load', 'media-echo']) {
  execFileSync(compiler, ['-O2', '-o', join(folder, name), join(here, `${name}.c`)], { stdio: 'inherit' });
}

let nextBase = 20_000 + (process.pid % 20) * 500;
const ports = (count) => {
  if (nextBase + count > 60_000) nextBase = 20_000;
  const base = nextBase;
  nextBase += count + (count & 1);
  return base;
};

/** Busy CPU of the whole machine so far, in seconds. */
function machineBusySeconds() {
  const [user, nice, system, , , irq, soft] = readFileSync('/proc/stat', 'latin1')
    .split('\n')[0]
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + soft) / 100;
}

/** The C server runs at the priority that the media thread has. The load does not: two real-time threads starve the rest. */
const FIFO = !values['no-fifo'] && permitsFifo() ? ['chrt', '-f', '10'] : [];
function permitsFifo() {
  try {
    execFileSync('chrt', ['-f', '10', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
function start(name, args, stdio) {
  const [command, ...rest] = [...(name === 'media-echo' ? FIFO : []), join(folder, name), ...args.map(String)];
  return spawn(command, rest, { stdio });
}

function load(calls, firstLocalPort, serverPorts) {
  return new Promise((resolve, reject) => {
    const child = start('media-load', [calls, firstLocalPort, WARMUP_S, measureSeconds], ['pipe', 'pipe', 'inherit']);
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 ? resolve(JSON.parse(output)) : reject(new Error(`media-load ended with ${code}`)),
    );
    child.stdin.end(serverPorts.join('\n'));
  });
}

/** Audio of each call back to it, every 20 ms, by the main thread. @returns how to stop. */
function echo(open) {
  const frame = new Int16Array(320);
  for (const port of open) port.write(new Int16Array(CUSHION_SAMPLES).fill(1000)); // what a speech engine is ahead by
  const timer = setInterval(() => {
    for (const port of open) {
      for (let count = port.read(frame); count > 0; count = port.read(frame)) port.write(frame.subarray(0, count));
    }
  }, 20);
  return () => clearInterval(timer);
}

/** The first call with the second, and so on, by the media thread. @returns how to stop. */
function joinPairs(plane, open) {
  const bridges = [];
  for (let i = 0; i + 1 < open.length; i += 2) bridges.push(plane.bridge(open[i], open[i + 1]));
  return () => {
    for (const bridge of bridges) bridge.close();
  };
}

/** Our plane: `calls` calls, each echoed, or `bridged` two by two. */
async function runNode(calls, io, bridged) {
  const local = ports(calls);
  const first = ports(calls * 2 + 2);
  const rssBefore = process.memoryUsage().rss;
  const plane = await createMediaPlane({
    io,
    bindAddress: '127.0.0.1',
    advertiseAddress: '127.0.0.1',
    portMin: first,
    portMax: first + calls * 2 + 1,
    callsPerWorker: calls,
    workers: 1,
    rtpTimeoutMs: 30_000,
    queueMs: 8_000,
    jitter: { minMs: 20, maxMs: 200 },
    raisePriority: !values['no-fifo'],
    maxLatenessP99Ms: 1e9,
    maxCpuPercent: 1e9,
    logger: createLogger({ level: 'warn', redactPersonal: true }),
    clock: systemClock,
  });
  const open = [];
  for (let i = 0; i < calls; i += 1) {
    const port = await plane.open({ callId: `call_${i}`, onEvent: () => {} });
    if (typeof port === 'string') throw new Error(`call ${i} refused: ${port}`);
    port.configure({
      remote: { address: '127.0.0.1', port: local + i },
      signallingAddress: '127.0.0.1',
      codec: 'PCMU',
      payloadType: 0,
      ptimeMs: Number(values.ptime),
      dtmfPayloadType: 101,
      direction: 'sendrecv',
      rtcpMux: true,
      remoteRtcpPort: local + i,
    });
    open.push(port);
  }
  const rssOpen = process.memoryUsage().rss;
  const stop = bridged ? joinPairs(plane, open) : echo(open);
  const busy = machineBusySeconds();
  const before = process.cpuUsage();
  const startedAt = performance.now();
  const running = load(
    calls,
    local,
    open.map((port) => port.local.port),
  );
  const workerCpu = [];
  let lateness = 0;
  const sampling = setInterval(() => {
    if (performance.now() - startedAt < 2_500) return;
    workerCpu.push(plane.load().cpuPercent);
    lateness = Math.max(lateness, plane.load().tickLatenessP99Ms);
  }, 1_000);
  const meter = await running.catch(async (error) => {
    clearInterval(sampling);
    stop();
    await plane.close();
    throw error;
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const used = process.cpuUsage(before);
  clearInterval(sampling);
  const otherBusy = machineBusySeconds() - busy;
  const rssTalking = process.memoryUsage().rss;
  const stats = await Promise.all(open.map((port) => port.close()));
  stop();
  const { lateTicks } = plane.load();
  await plane.close();
  const cpuPercent = (used.user + used.system) / 1e4 / seconds;
  const sum = (of) => stats.reduce((total, item) => total + of(item), 0);
  return {
    server: bridged ? 'joined' : 'nidaa',
    io,
    calls,
    ...meter,
    cpuPercent,
    workerCpuPercent: workerCpu.length ? workerCpu.reduce((a, b) => a + b) / workerCpu.length : undefined,
    tickLatenessP99Ms: lateness,
    lateTicks,
    inboundLost: sum((item) => item.packetsLost),
    inboundLate: sum((item) => item.packetsLate),
    concealed: sum((item) => item.packetsConcealed),
    openKbPerCall: (rssOpen - rssBefore) / calls / 1024,
    talkKbPerCall: (rssTalking - rssBefore) / calls / 1024,
    otherPercent: (100 * (otherBusy - generatorSeconds(meter))) / seconds - cpuPercent,
  };
}

async function runC(calls) {
  const local = ports(calls);
  const first = ports(calls * 2 + 2);
  const seconds = WARMUP_S + measureSeconds + 0.5;
  const child = start('media-echo', [calls, first, seconds], ['ignore', 'pipe', 'inherit']);
  let output = '';
  const ready = new Promise((resolve) => {
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (output.includes('READY')) resolve();
    });
  });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  await ready;
  const busy = machineBusySeconds();
  const startedAt = performance.now();
  const meter = await load(
    calls,
    local,
    Array.from({ length: calls }, (_, i) => first + 2 * i),
  );
  await ended;
  const wall = (performance.now() - startedAt) / 1000;
  const { cpuSeconds } = JSON.parse(output.slice(output.indexOf('{')));
  const cpuPercent = (100 * cpuSeconds) / (WARMUP_S + measureSeconds);
  return {
    server: 'C',
    calls,
    ...meter,
    cpuPercent,
    otherPercent: (100 * (machineBusySeconds() - busy - generatorSeconds(meter) - cpuSeconds)) / wall,
  };
}

const generatorSeconds = (meter) => (meter.generatorCpuPercent / 100) * (WARMUP_S + measureSeconds);

/** Other programs may hold a port of the row: then the next ports are tried. */
async function attempt(run, calls) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run(calls);
    } catch (error) {
      if (tries === 3) throw error;
    }
  }
}

const shown = (value, digits = 1) => (value === undefined ? '-' : value.toFixed(digits));
function print(row) {
  const pass = row.lost === 0 && row.p99Ms < 5 && row.received >= row.expected * 0.99;
  console.log(
    [
      `${row.server} ${row.io ?? ''}`.padEnd(12),
      `calls ${String(row.calls).padStart(5)}`,
      pass ? 'pass' : 'FAIL',
      `p50 ${shown(row.p50Ms, 2)} p99 ${shown(row.p99Ms, 2)} max ${shown(row.maxMs, 1)} ms`,
      `lost ${row.lost} silent ${row.silent} of ${row.received}`,
      `cpu ${shown(row.cpuPercent)} % (worker ${shown(row.workerCpuPercent)})`,
      `per call ${shown(row.cpuPercent / row.calls, 3)} %`,
      `KB/call ${shown(row.talkKbPerCall, 0)}`,
      `other ${shown(row.otherPercent, 0)} %`,
    ].join('  '),
  );
  if (row.server !== 'C') {
    console.log(
      `         tick p99 ${shown(row.tickLatenessP99Ms, 2)} ms, late ticks ${row.lateTicks}, inbound lost ${row.inboundLost} late ${row.inboundLate} concealed ${row.concealed}`,
    );
  }
  return pass;
}

console.log(
  `${cpus().length} cores, ${cpus()[0]?.model.trim()}, Node ${process.version}, ${measureSeconds} s a row, ${FIFO.length ? 'SCHED_FIFO for both servers' : 'normal priority'}`,
);
const rows = { nidaa: [], joined: [], C: [] }; // that passed
const list = (text) => text.split(',').map(Number);
for (const calls of list(values.calls)) {
  for (const io of values.io.split(',')) {
    const row = await attempt((count) => runNode(count, io), calls);
    if (print(row)) rows.nidaa.push(row);
  }
}
for (const calls of list(values.bridged)) {
  for (const io of values.io.split(',')) {
    const row = await attempt((count) => runNode(count, io, true), calls);
    if (print(row)) rows.joined.push(row);
  }
}
for (const calls of values['no-c'] ? [] : list(values['c-calls'] ?? values.calls)) {
  const row = await attempt(runC, calls);
  if (print(row)) rows.C.push(row);
}
const perCall = (row) => row.cpuPercent / row.calls;
for (const row of rows.joined) {
  const alone = rows.nidaa.find((other) => other.calls === row.calls && other.io === row.io);
  if (!alone) continue;
  const [pair, two] = [2 * perCall(row), 2 * perCall(alone)].map((percent) => percent.toFixed(3));
  const share = ((100 * perCall(row)) / perCall(alone)).toFixed(0);
  console.log(
    `a joined pair takes ${pair} % of a core, two calls echoed by the main thread ${two} %: ${share} % of it`,
  );
}
const common = rows.nidaa.findLast((row) => rows.C.some((other) => other.calls === row.calls));
if (common) {
  const c = rows.C.find((row) => row.calls === common.calls);
  console.log(
    `most calls that passed: nidaa ${rows.nidaa.at(-1).calls}, C ${rows.C.at(-1).calls} (of those tried); at ${common.calls} calls C needs ${((100 * perCall(c)) / perCall(common)).toFixed(0)} % of our CPU per call`,
  );
}
rmSync(folder, { recursive: true });
