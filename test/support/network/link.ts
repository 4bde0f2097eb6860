import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const RELAY = fileURLToPath(new URL('./bad-network.py', import.meta.url));
const PROGRAMS = [
  ['python3', '--version'],
  ['ip', '-V'],
  ['baresip', '-h'],
  ['sipp', '-v'],
] as const;

/** What a network does to packets: percent, packets, ms. */
export interface LinkSettings {
  readonly loss?: number;
  readonly burst?: number; // mean length of runs of lost packets
  readonly delay?: number;
  readonly jitter?: number;
  readonly mixed?: number; // 1: packets overtake the one that is late
  readonly reorder?: number;
  readonly duplicate?: number;
}

/** What it did. */
export interface LinkDone {
  readonly ways: readonly { readonly seen: number; readonly lost: number; readonly longest: number }[];
  readonly late_ms: number; // by how much this machine itself was late
}

/** @returns why there can be no bad network here; undefined where there can. */
export function whyNoLink(): string | undefined {
  if (process.getuid?.() !== 0) return 'needs root: it makes a network namespace and TUN devices';
  if (!existsSync('/dev/net/tun')) return 'needs /dev/net/tun';
  const missing = PROGRAMS.find(([program, argument]) => spawnSync(program, [argument], { stdio: 'ignore' }).error);
  return missing && `needs ${missing[0]}`;
}

/** A namespace behind a link that is as bad as it is told to be. */
export class BadLink {
  readonly here: string;
  readonly there: string;
  readonly #relay: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #lines: AsyncIterator<string>;

  private constructor(
    private readonly namespace: string,
    subnet: string,
  ) {
    this.here = `${subnet}.1`;
    this.there = `${subnet}.2`;
    this.#relay = spawn('python3', [RELAY, namespace, subnet], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#exited = once(this.#relay, 'exit');
    this.#lines = createInterface({ input: this.#relay.stdout! })[Symbol.asyncIterator]();
  }

  static async open(): Promise<BadLink> {
    const link = new BadLink(`nidaa-test-${process.pid}`, `10.99.${1 + (process.pid % 250)}`);
    if ((await link.#lines.next()).value !== 'READY') throw new Error('there is no bad network to be had');
    return link;
  }

  /** @returns what the link did since it was set before. */
  async set(settings: LinkSettings): Promise<LinkDone> {
    this.#relay.stdin!.write(`${JSON.stringify(settings)}\n`);
    return JSON.parse((await this.#lines.next()).value) as LinkDone;
  }

  /** Nothing passes for so long. */
  cut(seconds: number): void {
    this.#relay.stdin!.write(`${JSON.stringify({ cut: seconds })}\n`);
  }

  /** A program in the namespace. */
  spawn(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
    return spawn('ip', ['netns', 'exec', this.namespace, program, ...args], options);
  }

  async close(): Promise<void> {
    this.#relay.stdin!.end();
    await this.#exited;
  }
}
