import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SUBNET = '10.99.88';
const RELAY = fileURLToPath(new URL('./bad-network.py', import.meta.url));

/** @returns why there can be no bad network here; undefined where there can. */
export function whyNoLink() {
  if (process.getuid?.() !== 0) return 'needs root: it makes a network namespace and TUN devices';
  if (!existsSync('/dev/net/tun')) return 'needs /dev/net/tun';
  for (const [program, ...args] of [
    ['python3', '--version'],
    ['ip', '-V'],
    ['baresip', '-h'],
    ['sipp', '-v'],
  ]) {
    try {
      execFileSync(program, args, { stdio: 'ignore' });
    } catch (error) {
      if (error.code === 'ENOENT') return `needs ${program}`;
    }
  }
  return undefined;
}

/** A namespace behind a link that is as bad as it is told to be. */
export async function openLink() {
  const namespace = `nidaa-bench-${process.pid}`;
  const relay = spawn('python3', [RELAY, namespace, SUBNET], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: relay.stdout })[Symbol.asyncIterator]();
  const exited = new Promise((resolve) => relay.once('exit', resolve));
  const { value } = await lines.next();
  if (value !== 'READY') throw new Error('there is no bad network to be had');
  return {
    ...{ here: `${SUBNET}.1`, there: `${SUBNET}.2` },
    /** @returns what the link did since it was set before. */
    set: async (settings) => {
      relay.stdin.write(`${JSON.stringify(settings)}\n`);
      return JSON.parse((await lines.next()).value);
    },
    cut: (seconds) => void relay.stdin.write(`${JSON.stringify({ cut: seconds })}\n`),
    /** A program in the namespace. */
    spawn: (program, args, options) => spawn('ip', ['netns', 'exec', namespace, program, ...args], options),
    close: async () => {
      relay.stdin.end();
      await exited;
    },
  };
}
