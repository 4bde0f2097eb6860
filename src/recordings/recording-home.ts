import type { ByteSource } from './byte-source.ts';

/** What is kept of a file in the home. */
export interface StoredFile {
  readonly bytes: number;
  readonly sha256: string; // hex
}

export interface ListedFile {
  readonly name: string;
  readonly bytes: number;
  readonly changed: Date;
}

/** Storage that all nodes share. Names are those of recordings, and of what was made of them. Every method throws what it fails with. */
export interface RecordingHome {
  /** Puts a file there, and looks whether it arrived as it is: what does not is an error. Safe to run twice. */
  put(name: string, file: ByteSource, signal: AbortSignal): Promise<StoredFile>;
  /** @returns undefined where there is none. */
  find(name: string): Promise<ByteSource | undefined>;
  /** What is gone already is fine. */
  remove(name: string): Promise<void>;
  /** Files in the order of their names, after that of `after`; none at the end. */
  list(after: string | undefined): Promise<readonly ListedFile[]>;
  /** Writes, reads and removes a file of its own. */
  probe(): Promise<void>;
}

/** The home cannot be asked now, or refuses: why is in `cause`. */
export class RecordingHomeAway extends Error {
  constructor(cause: unknown) {
    super('the storage of recordings does not answer as it should', { cause });
    this.name = 'RecordingHomeAway';
  }
}
