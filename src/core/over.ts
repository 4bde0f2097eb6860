/**
 * The reason of signals whose owner is done: what `abort()` would give them, made once. Made anew for each it takes its stack along, which
 * costs more than most of what it ends.
 */
export const OVER = new DOMException('This operation was aborted', 'AbortError');
