import type { Clock } from '../core/clock.ts';
import { type SealKey, sealKey } from '../core/sealed-pieces.ts';
import type { RecordingRows } from '../store/recordings.ts';
import { RecordingFiles } from './recording-files.ts';
import type { RecordingHome } from './recording-home.ts';
import { RecordingLibrary } from './recording-library.ts';
import { openS3Home, type S3HomeSettings } from './s3/open-s3-home.ts';

/** How recordings are kept, with secrets. */
export interface LibrarySettings {
  readonly home: 'local' | 's3';
  readonly encryption?: { readonly key: string; readonly oldKeys: readonly string[] }; // hex
  readonly s3?: S3HomeSettings;
}

export interface OpenLibrary {
  readonly library: RecordingLibrary;
  readonly files: RecordingFiles;
  readonly home?: { readonly of: RecordingHome; readonly isFilled: boolean };
  /** The first one seals. */
  readonly keys: readonly SealKey[];
  close(): void;
}

/** The first one seals; none where nothing is to be encrypted. */
export function sealKeys({ encryption }: Pick<LibrarySettings, 'encryption'>): readonly SealKey[] {
  return encryption ? [encryption.key, ...encryption.oldKeys].map((key) => sealKey(Buffer.from(key, 'hex'))) : [];
}

/** Recordings as they can be reached from here. */
export function openLibrary(
  dataDir: string,
  settings: LibrarySettings,
  rows: RecordingRows,
  clock: Clock,
): OpenLibrary {
  const files = new RecordingFiles(dataDir);
  const storage = settings.s3 && openS3Home(settings.s3, clock);
  const home = storage && { of: storage.home, isFilled: settings.home === 's3' };
  const keys = sealKeys(settings);
  const library = new RecordingLibrary({ files, rows, keys, ...(home && { home }) });
  return { library, files, keys, ...(home && { home }), close: () => storage?.close() };
}
