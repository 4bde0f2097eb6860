import { type ChildProcess, spawn } from 'node:child_process';
import {
  chownSync,
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type Clock, delay, systemClock, type Timer } from '../core/clock.ts';
import { errorText, OperatorError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { endLeftOver } from './left-over-postgres.ts';
import { copyBinaries, ensureLibraryLinks, findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts';
import {
  canEnter,
  clusterNameOf,
  findUser,
  POSTGRES_PORT,
  type PostgresHome,
  postgresHome,
  type UnixUser,
} from './postgres-home.ts';
import { isPostmasterOf, readPostmasterPid, releaseLock, takeLock } from './postmaster-pid.ts';

/** How to reach the database: fields of a `pg.PoolConfig`. `host` is the folder of the Unix socket. */
export interface SocketConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

export interface EmbeddedPostgresOptions {
  readonly dataFolder: string; // the gateway's data folder; the database goes to `postgres` in it
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Names tried in order when we are root; default `nidaa`, `nobody`. */
  readonly userNames?: readonly string[];
}

export type EmbeddedState = 'starting' | 'running' | 'restarting' | 'stopped';

const DATABASE_USER = 'nidaa';
const DATABASE_NAME = 'nidaa';
const READY_MS_MAX = 60_000; // crash recovery replays the log before it is ready
const READY_POLL_MS = 5;
const STOP_MS_MAX = 10_000;
const RESTART_MS_MIN = 100;
const RESTART_MS_MAX = 10_000;
const STEADY_MS = 60_000; // up that long: the next crash starts again from the shortest wait
const WATCH_MS = 5_000;
const LOG_BYTES_MAX = 5_000_000; // one older file is kept

/**
 * Server settings. Money is kept here: `fsync` and `synchronous_commit` stay on. Nothing listens on TCP. Statements and
 * their values never reach the log, since they carry what callers said.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  port: String(POSTGRES_PORT),
  unix_socket_permissions: '0700',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  max_connections: '120',
  max_locks_per_transaction: '256', // of a table by month a statement may lock each part and its indexes
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  idle_in_transaction_session_timeout: '60s',
};

/**
 * A PostgreSQL server that belongs to this gateway: made on first use, reachable over a Unix socket in a folder only its
 * owner can enter, restarted when it dies, stopped by `close()`.
 */
export class EmbeddedPostgres {
  readonly connection: SocketConnection;
  #state: EmbeddedState = 'starting';
  #child: ChildProcess | undefined;
  #timer: Timer | undefined;
  #watch: Timer | undefined;
  #waitMs = RESTART_MS_MIN;
  #startedMs = 0;
  #closing: Promise<void> | undefined;

  private constructor(
    private readonly binaries: PostgresBinaries,
    private readonly home: PostgresHome,
    private readonly user: UnixUser | undefined,
    private readonly logger: Logger,
    private readonly clock: Clock,
  ) {
    this.connection = { host: home.socketDir, port: POSTGRES_PORT, user: DATABASE_USER, database: DATABASE_NAME };
  }

  /**
   * Starts the server, making the database first where there is none.
   *
   * @throws OperatorError with what to do: no binaries for this platform, folder of somebody else, another gateway on the
   * same folder, data of another PostgreSQL version, a server that does not come up.
   */
  static async start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const { logger, clock = systemClock } = options;
    const user = process.getuid?.() === 0 ? findUser(options.userNames) : undefined;
    const home = postgresHome(options.dataFolder, user);
    if (home.relocated)
      logger.warn({ folder: home.homeDir }, 'database placed outside the data folder: it is not reachable there');
    const holder = takeLock(home.lockFile);
    if (holder !== undefined) {
      throw new OperatorError(
        `Another gateway (process ${holder}) uses ${home.homeDir}. Stop it, or choose another data folder.`,
      );
    }
    try {
      const found = findPostgresBinaries();
      const usable = (!user || canEnter(found.nativeDir, user)) && ensureLibraryLinks(found.nativeDir);
      const binaries = usable ? found : copyBinaries(found, home.relocated ? join(home.homeDir, '..') : home.homeDir);
      const server = new EmbeddedPostgres(binaries, home, user, logger, clock);
      if (!usable) server.#own(join(binaries.nativeDir, '..'));
      await server.#begin();
      return server;
    } catch (error) {
      releaseLock(home.lockFile);
      throw error;
    }
  }

  get state(): EmbeddedState {
    return this.#state;
  }

  /** Process id of the server; undefined while there is none. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Stops the server (fast shutdown: transactions are rolled back, clients cut) and gives up the folder. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#stop();
    return this.#closing;
  }

  async #begin(): Promise<void> {
    await endLeftOver(this.home, this.clock, this.logger);
    const versionFile = join(this.home.dataDir, 'PG_VERSION');
    const created = !existsSync(versionFile);
    if (created) await this.#initialise();
    const major = Number.parseInt(readFileSync(versionFile, 'utf8'), 10);
    if (major !== this.binaries.major) {
      throw new OperatorError(
        `The database in ${this.home.dataDir} was made by PostgreSQL ${major}; this version of the gateway brings ` +
          `${this.binaries.major}. Dump it with the old version (pg_dump), move the folder away, start, and load the dump ` +
          `(psql); or run PostgreSQL ${major} yourself and set DATABASE_URL.`,
      );
    }
    this.#rotateLog();
    await this.#launch();
    if (created || !(await this.#hasDatabase())) await this.#createDatabase();
    this.#state = 'running';
    this.#watchSocket();
  }

  /** A server whose socket file was removed (a cleaner of temporary files, a leftover server) is unreachable: restart it. */
  #watchSocket(): void {
    this.#watch = this.clock.setTimer(WATCH_MS, () => {
      const socket = join(this.home.socketDir, `.s.PGSQL.${POSTGRES_PORT}`);
      if (this.#state === 'running' && !existsSync(socket)) {
        this.logger.error({ socket }, 'the socket of the database server is gone, starting the server again');
        this.#child?.kill('SIGINT');
      }
      if (!this.#closing) this.#watchSocket();
    });
  }

  /** initdb into a folder beside, renamed when complete: a first start that was cut short leaves nothing half made. */
  async #initialise(): Promise<void> {
    const unfinished = join(this.home.homeDir, 'data.unfinished');
    rmSync(unfinished, { recursive: true, force: true });
    const flags = ['-D', unfinished, '-U', DATABASE_USER, '-A', 'trust', '-E', 'UTF8', '--no-instructions'];
    const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    const child = this.#spawn(this.binaries.initdb, [...flags, ...locale]);
    const code = await exitOf(child);
    if (code !== 0)
      throw new OperatorError(`The database could not be made (initdb: ${code}). See ${this.home.logFile}.`);
    renameSync(unfinished, this.home.dataDir);
  }

  async #launch(): Promise<void> {
    const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = this.#spawn(this.binaries.postgres, [
      '-D',
      this.home.dataDir,
      '-c',
      `unix_socket_directories=${this.home.socketDir}`,
      '-c',
      `cluster_name=${clusterNameOf(this.home)}`,
      ...settings,
    ]);
    this.#child = child;
    this.#startedMs = this.clock.nowMs();
    const exited = exitOf(child);
    await this.#untilReady(child, exited);
    void exited.then((code) => this.#onExit(child, code));
  }

  async #untilReady(child: ChildProcess, exited: Promise<number | string>): Promise<void> {
    let code: number | string | undefined;
    void exited.then((value) => {
      code = value;
    });
    const untilMs = this.clock.nowMs() + READY_MS_MAX;
    while (this.clock.nowMs() < untilMs) {
      if (code !== undefined) {
        this.#child = undefined;
        throw new OperatorError(`PostgreSQL ended at its start (${code}). See ${this.home.logFile}.`);
      }
      const status = readPostmasterPid(this.home.dataDir);
      if (status?.ready && status.pid === child.pid) return;
      await delay(this.clock, READY_POLL_MS);
    }
    child.kill('SIGQUIT');
    throw new OperatorError(`PostgreSQL was not ready after ${READY_MS_MAX / 1000} s. See ${this.home.logFile}.`);
  }

  #onExit(child: ChildProcess, code: number | string): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    if (this.#closing) return;
    if (this.clock.nowMs() - this.#startedMs > STEADY_MS) this.#waitMs = RESTART_MS_MIN;
    this.logger.error({ code, waitMs: this.#waitMs }, 'database server ended by itself, starting it again');
    this.#restartLater();
  }

  #restartLater(): void {
    this.#state = 'restarting';
    this.#timer = this.clock.setTimer(this.#waitMs, () => void this.#restart());
    this.#waitMs = Math.min(this.#waitMs * 2, RESTART_MS_MAX);
  }

  async #restart(): Promise<void> {
    this.#timer = undefined;
    try {
      await endLeftOver(this.home, this.clock, this.logger);
      if (this.#closing) return;
      await this.#launch();
      this.#state = 'running';
      this.logger.info({ pid: this.pid }, 'database server is back');
    } catch (error) {
      if (this.#closing) return;
      this.logger.error(
        { error: errorText(error), waitMs: this.#waitMs },
        'database server could not be started again',
      );
      this.#restartLater();
    }
  }

  async #stop(): Promise<void> {
    this.clock.clearTimer(this.#timer);
    this.clock.clearTimer(this.#watch);
    const child = this.#child;
    if (child && child.exitCode === null && child.signalCode === null) {
      const exited = exitOf(child);
      child.kill('SIGINT');
      const timer = this.clock.setTimer(STOP_MS_MAX, () => child.kill('SIGQUIT'));
      await exited;
      this.clock.clearTimer(timer);
    }
    this.#child = undefined;
    this.#state = 'stopped';
    releaseLock(this.home.lockFile);
  }

  /** Detached: Ctrl-C in a terminal reaches its whole process group, and we still need the database to drain. */
  #spawn(program: string, args: readonly string[]): ChildProcess {
    const log = openSync(this.home.logFile, 'a', 0o600);
    try {
      return spawn(program, args, {
        cwd: this.home.homeDir,
        env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' },
        stdio: ['ignore', log, log],
        detached: true,
        ...(this.user && { uid: this.user.uid, gid: this.user.gid }),
      });
    } finally {
      closeSync(log);
    }
  }

  #rotateLog(): void {
    const { logFile } = this.home;
    if (existsSync(logFile) && statSync(logFile).size > LOG_BYTES_MAX) renameSync(logFile, `${logFile}.1`);
  }

  #own(path: string): void {
    if (this.user) chownSync(path, this.user.uid, this.user.gid);
  }

  #hasDatabase(): Promise<boolean> {
    return this.#administer(async (client) => {
      const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE_NAME]);
      return found.rowCount === 1;
    });
  }

  async #createDatabase(): Promise<void> {
    if (await this.#hasDatabase()) return;
    await this.#administer((client) => client.query(`CREATE DATABASE ${DATABASE_NAME}`));
  }

  async #administer<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ ...this.connection, database: 'postgres' });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
}

/** Whether a gateway has made its database in this folder. */
export function hasDatabase(dataFolder: string): boolean {
  return lstatSync(join(dataFolder, 'postgres', 'data'), { throwIfNoEntry: false }) !== undefined;
}

/**
 * The database of a gateway that is running now on this data folder, for tools beside it; undefined when there is none.
 * Only root and the owner of the folder can enter it.
 */
export function findRunningPostgres(dataFolder: string): SocketConnection | undefined {
  const linked = join(dataFolder, 'postgres', 'data');
  if (!existsSync(linked)) return undefined;
  const dataDir = realpathSync(linked);
  const status = readPostmasterPid(dataDir);
  if (!status?.ready || !isPostmasterOf(dataDir, status.pid)) return undefined;
  return { host: status.socketDir, port: POSTGRES_PORT, user: DATABASE_USER, database: DATABASE_NAME };
}

/** Exit code, or the name of the signal or error that ended the process. Never rejects. */
function exitOf(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve(child.exitCode);
    if (child.signalCode !== null) return resolve(child.signalCode);
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'));
    child.once('error', (error) => resolve(errorText(error)));
  });
}
