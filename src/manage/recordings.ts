import { createReadStream } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import type { ByteRange } from './byte-range.ts';
import { type BothSides, recordingAsMp3 } from './recording-mp3.ts';

/** Recordings below the data folder, by the path that the record of a call has. */
export class Recordings {
  readonly #folder: string;
  /** @param peaksPath - where the peaks of a recording are. */
  constructor(
    dataFolder: string,
    private readonly peaksPath: (recording: string) => string,
  ) {
    this.#folder = resolve(dataFolder);
  }

  /** @returns undefined where the file is gone, or outside of the folder. */
  async sizeOf(recording: string): Promise<{ readonly size: number; readonly changed: Date } | undefined> {
    const path = this.#path(recording);
    const found = path === undefined ? undefined : await stat(path).catch(() => undefined);
    return found?.isFile() ? { size: found.size, changed: found.mtime } : undefined;
  }

  read(recording: string, range: ByteRange): Readable {
    return createReadStream(this.#path(recording)!, { ...range });
  }

  /** @returns undefined where the file is gone, or none of ours. @throws errors of the encoder. */
  async mp3(
    recording: string,
    encoder: BothSides,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<Uint8Array> | undefined> {
    const path = this.#path(recording);
    if (path === undefined || !(await this.sizeOf(recording))) return undefined;
    const made = await recordingAsMp3(path, encoder, signal);
    return typeof made === 'string' ? undefined : made;
  }

  /** As the job wrote it, JSON; undefined before that. */
  async peaks(recording: string): Promise<string | undefined> {
    const path = this.#path(this.peaksPath(recording));
    return path === undefined ? undefined : readFile(path, 'utf8').catch(() => undefined);
  }

  /** Deletes it with what was made of it. What is gone already is fine. */
  async remove(recording: string): Promise<void> {
    for (const one of [recording, this.peaksPath(recording)]) {
      const path = this.#path(one);
      if (path !== undefined) await rm(path, { force: true });
    }
  }

  #path(recording: string): string | undefined {
    const path = resolve(this.#folder, recording);
    return path.startsWith(this.#folder + sep) ? path : undefined;
  }
}
