import { Readable } from 'node:stream';
import {
  newSealHeader,
  readSealHeader,
  SEAL_HEADER_BYTES,
  SEAL_TAG_BYTES,
  SealedPieces,
  type SealKey,
} from '../core/sealed-pieces.ts';
import { type ByteRange, type ByteSource, readPart } from './byte-source.ts';

/** Of finished files. */
const PIECE_BYTES = 65_536;

/** Sealed with a key that is not among those that are configured. */
export class UnknownSealKey extends Error {
  constructor(readonly keyId: string) {
    super(`sealed with a key that is not configured: ${keyId}`);
    this.name = 'UnknownSealKey';
  }
}

/** Seals what is read, piece by piece: memory does not grow with it. */
export async function* sealed(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  key: SealKey,
): AsyncGenerator<Buffer> {
  const header = newSealHeader(key, PIECE_BYTES);
  yield header.bytes;
  const pieces = new SealedPieces(key, header);
  let waiting: Buffer = Buffer.alloc(0);
  let number = 0;
  for await (const bytes of content) {
    waiting = waiting.length > 0 ? Buffer.concat([waiting, bytes]) : Buffer.from(bytes);
    // The last piece is told apart by its nonce: one that is full waits until there is more.
    for (; waiting.length > PIECE_BYTES; number += 1) {
      yield pieces.seal(number, false, waiting.subarray(0, PIECE_BYTES));
      waiting = waiting.subarray(PIECE_BYTES);
    }
  }
  yield pieces.seal(number, true, waiting);
}

/** Whether a file is sealed as those are that nothing more is done with. @throws what reading fails with. */
export async function isSealedForGood(source: ByteSource): Promise<boolean> {
  return readSealHeader(await readPart(source, 0, SEAL_HEADER_BYTES))?.isGrowing === false;
}

/**
 * A file as it was before it was sealed; one that never was as it is. One that was growing when its writer died ends with its last
 * whole piece.
 *
 * @throws UnknownSealKey, and what reading fails with. What was changed is an error of the stream.
 */
export async function unsealed(source: ByteSource, keys: readonly SealKey[]): Promise<ByteSource> {
  const header = readSealHeader(await readPart(source, 0, SEAL_HEADER_BYTES));
  if (!header) return source;
  const key = keys.find(({ id }) => id === header.keyId);
  if (!key) throw new UnknownSealKey(header.keyId);
  const stored = source.size - SEAL_HEADER_BYTES;
  const step = header.pieceBytes + SEAL_TAG_BYTES;
  const file = { source, pieces: new SealedPieces(key, header), count: Math.ceil(stored / step), isEnded: true };
  const { count, isEnded } = header.isGrowing ? await grownSoFar(file) : file;
  const bytes = Math.min(stored, count * step);
  // Only the one piece of an empty file has nothing in it: whoever cuts a file off behind a tag is noticed.
  const last = bytes - (count - 1) * step;
  if (isEnded && (last < SEAL_TAG_BYTES || (last === SEAL_TAG_BYTES && count > 1)))
    throw new Error('a sealed file that was cut off');
  return {
    ...{ size: bytes - count * SEAL_TAG_BYTES, changed: source.changed },
    read: (range) => Readable.from(opened({ ...file, count, isEnded }, range), { objectMode: false }),
  };
}

interface SealedFile {
  readonly source: ByteSource;
  readonly pieces: SealedPieces;
  readonly count: number; // of pieces
  /** Whether the last of them was sealed as the last one. */
  readonly isEnded: boolean;
}

/** Where a file ends whose writer may have died: with its last piece, with one before that, or with none. */
async function grownSoFar({ source, pieces, count }: SealedFile): Promise<Pick<SealedFile, 'count' | 'isEnded'>> {
  if (count === 0) return { count, isEnded: false };
  const step = pieces.header.pieceBytes + SEAL_TAG_BYTES;
  const last = await readPart(source, SEAL_HEADER_BYTES + (count - 1) * step, step);
  for (const isEnded of [true, false]) {
    try {
      pieces.open(count - 1, isEnded, last);
      return { count, isEnded };
    } catch {
      // Sealed as the other kind, or torn: half of it was written.
    }
  }
  return { count: count - 1, isEnded: false };
}

async function* opened({ source, pieces, count, isEnded }: SealedFile, range: ByteRange): AsyncGenerator<Buffer> {
  const { pieceBytes } = pieces.header;
  const step = pieceBytes + SEAL_TAG_BYTES;
  const first = Math.floor(range.start / pieceBytes);
  const last = Math.floor(range.end / pieceBytes);
  const start = SEAL_HEADER_BYTES + first * step;
  const end = Math.min(source.size, SEAL_HEADER_BYTES + (last + 1) * step) - 1;
  let number = first;
  const open = (piece: Buffer): Buffer => {
    const plain = pieces.open(number, isEnded && number === count - 1, piece);
    const from = number === first ? range.start - first * pieceBytes : 0;
    const to = number === last ? range.end - last * pieceBytes + 1 : plain.length;
    number += 1;
    return plain.subarray(from, to);
  };
  let waiting: Buffer = Buffer.alloc(0);
  for await (const bytes of source.read({ start, end })) {
    waiting = waiting.length > 0 ? Buffer.concat([waiting, bytes as Buffer]) : (bytes as Buffer);
    for (; waiting.length >= step; waiting = waiting.subarray(step)) yield open(waiting.subarray(0, step));
  }
  if (waiting.length > 0) yield open(waiting);
}
