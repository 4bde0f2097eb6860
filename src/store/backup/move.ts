import type pg from 'pg';
import { OperatorError } from '../../core/errors.ts';
import { readMigrations } from '../migrator.ts';
import { atOneMoment, rowsOut } from './backup.ts';
import { begin, clear, load, occupants, requireKnown, requireNobody } from './load.ts';
import { connect, type DatabaseFacts } from './tables.ts';

/**
 * Copies a database into another one that is empty, in one transaction that is compared before it is committed. The one that it
 * is copied from stays as it is. The caller sees to it that no gateway runs.
 *
 * @throws OperatorError: the other has something in it, or has not come to be the same.
 */
export async function move(from: pg.PoolConfig, to: pg.PoolConfig): Promise<DatabaseFacts> {
  const target = await connect(to);
  try {
    await requireNobody(target);
    const { accounts } = await occupants(target);
    if (accounts > 0)
      throw new OperatorError(`The database of --to has ${accounts} accounts already. Give an empty one.`);
    return await atOneMoment(from, async (source, snapshot) => {
      const known = readMigrations();
      requireKnown(snapshot, known);
      await begin(target);
      await clear(target); // tables without rows, of a start before
      await load(target, snapshot, known, (table) => rowsOut(source, table));
      await target.query('COMMIT');
      return snapshot.facts;
    });
  } finally {
    await target.end();
  }
}
