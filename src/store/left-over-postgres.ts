import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, delay } from '../core/clock.ts';
import { OperatorError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { clusterNameOf, POSTGRES_PORT, type PostgresHome } from './postgres-home.ts';
import { clusterProcesses, disownPostmasterPid, isPostmasterOf, readPostmasterPid } from './postmaster-pid.ts';

const STOP_MS_MAX = 10_000; // for each signal
const POLL_MS = 5;

/**
 * A server that outlived a killed gateway is stopped, and so are the processes that outlived a killed server: with two at
 * work on the same files what one has booked is lost. Lock files whose process is gone or somebody else's are no hindrance.
 *
 * @throws OperatorError when something of it does not stop.
 */
export async function endLeftOver(home: PostgresHome, clock: Clock, logger: Logger): Promise<void> {
  const { dataDir, socketDir } = home;
  const pid = readPostmasterPid(dataDir)?.pid;
  const first = (): readonly number[] => (pid !== undefined && isPostmasterOf(dataDir, pid) ? [pid] : []);
  const rest = (): readonly number[] => clusterProcesses(clusterNameOf(home));
  const end = async (left: () => readonly number[], signals: readonly NodeJS.Signals[]): Promise<void> => {
    if (left().length === 0) return;
    logger.warn({ pids: left() }, 'stopping what is left of a database server');
    for (const signal of signals) if (await isEnded(left, signal, clock)) return;
    throw new OperatorError(
      `A PostgreSQL server (process ${left().join(', ')}) of an earlier run holds ${dataDir} and does not stop. End it, then start again.`,
    );
  };
  await end(first, ['SIGINT', 'SIGQUIT']);
  if (!existsSync('/proc/self/cmdline')) return; // Without /proc only PostgreSQL's own judgement is left.
  await end(rest, ['SIGQUIT', 'SIGKILL']);
  disownPostmasterPid(dataDir);
  rmSync(join(socketDir, `.s.PGSQL.${POSTGRES_PORT}.lock`), { force: true });
}

async function isEnded(left: () => readonly number[], signal: NodeJS.Signals, clock: Clock): Promise<boolean> {
  for (const pid of left()) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // It has ended meanwhile.
    }
  }
  for (const untilMs = clock.nowMs() + STOP_MS_MAX; clock.nowMs() < untilMs; await delay(clock, POLL_MS)) {
    if (left().length === 0) return true;
  }
  return false;
}
