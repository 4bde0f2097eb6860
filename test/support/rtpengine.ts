import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { systemClock } from '../../src/core/clock.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { NgClient } from '../../src/media/edge/ng-client.ts';
import { RtpengineEdge, type RtpengineEdgeOptions } from '../../src/media/edge/rtpengine-edge.ts';
import { freeUdpRange } from './ports.ts';
import { until } from './until.ts';

export const HAS_RTPENGINE = spawnSync('rtpengine', ['--version']).status === 0;
if (!HAS_RTPENGINE)
  console.warn('\n!!! THE MEDIA EDGE IS NOT TRIED WITH RTPENGINE: rtpengine-daemon is not installed !!!\n');

const PORTS = 80;
const FLAGS = [
  ...['--config-file=none', '--foreground', '--log-stderr', '--table=-1', '--num-threads=1'],
  '--delete-delay=0',
];
const INTERFACES = ['127.0.0.1'];

/** A real rtpengine in user space, on loopback and free ports. */
export class Rtpengine {
  #child: ChildProcess | undefined;
  log = '';
  private constructor(
    readonly port: number,
    private readonly rtpPort: number,
    private readonly interfaces: readonly string[],
  ) {}

  static async start(level = 5, interfaces: readonly string[] = INTERFACES): Promise<Rtpengine> {
    const engine = new Rtpengine(await freeUdpRange(2), await freeUdpRange(PORTS), interfaces);
    await engine.run(level);
    return engine;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Again, after it was killed. */
  async run(level = 5): Promise<void> {
    const { port, rtpPort } = this;
    const range = [`--port-min=${rtpPort}`, `--port-max=${rtpPort + PORTS - 1}`];
    const where = [`--listen-ng=127.0.0.1:${port}`, ...this.interfaces.map((each) => `--interface=${each}`)];
    const child = spawn('rtpengine', [...FLAGS, `--log-level=${level}`, ...where, ...range], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#child = child;
    child.stderr!.on('data', (chunk) => {
      this.log = (this.log + String(chunk)).slice(-200_000);
    });
    const client = new NgClient({ host: '127.0.0.1', port, clock: systemClock, timeoutMs: 300 });
    await until(
      async () => typeof (await client.ask('ping')) === 'object',
      () => `rtpengine answers\n${this.log}`,
    );
    client.close();
  }

  /** What it has for calls: those that it lists, and sockets that it still has open. */
  async held(): Promise<{ readonly calls: number; readonly ports: number }> {
    const client = new NgClient({ host: '127.0.0.1', port: this.port, clock: systemClock, timeoutMs: 1_000 });
    const reply = await client.ask('list');
    client.close();
    if (typeof reply === 'string') throw new Error(`rtpengine lists no calls: ${reply}`);
    return { calls: (reply.get('calls') as readonly unknown[]).length, ports: this.#ports() };
  }

  /** Resolves once everything that it had for calls is given back. */
  async free(): Promise<void> {
    await until(
      async () => {
        const { calls, ports } = await this.held();
        return calls + ports === 0;
      },
      () => `rtpengine gives everything back\n${this.log.slice(-4_000)}`,
    );
  }

  /** As the kernel lists them. */
  #ports(): number {
    const lines = ['/proc/net/udp', '/proc/net/udp6'].flatMap((file) => readFileSync(file, 'latin1').split('\n'));
    const ports = lines.map((line) => Number.parseInt(/^ *\d+: [0-9A-F]+:([0-9A-F]{4})/.exec(line)?.[1] ?? '', 16));
    return ports.filter((port) => port >= this.rtpPort && port < this.rtpPort + PORTS).length;
  }

  /** At once, as by a fault of its own. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

/** An edge of these. */
export async function edgeOf(
  addresses: readonly string[],
  more: Partial<RtpengineEdgeOptions> = {},
): Promise<RtpengineEdge> {
  const edge = new RtpengineEdge({
    engines: addresses.map((address) => ({ address, weight: 1 })),
    ...{ timeoutMs: 1_000, pingMs: 500, clock: systemClock, logger: silentLogger, metrics: createMetrics() },
    ...more,
  });
  await edge.meet();
  return edge;
}
