/** Limits of what is unpacked from one document; each stands against a file that is small only on disk. */
export const EXTRACT_LIMITS = {
  characters: 16_000_000, // of extracted text
  pages: 2_000, // of a PDF; more than 8 MB of real pages hold
  zipEntries: 4_000,
  unpackedBytes: 48 * 1024 * 1024, // of one part of a .docx
  unpackRatio: 250, // unpacked over packed, above 1 MB: office XML stays below 60
  nesting: 256, // of elements or JSON values
  streamBytes: 64 * 1024 * 1024, // one compressed stream of a PDF
} as const;

export type UnreadableCode = 'invalid_document' | 'unsupported_document';

/** Thrown inside `extract/` only; `extractDocument` makes a value of it. `why` is for the log and for who sent the file: a
 * fault in words of our own, nothing of its text. */
export class Unreadable extends Error {
  constructor(
    readonly code: UnreadableCode,
    readonly why: string,
  ) {
    super(why);
  }
}

export function invalid(why: string): Unreadable {
  return new Unreadable('invalid_document', why);
}
