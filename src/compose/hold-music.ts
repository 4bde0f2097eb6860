import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { MUSIC_FILE_BYTES_MAX, type MusicLoop, musicOfWav, ownMusic } from '../media/music-loop.ts';

/** A minute of each is a megabyte. */
const FILES_MAX = 32;
const FILE = /^([A-Za-z0-9_-]{1,64})\.wav$/;
const OWN = 'calm';
const NONE = 'none';

/** What waiting callers hear, by the names that agents give it. */
export class HoldMusic {
  readonly #loops: Map<string, MusicLoop>;
  readonly #unknown = new Set<string>();

  private constructor(
    loops: Map<string, MusicLoop>,
    private readonly byDefault: string,
    private readonly logger: Logger,
  ) {
    this.#loops = loops;
  }

  /**
   * Reads every `.wav` of the folder, which need not be there.
   * @throws OperatorError for a file that is no music for a telephone, and for a default that is not there.
   */
  static load(folder: string, byDefault: string, logger: Logger): HoldMusic {
    const loops = new Map<string, MusicLoop>();
    const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.wav')) : [];
    if (files.length > FILES_MAX)
      throw new OperatorError(`${folder} holds ${files.length} files, more than ${FILES_MAX}`);
    for (const file of files) {
      const path = join(folder, file);
      const name = FILE.exec(file)?.[1];
      if (!name || name === OWN || name === NONE) throw new OperatorError(`${path}: no name for music`);
      const size = statSync(path).size;
      const loop =
        size > MUSIC_FILE_BYTES_MAX ? `larger than ${MUSIC_FILE_BYTES_MAX} bytes` : musicOfWav(readFileSync(path));
      if (typeof loop === 'string') throw new OperatorError(`${path} cannot be played to callers: ${loop}`);
      loops.set(name, loop);
    }
    if (byDefault !== NONE && byDefault !== OWN && !loops.has(byDefault)) {
      throw new OperatorError(`conversation.holdMusic: there is no ${join(folder, `${byDefault}.wav`)}`);
    }
    return new HoldMusic(loops, byDefault, logger);
  }

  /** @returns undefined for silence. A name that there is no file for is told once, and the default plays. */
  of(name = this.byDefault): MusicLoop | undefined {
    if (name === NONE) return undefined;
    if (name === OWN) return this.#own();
    const loop = this.#loops.get(name);
    if (loop) return loop;
    if (!this.#unknown.has(name) && this.#unknown.size < FILES_MAX) {
      this.#unknown.add(name);
      this.logger.warn({ music: name }, 'an agent names music that is not in the folder');
    }
    return this.byDefault === name ? undefined : this.of(this.byDefault);
  }

  /** Made for the first who waits: 10 ms that a start is spared. */
  #own(): MusicLoop {
    const made = this.#loops.get(OWN) ?? ownMusic();
    this.#loops.set(OWN, made);
    return made;
  }
}
