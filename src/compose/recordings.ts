import type { Config } from '../config/load.ts';
import type { Logger } from '../core/logger.ts';
import { RecordingWork } from '../jobs/recording-work.ts';
import { RecordingFiles } from '../recordings/recording-files.ts';
import { RecordingLibrary } from '../recordings/recording-library.ts';
import type { Store } from '../store/store.ts';

export interface RecordingParts {
  readonly library: RecordingLibrary;
  readonly work: RecordingWork;
}

/** Recordings as they are kept, and the work on them. */
export function openRecordings(
  config: Pick<Config, 'dataDir'>,
  { store, logger }: { readonly store: Store; readonly logger: Logger },
): RecordingParts {
  const files = new RecordingFiles(config.dataDir);
  const library = new RecordingLibrary({ files, rows: store.recordings });
  const work = new RecordingWork({ store, dataFolder: config.dataDir, files, library, logger });
  return { library, work };
}
