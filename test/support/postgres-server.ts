import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { canEnter, findUser } from '../../src/store/postgres-home.ts';
import { freeTcpPort } from './ports.ts';
import { programsOfRun } from './postgres-programs.ts';
import { until } from './until.ts';

/** A PostgreSQL as operators run theirs: it listens on 127.0.0.1, and its superuser `admin` is let in over the Unix socket. */
export class PostgresServer {
  #child: ChildProcess | undefined;

  private constructor(
    readonly folder: string,
    readonly port: number,
    private readonly postgres: string,
    private readonly user: { readonly uid: number; readonly gid: number } | undefined,
  ) {}

  /** @param hba - lines of pg_hba.conf for TCP. */
  static async start(
    hba: readonly string[],
    settings: Readonly<Record<string, string>> = {},
    programs = programsOfRun(),
  ): Promise<PostgresServer> {
    const user = process.getuid?.() === 0 ? findUser() : undefined;
    if (user && !canEnter(programs.folder, user)) throw new Error(`${programs.folder} is shut for ${user.name}`);
    const folder = mkdtempSync(join(tmpdir(), 'nidaa-pg-'));
    const server = new PostgresServer(folder, await freeTcpPort(), programs.postgres, user);
    server.#own(folder);
    const made = spawnSync(
      programs.initdb,
      [
        '-D',
        server.dataDir,
        '-U',
        'admin',
        '-A',
        'trust',
        '-E',
        'UTF8',
        `--locale=${programs.locale}`,
        '--no-sync',
        '--no-instructions',
      ],
      { cwd: folder, encoding: 'utf8', ...(user && { uid: user.uid, gid: user.gid }) },
    );
    if (made.status !== 0) throw new Error(made.stderr);
    server.write('data/pg_hba.conf', ['local all admin trust', ...hba, ''].join('\n'));
    const own = {
      port: String(server.port),
      unix_socket_directories: folder,
      fsync: programs.isDurable ? 'on' : 'off',
    };
    server.set({ ...own, ...settings });
    await server.run();
    return server;
  }

  get dataDir(): string {
    return join(this.folder, 'data');
  }

  get log(): string {
    return readFileSync(join(this.folder, 'log'), 'utf8');
  }

  /** A file that the server may read and nobody else. @returns its path. */
  write(name: string, text: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    this.#own(path);
    return path;
  }

  /** Takes effect with the next `run` or `reload`. */
  set(settings: Readonly<Record<string, string>>): void {
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
    writeFileSync(join(this.dataDir, 'postgresql.conf'), lines.join(''), { flag: 'a' });
  }

  async run(): Promise<void> {
    const log = openSync(join(this.folder, 'log'), 'a');
    this.#child = spawn(this.postgres, ['-D', this.dataDir], {
      ...{ cwd: this.folder, stdio: ['ignore', log, log], env: { LC_ALL: 'C', TZ: 'UTC' } },
      ...(this.user && { uid: this.user.uid, gid: this.user.gid }),
    });
    closeSync(log);
    await until(
      () =>
        this.admin('SELECT 1').then(
          () => true,
          () => false,
        ),
      'PostgreSQL is ready',
      30_000,
    );
  }

  /** Returns once new connections see what was changed. */
  async reload(): Promise<void> {
    const loaded = async (): Promise<string> =>
      String((await this.admin('SELECT pg_conf_load_time()::text AS at'))[0]?.['at']);
    const before = await loaded();
    await this.admin('SELECT pg_reload_conf()');
    await until(async () => (await loaded()) !== before, 'PostgreSQL has read its settings again', 10_000);
  }

  async admin(sql: string, database = 'postgres'): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ host: this.folder, port: this.port, user: 'admin', database });
    await client.connect();
    try {
      const result = await client.query<Record<string, unknown>>(sql);
      return result.rows ?? [];
    } finally {
      await client.end();
    }
  }

  signal(name: 'SIGTERM' | 'SIGINT'): void {
    this.#child?.kill(name);
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGINT');
    await ended;
  }

  async dispose(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #own(path: string): void {
    if (this.user) chownSync(path, this.user.uid, this.user.gid);
  }
}
