import { createRequire } from 'node:module';
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
import { errorText, OperatorError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { endPool } from '../store/database.ts';

export type KeptJob = Pick<Job, 'id' | 'name' | 'attemptsMade' | 'finishedOn' | 'failedReason' | 'isFailed' | 'retry'>;

/** What we use of a BullMQ queue, whatever it is kept in. */
export interface JobQueue {
  add(name: string, data: object, options: { readonly jobId: string }): Promise<unknown>;
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
  close(force?: boolean): Promise<void>;
}

/** Makes queues and workers on one database: PostgreSQL (the gateway's own, schema `bullmq`) or Redis. */
export interface JobBackend {
  readonly kind: 'postgres' | 'redis';
  queue(name: string): JobQueue;
  worker(name: string, processor: Processor): JobWorker;
  close(): Promise<void>;
}

/** One connection a worker waits on, the rest for short statements. */
const POOL_MAX = 8;
const CONNECT_MS_MAX = 2_000;
const STATEMENT_MS_MAX = 10_000;
/** BullMQ asks again at once when a statement failed: without this wait a database that is away would cost a whole core. */
const FAILURE_PAUSE_MS = 1_000;
/** Finished jobs are kept that many, for a look; those given up for another try, too. */
const KEPT_DONE = 100;
export const JOB_OPTIONS = {
  attempts: 8,
  backoff: { type: 'exponential', delay: 1_000 }, // 1 s, 2 s, ... about 2 minutes in all
  removeOnComplete: { count: KEPT_DONE },
  removeOnFail: { count: KEPT_DONE },
} as const;
const WORKER_OPTIONS = {
  concurrency: 1,
  drainDelay: 2,
  lockDuration: 60_000,
  stalledInterval: 30_000,
  maxStalledCount: 3,
} as const;

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
export async function openPostgresBackend(connection: pg.PoolConfig, logger: Logger): Promise<JobBackend> {
  const pool = new PausingPool({
    ...connection,
    options: '-c search_path=bullmq',
    max: POOL_MAX,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    query_timeout: STATEMENT_MS_MAX,
    keepAlive: true,
    application_name: 'nidaa-jobs',
  });
  pool.on('error', (error) => logger.warn({ error: error.message }, 'a connection of the job queues broke'));
  pool.on('connect', (client) => client.on('error', () => undefined));
  const client = await pool.connect();
  try {
    await runMigrations(client);
  } finally {
    client.release();
  }
  const options = { connection: pool };
  return {
    kind: 'postgres',
    queue: (name) => new Queue(name, { ...options, defaultJobOptions: JOB_OPTIONS }, createPostgresBackend),
    worker: (name, processor) => new Worker(name, processor, { ...options, ...WORKER_OPTIONS }, createPostgresBackend),
    close: () => endPool(pool),
  };
}

/** Jobs in Redis. @throws OperatorError when its driver is not installed or the server does not answer. */
export async function openRedisBackend(url: string, logger: Logger): Promise<JobBackend> {
  try {
    createRequire(import.meta.url).resolve('ioredis');
  } catch (error) {
    throw new OperatorError(
      'REDIS_URL is set, but the Redis driver is not installed. Run: npm install ioredis. Or unset REDIS_URL: jobs then live in PostgreSQL.',
      {
        cause: error,
      },
    );
  }
  const connection = { url, connectTimeout: CONNECT_MS_MAX, maxRetriesPerRequest: null };
  const options = { connection, prefix: 'nidaa' };
  const probe = new Queue('probe', options, createRedisBackend);
  probe.on('error', (error) => logger.warn({ error: error.message }, 'Redis connection broke'));
  try {
    const late = delay(systemClock, CONNECT_MS_MAX).then(() => Promise.reject(new Error('no answer')));
    await Promise.race([probe.waitUntilReady(), late]);
  } catch (error) {
    throw new OperatorError(`Redis of REDIS_URL cannot be used: ${errorText(error)}.`, { cause: error });
  } finally {
    await probe.disconnect().catch(() => undefined);
  }
  return {
    kind: 'redis',
    queue: (name) => new Queue(name, { ...options, defaultJobOptions: JOB_OPTIONS }, createRedisBackend),
    worker: (name, processor) => new Worker(name, processor, { ...options, ...WORKER_OPTIONS }, createRedisBackend),
    close: async () => undefined,
  };
}
