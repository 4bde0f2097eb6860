import { Inflate } from 'fflate';
import { EXTRACT_LIMITS, invalid } from './unreadable.ts';

/** One file inside an archive, still packed. */
export interface ZipEntry {
  readonly name: string;
  readonly method: number; // 0 stored, 8 deflated
  readonly packed: Uint8Array;
}

const EOCD = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const EOCD_BYTES = 22;
const MAX_COMMENT = 0xffff;
const RATIO_FROM_BYTES = 1024 * 1024;
const PIECE_BYTES = 16 * 1024;

/**
 * The entries of a zip archive by its central directory (APPNOTE 4.3). Nothing is unpacked, no name is opened as a path.
 *
 * @throws Unreadable for a broken, encrypted, split or 64-bit archive, or one with too many entries.
 */
export function zipEntries(file: Uint8Array): Map<string, ZipEntry> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const end = endRecord(view);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (count > EXTRACT_LIMITS.zipEntries) throw invalid('zip: too many entries');
  const entries = new Map<string, ZipEntry>();
  for (let i = 0; i < count; i += 1) {
    if (at + 46 > file.length || view.getUint32(at, true) !== CENTRAL) throw invalid('zip: broken directory');
    const nameLength = view.getUint16(at + 28, true);
    const name = Buffer.from(file.subarray(at + 46, at + 46 + nameLength)).toString('utf8');
    const encrypted = (view.getUint16(at + 8, true) & 1) === 1;
    const packedSize = view.getUint32(at + 20, true);
    const start = dataStart(view, view.getUint32(at + 42, true));
    if (encrypted) throw invalid('zip: encrypted');
    if (start + packedSize > file.length) throw invalid('zip: an entry reaches beyond the file');
    const packed = file.subarray(start, start + packedSize);
    if (!entries.has(name)) entries.set(name, { name, method: view.getUint16(at + 10, true), packed });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function endRecord(view: DataView): number {
  const lowest = Math.max(0, view.byteLength - EOCD_BYTES - MAX_COMMENT);
  for (let at = view.byteLength - EOCD_BYTES; at >= lowest; at -= 1) {
    if (view.getUint32(at, true) === EOCD) return at;
  }
  throw invalid('zip: no directory');
}

/** The local header repeats the name with an extra field of its own length. */
function dataStart(view: DataView, header: number): number {
  if (header + 30 > view.byteLength || view.getUint32(header, true) !== LOCAL) throw invalid('zip: broken entry');
  return header + 30 + view.getUint16(header + 26, true) + view.getUint16(header + 28, true);
}

/**
 * One entry unpacked piece by piece; the sizes written in the archive are not believed.
 *
 * @throws Unreadable when it is larger than the limit, or far larger than packed text ever is.
 */
export function unpack(entry: ZipEntry): Uint8Array {
  if (entry.method === 0) return entry.packed;
  if (entry.method !== 8) throw invalid('zip: unknown compression');
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  const inflate = new Inflate((piece) => {
    bytes += piece.length;
    if (bytes > EXTRACT_LIMITS.unpackedBytes) throw invalid('zip: unpacks to too much');
    if (bytes > RATIO_FROM_BYTES && bytes > entry.packed.length * EXTRACT_LIMITS.unpackRatio) {
      throw invalid('zip: unpacks to far more than it holds');
    }
    pieces.push(piece.slice());
  });
  for (let at = 0; at < entry.packed.length; at += PIECE_BYTES) {
    const to = Math.min(at + PIECE_BYTES, entry.packed.length);
    inflate.push(entry.packed.subarray(at, to), to === entry.packed.length);
  }
  return Buffer.concat(pieces);
}
