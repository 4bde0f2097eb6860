import pg from 'pg';
import { OperatorError } from '../core/errors.ts';
import { whereOf } from './database-trouble.ts';

/** Where a database is, and how connections to it behave. */
export interface DatabaseAccess {
  readonly connection: pg.PoolConfig;
  /** Around a pooler that stands before it: for what needs a connection of its own for longer than a transaction. */
  readonly direct: pg.PoolConfig | undefined;
  /** A pooler (PgBouncer) hands connections on after each transaction: nothing of one may outlast it. */
  readonly pooled: boolean;
}

const CONNECT_MS_MAX = 10_000;

/** Runs `work` on a connection of its own, without any settings of a session. */
export async function onConnection<T>(
  config: pg.PoolConfig,
  work: (client: pg.Client) => Promise<T>,
  connectionTimeoutMillis = CONNECT_MS_MAX,
): Promise<T> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis, application_name: 'nidaa' });
  client.on('error', () => undefined); // what waits for an answer is told by its own rejection
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Whether a pooler stands in between: it gives out a number of its own for the process that the connection ends at. */
export async function isPooled(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid !== Reflect.get(client, 'processID');
}

/** For what listens, or sets its session. @throws OperatorError where there is only a pooler. */
export function ownConnection({ connection, direct, pooled }: DatabaseAccess): pg.PoolConfig {
  if (direct) return direct;
  if (!pooled) return connection;
  throw new OperatorError(
    `DATABASE_URL names a pooler (${whereOf(connection).where}), and the queues of jobs need connections of their own, for waiting on. ` +
      'Set DATABASE_DIRECT_URL to the PostgreSQL behind it, or REDIS_URL to keep the queues in Redis.',
  );
}

/** Poolers do not know the statements that a client has prepared by name on another of their connections. */
export class NamelessClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const original = this.query.bind(this) as (...args: unknown[]) => unknown;
    const nameless = (statement: unknown, ...rest: unknown[]): unknown =>
      original(isNamed(statement) ? { ...statement, name: undefined } : statement, ...rest);
    Reflect.set(this, 'query', nameless);
  }
}

/** A statement of ours that has a name; what has a `submit` is a query of the driver's own. */
const isNamed = (statement: unknown): statement is pg.QueryConfig =>
  typeof statement === 'object' && statement !== null && 'name' in statement && !('submit' in statement);
