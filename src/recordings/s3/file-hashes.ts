import { createHash } from 'node:crypto';
import type { ByteSource } from '../byte-source.ts';

/** A part of a file as it is sent: S3 takes one by its hashes. */
export interface HashedPart {
  readonly start: number;
  readonly bytes: number;
  readonly sha256: string; // hex
  readonly md5: Buffer;
}

export interface FileHashes {
  readonly sha256: string; // hex
  readonly parts: readonly HashedPart[]; // at least one
}

/**
 * Hashes a file and its parts while it is read once, piece by piece: nothing else waits for longer than one piece.
 *
 * @throws what reading fails with, and where the file became shorter or longer meanwhile.
 */
export async function hashFile(file: ByteSource, partBytes: number, signal: AbortSignal): Promise<FileHashes> {
  const whole = createHash('sha256');
  const parts: HashedPart[] = [];
  for (let start = 0; start === 0 || start < file.size; start += partBytes) {
    const end = Math.min(file.size, start + partBytes) - 1;
    const [sha256, md5] = [createHash('sha256'), createHash('md5')];
    let bytes = 0;
    if (end >= start) {
      for await (const piece of file.read({ start, end })) {
        signal.throwIfAborted();
        for (const hash of [whole, sha256, md5]) hash.update(piece as Buffer);
        bytes += (piece as Buffer).length;
      }
    }
    if (bytes !== end - start + 1) throw new Error('the file changed while it was read');
    parts.push({ start, bytes, sha256: sha256.digest('hex'), md5: md5.digest() });
  }
  return { sha256: whole.digest('hex'), parts };
}

/**
 * The entity tag of an object as Amazon makes it: the MD5 of its bytes, or of the MD5s of its parts with their number. Others, and
 * objects that are encrypted with keys of a service, may have any.
 */
export function entityTagOf(parts: readonly HashedPart[], isMultipart: boolean): string {
  if (!isMultipart) return parts[0]!.md5.toString('hex');
  const all = createHash('md5');
  for (const { md5 } of parts) all.update(md5);
  return `${all.digest('hex')}-${parts.length}`;
}
