import type pg from 'pg';
import type { Logger } from '../core/logger.ts';
import { databaseFault, endPool, openPool } from './database.ts';
import type { DatabaseAccess } from './database-access.ts';

/** It stays open between renewals: a server without a free one would not give it back. One that hangs is cut off, not waited for. */
const ONE = { max: 1, idleTimeoutMillis: 0, pipeline: false };

/**
 * The one connection that the lease of a node is renewed over. Calls and requests may have taken all others, or wait on
 * connections that hang: a gateway that lives says so all the same.
 */
export class LeaseConnection {
  readonly #roads: readonly pg.Pool[];
  #road = 0;

  /** Around a pooler where there is a way: connections that it has to the server may be taken, too. */
  constructor({ connection, direct, pooled }: DatabaseAccess, logger: Logger) {
    const open = (config: pg.PoolConfig, isPooled: boolean): pg.Pool =>
      openPool({ ...config, ...ONE }, logger, isPooled);
    this.#roads = [...(direct ? [open(direct, false)] : []), open(connection, pooled)];
  }

  /** What failed leaves no connection behind; the next try goes the other way, if there is one. */
  async on<T>(work: (pool: pg.Pool) => Promise<T>): Promise<T> {
    try {
      return await work(this.#roads[this.#road]!);
    } catch (error) {
      if (databaseFault(error) === 'away') this.#road = (this.#road + 1) % this.#roads.length;
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#roads.map(endPool));
  }
}
