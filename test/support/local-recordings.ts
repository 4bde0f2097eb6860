import { openRecordings } from '../../src/compose/recordings.ts';
import { loadConfig } from '../../src/config/load.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import type { RecordingWork } from '../../src/jobs/recording-work.ts';
import type { Store } from '../../src/store/store.ts';

/** The work on recordings that stay on the disk, as without any setting. */
export function localRecordings(dataDir: string, store: Store): RecordingWork {
  const { recordings, retention } = loadConfig({ env: {} });
  return openRecordings({ dataDir, recordings, retention }, { store, logger: silentLogger, metrics: createMetrics() })
    .work;
}
