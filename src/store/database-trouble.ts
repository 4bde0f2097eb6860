import pg from 'pg';
import { errorText, OperatorError } from '../core/errors.ts';
import { DATABASE_FAULTS } from './database-faults.ts';

/** Why the database cannot be used, and what to do. */
export class DatabaseTrouble extends OperatorError {
  constructor(
    readonly wrong: string,
    readonly mend: string,
    options?: ErrorOptions,
  ) {
    super(`${wrong} ${mend}`, options);
  }
}

/** Whom a connection would reach, without the password. @throws what the driver says of a URL that is none. */
export function whereOf(config: pg.PoolConfig): { where: string; host: string; user: string; database: string } {
  const { host, port, user = '', database = '' } = new pg.Client(config);
  return { where: host.startsWith('/') ? host : `${host}:${port}`, host, user, database };
}

/** The variable that says where a database is. */
type UrlName = 'DATABASE_URL' | 'DATABASE_DIRECT_URL';

/** What an error of the driver or the server says, in words of an operator. */
export function databaseTrouble(
  error: unknown,
  config: pg.PoolConfig,
  name: UrlName = 'DATABASE_URL',
): DatabaseTrouble {
  if (error instanceof DatabaseTrouble) return error;
  const { code, text } = factsOf(error);
  const row = DATABASE_FAULTS.find((each) => each.code.test(code) && (each.says?.test(text) ?? true))!;
  const values: Readonly<Record<string, string>> = { ...names(config), said: text.replaceAll(/\s+/g, ' ').trim() };
  const filled = (template: string): string =>
    template.replaceAll('DATABASE_URL', name).replaceAll(/<(\w+)>/g, (whole, hole) => values[hole] ?? whole);
  return new DatabaseTrouble(filled(row.wrong), filled(row.mend), { cause: error });
}

/** Runs what asks the database for the first time. @throws DatabaseTrouble for whatever keeps it from being asked. */
export async function explained<T>(
  config: pg.PoolConfig,
  work: () => Promise<T>,
  name: UrlName = 'DATABASE_URL',
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof OperatorError ? error : databaseTrouble(error, config, name);
  }
}

/** Of several addresses of one name each may have failed: the first says why. */
function factsOf(error: unknown): { readonly code: string; readonly text: string } {
  const first = error instanceof AggregateError && error.errors.length > 0 ? (error.errors[0] as unknown) : error;
  const { code, detail } = (first ?? {}) as { readonly code?: unknown; readonly detail?: unknown };
  const text = typeof detail === 'string' ? `${errorText(first)} (${detail})` : errorText(first);
  return { code: typeof code === 'string' ? code : '', text };
}

function names(config: pg.PoolConfig): Readonly<Record<string, string>> {
  try {
    return whereOf(config);
  } catch {
    return {}; // of a URL that is none
  }
}
