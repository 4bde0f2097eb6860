import { silentLogger } from '../../src/core/logger.ts';
import { Store } from '../../src/store/store.ts';
import type { RunningGateway } from './gateway.ts';

export type Place = Pick<RunningGateway, 'dataDir' | 'env'>;

/** The database of a gateway that runs. */
export async function withStore<T>({ dataDir, env }: Place, work: (store: Store) => Promise<T>): Promise<T> {
  const { DATABASE_URL: databaseUrl } = env;
  const store = await Store.open({
    ...(databaseUrl && { databaseUrl }),
    ...{ dataFolder: dataDir, logger: silentLogger, attach: true },
  });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
