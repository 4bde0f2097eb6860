import { closeSync, readFileSync } from 'node:fs';

/**
 * Closes `epoll` and all that is registered with it: for the sockets of a thread that is gone. Only the kernel knows them then.
 *
 * @returns how many there were; undefined where the system does not tell, and nothing was closed.
 */
export function closeLeftSockets(epoll: number): number | undefined {
  let registered: string;
  try {
    registered = readFileSync(`/proc/self/fdinfo/${epoll}`, 'latin1'); // a line `tfd: 23 events: ...` for each (proc(5))
  } catch {
    return undefined;
  }
  const left = [...registered.matchAll(/^tfd:\s*(\d+)/gm)].map(([, descriptor]) => Number(descriptor));
  for (const descriptor of [...left, epoll]) closeSync(descriptor);
  return left.length;
}
