import { type LoadOptions, loadConfig, processEnvironment } from '../config/load.ts';
import { createLogger } from '../core/logger.ts';
import type { Store } from '../store/store.ts';
import type { Desk } from './desk/desk.ts';
import { type Output, standardOutput } from './output.ts';
import { type FarFlags, type FarGateway, farGateway } from './remote/far-gateway.ts';
import type { Settings } from './settings.ts';

/** What every command needs. Opened lazily: `--help` and `agents validate` need no database. */
export interface CommandContext extends Settings {
  readonly out: Output;
  /**
   * Runs `work` with the database: that of the running gateway, or one started for the moment. Only who says `create` makes
   * one where there is none, or brings its tables up to date; else that is an OperatorError, which names the nearest one there
   * is, or what it lacks.
   */
  withStore<T>(work: (store: Store) => Promise<T>, options?: { readonly create: boolean }): Promise<T>;
  /** The gateway of `--url` or `NIDAA_URL`; undefined where the command is for this machine. @throws OperatorError. */
  readonly far: FarGateway | undefined;
  /** Runs `work` with the gateway that the command is for: the one of `--url` or `NIDAA_URL`, else as `withStore` finds it. */
  withDesk<T>(work: (desk: Desk) => Promise<T>, options?: { readonly create: boolean }): Promise<T>;
}

export type ContextFlags = FarFlags & { readonly json?: boolean; readonly verbose?: boolean };

/** @param secretsOf - whose secrets the command works with: those of others may be at home with the gateway alone. */
export function commandContext(
  options: ContextFlags,
  secretsOf: NonNullable<LoadOptions['secretsOf']> = [],
): CommandContext {
  const config = loadConfig({ env: processEnvironment(), secretsOf });
  const logger = createLogger({
    level: options.verbose ? 'debug' : 'error',
    redactPersonal: config.log.redactPersonal,
  });
  const context: CommandContext = {
    out: standardOutput(options.json === true),
    config,
    logger,
    get far() {
      return farGateway(options, processEnvironment());
    },
    withDesk: async (work, create) => {
      const { far } = context;
      if (far) return work(await far.desk());
      return context.withStore(async (store) => {
        const { storeDesk } = await import('./desk/store-desk.ts');
        return work(storeDesk(store, context));
      }, create);
    },
    withStore: async (work, { create } = { create: false }) => {
      const { databaseUrl, directUrl } = config.store;
      // The driver and all: other commands start without them.
      const [{ Store }, { requireDatabase }] = await Promise.all([
        import('../store/store.ts'),
        import('./data-folder.ts'),
      ]);
      if (databaseUrl === 'embedded' && !create) requireDatabase(config.dataDir);
      const store = await Store.open({
        ...(databaseUrl !== 'embedded' && { databaseUrl }),
        ...(directUrl !== 'none' && { directUrl }),
        ...{ dataFolder: config.dataDir, secretKey: config.secretKey, logger, attach: true, asItIs: !create },
      });
      try {
        return await work(store);
      } finally {
        await store.close();
      }
    },
  };
  return context;
}
