import { finalizeRecording } from '../../src/recordings/finalize-recording.ts';
import { RecordingFiles } from '../../src/recordings/recording-files.ts';

/** Makes a recording ready to be played and drawn, kept as it was written. */
export const kept = (dataFolder: string, recording: string): ReturnType<typeof finalizeRecording> =>
  finalizeRecording(new RecordingFiles(dataFolder), recording, { archive: 'wav', law: async () => 'mulaw', keys: [] });
