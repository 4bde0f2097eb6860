import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import type { Clock } from '../../core/clock.ts';
import { errorText } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import type { LearntKeep } from './learnt-keep.ts';

export interface LearntFilesOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'debug'>;
  /** Of all files together; the longest unused leave first. Default 128 MB: about 30 agents. */
  readonly bytesMax?: number;
  /** Which build learnt it. Default: what the engines of this one are made of. */
  readonly build?: string;
}

const FILE_NAME = /^[0-9a-f]{64}\.learnt$/;
const DIGEST_BYTES = 32;
/** Left behind by a process that was killed while it wrote. */
const PART_MS_MAX = 60_000;
const BUILT = fileURLToPath(new URL('../..', import.meta.url));
/** What the build says of itself, in its folder, and what a later compilation of it leaves there. */
const SAID = '.learning';
const COMPILED = '.tsbuildinfo';
/** What learns, and what it learns with. */
const LEARNING = ['engines', 'language'];

/**
 * What agents have learnt, on disk: to learn it takes a second of processor an agent, to read it some 40 ms. Safe at any crash and
 * with several writers: a file appears whole under its name, carries the digest of its bytes, and is removed when the two do
 * not agree. Everything in it can be learnt again.
 */
export class LearntFiles implements LearntKeep {
  #build: string | undefined;

  constructor(private readonly options: LearntFilesOptions) {
    this.#build = options.build;
  }

  find(from: string): unknown {
    const path = this.#pathOf(from);
    try {
      const file = readFileSync(path);
      const body = file.subarray(DIGEST_BYTES);
      if (!digestOf(body).equals(file.subarray(0, DIGEST_BYTES))) throw new Error('damaged');
      const learnt: unknown = deserialize(body);
      const now = this.options.clock.utc();
      utimesSync(path, now, now);
      return learnt;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      this.#note(error);
      remove(path);
      return undefined;
    }
  }

  keep(from: string, learnt: unknown): void {
    const { folder, bytesMax = 128 * 1024 * 1024 } = this.options;
    const temporary = join(folder, `${randomBytes(8).toString('hex')}.part`);
    try {
      const body = serialize(learnt);
      if (body.length > bytesMax / 2) return;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(temporary, Buffer.concat([digestOf(body), body]), { mode: 0o600 });
      renameSync(temporary, this.#pathOf(from));
      makeRoom(folder, bytesMax, this.options.clock.utc().getTime());
    } catch (error) {
      this.#note(error);
      remove(temporary);
    }
  }

  #pathOf(from: string): string {
    this.#build ??= `${process.version} ${saidBuild(BUILT) ?? buildOf(BUILT)}`;
    return join(this.options.folder, `${digestOf(`${this.#build}\n${from}`).toString('hex')}.learnt`);
  }

  /** A full disk, or a folder that is not ours, costs time and nothing else. */
  #note(error: unknown): void {
    this.options.logger.debug({ error: errorText(error) }, 'what an agent learnt is not kept');
  }
}

function digestOf(content: string | Uint8Array): Buffer {
  return createHash('sha256').update(content).digest();
}

/** What `npm run build` wrote down of `buildOf`, which a start would take a tenth of a second for; undefined after a later compilation. */
export function saidBuild(built: string): string | undefined {
  const writtenMs = (name: string): number | undefined =>
    statSync(join(built, name), { throwIfNoEntry: false })?.mtimeMs;
  const saidMs = writtenMs(SAID);
  if (saidMs === undefined || saidMs < (writtenMs(COMPILED) ?? 0)) return undefined;
  return readFileSync(join(built, SAID), 'utf8');
}

/** To be called when everything of the build is written. */
export function sayBuild(built: string): void {
  writeFileSync(join(built, SAID), buildOf(built));
}

/**
 * Whatever changes how something is learnt changes this: code and word lists of the engines and of the language that they share.
 *
 * @param built - the folder of the build.
 */
export function buildOf(built: string): string {
  const names = LEARNING.flatMap((folder) =>
    readdirSync(join(built, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const hash = createHash('sha256');
  for (const name of names.filter((one) => /\.js(?:on)?$/.test(one)).sort()) {
    hash.update(name).update(readFileSync(join(built, name)));
  }
  return hash.digest('hex');
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Its folder is none, or not ours: then neither is the file.
  }
}

function makeRoom(folder: string, bytesMax: number, nowMs: number): void {
  const files = readdirSync(folder).flatMap((name) => {
    const { size, mtimeMs } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: 0 };
    return [{ path: join(folder, name), isOurs: FILE_NAME.test(name), size, mtimeMs }];
  });
  for (const { path, isOurs, mtimeMs } of files) {
    if (!isOurs && path.endsWith('.part') && nowMs - mtimeMs > PART_MS_MAX) remove(path);
  }
  let bytes = 0;
  for (const { path, size } of files.filter(({ isOurs }) => isOurs).sort((a, b) => b.mtimeMs - a.mtimeMs)) {
    bytes += size;
    if (bytes > bytesMax) remove(path);
  }
}
