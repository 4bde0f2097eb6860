import type { Readable } from 'node:stream';

/** First and last byte, both part of it. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A file that is read in parts, wherever it lies. */
export interface ByteSource {
  readonly size: number; // bytes
  readonly changed: Date;
  /** A part of it, which lies within `size`. What fails on the way is an error of the stream. */
  read(range: ByteRange): Readable;
}

/** Bytes `from` to `from + length`, or up to the end of the file. @throws what reading fails with. */
export async function readPart(source: ByteSource, from: number, length: number): Promise<Buffer> {
  const end = Math.min(source.size, from + length) - 1;
  if (end < from) return Buffer.alloc(0);
  const pieces: Buffer[] = [];
  for await (const piece of source.read({ start: from, end })) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
