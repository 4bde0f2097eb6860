import { accessSync, constants, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import type { Config } from '../../config/load.ts';
import { systemClock } from '../../core/clock.ts';
import { errorText } from '../../core/errors.ts';
import { type Logger, silentLogger } from '../../core/logger.ts';
import { openPool } from '../../store/database.ts';
import { EmbeddedPostgres, findRunningPostgres } from '../../store/embedded-postgres.ts';
import { type Finding, fail, ok } from './finding.ts';

const CHECK = 'database';
/** PostgreSQL 15 in the form of `server_version_num`. */
const VERSION_MIN = 150_000;

/** Whether the database runs or can be started, and may be written to. Nothing is changed in it. */
export async function checkDatabase({ store, dataDir }: Config, logger: Logger): Promise<Finding[]> {
  const folder = checkFolder(dataDir);
  if (store.databaseUrl !== 'embedded') {
    const where = store.databaseUrl.replace(/(\/\/[^:/@]*):[^@]*@/, '$1:***@');
    const config = { connectionString: store.databaseUrl };
    return [folder, await askVersion(config, where, 'Start it, or correct DATABASE_URL or store.databaseUrl.')];
  }
  if (folder.state === 'fail') return [folder];
  const running = findRunningPostgres(dataDir);
  if (running)
    return [folder, await askVersion(running, 'embedded, running', 'Run this as root or as the user of the gateway.')];
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

async function askVersion(config: pg.PoolConfig, where: string, mend: string): Promise<Finding> {
  const pool = openPool({ ...config, max: 1 }, silentLogger);
  try {
    const { rows } = await pool.query<{ version: string; number: number }>(
      `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number`,
    );
    const { version = '?', number = 0 } = rows[0] ?? {};
    const detail = `PostgreSQL ${version}, ${where}`;
    return number >= VERSION_MIN ? ok(CHECK, detail) : fail(CHECK, `${detail}: too old`, 'Use PostgreSQL 15 or newer.');
  } catch (error) {
    return fail(CHECK, `${where}: ${errorText(error)}`, mend);
  } finally {
    await pool.end().catch(() => undefined);
  }
}

/** Starts the server of the data folder, or where there is none yet one in a temporary folder, and stops it again. */
async function startOnce(dataDir: string, logger: Logger): Promise<Finding> {
  const exists = existsSync(join(dataDir, 'postgres', 'data', 'PG_VERSION'));
  const dataFolder = exists ? dataDir : mkdtempSync(join(tmpdir(), 'nidaa-doctor-'));
  let server: EmbeddedPostgres | undefined;
  try {
    server = await EmbeddedPostgres.start({ dataFolder, logger, clock: systemClock });
    return await askVersion(
      server.connection,
      exists ? 'embedded, can be started' : 'embedded, can be made and started',
      'See postgres.log in the data folder.',
    );
  } catch (error) {
    return fail(CHECK, errorText(error), 'See above; or set DATABASE_URL to a PostgreSQL of your own.');
  } finally {
    await server?.close();
    if (!exists) rmSync(dataFolder, { recursive: true, force: true });
  }
}
