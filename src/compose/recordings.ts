import type { Config } from '../config/load.ts';
import { type Clock, systemClock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
import { RecordingWork } from '../jobs/recording-work.ts';
import { RecordingFiles } from '../recordings/recording-files.ts';
import { RecordingLibrary } from '../recordings/recording-library.ts';
import { openS3Home, type S3HomeSettings } from '../recordings/s3/open-s3-home.ts';
import { sealKey } from '../recordings/sealed-file.ts';
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
  const files = new RecordingFiles(dataDir);
  const storage = settings.s3 && openS3Home(settings.s3 satisfies S3HomeSettings, clock);
  const home = storage && { of: storage.home, isFilled: settings.home === 's3' };
  const { encryption } = settings;
  const keys = encryption ? [encryption.key, ...encryption.oldKeys].map((key) => sealKey(Buffer.from(key, 'hex'))) : [];
  const library = new RecordingLibrary({ files, rows: store.recordings, keys, ...(home && { home }) });
  const work = new RecordingWork({
    ...{ ...parts, clock, dataFolder: dataDir, files, library },
    ...{ archive: settings.archive, orphanDays: settings.orphanDays, retention },
    ...(keys[0] && { key: keys[0] }),
    ...(home && { home }),
  });
  return { library, work, close: async () => storage?.close() };
}
