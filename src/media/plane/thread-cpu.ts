import { readFileSync } from 'node:fs';

/** Processor time in ms of a thread of this process, by the system's id of it, or of the caller; undefined where nobody tells. */
export function threadCpuMs(threadId?: string): number | undefined {
  const path = threadId === undefined ? '/proc/thread-self' : `/proc/self/task/${threadId}`;
  try {
    return Number(readFileSync(`${path}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
  } catch {
    return undefined;
  }
}
