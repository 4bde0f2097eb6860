import {
  createPostgresBackend,
  createRedisBackend,
  type Job,
  type Processor,
  Queue,
  runMigrations,
  Worker,
} from 'bullmq';
import pg from 'pg';
import { delay, systemClock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import { sentence } from '../core/notice.ts';
import { JOB_CONNECTIONS } from '../store/connection-budget.ts';
import { endPool } from '../store/database.ts';
import { explained } from '../store/database-trouble.ts';
import type { RedisServer } from '../store/redis-server.ts';

export type KeptJob = Pick<
  Job,
  'id' | 'name' | 'data' | 'attemptsMade' | 'finishedOn' | 'failedReason' | 'isFailed' | 'retry' | 'remove'
>;

/** What we use of a BullMQ queue, whatever it is kept in. */
export interface JobQueue {
  add(name: string, data: object, options: { readonly jobId: string; readonly attempts?: number }): Promise<unknown>;
  getJobCounts(...states: ('waiting' | 'delayed' | 'active' | 'failed')[]): Promise<Readonly<Record<string, number>>>;
  /** Given up, the latest first. */
  getFailed(from: number, to: number): Promise<KeptJob[]>;
  getJob(id: string): Promise<KeptJob | undefined>;
  waitUntilReady(): Promise<unknown>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  close(): Promise<void>;
}

export interface JobWorker {
  waitUntilReady(): Promise<unknown>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'failed', listener: (job: Job | undefined, error: Error) => void): unknown;
  on(event: 'completed', listener: (job: Job) => void): unknown;
  close(force?: boolean): Promise<void>;
}

/** Makes queues and workers on one database: PostgreSQL (the gateway's own, schema `bullmq`) or Redis. */
export interface JobBackend {
  readonly kind: 'postgres' | 'redis';
  /** What keeps jobs from being done, or may lose some, as `/readyz` says it. */
  readonly problem: string | undefined;
  /** Whether it is worth waiting for. */
  readonly isUp: boolean;
  /** Asks again how it is, where it can change. Never rejects. */
  look(): Promise<void>;
  queue(name: string): JobQueue;
  worker(name: string, processor: Processor): JobWorker;
  close(): Promise<void>;
}

/** Every queue and every worker listens for faults of the pool. */
const LISTENERS_MAX = 32;
const CONNECT_MS_MAX = 2_000;
const STATEMENT_MS_MAX = 10_000;
/** BullMQ asks again at once when a statement failed: without this wait a database that is away would cost a whole core. */
const FAILURE_PAUSE_MS = 1_000;
/** Finished jobs are kept that many, for a look. */
const KEPT_DONE = 100;
/** Of a queue, for another try: those given up. */
const KEPT_FAILED = 1_000;
const KEPT_FAILED_SECONDS = 30 * 24 * 3_600;
export const JOB_OPTIONS = {
  attempts: 8,
  backoff: { type: 'exponential', delay: 1_000 }, // 1 s, 2 s, ... about 2 minutes in all
  removeOnComplete: { count: KEPT_DONE },
  removeOnFail: { count: KEPT_FAILED, age: KEPT_FAILED_SECONDS },
} as const;
const WORKER_OPTIONS = { concurrency: 1, drainDelay: 2, maxStalledCount: 3 } as const;

/** When a job whose worker fell silent is another's. */
export interface StallTiming {
  readonly lockDuration: number; // ms, renewed meanwhile
  readonly stalledInterval: number; // ms between two looks for such jobs
}
const STALL_TIMING: StallTiming = { lockDuration: 60_000, stalledInterval: 30_000 };

/** A pool whose failures come after a pause. */
class PausingPool extends pg.Pool {
  override query = ((...args: Parameters<pg.Pool['query']>) =>
    paused(super.query(...args) as unknown as Promise<unknown>)) as unknown as pg.Pool['query'];
}

async function paused<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    await delay(systemClock, FAILURE_PAUSE_MS);
    throw error;
  }
}

/** Jobs in PostgreSQL, tables made when missing. */
export async function openPostgresBackend(
  connection: pg.PoolConfig,
  logger: Logger,
  timing = STALL_TIMING,
): Promise<JobBackend> {
  const pool = new PausingPool({
    ...connection,
    options: '-c search_path=bullmq',
    max: JOB_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    query_timeout: STATEMENT_MS_MAX,
    keepAlive: true,
    application_name: 'nidaa-jobs',
  });
  pool.setMaxListeners(LISTENERS_MAX);
  pool.on('error', (error) => logger.warn({ error: error.message }, 'a connection of the job queues broke'));
  pool.on('connect', (client) => client.on('error', () => undefined));
  await explained(connection, async () => {
    const client = await pool.connect();
    try {
      await runMigrations(client);
    } finally {
      client.release();
    }
  });
  const options = { connection: pool };
  return {
    kind: 'postgres',
    problem: undefined, // its database has a part of its own
    isUp: true,
    look: async () => undefined,
    queue: (name) => new Queue(name, { ...options, defaultJobOptions: JOB_OPTIONS }, createPostgresBackend),
    worker: (name, processor) =>
      new Worker(name, processor, { ...options, ...WORKER_OPTIONS, ...timing }, createPostgresBackend),
    close: () => endPool(pool),
  };
}

/**
 * Jobs in Redis. Queues share a connection that fails at once while the server is away, so that nobody waits for it; workers
 * share one that waits, since what they finished is to be noted once it is back, and each has one of its own to be woken by.
 */
export function openRedisBackend(server: RedisServer, timing = STALL_TIMING): JobBackend {
  const options = { prefix: 'nidaa' };
  const asking = { ...options, connection: server.asking, defaultJobOptions: JOB_OPTIONS };
  const working = { ...options, connection: server.client('patient'), ...WORKER_OPTIONS, ...timing };
  return {
    kind: 'redis',
    get problem() {
      if (!server.isUp) return sentence('part.jobs-away');
      return server.fault === undefined ? undefined : sentence('part.jobs-may-go', { error: server.fault });
    },
    get isUp() {
      return server.isUp;
    },
    look: () => server.look(),
    queue: (name) => whileUp(server, new Queue(name, asking, createRedisBackend)),
    worker: (name, processor) => new Worker(name, processor, working, createRedisBackend),
    close: async () => server.close(),
  };
}

/** A queue that has never seen its server waits for it with every question: nobody who asks shall. */
function whileUp(server: RedisServer, queue: Queue): JobQueue {
  const ask = <T>(work: () => Promise<T>): Promise<T> =>
    server.isUp ? work() : Promise.reject(new Error('Redis does not answer'));
  return {
    add: (name, data, options) => ask(() => queue.add(name, data, options)),
    getJobCounts: (...states) => ask(() => queue.getJobCounts(...states)),
    getFailed: (from, to) => ask(() => queue.getFailed(from, to)),
    getJob: (id) => ask(() => queue.getJob(id)),
    waitUntilReady: () => queue.waitUntilReady(),
    on: (event, listener) => queue.on(event, listener),
    close: () => queue.close(),
  };
}
