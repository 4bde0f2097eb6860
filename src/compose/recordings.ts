import type { Config } from '../config/load.ts';
import { type Clock, systemClock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
import { RecordingWork } from '../jobs/recording-work.ts';
import { openLibrary } from '../recordings/open-library.ts';
import type { RecordingLibrary } from '../recordings/recording-library.ts';
import type { Store } from '../store/store.ts';

export interface RecordingParts {
  readonly library: RecordingLibrary;
  readonly work: RecordingWork;
  /** Idempotent. */
  close(): Promise<void>;
}

/** Recordings as they are kept, and the work on them. */
export function openRecordings(
  { dataDir, recordings: settings, retention }: Pick<Config, 'dataDir' | 'recordings' | 'retention'>,
  parts: { readonly store: Store; readonly logger: Logger; readonly metrics: Metrics; readonly clock?: Clock },
): RecordingParts {
  const { store, clock = systemClock } = parts;
  const { library, files, home, keys, close } = openLibrary(dataDir, settings, store.recordings, clock);
  const work = new RecordingWork({
    ...{ ...parts, clock, dataFolder: dataDir, files, library },
    ...{ archive: settings.archive, orphanDays: settings.orphanDays, retention },
    ...(keys[0] && { key: keys[0] }),
    ...(home && { home }),
  });
  return { library, work, close: async () => close() };
}
