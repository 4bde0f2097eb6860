import { gunzipSync, gzipSync } from 'node:zlib';
import { DocumentLines } from './document-lines.ts';
import type { DocumentText } from './document-protocol.ts';

/** Format of what is packed; another one is read as nothing. */
const FORMAT = 1;
const HEADER_BYTES = 12; // format, lines, characters
const EXCERPT_CHARS = 600;
/** What a packed text may become: it was made here, and a database is written to by others too. */
const UNPACKED_BYTES_MAX = 256 * 1024 * 1024;

/** The text of a document as it is kept in the database: what its lines are, and the text as UTF-16, compressed. */
export function textOf(lines: DocumentLines): DocumentText {
  return {
    lines: packed(lines),
    characters: lines.text.length,
    words: lines.text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0,
    pages: lines.pages.at(-1) ?? 1,
    excerpt: excerptOf(lines.text),
  };
}

function packed({ text, starts, flags, parents, pages, count }: DocumentLines): Uint8Array {
  const header = new Uint32Array([FORMAT, count, text.length]);
  const parts = [header, starts, parents, pages].map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength),
  );
  return gzipSync(Buffer.concat([...parts, flags, Buffer.from(text, 'utf16le')]));
}

/** @returns undefined for what was not packed here, or by a version with another format. Never throws. */
export function unpacked(bytes: Uint8Array): DocumentLines | undefined {
  try {
    const raw = gunzipSync(bytes, { maxOutputLength: UNPACKED_BYTES_MAX });
    const all = new Uint8Array(raw).buffer; // aligned
    const [format, count = 0, characters = 0] = new Uint32Array(all, 0, 3);
    if (format !== FORMAT) return undefined;
    const starts = new Uint32Array(all, HEADER_BYTES, count + 1);
    const parents = new Int32Array(all, HEADER_BYTES + starts.byteLength, count);
    const pages = new Uint32Array(all, parents.byteOffset + parents.byteLength, count);
    const flags = new Uint8Array(all, pages.byteOffset + pages.byteLength, count);
    const text = Buffer.from(all, flags.byteOffset + flags.byteLength).toString('utf16le');
    if (text.length !== characters || starts[count] !== characters) return undefined;
    return new DocumentLines(text, starts, flags, parents, pages);
  } catch {
    return undefined;
  }
}

/** Letters that no database keeps (RFC 3629 has no halves of pairs, PostgreSQL no zero) become spaces. */
function excerptOf(text: string): string {
  return text
    .slice(0, EXCERPT_CHARS)
    .toWellFormed()
    .replace(/[\0\ufffd]/g, ' ')
    .trimEnd();
}
