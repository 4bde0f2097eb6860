import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import type { ByteSource } from './byte-source.ts';

/** Where recordings lie, below the data folder and in the home. */
export const RECORDINGS_FOLDER = 'recordings';
const PEAKS = '.peaks.json';
const UNFINISHED = '.part';

/** The file with the peaks of a recording, beside it. */
export const peaksPath = (recording: string): string => `${recording}${PEAKS}`;

/** The recording that a file is, or that it was made of. */
export const recordingOf = (name: string): string =>
  [UNFINISHED, PEAKS].reduce((rest, ending) => (rest.endsWith(ending) ? rest.slice(0, -ending.length) : rest), name);

/** Files of this node, by their paths below the data folder. */
export class RecordingFiles {
  readonly #folder: string;
  constructor(dataFolder: string) {
    this.#folder = resolve(dataFolder);
  }

  /** @returns undefined where it would lie outside of the data folder. */
  pathOf(name: string): string | undefined {
    const path = resolve(this.#folder, name);
    return path.startsWith(this.#folder + sep) ? path : undefined;
  }

  /** @returns undefined where there is no such file. */
  async find(name: string): Promise<ByteSource | undefined> {
    const path = this.pathOf(name);
    const found = path === undefined ? undefined : await stat(path).catch(() => undefined);
    if (path === undefined || !found?.isFile()) return undefined;
    return { size: found.size, changed: found.mtime, read: (range) => createReadStream(path, { ...range }) };
  }

  /**
   * Puts a file in its place whole or not at all, and on the disk before it is there.
   *
   * @throws what the disk fails with, and what `pieces` do.
   */
  async put(name: string, pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    const path = this.pathOf(name);
    if (path === undefined) throw new Error('a file outside of the data folder');
    const unfinished = `${path}${UNFINISHED}`;
    try {
      const file = await open(unfinished, 'w', 0o600);
      try {
        for await (const piece of pieces) await file.write(piece);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(unfinished, path);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  /** Deletes a recording with what was made of it. What is gone already is fine. */
  async remove(recording: string): Promise<void> {
    for (const one of [recording, peaksPath(recording)]) await this.removeOne(one);
  }

  /** Deletes one file. What is gone already is fine. */
  async removeOne(name: string): Promise<void> {
    const path = this.pathOf(name);
    if (path !== undefined) await rm(path, { force: true });
  }
}
