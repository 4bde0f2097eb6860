import { ServiceError } from '../core/errors.ts';
import { databaseFault } from '../store/database.ts';

/** Asks the database for a request. @throws ServiceError `unavailable` when it does not answer. */
export async function fromStore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError || databaseFault(error) === 'statement') throw error;
    throw new ServiceError('unavailable', '', { cause: error });
  }
}
