import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const LOWEST_PORT = 10_000;
const SYSTEM_PORTS = '/proc/sys/net/ipv4/ip_local_port_range';

/**
 * Ports of 127.0.0.1 for the rows of the media bench. They lie below those that Linux gives to any socket that asks for none
 * (32768 and up), which some program always holds a few of. No two spans of a row may overlap: a server that is offered one of its
 * own ports as the phone's address is right to refuse it. The next span begins after the last: what the row before had is at rest.
 */
export class UdpPorts {
  #top = Number(readFileSync(SYSTEM_PORTS, 'latin1').split(/\s+/)[0]) - 1;
  #next = LOWEST_PORT + (process.pid % 16) * 1000; // two benches at once begin apart

  /** @returns the first, even, of `count` ports in a row that no program holds now. Throws where there is no such row. */
  span(count) {
    const held = heldPorts();
    for (const from of [this.#next, LOWEST_PORT]) {
      let first = from;
      for (let port = first; port <= this.#top; port += 1) {
        if (held.has(port)) first = port + 1 + ((port + 1) & 1);
        if (port - first + 1 < count) continue;
        this.#next = port + 1 + ((port + 1) & 1);
        return first;
      }
    }
    throw new Error(`no ${count} UDP ports in a row are free from ${LOWEST_PORT} to ${this.#top}`);
  }
}

/** Local ports of the UDP sockets there are, whatever their address. */
function heldPorts() {
  const held = new Set();
  for (const table of ['/proc/net/udp', '/proc/net/udp6']) {
    for (const [, port] of readFileSync(table, 'latin1').matchAll(/^ *\d+: [0-9A-F]+:([0-9A-F]{4}) /gm)) {
      held.add(Number.parseInt(port, 16));
    }
  }
  return held;
}

/** Most sockets that one program of a row has for a call (rtpengine: RTP and RTCP), and what a program has open anyway. */
const DESCRIPTORS = { each: 2, beside: 200 };

/** Lets this process, and what it starts, open what so many calls need. */
export function raiseDescriptors(calls) {
  const needed = calls * DESCRIPTORS.each + DESCRIPTORS.beside;
  const allowed = /^Max open files\s+\S+\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
  if (allowed === 'unlimited' || Number(allowed) >= needed) return; // Node raises the soft limit to the hard one by itself
  const { status } = spawnSync('prlimit', ['--pid', String(process.pid), `--nofile=${needed}:${needed}`]);
  if (status === 0) return;
  throw new Error(`${calls} calls need ${needed} descriptors, ${allowed} are allowed: ulimit -n ${needed}, as root`);
}
