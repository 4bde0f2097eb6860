import { readdirSync, readFileSync } from 'node:fs';

export interface SeenProcess {
  readonly pid: number;
  readonly command: string;
}

/** Processes that name `mark` on their command line or in their environment: those that a test started, and theirs. */
export function processesOf(mark: string): SeenProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      const command = partOf(pid, 'cmdline');
      return `${command}\0${partOf(pid, 'environ')}`.includes(mark) ? [{ pid: Number(pid), command }] : [];
    });
}

function partOf(pid: string, part: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${part}`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return ''; // It ended meanwhile.
  }
}
