import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { SEAL_HEADER_BYTES, sealKey } from '../../src/core/sealed-pieces.ts';
import type { ByteSource } from '../../src/recordings/byte-source.ts';
import { sealed, UnknownSealKey, unsealed } from '../../src/recordings/sealed-file.ts';

const PIECE = 65_536;
const TAG = 16;
const key = sealKey(Buffer.alloc(32, 7));
const other = sealKey(Buffer.alloc(32, 8));

/** In pieces of any length, as disks and networks give them; counts what is read. */
function sourceOf(bytes: Buffer, pieceBytes = 10_007): ByteSource & { read: ByteSource['read']; readBytes: number } {
  const source = {
    ...{ size: bytes.length, changed: new Date(5), readBytes: 0 },
    read: ({ start, end }: { start: number; end: number }) => {
      source.readBytes += end - start + 1;
      const pieces: Buffer[] = [];
      for (let at = start; at <= end; at += pieceBytes)
        pieces.push(bytes.subarray(at, Math.min(end + 1, at + pieceBytes)));
      return Readable.from(pieces, { objectMode: false });
    },
  };
  return source;
}
async function sealedOf(bytes: Buffer, by = key): Promise<Buffer> {
  return buffer(
    Readable.from(sealed(sourceOf(bytes).read({ start: 0, end: bytes.length - 1 }), by), { objectMode: false }),
  );
}
const readAll = async (source: ByteSource): Promise<Buffer> => buffer(source.read({ start: 0, end: source.size - 1 }));

describe('a sealed file', () => {
  it.each([0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE, 3 * PIECE + 17])(
    'of %i bytes is read as it was, in any part',
    async (size) => {
      const bytes = randomBytes(size);
      const file = await sealedOf(bytes);
      expect(file.length).toBe(SEAL_HEADER_BYTES + size + TAG * Math.max(1, Math.ceil(size / PIECE)));
      const found = await unsealed(sourceOf(file), [other, key]);
      expect([found.size, found.changed]).toEqual([size, new Date(5)]);
      if (size === 0) return;
      expect((await readAll(found)).equals(bytes)).toBe(true);
      const edges = [0, 1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE - 1, 2 * PIECE, size - 2, size - 1].filter(
        (at) => at >= 0 && at < size,
      );
      for (const start of edges) {
        for (const end of edges.filter((at) => at >= start)) {
          const part = await buffer(found.read({ start, end }));
          expect(part.equals(bytes.subarray(start, end + 1)), `${start}-${end}`).toBe(true);
        }
      }
    },
  );

  it('is read by the pieces that are asked for, not whole', async () => {
    const source = sourceOf(await sealedOf(randomBytes(100 * PIECE)));
    const found = await unsealed(source, [key]);
    source.readBytes = 0;
    await buffer(found.read({ start: 50 * PIECE + 5, end: 50 * PIECE + 10 }));
    expect(source.readBytes).toBe(PIECE + TAG);
  });

  it('shows nothing of what is in it, and is another one each time', async () => {
    const bytes = Buffer.alloc(3 * PIECE, 'RIFF');
    const [one, two] = [await sealedOf(bytes), await sealedOf(bytes)];
    expect(one.includes('RIFFRIFF')).toBe(false);
    expect(one.subarray(SEAL_HEADER_BYTES).equals(two.subarray(SEAL_HEADER_BYTES))).toBe(false);
    expect(one.includes(Buffer.from(key.key))).toBe(false);
  });

  it('of a key that is not there says which', async () => {
    const file = sourceOf(await sealedOf(Buffer.from('x')));
    await expect(unsealed(file, [other])).rejects.toThrow(new UnknownSealKey(key.id));
    await expect(unsealed(file, [])).rejects.toThrow(key.id);
    expect(key.id).not.toBe(other.id);
  });

  it('that never was one is read as it is', async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('RIFF'), randomBytes(5_000)]) {
      const source = sourceOf(bytes);
      expect(await unsealed(source, [key])).toBe(source);
    }
  });

  const size = 3 * PIECE + 5;
  const step = PIECE + TAG;
  const at = (piece: number): number => SEAL_HEADER_BYTES + piece * step;
  const flipped = (place: number) => (file: Buffer) => {
    file[place] = file[place]! ^ 1;
  };
  it.each([
    { name: 'a bit of its header', change: flipped(20) },
    { name: 'a bit of its sound', change: flipped(at(1) + 9) },
    { name: 'a bit of a tag', change: flipped(at(1) - 1) },
    {
      name: 'two pieces in another order',
      change: (file: Buffer) => {
        const first = Buffer.from(file.subarray(at(0), at(1)));
        file.copy(file, at(0), at(1), at(2));
        first.copy(file, at(1));
      },
    },
    { name: 'its last piece gone', change: (file: Buffer) => file.subarray(0, at(3)) },
    { name: 'cut off in a piece', change: (file: Buffer) => file.subarray(0, at(2) + 100) },
    { name: 'cut off in a tag', change: (file: Buffer) => file.subarray(0, at(2) + 5) },
    { name: 'cut off behind a tag', change: (file: Buffer) => file.subarray(0, at(2) + TAG) },
    { name: 'more behind its end', change: (file: Buffer) => Buffer.concat([file, Buffer.alloc(100)]) },
    {
      name: 'a piece of another file',
      change: async (file: Buffer) => {
        (await sealedOf(randomBytes(size))).copy(file, at(1), at(1), at(2));
      },
    },
  ])('that was changed is an error: $name', async ({ change }) => {
    const file = await sealedOf(randomBytes(size));
    const changed = ((await change(file)) as Buffer | undefined) ?? file;
    await expect(unsealed(sourceOf(changed), [key]).then(readAll)).rejects.toThrow();
  });
});
