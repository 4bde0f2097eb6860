import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** ptrace(2), sys/ptrace.h. */
const [SEIZE, INTERRUPT, DETACH] = [0x4206, 0x4207, 17];
/** sched(7): what media threads ask for. */
const SCHED_FIFO = 1;
/** proc(5), counted behind the name in parentheses. */
const [NICE_FIELD, POLICY_FIELD] = [16, 38];

type Ptrace = (request: number, thread: number, address: number, data: number) => number;
interface Ffi {
  load(library: string): { func(prototype: string): Ptrace };
}
let kept: Ptrace | undefined;
function ptrace(request: number, thread: number): boolean {
  kept ??= (createRequire(import.meta.url)('koffi') as Ffi)
    .load('libc.so.6')
    .func('long ptrace(long request, int pid, size_t addr, size_t data)');
  return kept(request, thread, 0, 0) === 0;
}

/** Threads of a process that run before others, by id: those of media. */
export function threadsBeforeOthers(pid: number): readonly number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((id) => {
    const fields = fieldsOf(pid, id);
    return Number(fields[POLICY_FIELD]) === SCHED_FIFO || Number(fields[NICE_FIELD]) < 0 ? [Number(id)] : [];
  });
}

/** Holds one thread of a process still, and no other of it; false where the system does not allow that. It goes on with `goOn`, or when this process ends. */
export function holdStill(thread: number): boolean {
  return ptrace(SEIZE, thread) && ptrace(INTERRUPT, thread);
}

export function goOn(thread: number): boolean {
  return ptrace(DETACH, thread);
}

function fieldsOf(pid: number, thread: string): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return []; // it has ended
  }
}
