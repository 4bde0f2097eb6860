import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';

const PAGE_BYTES = 4096;
const TICKS_PER_SECOND = 100; // of Linux, wherever programs can see them

/** proc_pid_stat(5) of a process or thread; undefined when it is gone. */
function statOf(path) {
  let text;
  try {
    text = readFileSync(`/proc/${path}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (number) => Number(fields[number - 3]); // as the manual counts them
  return {
    program: text.slice(text.indexOf('(') + 1, text.lastIndexOf(')')),
    parent: field(4),
    own: field(14) + field(15),
    reaped: field(16) + field(17), // of children that have ended
    nice: field(19),
    startedAt: field(22),
    rssBytes: field(24) * PAGE_BYTES,
    isRealtime: field(40) > 0,
  };
}

/** Every process of the tree, with what is known of it. */
export function processTree(root) {
  const all = readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? statOf(name) : undefined;
    return stat ? [{ pid: Number(name), ...stat }] : [];
  });
  const tree = all.filter(({ pid }) => pid === root);
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid));
  return tree;
}

/** Kills what is left of a tree that was to end. */
export function killLeft(tree) {
  for (const { pid, startedAt } of tree) {
    if (statOf(pid)?.startedAt === startedAt) process.kill(pid, 'SIGKILL');
  }
}

/** Resident bytes of the gateway's processes; PostgreSQL has its own, whoever calls. */
export function residentBytes(root) {
  return processTree(root)
    .filter(({ program }) => program !== 'postgres')
    .reduce((sum, { rssBytes }) => sum + rssBytes, 0);
}

/**
 * Processor time of the gateway and of who loads it, from one look to the next: percent of one processor, but of all of them for
 * `machine`; `strangers` is what other programs took. `media` are the threads that the gateway runs before others, as media threads and nothing else are.
 */
export class ProcessorTimes {
  #last;
  /** @param others - process ids by name. */
  constructor(gatewayPid, others) {
    this.gatewayPid = gatewayPid;
    this.others = others;
    this.#last = this.#ticks();
  }

  /** Since the last call of this. */
  take() {
    const now = this.#ticks();
    const last = this.#last;
    this.#last = now;
    const ticks = ((now.atMs - last.atMs) / 1000) * TICKS_PER_SECOND;
    const used = Object.keys(now.of).map((name) => [name, (100 * (now.of[name] - (last.of[name] ?? 0))) / ticks]);
    const busy = (100 * (now.busy - last.busy)) / ticks;
    const { gateway, ...known } = Object.fromEntries(used);
    const load = Object.keys(this.others).reduce((sum, name) => sum + known[name], 0);
    return { gateway, ...known, machine: busy / cpus().length, strangers: Math.max(0, busy - gateway - load) };
  }

  #ticks() {
    const threads = this.#threads();
    const tree = processTree(this.gatewayPid);
    return {
      atMs: performance.now(),
      busy: busyTicks(),
      of: {
        gateway: sumOf(tree),
        postgres: sumOf(tree.filter(({ program }) => program === 'postgres')),
        ...threads,
        ...Object.fromEntries(Object.entries(this.others).map(([name, pid]) => [name, statOf(pid)?.own ?? 0])),
      },
    };
  }

  #threads() {
    const pid = this.gatewayPid;
    const threads = listOf(`/proc/${pid}/task`).map((tid) => ({ tid, ...statOf(`${pid}/task/${tid}`) }));
    const media = threads.filter(({ isRealtime, nice }) => isRealtime || nice < 0);
    return {
      main: threads.find(({ tid }) => Number(tid) === pid)?.own ?? 0,
      media: media.reduce((sum, { own }) => sum + own, 0),
    };
  }
}

const sumOf = (processes) => processes.reduce((sum, { own, reaped }) => sum + own + reaped, 0);

function listOf(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return []; // the gateway has ended
  }
}

function busyTicks() {
  const [user, nice, system, , , irq, soft] = readFileSync('/proc/stat', 'latin1')
    .split('\n')[0]
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return user + nice + system + irq + soft;
}
