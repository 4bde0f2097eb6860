import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { freeTcpPort } from './ports.ts';
import { until } from './until.ts';

interface Alert {
  readonly labels: Readonly<Record<string, string>>;
  readonly state: 'pending' | 'firing';
}

/** Debian's Prometheus, which looks every few seconds and waits for no rule's `for`: a fault is told in seconds, by the same expressions. */
export class Prometheus {
  /** Every alert that fired so far, with its labels. */
  readonly fired = new Map<string, Alert['labels']>();
  #log = '';

  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    private readonly url: string,
  ) {
    child.stderr!.on('data', (chunk: Buffer) => {
      this.#log = (this.#log + String(chunk)).slice(-20_000);
    });
  }

  /** @param targets - host:port of gateways' metrics. @param rules - file of alert rules. */
  static async start(targets: string | readonly string[], rules: string): Promise<Prometheus> {
    const folder = mkdtempSync(join(tmpdir(), 'nidaa-prometheus-'));
    const atOnce = readFileSync(rules, 'utf8').replace(/^ +for: .*\n/gm, '');
    writeFileSync(join(folder, 'alerts.yml'), atOnce);
    const config = {
      // The database is asked for two seconds where it does not answer: such a scrape is waited for.
      global: { scrape_interval: '3s', scrape_timeout: '3s', evaluation_interval: '1s' },
      rule_files: ['alerts.yml'],
      scrape_configs: [{ job_name: 'nidaa', static_configs: [{ targets: [targets].flat() }] }],
    };
    writeFileSync(join(folder, 'prometheus.yml'), stringify(config));
    const address = `127.0.0.1:${await freeTcpPort()}`;
    const words = [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ];
    const prometheus = new Prometheus(
      spawn('prometheus', words, { stdio: ['ignore', 'ignore', 'pipe'] }),
      folder,
      `http://${address}`,
    );
    await until(
      () =>
        fetch(`${prometheus.url}/-/ready`).then(
          ({ ok }) => ok,
          () => false,
        ),
      () => `Prometheus is ready\n${prometheus.#log}`,
    );
    return prometheus;
  }

  /** Until that alert fires. @returns its labels. */
  fires(name: string, withinMs = 60_000): Promise<Alert['labels']> {
    return until(
      async () => {
        await this.look();
        return this.fired.get(name);
      },
      () => `${name} fires; fired: ${[...this.fired.keys()].join(' ')}\n${this.#log}`,
      withinMs,
    );
  }

  /** @returns the names of what fires now. */
  async look(): Promise<readonly string[]> {
    const answer = await fetch(`${this.url}/api/v1/alerts`);
    const { data } = (await answer.json()) as { data: { alerts: readonly Alert[] } };
    const now = data.alerts.filter(({ state }) => state === 'firing');
    for (const { labels } of now) this.fired.set(labels['alertname'] ?? '', labels);
    return now.map(({ labels }) => labels['alertname'] ?? '');
  }

  /** Until it has what a series is now. */
  async knows(expr: string): Promise<void> {
    await until(async () => {
      const answer = await fetch(`${this.url}/api/v1/query?query=${encodeURIComponent(expr)}`);
      const { data } = (await answer.json()) as { data: { result: readonly unknown[] } };
      return data.result.length > 0;
    }, `Prometheus has ${expr}`);
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
