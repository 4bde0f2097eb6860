import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findUser } from '../../src/store/postgres-home.ts';
import { freeTcpPort } from './ports.ts';
import { until } from './until.ts';

const PROGRAM = '/usr/sbin/pgbouncer';
export const hasPgBouncer = existsSync(PROGRAM);

/** Debian's PgBouncer before a PostgreSQL on 127.0.0.1. */
export class PgBouncer {
  private constructor(
    readonly port: number,
    private readonly folder: string,
    private readonly child: ChildProcess,
  ) {}

  /** @param serverConnections - that it opens to the server at most. */
  static async start(
    serverPort: number,
    mode: 'session' | 'transaction' | 'statement',
    serverConnections = 5,
  ): Promise<PgBouncer> {
    const user = process.getuid?.() === 0 ? findUser() : undefined;
    const folder = mkdtempSync(join(tmpdir(), 'nidaa-bouncer-'));
    const port = await freeTcpPort();
    const ini = `[databases]
* = host=127.0.0.1 port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users')}
pool_mode = ${mode}
default_pool_size = ${serverConnections}
max_client_conn = 200
admin_users = admin
logfile = ${join(folder, 'log')}
`;
    writeFileSync(join(folder, 'pgbouncer.ini'), ini);
    writeFileSync(join(folder, 'users'), '"nidaa" ""\n"admin" ""\n');
    if (user)
      for (const path of [folder, join(folder, 'users'), join(folder, 'pgbouncer.ini')])
        chownSync(path, user.uid, user.gid);
    const child = spawn(PROGRAM, [join(folder, 'pgbouncer.ini')], {
      ...{ cwd: folder, stdio: 'ignore' },
      ...(user && { uid: user.uid, gid: user.gid }),
    });
    const bouncer = new PgBouncer(port, folder, child);
    await until(
      () =>
        bouncer.show('SHOW VERSION').then(
          () => true,
          () => false,
        ),
      'PgBouncer answers',
      15_000,
    );
    return bouncer;
  }

  url(database: string): string {
    return `postgres://nidaa@127.0.0.1:${this.port}/${database}`;
  }

  /** What its own console says. */
  async show(command: string): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ host: '127.0.0.1', port: this.port, user: 'admin', database: 'pgbouncer' });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(command)).rows;
    } finally {
      await client.end();
    }
  }

  get log(): string {
    return readFileSync(join(this.folder, 'log'), 'utf8');
  }

  async dispose(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill('SIGTERM');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
