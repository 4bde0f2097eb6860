import { accessSync, constants, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import type { Config } from '../../config/load.ts';
import { systemClock } from '../../core/clock.ts';
import { errorText } from '../../core/errors.ts';
import { type Logger, silentLogger } from '../../core/logger.ts';
import { openPool } from '../../store/database.ts';
import { requireFit } from '../../store/database-fitness.ts';
import { databaseTrouble, whereOf } from '../../store/database-trouble.ts';
import { EmbeddedPostgres, findRunningPostgres } from '../../store/embedded-postgres.ts';
import { type Finding, fail, ok } from './finding.ts';

const CHECK = 'database';

/** Whether the database runs or can be started, and may be written to. Nothing is changed in it. */
export async function checkDatabase({ store, jobs, dataDir }: Config, logger: Logger): Promise<Finding[]> {
  const folder = checkFolder(dataDir);
  if (store.databaseUrl !== 'embedded') {
    return [folder, await ask({ connectionString: store.databaseUrl }, undefined, jobs.redisUrl === 'none')];
  }
  if (folder.state === 'fail') return [folder];
  const running = findRunningPostgres(dataDir);
  if (running) return [folder, await ask(running, 'embedded, running')];
  return [folder, await startOnce(dataDir, logger)];
}

function checkFolder(dataDir: string): Finding {
  let folder = dataDir;
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return ok('data folder', folder === dataDir ? dataDir : `${dataDir} will be made at the first start`);
  } catch {
    const mend = `Give it to the user of the gateway (chown), or choose another: dataDir or NIDAA_DATA_DIR.`;
    return fail('data folder', `${folder} may not be written to`, mend);
  }
}

/** @param embedded - how it runs, of a server of ours. @param hasJobs - the queues are kept in it. */
async function ask(config: pg.PoolConfig, embedded?: string, hasJobs = true): Promise<Finding> {
  let pool: pg.Pool | undefined;
  try {
    pool = openPool({ ...config, max: 1 }, silentLogger);
    const version = await requireFit(pool, 'serving', hasJobs);
    return ok(CHECK, `PostgreSQL ${version}, ${embedded ?? shown(config)}`);
  } catch (error) {
    if (embedded)
      return fail(CHECK, `${embedded}: ${errorText(error)}`, 'Run this as root or as the user of the gateway.');
    const { wrong, mend } = databaseTrouble(error, config);
    return fail(CHECK, wrong, mend);
  } finally {
    await pool?.end().catch(() => undefined);
  }
}

function shown(config: pg.PoolConfig): string {
  const { user, where, database } = whereOf(config);
  return `database ${database} of ${user} at ${where}`;
}

/** Starts the server of the data folder, or where there is none yet one in a temporary folder, and stops it again. */
async function startOnce(dataDir: string, logger: Logger): Promise<Finding> {
  const exists = existsSync(join(dataDir, 'postgres', 'data', 'PG_VERSION'));
  const dataFolder = exists ? dataDir : mkdtempSync(join(tmpdir(), 'nidaa-doctor-'));
  let server: EmbeddedPostgres | undefined;
  try {
    server = await EmbeddedPostgres.start({ dataFolder, logger, clock: systemClock });
    return await ask(server.connection, exists ? 'embedded, can be started' : 'embedded, can be made and started');
  } catch (error) {
    return fail(CHECK, errorText(error), 'See above; or set DATABASE_URL to a PostgreSQL of your own.');
  } finally {
    await server?.close();
    if (!exists) rmSync(dataFolder, { recursive: true, force: true });
  }
}
