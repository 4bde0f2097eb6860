import { accessSync, constants, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import type { Config } from '../../config/load.ts';
import { systemClock } from '../../core/clock.ts';
import { errorText } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import { budgetFault, budgetOf } from '../../store/connection-budget.ts';
import { isPooled, onConnection, ownConnection } from '../../store/database-access.ts';
import { requireFit } from '../../store/database-fitness.ts';
import { DatabaseTrouble, explained, whereOf } from '../../store/database-trouble.ts';
import { EmbeddedPostgres, findRunningPostgres } from '../../store/embedded-postgres.ts';
import { identityOf } from '../../store/gateway-identity.ts';
import { locksFault } from '../../store/lock-room.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const CHECK = 'database';
const LOOK_MS_MAX = 2_000;

/** Whether the database runs or can be started, and may be written to. Nothing is changed in it. */
export async function checkDatabase({ store, jobs, dataDir }: Config, logger: Logger): Promise<Finding[]> {
  const folder = checkFolder(dataDir);
  const hasJobs = jobs.redisUrl === 'none';
  if (store.databaseUrl !== 'embedded')
    return [folder, ...(await checkOwn(store, hasJobs, identityOf(dataDir, true).node))];
  if (folder.state === 'fail') return [folder];
  const running = findRunningPostgres(dataDir);
  if (running) return [folder, await askOurs(running, 'embedded, running')];
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

/** A database of the operator's own, behind a pooler perhaps. */
async function checkOwn(store: Config['store'], hasJobs: boolean, node: string): Promise<Finding[]> {
  const { databaseUrl, directUrl } = store;
  const connection = { connectionString: databaseUrl };
  const direct = directUrl === 'none' ? undefined : { connectionString: directUrl };
  try {
    const [version, pooled] = await explained(connection, () => look(connection, hasJobs));
    if (direct) await explained(direct, () => look(direct, hasJobs), 'DATABASE_DIRECT_URL');
    if (hasJobs) ownConnection({ connection, direct, pooled });
    const { user, where, database } = whereOf(connection);
    const found = [
      ok(CHECK, `PostgreSQL ${version}, database ${database} of ${user} at ${where}${pooled ? ', a pooler' : ''}`),
    ];
    if (pooled) return found;
    const budget = budgetOf(store.connections, hasJobs);
    const rooms = [
      ['connections', budgetFault],
      ['locks', locksFault],
    ] as const;
    for (const [name, faultOf] of rooms) {
      const fault = await onConnection(connection, (client) => faultOf(client, budget, node), LOOK_MS_MAX);
      if (fault !== undefined) found.push(warn(name, fault, 'Otherwise calls go without what they ask of it.'));
    }
    return found;
  } catch (error) {
    if (error instanceof DatabaseTrouble) return [fail(CHECK, error.wrong, error.mend)];
    return [fail(CHECK, errorText(error), 'See above.')];
  }
}

async function askOurs(config: pg.PoolConfig, how: string): Promise<Finding> {
  try {
    const [version] = await look(config, true);
    return ok(CHECK, `PostgreSQL ${version}, ${how}`);
  } catch (error) {
    return fail(CHECK, `${how}: ${errorText(error)}`, 'Run this as root or as the user of the gateway.');
  }
}

const look = (config: pg.PoolConfig, hasJobs: boolean): Promise<readonly [version: string, pooled: boolean]> =>
  onConnection(
    config,
    async (client) => [await requireFit(client, 'serving', hasJobs), await isPooled(client)] as const,
    LOOK_MS_MAX,
  );

/** Starts the server of the data folder, or where there is none yet one in a temporary folder, and stops it again. */
async function startOnce(dataDir: string, logger: Logger): Promise<Finding> {
  const exists = existsSync(join(dataDir, 'postgres', 'data', 'PG_VERSION'));
  const dataFolder = exists ? dataDir : mkdtempSync(join(tmpdir(), 'nidaa-doctor-'));
  let server: EmbeddedPostgres | undefined;
  try {
    server = await EmbeddedPostgres.start({ dataFolder, logger, clock: systemClock });
    return await askOurs(server.connection, exists ? 'embedded, can be started' : 'embedded, can be made and started');
  } catch (error) {
    return fail(CHECK, errorText(error), 'See above; or set DATABASE_URL to a PostgreSQL of your own.');
  } finally {
    await server?.close();
    if (!exists) rmSync(dataFolder, { recursive: true, force: true });
  }
}
