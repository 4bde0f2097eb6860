import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorText, OperatorError } from '../../core/errors.ts';

/**
 * The file of a backup: a tar archive (POSIX ustar) that any tar can list and unpack. Its last two entries are the manifest, which has the
 * SHA-256 of every other, and the SHA-256 of the manifest: a file without them was never finished. It grows beside its name,
 * and gets it when all of it is on the disk.
 */
export interface Piece {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}
export interface ArchiveEntry {
  readonly name: string;
  readonly bytes: number;
  readonly offset: number;
}

const BLOCK = 512;
const NAME_BYTES_MAX = 100;
const BYTES_MAX = 8 * 1024 ** 3 - 1; // 11 octal digits
const READ_BYTES = 1024 * 1024;
const MANIFEST = 'manifest.json';
const MANIFEST_SUM = 'manifest.sha256';
const MANIFEST_BYTES_MAX = 512 * 1024 * 1024;
const UNFINISHED = '.part';

export class ArchiveWriter {
  readonly pieces: Piece[] = [];
  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
  ) {}

  /** @throws OperatorError where there is something already, or nothing can be written there. */
  static async create(path: string): Promise<ArchiveWriter> {
    const there = await open(path, 'r').catch(() => undefined);
    await there?.close();
    if (there) throw new OperatorError(`${path} is there already. Choose another name, or move it away.`);
    try {
      return new ArchiveWriter(path, await open(`${path}${UNFINISHED}`, 'w', 0o600));
    } catch (error) {
      throw new OperatorError(`Cannot write ${path}: ${errorText(error)}.`, { cause: error });
    }
  }

  /** Adds a file of exactly so many bytes. @throws where `content` has another length, and what it and the disk fail with. */
  async add(name: string, bytes: number, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    if (Buffer.byteLength(name) > NAME_BYTES_MAX || bytes > BYTES_MAX)
      throw new OperatorError(`${name} is too large for a backup, or its name too long.`);
    const hash = createHash('sha256');
    let written = 0;
    await this.#write(headerOf(name, bytes));
    for await (const piece of content) {
      hash.update(piece);
      written += piece.length;
      await this.#write(piece);
    }
    if (written !== bytes) throw new OperatorError(`${name} changed its size while it was read.`);
    await this.#write(Buffer.alloc((BLOCK - (bytes % BLOCK)) % BLOCK));
    this.pieces.push({ name, bytes, sha256: hash.digest('hex') });
  }

  /** Ends the archive with its manifest, and gives it its name. @returns its size. */
  async finish(manifest: object): Promise<number> {
    const text = Buffer.from(`${JSON.stringify({ ...manifest, pieces: [...this.pieces] }, undefined, 1)}\n`);
    await this.add(MANIFEST, text.length, [text]);
    const sum = Buffer.from(`${this.pieces.at(-1)!.sha256}  ${MANIFEST}\n`);
    await this.add(MANIFEST_SUM, sum.length, [sum]);
    await this.#write(Buffer.alloc(2 * BLOCK));
    await this.file.sync();
    const { size } = await this.file.stat();
    await this.file.close();
    await rename(`${this.path}${UNFINISHED}`, this.path);
    await syncFolder(dirname(this.path));
    return size;
  }

  /** Removes what was written so far. */
  async abandon(): Promise<void> {
    await this.file.close().catch(() => undefined);
    await rm(`${this.path}${UNFINISHED}`, { force: true });
  }

  async #write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) at += (await this.file.write(bytes, at)).bytesWritten;
  }
}

/** A new name is on the disk when its folder is. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().catch(() => undefined); // some file systems know no such thing
  await handle.close();
}

/** A backup that was found whole: every piece is as its manifest says. */
export class ArchiveReader<M> {
  private constructor(
    private readonly file: FileHandle,
    private readonly entries: ReadonlyMap<string, ArchiveEntry>,
    readonly manifest: M & { readonly pieces: readonly Piece[] },
  ) {}

  /** Reads all of it once. @throws OperatorError where it is none, is not whole, or was changed. */
  static async open<M>(path: string): Promise<ArchiveReader<M>> {
    const file = await open(path, 'r').catch((error: unknown) => {
      throw new OperatorError(`Cannot read ${path}: ${errorText(error)}.`, { cause: error });
    });
    try {
      const entries = await entriesOf(file, path);
      const text = await whole(file, entries.get(MANIFEST), path);
      const sum = (await whole(file, entries.get(MANIFEST_SUM), path)).toString('latin1').slice(0, 64);
      if (createHash('sha256').update(text).digest('hex') !== sum) throw broken(path, MANIFEST);
      const manifest = JSON.parse(text.toString('utf8')) as M & { readonly pieces: readonly Piece[] };
      for (const { name, bytes, sha256 } of manifest.pieces) {
        const entry = entries.get(name);
        if (entry?.bytes !== bytes || (await sumOf(file, entry)) !== sha256) throw broken(path, name);
      }
      return new ArchiveReader<M>(file, entries, manifest);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** @throws where there is no such piece, and what reading fails with. */
  read(name: string): AsyncGenerator<Buffer> {
    const entry = this.entries.get(name);
    if (!entry) throw new Error('a piece that is not in the backup');
    return contentOf(this.file, entry);
  }

  close(): Promise<void> {
    return this.file.close();
  }
}

const broken = (path: string, name: string): OperatorError =>
  new OperatorError(`${path} is damaged: ${name} is not as it was written. Nothing was changed.`);
const unfinished = (path: string): OperatorError =>
  new OperatorError(`${path} is no whole backup: it was cut off, or is something else. Nothing was changed.`);

async function entriesOf(file: FileHandle, path: string): Promise<ReadonlyMap<string, ArchiveEntry>> {
  const { size } = await file.stat();
  const entries = new Map<string, ArchiveEntry>();
  const block = Buffer.alloc(BLOCK);
  for (let at = 0; at + BLOCK <= size; ) {
    await file.read(block, 0, BLOCK, at);
    if (block[0] === 0) return entries;
    const name = block.toString('utf8', 0, NAME_BYTES_MAX).replace(/\0.*$/s, '');
    const bytes = Number.parseInt(block.toString('latin1', 124, 135), 8);
    if (!Number.isInteger(bytes) || checksumOf(block) !== Number.parseInt(block.toString('latin1', 148, 154), 8))
      throw unfinished(path);
    entries.set(name, { name, bytes, offset: at + BLOCK });
    at += BLOCK + Math.ceil(bytes / BLOCK) * BLOCK;
  }
  throw unfinished(path);
}

async function* contentOf(file: FileHandle, { bytes, offset }: ArchiveEntry): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes; ) {
    const { bytesRead, buffer } = await file.read({
      ...{ buffer: Buffer.alloc(Math.min(READ_BYTES, bytes - at)), position: offset + at },
    });
    if (bytesRead === 0) throw new Error('the backup was cut off while it was read');
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

async function whole(file: FileHandle, entry: ArchiveEntry | undefined, path: string): Promise<Buffer> {
  if (!entry || entry.bytes > MANIFEST_BYTES_MAX) throw unfinished(path);
  const pieces: Buffer[] = [];
  for await (const piece of contentOf(file, entry)) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function sumOf(file: FileHandle, entry: ArchiveEntry): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of contentOf(file, entry)) hash.update(piece);
  return hash.digest('hex');
}

function headerOf(name: string, bytes: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0);
  block.write('0000600\0' + '0000000\0' + '0000000\0', 100, 'latin1');
  block.write(`${bytes.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  block.write(`${'0'.repeat(11)}\0`, 136, 'latin1'); // times say nothing: two backups of the same are the same
  block.write('0', 156);
  block.write('ustar\0' + '00', 257, 'latin1');
  block.write(`${checksumOf(block).toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

/** As if the checksum itself were spaces. */
function checksumOf(block: Buffer): number {
  let sum = 8 * 32;
  for (let at = 0; at < BLOCK; at += 1) if (at < 148 || at >= 156) sum += block[at] as number;
  return sum;
}
