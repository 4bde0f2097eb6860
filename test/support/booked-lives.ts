import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configFolder } from './config-folder.ts';
import { type Gateway, startGateway } from './gateway.ts';

/** The limits of the API out of the way. */
const UNLIMITED = { 'nidaa.yaml': 'api:\n  requestsPerMinute: 1000000\n  requestBurst: 100000\n' };

/** A gateway whose books are looked at through whatever happens to it: one data folder and configuration for all its lives. */
export interface BookedLives {
  readonly dataDir: string;
  start(): Promise<Gateway>;
  /** Removes what the lives have left. */
  remove(): void;
}

/** @param more - files of the configuration beside the limits. */
export function bookedLives(more: Readonly<Record<string, string>> = {}): BookedLives {
  const dataDir = mkdtempSync(join(tmpdir(), 'nidaa-books-'));
  const config = configFolder({ ...UNLIMITED, ...more });
  // Free ports of the system: many starts on ports that were looked for would meet another program some day.
  const env = { NIDAA_CONFIG: join(config.dir, 'nidaa.yaml'), NIDAA_SIP_PORT: '0', NIDAA_HTTP_PORT: '0' };
  return {
    dataDir,
    start: () => startGateway({ dataDir, env }),
    remove: () => {
      rmSync(dataDir, { recursive: true, force: true });
      config.remove();
    },
  };
}
