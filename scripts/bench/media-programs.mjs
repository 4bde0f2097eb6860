import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TICKS_PER_SECOND = 100; // of Linux, wherever programs can see them
const WARMUP_S = 1.5;
const STOP_MS_MAX = 5_000;

/** Programs beside the bench: its own in C, compiled, and others'. None outlives the bench, however that ends. */
export class Programs {
  #folder = mkdtempSync(join(tmpdir(), 'nidaa-bench-'));
  #children = new Set();
  #realtime;

  /** @param flags - of the compiler, by source. @param realtime - servers run at the priority that the media thread has, where the system permits that. */
  constructor(sources, realtime, flags = {}) {
    this.#realtime = realtime && runs('chrt', ['-f', '10', 'true']) ? ['chrt', '-f', '10'] : [];
    process.on('exit', () => this.#end());
    for (const [name, code] of Object.entries({ SIGINT: 130, SIGTERM: 143 }))
      process.once(name, () => process.exit(code));
    const compiler = ['cc', 'gcc', 'clang'].find((name) => runs(name, ['--version']));
    if (!compiler) throw new Error('the media bench needs a C compiler (cc, gcc or clang)');
    for (const name of sources) {
      const source = fileURLToPath(new URL(`./${name}.c`, import.meta.url));
      execFileSync(compiler, ['-O2', '-o', join(this.#folder, name), source, ...(flags[name] ?? [])], {
        stdio: 'inherit',
      });
    }
  }

  get realtime() {
    return this.#realtime.length > 0;
  }

  path(name) {
    return join(this.#folder, name);
  }

  /** The load has normal priority: two real-time threads starve the rest of a small machine. */
  startLoad(args) {
    return this.#start([this.path('media-load'), ...args], ['pipe', 'pipe', 'inherit']);
  }

  /** @param standardError - as `spawn` takes it. */
  startServer(file, args, standardError = 'inherit') {
    return this.#start([...this.#realtime, file, ...args], ['ignore', 'pipe', standardError]);
  }

  #start([file, ...args], stdio) {
    const child = spawn(file, args.map(String), { stdio });
    this.#children.add(child);
    child.once('exit', () => this.#children.delete(child));
    return child;
  }

  #end() {
    for (const child of this.#children) child.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export function runs(file, args) {
  return spawnSync(file, args, { stdio: 'ignore' }).status === 0;
}

/** Asks it to end, kills it when it does not, and waits until it has. */
export async function stopProgram(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
  await exited;
  clearTimeout(late);
}

/** CPU time of a process and its threads so far, alone and with its children that have ended; undefined when it is gone. */
function cpuSecondsOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1'); // proc_pid_stat(5)
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' '); // from the third on
    const [user, system, endedUser, endedSystem] = fields
      .slice(11, 15)
      .map((ticks) => Number(ticks) / TICKS_PER_SECOND);
    return { alone: user + system, withEnded: user + system + endedUser + endedSystem };
  } catch {
    return undefined;
  }
}

/** Of every process. What /proc/stat sums up is sampled by a clock tick, which misses work that is itself paced by the millisecond. */
function allCpuSeconds() {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return new Map(pids.map((pid) => [Number(pid), cpuSecondsOf(pid)?.withEnded ?? 0]));
}

/** When a processor of this virtual machine was to work and the host ran something else. */
function stolenSeconds() {
  return Number(readFileSync('/proc/stat', 'latin1').split('\n')[0].trim().split(/\s+/)[8]) / TICKS_PER_SECOND;
}

/**
 * Phones call and are metered: what came back to them, and the CPU of the server meanwhile, the same way for every server.
 *
 * @param phones - `firstPort` of theirs, the `serverPorts` they send to, for how long they are metered, and the `key` that they
 *   encrypt with.
 */
export async function meterRow(programs, { firstPort, serverPorts, measureSeconds, key }, serverPid) {
  const calls = serverPorts.length;
  const seconds = () => ({
    wall: performance.now() / 1000,
    server: cpuSecondsOf(serverPid)?.alone ?? Number.NaN,
    all: allCpuSeconds(),
    stolen: stolenSeconds(),
  });
  const before = seconds();
  const meter = await runLoad(
    programs.startLoad([calls, firstPort, WARMUP_S, measureSeconds, ...(key ? [key] : [])]),
    serverPorts,
  );
  const after = seconds();
  const percent = (used) => (100 * used) / (after.wall - before.wall);
  const strangers = [...after.all].filter(([pid]) => pid !== serverPid && pid !== process.pid); // the load is our child, and has ended
  const others = strangers.map(([pid, used]) => Math.max(0, used - (before.all.get(pid) ?? 0)));
  return {
    calls,
    ...meter,
    cpuPercent: percent(after.server - before.server),
    otherPercent: percent(others.reduce((sum, each) => sum + each, 0)),
    stolenPercent: percent(after.stolen - before.stolen),
  };
}

async function runLoad(child, serverPorts) {
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stdin.on('error', () => {}); // it ended: its exit tells
  child.stdin.end(serverPorts.join('\n'));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`media-load ended with ${code}`);
  return JSON.parse(output);
}

/** What the load needs of a server beyond the time that it is metered for: to start, to warm up, and to work its numbers out. */
export const LOAD_OVERHEAD_S = WARMUP_S + 10;
