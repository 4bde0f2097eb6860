import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
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
  ...['--interface=127.0.0.1', '--delete-delay=0'],
];

/** A real rtpengine in user space, on loopback and free ports. */
export class Rtpengine {
  #child: ChildProcess | undefined;
  log = '';
  private constructor(
    readonly port: number,
    private readonly rtpPort: number,
  ) {}

  static async start(level = 5): Promise<Rtpengine> {
    const engine = new Rtpengine(await freeUdpRange(2), await freeUdpRange(PORTS));
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
    const child = spawn('rtpengine', [...FLAGS, `--log-level=${level}`, `--listen-ng=127.0.0.1:${port}`, ...range], {
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
