import { DrizzleQueryError } from 'drizzle-orm/errors';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { PgPreparedQuery } from 'drizzle-orm/pg-core';
import pg from 'pg';
import type { Logger } from '../core/logger.ts';
import { isPooled, NamelessClient, onConnection } from './database-access.ts';
import { requireFit } from './database-fitness.ts';
import { explained } from './database-trouble.ts';
import * as management from './management-schema.ts';
import { migrate, requireMigrated, type StepTaker } from './migrator.ts';
import * as base from './schema.ts';
import * as webhook from './webhook-schema.ts';

const schema = { ...base, ...management, ...webhook };
export type Database = NodePgDatabase<typeof schema>;
/** What one statement needs: the pool, or a client inside a transaction. */
export type Queryable = Pick<pg.ClientBase, 'query'>;

/** A database that does not answer must not hold calls up: callers get an error and go on without it. */
const CONNECT_MS_MAX = 2_000;
const STATEMENT_MS_MAX = 5_000;
const CLIENT_WAIT_MS_MAX = 6_000; // longer than the server's own limit: the client's is for a server that is stopped

/**
 * A pool on the gateway's database. It never throws by itself: connections that break are logged and replaced.
 *
 * @param pooled - through a pooler, which takes no settings of a session: there the role has its own limit of time.
 */
export function openPool(config: pg.PoolConfig, logger: Logger, pooled = false): pg.Pool {
  const pool = new pg.Pool({
    connectionTimeoutMillis: CONNECT_MS_MAX,
    ...(pooled ? { Client: NamelessClient } : { statement_timeout: STATEMENT_MS_MAX }),
    query_timeout: CLIENT_WAIT_MS_MAX,
    keepAlive: true,
    application_name: 'nidaa',
    pipeline: true, // statements are sent before the last one is answered: see `sentTogether`
    ...config,
  } as pg.PoolConfig);
  pool.on('error', (error) => logger.warn({ error: error.message }, 'a database connection broke'));
  // One that breaks while it is checked out says so by an event as well; without a listener that would end the process.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    markFaults(client, 'query');
  });
  markFaults(pool, 'query');
  markFaults(pool, 'connect');
  return pool;
}

/** What connections and statements have failed with: a time limit or a broken connection says nothing of a database by itself. */
const faults = new WeakSet<Error>();

/** Whether an error, or what it was made of, came of asking the database. */
export function isOfDatabase(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (faults.has(cause)) return true;
  return false;
}

type Asking = (...args: unknown[]) => unknown;
/** Only what is waited for is looked at: with a callback the same fault comes out of the call above it. */
function markFaults(on: pg.Pool | pg.PoolClient, method: 'query' | 'connect'): void {
  const original = (Reflect.get(on, method) as Asking).bind(on);
  const marked: Asking = (...args) => {
    const asked = original(...args);
    if (!(asked instanceof Promise)) return asked;
    return asked.catch((error: unknown) => {
      if (error instanceof Error) faults.add(error);
      throw error;
    });
  };
  Reflect.set(on, method, marked);
}

/**
 * Ends a pool and waits until its connections are closed. `pool.end` alone resolves when the goodbyes are sent: a server that
 * is stopped before it reads them cuts those connections itself, which then looks like a breakage.
 */
export async function endPool(pool: pg.Pool): Promise<void> {
  let open = pool.totalCount;
  const closed = new Promise<void>((resolve) => {
    if (open === 0) resolve();
    pool.on('remove', () => {
      open -= 1;
      if (open === 0) resolve();
    });
  });
  await pool.end();
  await closed;
}

/** Over the pool, or over one connection of it inside a transaction. */
export function openDatabase(pool: pg.Pool | pg.PoolClient): Database {
  withoutValuesInErrors();
  return drizzle(pool, { schema });
}

type QueryWithCache = (this: unknown, ...args: unknown[]) => Promise<unknown>;
let valuesRemoved = false;

/**
 * drizzle writes the values of a failed statement (numbers, what was said) into the message of its error, from where they would
 * reach the logs. The driver's own error, which has none, goes out instead. There is no setting for it: the one method that
 * makes these errors is wrapped, once.
 */
function withoutValuesInErrors(): void {
  if (valuesRemoved) return;
  valuesRemoved = true;
  const original = Reflect.get(PgPreparedQuery.prototype, 'queryWithCache') as QueryWithCache;
  const wrapped: QueryWithCache = async function (...args) {
    try {
      return await original.apply(this, args);
    } catch (error) {
      throw error instanceof DrizzleQueryError && error.cause ? error.cause : error;
    }
  };
  Reflect.set(PgPreparedQuery.prototype, 'queryWithCache', wrapped);
}

/** What `prepareDatabase` found and did. */
export interface Prepared {
  readonly applied: number; // migrations
  readonly pooled: boolean;
  readonly timeLimited: boolean; // the server itself ends statements that take too long
}

/**
 * Checks the server and brings the tables up to date, or where they are to stay `asTheyAre` looks whether they are.
 *
 * @param direct - around the pooler of `config`: migrations take it.
 * @throws OperatorError where it cannot be used, with what to do.
 */
export async function prepareDatabase(
  config: pg.PoolConfig,
  direct: pg.PoolConfig | undefined,
  asTheyAre: boolean,
  own?: StepTaker,
): Promise<Prepared> {
  const bringUp = async (client: pg.Client, on: pg.PoolConfig, pooled: boolean): Promise<number> => {
    await requireFit(client, asTheyAre ? 'reading' : 'serving', false); // the queues say themselves what they lack
    if (asTheyAre) {
      await requireMigrated(client);
      return 0;
    }
    // Without a session there is nothing to build an index beside others in: it is built in a transaction, and others wait.
    return migrate(client, { ...(own && { own }), ...(!pooled && { aside: (work) => onConnection(on, work) }) });
  };
  const applied =
    direct &&
    (await explained(
      direct,
      () => onConnection(direct, (client) => bringUp(client, direct, false)),
      'DATABASE_DIRECT_URL',
    ));
  return explained(config, () =>
    onConnection(config, async (client) => {
      const pooled = await isPooled(client);
      return {
        applied: applied ?? (await bringUp(client, config, pooled)),
        ...{ pooled, timeLimited: await hasTimeLimit(client) },
      };
    }),
  );
}

async function hasTimeLimit(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ limit: string }>(`SELECT current_setting('statement_timeout') AS limit`);
  return rows[0]?.limit !== '0';
}

/**
 * Runs `work` in one transaction. Any failure rolls back and drops the connection, whose state is then unknown.
 * @param begin - says BEGIN, and in the same message what comes first.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  begin: (client: pg.PoolClient) => Promise<unknown> = (client) => client.query('BEGIN'),
): Promise<T> {
  const client = await pool.connect();
  try {
    await begin(client);
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    client.release(error instanceof Error ? error : true);
    throw error;
  }
}

/**
 * Sends a whole transaction without waiting in between: to the server it is one message, and locks are held for no longer than it
 * needs itself. A failure rolls back; unless the server said it itself (SQLSTATE), the connection is in an unknown state then, and is to be dropped.
 *
 * @param client - of a pool of `openPool`.
 * @param begin - BEGIN; undefined where that was said already.
 * @param send - sends every statement before it returns; none may wait for the answer to another.
 * @returns what the statements gave, once all is committed. @throws the first failure: those behind it are only its echo.
 */
export async function sentTogether<T>(
  client: pg.PoolClient,
  begin: string | undefined,
  send: () => readonly Promise<T>[],
): Promise<readonly T[]> {
  const begun = begin === undefined ? Promise.resolve() : client.query(begin);
  begun.catch(() => undefined); // looked at below, unless `send` throws
  const sent = send();
  const outcomes = await Promise.allSettled([begun, ...sent, client.query('COMMIT')]);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return Promise.all(sent);
}

/** SQLSTATE classes that say nothing about the statement: connection lost, server shutting down, resources, read-only. */
const AWAY_CLASSES = ['08', '53', '57', '58'];
const AWAY_STATES = ['25006', '25P02', '25P03'];
/** Deadlock and serialisation: the same transaction succeeds when it is run again. */
const AGAIN_STATES = ['40001', '40P01', '55P03'];

export type DatabaseFault = 'away' | 'again' | 'statement';

/** What to do about a failed statement: wait for the database, run it again, or give it up. */
export function databaseFault(error: unknown): DatabaseFault {
  const state = sqlState(error);
  if (state === undefined) return isProgramError(error) ? 'statement' : 'away'; // socket errors and time limits have none
  if (AGAIN_STATES.includes(state)) return 'again';
  return AWAY_STATES.includes(state) || AWAY_CLASSES.includes(state.slice(0, 2)) ? 'away' : 'statement';
}

/** The five-character SQLSTATE, also of an error within another; undefined when the server did not answer. */
function sqlState(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown };
    if (typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code)) return code; // not EPIPE
  }
  return undefined;
}

/** Whether what was to be written is there already: a name that only one may have. */
export const isDuplicate = (error: unknown): boolean => sqlState(error) === '23505';

/** A mistake of ours while preparing the statement: waiting would not mend it. */
function isProgramError(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}
