import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { type ByteRange, type ByteSource, readPart } from './byte-source.ts';

/**
 * Files that are encrypted at rest, so that any part of them can be read without the rest.
 *
 * A header of 64 bytes, then pieces of 64 KiB, each AES-256-GCM with its tag behind it:
 *
 *   0  magic      8 bytes, `NIDAASL1`
 *   8  key id     8 bytes, the first of the SHA-256 of the key
 *  16  salt      32 bytes; the key of the file is HKDF-SHA256 of the key, this and a fixed word
 *  48  piece size 4 bytes, big-endian
 *  52  zeros     12 bytes
 *
 * The nonce of a piece is its number and whether it is the last one; the header is its associated data. So a piece that was
 * changed, moved, or left out at the end is an error, not silence.
 */
const MAGIC = Buffer.from('NIDAASL1', 'latin1');
export const SEAL_HEADER_BYTES = 64;
const ID_BYTES = 8;
const SALT_AT = 16;
const SALT_BYTES = 32;
const SIZE_AT = 48;
const PIECE_BYTES = 65_536;
const PIECE_BYTES_MAX = 1_048_576;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;
const CIPHER = 'aes-256-gcm';
const PURPOSE = 'nidaa recording v1';

/** 32 bytes, and what files that it seals are told apart by. */
export interface SealKey {
  readonly id: string; // hex
  readonly key: Buffer;
}

export function sealKey(key: Buffer): SealKey {
  return { id: createHash('sha256').update(key).digest().subarray(0, ID_BYTES).toString('hex'), key };
}

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
  { id, key }: SealKey,
): AsyncGenerator<Buffer> {
  const header = Buffer.alloc(SEAL_HEADER_BYTES);
  MAGIC.copy(header);
  header.write(id, MAGIC.length, 'hex');
  randomBytes(SALT_BYTES).copy(header, SALT_AT);
  header.writeUInt32BE(PIECE_BYTES, SIZE_AT);
  yield header;
  const fileKey = keyOf(key, header);
  let waiting: Buffer = Buffer.alloc(0);
  let number = 0;
  for await (const bytes of content) {
    waiting = waiting.length > 0 ? Buffer.concat([waiting, bytes]) : Buffer.from(bytes);
    // The last piece is told apart by its nonce: one that is full waits until there is more.
    for (; waiting.length > PIECE_BYTES; number += 1) {
      yield sealPiece(fileKey, header, number, false, waiting.subarray(0, PIECE_BYTES));
      waiting = waiting.subarray(PIECE_BYTES);
    }
  }
  yield sealPiece(fileKey, header, number, true, waiting);
}

/**
 * A file as it was before it was sealed; one that never was as it is.
 *
 * @throws UnknownSealKey, and what reading fails with. What was changed is an error of the stream.
 */
export async function unsealed(source: ByteSource, keys: readonly SealKey[]): Promise<ByteSource> {
  if (source.size < SEAL_HEADER_BYTES + TAG_BYTES) return source;
  const header = await readPart(source, 0, SEAL_HEADER_BYTES);
  if (!isSealed(header)) return source;
  const id = header.subarray(MAGIC.length, MAGIC.length + ID_BYTES).toString('hex');
  const key = keys.find((one) => one.id === id);
  if (!key) throw new UnknownSealKey(id);
  const pieceBytes = header.readUInt32BE(SIZE_AT);
  if (pieceBytes === 0 || pieceBytes > PIECE_BYTES_MAX)
    throw new Error('a sealed file with pieces of no possible size');
  const stored = source.size - SEAL_HEADER_BYTES;
  const pieces = Math.ceil(stored / (pieceBytes + TAG_BYTES));
  // Only the one piece of an empty file has nothing in it: whoever cuts a file off behind a tag is noticed.
  const last = stored - (pieces - 1) * (pieceBytes + TAG_BYTES);
  if (last < TAG_BYTES || (last === TAG_BYTES && pieces > 1)) throw new Error('a sealed file that was cut off');
  const file: SealedFile = { source, header, key: keyOf(key.key, header), pieceBytes, pieces };
  return {
    ...{ size: stored - pieces * TAG_BYTES, changed: source.changed },
    read: (range) => Readable.from(opened(file, range), { objectMode: false }),
  };
}

/** Whether a file begins as a sealed one. */
export const isSealed = (head: Buffer): boolean => head.subarray(0, MAGIC.length).equals(MAGIC);

interface SealedFile {
  readonly source: ByteSource;
  readonly header: Buffer;
  readonly key: Buffer;
  readonly pieceBytes: number;
  readonly pieces: number;
}

async function* opened(
  { source, header, key, pieceBytes, pieces }: SealedFile,
  range: ByteRange,
): AsyncGenerator<Buffer> {
  const step = pieceBytes + TAG_BYTES;
  const first = Math.floor(range.start / pieceBytes);
  const last = Math.floor(range.end / pieceBytes);
  const start = SEAL_HEADER_BYTES + first * step;
  const end = Math.min(source.size, SEAL_HEADER_BYTES + (last + 1) * step) - 1;
  let number = first;
  const open = (piece: Buffer): Buffer => {
    const plain = openPiece(key, header, number, number === pieces - 1, piece);
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

const keyOf = (key: Buffer, header: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', key, header.subarray(SALT_AT, SALT_AT + SALT_BYTES), PURPOSE, 32));

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUInt32BE(number, NONCE_BYTES - 5);
  nonce.writeUInt8(isLast ? 1 : 0, NONCE_BYTES - 1);
  return nonce;
}

function sealPiece(key: Buffer, header: Buffer, number: number, isLast: boolean, plain: Buffer): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonceOf(number, isLast)).setAAD(header);
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** @throws where it is not what was sealed. */
function openPiece(key: Buffer, header: Buffer, number: number, isLast: boolean, piece: Buffer): Buffer {
  const decipher = createDecipheriv(CIPHER, key, nonceOf(number, isLast)).setAAD(header);
  decipher.setAuthTag(piece.subarray(piece.length - TAG_BYTES));
  const plain = decipher.update(piece.subarray(0, piece.length - TAG_BYTES));
  return Buffer.concat([plain, decipher.final()]);
}
