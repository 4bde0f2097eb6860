import { ServiceError } from '../core/errors.ts';
import { databaseFault } from '../store/database.ts';

/** Asks the database for a request. @throws ServiceError `unavailable` when it does not answer. */
export async function fromStore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storeFault(error);
  }
}

/** What is thrown to a client where `error` came of asking the database. */
export function storeFault(error: unknown): unknown {
  if (error instanceof ServiceError || databaseFault(error) === 'statement') return error;
  return new ServiceError('unavailable', '', { cause: error });
}
