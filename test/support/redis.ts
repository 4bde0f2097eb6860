import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freeTcpPort } from './ports.ts';
import { until } from './until.ts';

const PROGRAM = '/usr/bin/redis-server';
/** Debian's redis-server; where it is not installed, what needs it is skipped. */
export const haveRedis = existsSync(PROGRAM);

export interface RedisWishes {
  /** Lines of redis.conf. */
  readonly settings?: readonly string[];
  /** TLS on its port, with this certificate. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** A real server on a port of its own that writes down everything at once: killed and started again it knows what it had answered. */
export class RedisProcess {
  #child: ChildProcess | undefined;
  private constructor(
    readonly port: number,
    private readonly folder: string,
    private readonly wishes: RedisWishes,
  ) {}

  static async start(wishes: RedisWishes = {}): Promise<RedisProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'nidaa-redis-'));
    const redis = new RedisProcess(await freeTcpPort(), folder, wishes);
    if (wishes.tls) {
      writeFileSync(join(folder, 'cert.pem'), wishes.tls.cert);
      writeFileSync(join(folder, 'key.pem'), wishes.tls.key);
    }
    await redis.begin();
    return redis;
  }

  get url(): string {
    return `${this.wishes.tls ? 'rediss' : 'redis'}://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#child!.pid!;
  }

  /** Starts it, again too, with what it has written down. */
  async begin(): Promise<void> {
    const { port, folder, wishes } = this;
    const listens = wishes.tls
      ? [
          ...['port 0', `tls-port ${port}`, `tls-cert-file ${folder}/cert.pem`, `tls-key-file ${folder}/key.pem`],
          'tls-auth-clients no',
        ]
      : [`port ${port}`];
    const kept = ['appendonly yes', 'appendfsync always', 'save ""', `dir ${folder}`, 'bind 127.0.0.1'];
    writeFileSync(join(folder, 'redis.conf'), `${[...listens, ...kept, ...(wishes.settings ?? [])].join('\n')}\n`);
    const child = spawn(PROGRAM, [join(folder, 'redis.conf')], { stdio: 'ignore' });
    this.#child = child;
    const tls = wishes.tls && { tls: { rejectUnauthorized: false } };
    const client = new Redis(port, '127.0.0.1', { ...tls, retryStrategy: () => 50, maxRetriesPerRequest: null });
    client.on('error', () => undefined);
    let answered: unknown;
    client.ping().then(
      () => (answered = 'pong'),
      (error: unknown) => (answered = error), // it asks for a password: it is there
    );
    await until(() => answered !== undefined || child.exitCode !== null);
    client.disconnect();
    if (child.exitCode !== null) throw new Error('redis-server did not start');
  }

  /** At once. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
