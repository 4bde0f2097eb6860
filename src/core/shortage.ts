/**
 * Codes of a process or machine that has nothing left to give: descriptors, processes, threads, memory, buffers. Some are
 * POSIX names (errno(3)), one is Node's own for a thread.
 */
const SHORTAGE_CODES: ReadonlySet<unknown> = new Set([
  ...['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM', 'ENOBUFS'],
  'ERR_WORKER_INIT_FAILED',
]);
/** What Node's module loader says of EMFILE and ENFILE (strerror(3)) in errors that carry no such code, from Node 24 on. */
const SHORTAGE_WORDS = /\btoo many open files\b/i;
const CAUSES_MAX = 8;

/** What was to be opened or started found nothing left: normal under load, over when something is given back. */
export class Shortage extends Error {
  readonly code = 'EMFILE';
  /** @param why - what could not be had. */
  constructor(why: string) {
    super(why);
    this.name = 'Shortage';
  }
}

/** Whether anything in the chain of causes says that this process or machine had nothing left: nobody else's fault. */
export function isShortage(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; cause instanceof Error && depth < CAUSES_MAX; depth += 1, cause = cause.cause) {
    if ('code' in cause && SHORTAGE_CODES.has(cause.code)) return true;
    if (SHORTAGE_WORDS.test(cause.message)) return true;
  }
  return false;
}
