#!/usr/bin/env node
/**
 * What a start of the gateway takes, in seconds of processor (its PostgreSQL and whatever else it starts included, which other programs
 * on the machine disturb least), and the memory of all its processes when nobody calls. Budget: 1.2 s from the second start on, 150 MB.
 *
 *   node scripts/bench/start.mjs [starts]     (after: npm run build)
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './latency/gateway-process.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TICKS_PER_S = 100;
const READY_S_MAX = 120;
/** What agents say was spoken ahead, and what a start and that leave behind is collected and given back by then. */
const IDLE_MS = 100_000;
/** What the first start has learnt of its agents, and what V8 has made of the code, is kept by then for the later ones. */
const FIRST_MS = 15_000;
const starts = Number(process.argv[2] ?? 5);
const dataDir = mkdtempSync(join(tmpdir(), 'nidaa-start-'));

/** Fields of `/proc/PID/stat` behind the name, which may hold anything (proc(5)). */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(fields[1]), seconds: sum(fields.slice(11, 15).map(Number)) / TICKS_PER_S };
  } catch {
    return undefined; // It ended meanwhile.
  }
}

const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);

/** A process and all that come from it; those that have ended count with the one that waited for them. */
function treeOf(root) {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = statOf(name);
      return stat ? [{ pid: Number(name), ...stat }] : [];
    });
  const below = (pid) => all.filter(({ parent }) => parent === pid).flatMap((one) => [one, ...below(one.pid)]);
  return [...all.filter(({ pid }) => pid === root), ...below(root)];
}

/** Proportional: what processes share counts once. */
function megabytesOf(pid) {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

async function start(livesMs) {
  const rtp = await freePort(40_000);
  const env = {
    ...process.env,
    ...{ NIDAA_HOST: '127.0.0.1', NIDAA_DATA_DIR: dataDir, NIDAA_METRICS_PORT: '0' },
    ...{ NIDAA_SIP_PORT: String(await freePort(16_000)), NIDAA_HTTP_PORT: String(await freePort(18_500)) },
    NIDAA_RTP_PORTS: `${rtp}-${rtp + 399}`,
  };
  const child = spawn(process.execPath, [join(ROOT, 'scripts/run.mjs'), 'main'], { env, cwd: ROOT });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.stderr.resume();
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  const begunMs = performance.now();
  while (!/^READY /m.test(out)) {
    if (performance.now() - begunMs > READY_S_MAX * 1000) throw new Error('not ready in time');
    await pause(10);
  }
  const readyMs = performance.now() - begunMs;
  const seconds = sum(treeOf(child.pid).map((one) => one.seconds));
  await pause(livesMs);
  const [own, ...others] = treeOf(child.pid).map(({ pid }) => megabytesOf(pid));
  child.kill('SIGTERM');
  await exited;
  return { seconds, readyMs, own, others: sum(others) };
}

const made = [];
for (let one = 0; one < starts; one += 1) {
  const taken = await start(one === starts - 1 ? IDLE_MS : one === 0 ? FIRST_MS : 0);
  made.push(taken);
  console.log(
    `${one === 0 ? 'first start, with an empty data folder' : `start ${one + 1}`}: ${taken.seconds.toFixed(2)} s of processor, ` +
      `ready after ${(taken.readyMs / 1000).toFixed(1)} s`,
  );
}
rmSync(dataDir, { recursive: true, force: true });
const { own, others } = made.at(-1);
console.log(
  `least of the later ones: ${Math.min(...made.slice(1).map(({ seconds }) => seconds)).toFixed(2)} s of processor`,
);
console.log(`idle: ${own.toFixed(0)} MB the gateway, ${others.toFixed(0)} MB its database and speech processes (PSS)`);
