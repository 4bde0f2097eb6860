import { createReadStream } from 'node:fs';
import { chmod, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { OperatorError } from '../../core/errors.ts';
import { syncFolder } from './archive.ts';

/**
 * What of the data folder belongs to the database beside it: who the installation is, what its secrets are sealed with, certificates that
 * it made, and recordings that are on this disk. Not models and caches, which are had again; not the log; not the
 * database's own files.
 */
const ALWAYS = ['node-id', 'secret.key'];
const FOLDERS = ['tls'];
/** Charges that are not in the database yet: of a gateway that ended by force. While one runs it moves under our hands. */
const AT_REST = 'journal';
const PEAKS = '.peaks.json';
const READABLE_BY_ALL = ['node-id'];
const RESTORED = /^(node-id|secret\.key|(tls|journal|recordings)\/[A-Za-z0-9][A-Za-z0-9._-]*)$/;

/** Where restored files wait for the database, and what they take the place of. */
const STAGED = 'restore.unfinished';

export interface DataFile {
  readonly name: string; // below the data folder
  readonly bytes: number;
}
/** Recordings that are not among the files. */
export interface LeftOut {
  readonly elsewhere: number; // on the disks of other nodes
  readonly home: number; // in the storage that all nodes share
  readonly missing: number; // they should be here
}

async function fileAt(folder: string, name: string): Promise<DataFile | undefined> {
  const found = await stat(join(folder, name)).catch(() => undefined);
  return found?.isFile() ? { name, bytes: found.size } : undefined;
}

/** Files of the data folder, recordings apart. */
export async function settledFiles(folder: string, atRest: boolean): Promise<readonly DataFile[]> {
  const names = [...ALWAYS];
  for (const one of [...FOLDERS, ...(atRest ? [AT_REST] : [])]) {
    const inside = await readdir(join(folder, one)).catch(() => []);
    names.push(...inside.filter((name) => name !== 'gateway.lock').map((name) => `${one}/${name}`));
  }
  const found = await Promise.all(names.map((name) => fileAt(folder, name)));
  return found.filter((one) => one !== undefined && RESTORED.test(one.name)) as DataFile[];
}

/** Recordings of calls that are over, as the database of `client` knows them. Those of calls that go on are not done. */
export async function recordingFiles(
  client: pg.Client,
  folder: string,
  node: string,
): Promise<{ readonly files: readonly DataFile[]; readonly left: LeftOut }> {
  const { rows } = await client.query<{ name: string; place: string; node: string }>(
    `SELECT r.name, r.place, r.node FROM recordings r JOIN calls c ON c.id = r.call_id
      WHERE r.wanted AND c.ended_at IS NOT NULL AND c.recording IS NOT NULL ORDER BY r.name`,
  );
  const files: DataFile[] = [];
  const left = { elsewhere: 0, home: 0, missing: 0 };
  for (const row of rows) {
    const found = RESTORED.test(row.name) ? await fileAt(folder, row.name) : undefined;
    if (found) files.push(found);
    else if (row.place === 'home') left.home += 1;
    else if (row.node === node) left.missing += 1;
    else left.elsewhere += 1;
    const peaks = found && (await fileAt(folder, `${row.name}${PEAKS}`));
    if (peaks) files.push(peaks);
  }
  return { files, left };
}

/** @returns undefined where it is gone meanwhile, or has another size: what a call or job has just changed. */
export async function contentOf(
  folder: string,
  { name, bytes }: DataFile,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const now = await fileAt(folder, name);
  if (now?.bytes !== bytes) return undefined;
  return bytes === 0 ? one(Buffer.alloc(0)) : createReadStream(join(folder, name), { start: 0, end: bytes - 1 });
}

async function* one(piece: Buffer): AsyncGenerator<Uint8Array> {
  yield piece;
}

/** Files on their way back: they wait beside until the database has what belongs to them. */
export class StagedFiles {
  readonly folder: string;
  readonly #names: string[] = [];
  private constructor(private readonly dataFolder: string) {
    this.folder = join(dataFolder, STAGED);
  }

  static async begin(dataFolder: string): Promise<StagedFiles> {
    const staged = new StagedFiles(dataFolder);
    await rm(staged.folder, { recursive: true, force: true }); // of a run that was killed
    await mkdir(staged.folder, { recursive: true, mode: 0o700 });
    return staged;
  }

  /** @throws OperatorError for a name that no backup of ours has. */
  async put(name: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    if (!RESTORED.test(name) || name.includes('..'))
      throw new OperatorError(`The backup has a file of no kind: ${name}.`);
    const path = join(this.folder, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(path, 'w', 0o600);
    try {
      for await (const piece of content)
        for (let at = 0; at < piece.length; ) at += (await file.write(piece, at)).bytesWritten;
      await file.sync();
    } finally {
      await file.close();
    }
    if (READABLE_BY_ALL.includes(name)) await chmod(path, 0o644);
    this.#names.push(name);
  }

  /**
   * Moves them into their places; what was there goes aside, and so does a journal of charges, which is of the database before.
   * @param aside - name of the folder for it, below the data folder.
   * @returns whether anything was put aside.
   */
  async settle(aside: string): Promise<boolean> {
    let isAside = false;
    const away = async (name: string): Promise<void> => {
      const there = await stat(join(this.dataFolder, name)).catch(() => undefined);
      if (!there) return;
      await mkdir(dirname(join(this.dataFolder, aside, name)), { recursive: true, mode: 0o700 });
      await rename(join(this.dataFolder, name), join(this.dataFolder, aside, name));
      isAside = true;
    };
    const journal = await readdir(join(this.dataFolder, AT_REST)).catch(() => []);
    for (const name of journal) if (name !== 'gateway.lock') await away(`${AT_REST}/${name}`);
    for (const name of this.#names) {
      if (!name.startsWith('recordings/')) await away(name);
      const path = join(this.dataFolder, name);
      await mkdir(dirname(path), { recursive: true, mode: name.startsWith('recordings/') ? 0o750 : 0o700 });
      await rename(join(this.folder, name), path);
    }
    await syncFolder(this.dataFolder);
    await rm(this.folder, { recursive: true, force: true });
    return isAside;
  }

  async abandon(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
