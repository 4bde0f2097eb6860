import { type Config, loadConfig, processEnvironment } from '../config/load.ts';
import { createLogger, type Logger } from '../core/logger.ts';
import { Store } from '../store/store.ts';
import { type Output, standardOutput } from './output.ts';

/** What every command needs. Opened lazily: `--help` and `agents validate` need no database. */
export interface CommandContext {
  readonly out: Output;
  readonly config: Config;
  readonly logger: Logger;
  /** Runs `work` with the database: that of the running gateway, or one started for the moment. */
  withStore<T>(work: (store: Store) => Promise<T>): Promise<T>;
}

export function commandContext(options: { readonly json?: boolean; readonly verbose?: boolean }): CommandContext {
  const config = loadConfig({ env: processEnvironment() });
  const logger = createLogger({
    level: options.verbose ? 'debug' : 'error',
    redactPersonal: config.log.redactPersonal,
  });
  return {
    out: standardOutput(options.json === true),
    config,
    logger,
    withStore: async (work) => {
      const { databaseUrl } = config.store;
      const store = await Store.open({
        ...(databaseUrl !== 'embedded' && { databaseUrl }),
        ...{ dataFolder: config.dataDir, logger, attach: true },
      });
      try {
        return await work(store);
      } finally {
        await store.close();
      }
    },
  };
}
