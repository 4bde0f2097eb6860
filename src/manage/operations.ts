import type { ManageDeps } from './deps.ts';
import type { ManageOperation } from './operation.ts';
import { keyOperations } from './routes/keys.ts';
import { peopleOperations } from './routes/people.ts';
import { sessionOperations } from './routes/session.ts';

/** Every operation of the management API, in the order of the document. */
export function operationsOf(deps: ManageDeps): readonly ManageOperation[] {
  return [sessionOperations, keyOperations, peopleOperations].flatMap((of) => of(deps));
}
