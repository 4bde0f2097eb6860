import { existsSync, linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What PostgreSQL writes about itself into `<data>/postmaster.pid`. */
export interface PostmasterPid {
  readonly pid: number;
  readonly socketDir: string;
  readonly ready: boolean;
}

/** Reads `postmaster.pid` (one fact a line: pid, data folder, start, port, socket folder, host, shared memory, status). */
export function readPostmasterPid(dataDir: string): PostmasterPid | undefined {
  const lines = readText(join(dataDir, 'postmaster.pid'))?.split('\n');
  const pid = Number(lines?.[0]);
  if (!lines || !Number.isInteger(pid) || pid <= 1) return undefined;
  return { pid, socketDir: lines[4]?.trim() ?? '', ready: lines[7]?.trim() === 'ready' };
}

/**
 * Whether process `pid` is the database server of `dataDir`. A number alone says nothing: after a crash or in a restarted
 * container it may belong to anybody.
 */
export function isPostmasterOf(dataDir: string, pid: number): boolean {
  const words = readText(`/proc/${pid}/cmdline`)?.split('\0');
  return words?.includes(dataDir) === true && (words[0] ?? '').endsWith('postgres');
}

/** The processes of the server whose `cluster_name` this is, but its first one: that name stands in the title of each. */
export function clusterProcesses(clusterName: string): readonly number[] {
  const title = `postgres: ${clusterName}: `;
  const numbers = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return numbers.filter((pid) => readText(`/proc/${pid}/cmdline`)?.startsWith(title));
}

/**
 * Lets a server start whose `postmaster.pid` names a process that is no server of `dataDir`: the number belongs to somebody
 * else by now. The rest of the file stays, for by it PostgreSQL sees whether processes of the last server still have the
 * data open. Its parent, which we are, is the one living process that it does not take for another server.
 */
export function disownPostmasterPid(dataDir: string): void {
  const file = join(dataDir, 'postmaster.pid');
  const [pid, ...rest] = readText(file)?.split('\n') ?? [];
  if (pid !== undefined) writeFileSync(file, [process.pid, ...rest].join('\n'));
}

/**
 * Start time of a process in clock ticks since boot (proc_pid_stat(5), field 22): tells it from a later one of the same pid. Undefined
 * for one that has ended and that nobody has asked about yet (field 3): as the first process of a container does with its children.
 */
function startTicks(pid: number): string | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields?.[0] === 'Z' || fields?.[0] === 'X' ? undefined : fields?.[19];
}

function isSameProcess(pid: number, ticks: string): boolean {
  return startTicks(pid) === ticks;
}

/**
 * One gateway a data folder. The file says who holds it; one whose holder is gone (kill -9, power cut) is taken over.
 *
 * @returns undefined when the lock is ours now, else the pid of the gateway that holds it.
 */
export function takeLock(lockFile: string): number | undefined {
  const own = `${lockFile}.${process.pid}`;
  writeFileSync(own, `${process.pid} ${startTicks(process.pid) ?? ''}\n`, { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      try {
        linkSync(own, lockFile); // Atomic, and unlike O_EXCL never seen half written.
        return undefined;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const [pid, ticks] = (readText(lockFile) ?? '').trim().split(' ');
      if (pid && ticks && isSameProcess(Number(pid), ticks)) return Number(pid);
      rmSync(lockFile, { force: true });
    }
    return 0;
  } finally {
    rmSync(own, { force: true });
  }
}

/** Gives the lock back if it is still ours. */
export function releaseLock(lockFile: string): void {
  if (existsSync(lockFile) && readText(lockFile)?.startsWith(`${process.pid} `)) rmSync(lockFile, { force: true });
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
