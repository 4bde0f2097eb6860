import { readFileSync } from 'node:fs';

/** A database server and all its backends: stopping only the first would leave open connections working. */
export function serverProcesses(postmaster: number): readonly number[] {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
  return [postmaster, ...children.trim().split(/\s+/).filter(Boolean).map(Number)];
}

/** Sends a signal to each; one that is gone meanwhile is left alone. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
