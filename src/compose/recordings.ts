import type { Config } from '../config/load.ts';
import { type Clock, systemClock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
import type { SealKey } from '../core/sealed-pieces.ts';
import { RecordingWork } from '../jobs/recording-work.ts';
import { openLibrary, sealKeys } from '../recordings/open-library.ts';
import type { RecordingLibrary } from '../recordings/recording-library.ts';
import type { Store } from '../store/store.ts';

export interface RecordingParts {
  readonly library: RecordingLibrary;
  readonly work: RecordingWork;
  /** Idempotent. */
  close(): Promise<void>;
}

/** What recordings are encrypted with while they grow. */
export function recordingSeal({ recordings }: Pick<Config, 'recordings'>): { readonly recordingSeal?: SealKey } {
  const [key] = sealKeys(recordings);
  return key ? { recordingSeal: key } : {};
}

/** Recordings as they are kept, and the work on them. */
export function openRecordings(
  { dataDir, recordings: settings, retention }: Pick<Config, 'dataDir' | 'recordings' | 'retention'>,
  parts: { readonly store: Store; readonly logger: Logger; readonly metrics: Metrics; readonly clock?: Clock },
): RecordingParts {
  const { store, clock = systemClock } = parts;
  const { library, files, home, keys, close } = openLibrary(dataDir, settings, store.recordings, clock);
  const work = new RecordingWork({
    ...{ ...parts, clock, files, library, keys },
    ...{ archive: settings.archive, orphanDays: settings.orphanDays, retention },
    ...(home && { home }),
  });
  return { library, work, close: async () => close() };
}
