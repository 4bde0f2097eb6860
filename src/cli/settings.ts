import type { Config } from '../config/load.ts';
import type { Logger } from '../core/logger.ts';

/** As this machine is configured, and where its log goes. */
export interface Settings {
  readonly config: Config;
  readonly logger: Logger;
}
