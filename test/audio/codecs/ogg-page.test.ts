import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OggWriter, oggCrc, oggPages } from '../../../src/audio/codecs/ogg-page.ts';
import { audioFile } from '../../support/audio-files.ts';

describe('oggPages', () => {
  it.each(['tones-opus.ogg', 'tones-vorbis.ogg'])(
    'cuts the whole of %s into pages whose checksums are right',
    (name) => {
      const file = audioFile(name);
      const pages = [...oggPages(file)];
      expect(Buffer.concat(pages.map((page) => page.bytes))).toEqual(file);
      for (const page of pages) {
        const bytes = Buffer.from(page.bytes);
        const stored = bytes.readUInt32LE(22);
        bytes.writeUInt32LE(0, 22);
        expect(oggCrc(bytes)).toBe(stored);
      }
    },
  );

  it('skips junk between pages, and a header that claims more than there is', () => {
    const file = audioFile('tones-opus.ogg');
    const pages = [...oggPages(file)].map((page) => Buffer.from(page.bytes));
    const liar = Buffer.alloc(27 + 255, 0xff);
    liar.write('OggS', 0, 'latin1');
    const mixed = Buffer.concat([Buffer.from('junk'), pages[0]!, Buffer.from('Ogg'), pages[1]!, liar, pages[2]!]);
    expect([...oggPages(mixed)].map((page) => Buffer.from(page.bytes))).toEqual(pages.slice(0, 3));
  });

  it('takes any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.array(fc.nat(400), { maxLength: 5 }), (noise, marks) => {
        const bytes = Buffer.from(noise);
        for (const at of marks) if (at < bytes.length) bytes.write('OggS', at, 'latin1');
        for (const page of oggPages(bytes)) expect(page.bytes.length).toBeGreaterThanOrEqual(27);
      }),
    );
  });
});

describe('OggWriter', () => {
  it.each([
    { name: 'nothing', sizes: [0] },
    { name: 'less than a segment', sizes: [1, 254] },
    { name: 'exactly a segment, and two', sizes: [255, 510] },
    { name: 'more than a page holds', sizes: Array.from({ length: 300 }, () => 300) },
    { name: 'the largest packet between others', sizes: [10, 65_024, 10] },
  ])('writes packets of $name so that the segment table gives them back', ({ sizes }) => {
    const writer = new OggWriter(0xffff_ffff);
    const parts = sizes.map((size, i) => writer.add(new Uint8Array(size).fill(i), i));
    parts.push(writer.flush(sizes.length));
    const pages = [...oggPages(Buffer.concat(parts))];
    expect(pages.flatMap((page) => packetSizes(Buffer.from(page.bytes)))).toEqual(sizes);
    expect(pages.map((page) => Buffer.from(page.bytes).readUInt32LE(18))).toEqual(pages.map((_, i) => i));
    expect(pages.map((page) => page.bytes[5])).toEqual(
      pages.map((_, i) => (i === 0 ? 2 : 0) | (i === pages.length - 1 ? 4 : 0)),
    );
    expect(pages.at(-1)!.serial).toBe(0xffff_ffff);
  });

  it('refuses a packet that would need two pages', () => {
    expect(() => new OggWriter(1).add(new Uint8Array(65_025), 0)).toThrow(RangeError);
  });
});

function packetSizes(page: Buffer): number[] {
  const sizes: number[] = [];
  let size = 0;
  for (const segment of page.subarray(27, 27 + page[26]!)) {
    size += segment;
    if (segment === 255) continue;
    sizes.push(size);
    size = 0;
  }
  return sizes;
}
