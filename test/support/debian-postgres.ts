import type { TestProject } from 'vitest/node';
import { silentLogger } from '../../src/core/logger.ts';
import { Store } from '../../src/store/store.ts';
import { openDesk, type Shared } from './desk.ts';
import { debianPrograms, type PostgresPrograms } from './postgres-programs.ts';
import { PostgresServer } from './postgres-server.ts';
import sharePostgres from './shared-postgres.ts';

const NAME = 'nidaa';
/** Of four gateways with all that they may open, and of the tests beside them. */
const CONNECTIONS = 200;

/** The PostgreSQL of trials among other programs: Debian's, as operators have it, which waits for its disk. Else that of other tests. */
export default async function shareDebianPostgres(project: TestProject): Promise<() => Promise<void>> {
  const programs = debianPrograms();
  if (!programs) {
    console.warn('\n!!! NOT ON THE POSTGRESQL OF DEBIAN: postgresql not installed; on that of the npm package !!!\n');
    return sharePostgres(project);
  }
  const { address, close } = await openDesk((folder) => startWithTables(folder, programs));
  project.provide('postgresDesk', address);
  return close;
}

async function startWithTables(folder: string, programs: PostgresPrograms): Promise<Shared> {
  const settings = { max_connections: String(CONNECTIONS) };
  const server = await PostgresServer.start([`local all ${NAME} trust`], settings, programs);
  await server.admin(`CREATE ROLE ${NAME} LOGIN CREATEDB`);
  await server.admin(`CREATE DATABASE ${NAME} OWNER ${NAME}`);
  const [said] = await server.admin(
    `SELECT version(), current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS waits`,
  );
  console.log(
    `\nPostgreSQL of these trials: ${said?.['version']}; fsync ${said?.['fsync']}, synchronous_commit ${said?.['waits']}\n`,
  );
  const connection = { host: server.folder, port: server.port, user: NAME, database: NAME };
  const databaseUrl = `postgresql://${NAME}@/${NAME}?host=${encodeURIComponent(server.folder)}&port=${server.port}`;
  const store = await Store.open({ databaseUrl, dataFolder: folder, logger: silentLogger });
  await store.close();
  return { facts: connection, close: () => server.dispose() };
}
