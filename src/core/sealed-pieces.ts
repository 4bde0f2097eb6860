import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Files that are encrypted so that any part of them can be read without the rest, and that may grow.
 *
 * A header of 64 bytes, then pieces of one size, each AES-256-GCM with its tag behind it:
 *
 *   0  magic      8 bytes, `NIDAASL1`
 *   8  key id     8 bytes, the first of the SHA-256 of the key
 *  16  salt      32 bytes; the key of the file is HKDF-SHA256 of the key, this and a fixed word
 *  48  piece size 4 bytes, big-endian
 *  52  growing    1 byte: 1 where its writer may have died before the last piece
 *  53  zeros     11 bytes
 *
 * The nonce of a piece is its number and whether it is the last one; the header is its associated data. So a piece that was
 * changed, moved, or left out at the end is an error, not silence. A nonce has one plaintext: pieces are written when they are full.
 */
export const SEAL_HEADER_BYTES = 64;
export const SEAL_TAG_BYTES = 16;
const MAGIC = Buffer.from('NIDAASL1', 'latin1');
const ID_BYTES = 8;
const SALT_AT = 16;
const SALT_BYTES = 32;
const SIZE_AT = 48;
const GROWING_AT = 52;
const PIECE_BYTES_MAX = 1_048_576;
const NONCE_BYTES = 12;
const CIPHER = 'aes-256-gcm';
const PURPOSE = 'nidaa recording v1';

/** 32 bytes, and what files that it seals are told apart by. */
export interface SealKey {
  readonly id: string; // hex
  readonly key: Uint8Array;
}

export function sealKey(key: Uint8Array): SealKey {
  return { id: createHash('sha256').update(key).digest().subarray(0, ID_BYTES).toString('hex'), key };
}

export interface SealHeader {
  readonly bytes: Buffer;
  readonly keyId: string;
  readonly pieceBytes: number;
  readonly isGrowing: boolean;
}

/** Of a new file. */
export function newSealHeader({ id }: SealKey, pieceBytes: number, isGrowing = false): SealHeader {
  const bytes = Buffer.alloc(SEAL_HEADER_BYTES);
  MAGIC.copy(bytes);
  bytes.write(id, MAGIC.length, 'hex');
  randomBytes(SALT_BYTES).copy(bytes, SALT_AT);
  bytes.writeUInt32BE(pieceBytes, SIZE_AT);
  bytes.writeUInt8(isGrowing ? 1 : 0, GROWING_AT);
  return { bytes, keyId: id, pieceBytes, isGrowing };
}

/** @returns undefined where a file does not begin as a sealed one. @throws where its pieces are of no possible size. */
export function readSealHeader(head: Buffer): SealHeader | undefined {
  if (head.length < SEAL_HEADER_BYTES || !head.subarray(0, MAGIC.length).equals(MAGIC)) return;
  const bytes = head.subarray(0, SEAL_HEADER_BYTES);
  const pieceBytes = bytes.readUInt32BE(SIZE_AT);
  if (pieceBytes === 0 || pieceBytes > PIECE_BYTES_MAX)
    throw new Error('a sealed file with pieces of no possible size');
  const keyId = bytes.subarray(MAGIC.length, MAGIC.length + ID_BYTES).toString('hex');
  return { bytes, keyId, pieceBytes, isGrowing: bytes.readUInt8(GROWING_AT) === 1 };
}

/** Seals and opens the pieces of one file. */
export class SealedPieces {
  readonly #key: Buffer;
  constructor(
    { key }: SealKey,
    readonly header: SealHeader,
  ) {
    const salt = header.bytes.subarray(SALT_AT, SALT_AT + SALT_BYTES);
    this.#key = Buffer.from(hkdfSync('sha256', key, salt, PURPOSE, 32));
  }

  seal(number: number, isLast: boolean, plain: Uint8Array): Buffer {
    const cipher = createCipheriv(CIPHER, this.#key, nonceOf(number, isLast)).setAAD(this.header.bytes);
    return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  }

  /** @throws where it is not what was sealed. */
  open(number: number, isLast: boolean, piece: Buffer): Buffer {
    const decipher = createDecipheriv(CIPHER, this.#key, nonceOf(number, isLast)).setAAD(this.header.bytes);
    decipher.setAuthTag(piece.subarray(piece.length - SEAL_TAG_BYTES));
    const plain = decipher.update(piece.subarray(0, piece.length - SEAL_TAG_BYTES));
    return Buffer.concat([plain, decipher.final()]);
  }
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUInt32BE(number, NONCE_BYTES - 5);
  nonce.writeUInt8(isLast ? 1 : 0, NONCE_BYTES - 1);
  return nonce;
}
