import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { RecordingFiles } from '../recordings/recording-files.ts';
import type { RecordingLibrary } from '../recordings/recording-library.ts';
import type { Store } from '../store/store.ts';
import { type FinalizeRecordingData, finalizeRecording, type RecordingReject } from './finalize-recording.ts';
import { forgetOldCalls } from './retention.ts';

export interface RecordingWorkDeps {
  readonly store: Pick<Store, 'calls' | 'recordings'>;
  readonly dataFolder: string;
  readonly files: RecordingFiles;
  readonly library: Pick<RecordingLibrary, 'removeUnwanted'>;
  readonly logger: Logger;
}

const REMOVED_MAX = 500; // of one round; the rest next time

/** What is done with recordings behind the calls, job by job. All of it is safe to run twice. */
export class RecordingWork {
  constructor(private readonly deps: RecordingWorkDeps) {}

  /** Makes the recording of a call that is over ready. @throws file errors that may pass. */
  async finalize({ callId, recording }: FinalizeRecordingData): Promise<'ready' | RecordingReject> {
    const { store, dataFolder, files } = this.deps;
    if (await store.calls.isErased(callId)) {
      await files.remove(recording); // before its end was known
      return 'ready';
    }
    await store.recordings.ensure(callId, recording);
    const result = await finalizeRecording(dataFolder, recording);
    await store.calls.setRecordingState(callId, result === 'ready' ? 'ready' : 'failed');
    return result;
  }

  /** What accounts do not want to keep goes, whichever node it is of. */
  async forgetOld(): Promise<void> {
    const count = await forgetOldCalls(this.deps.store);
    if (count > 0)
      this.deps.logger.info({ calls: count }, 'calls beyond the retention of their accounts were forgotten');
  }

  /** Recordings that are not wanted any more are removed where this node can do it; what fails is tried again next time. */
  async removeUnwanted(): Promise<void> {
    const { library, logger } = this.deps;
    try {
      const recordings = await library.removeUnwanted(REMOVED_MAX);
      if (recordings > 0) logger.info({ recordings }, 'recordings that nobody wants any more were removed');
    } catch (error) {
      logger.warn({ error: errorText(error) }, 'a recording could not be removed');
    }
  }
}
