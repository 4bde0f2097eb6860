/** One entry as it shall stand in an archive, however wrong. */
export interface TarPart {
  readonly path: string;
  readonly content?: string | Buffer;
  readonly type?: string; // '0' file, '5' folder, '1' and '2' links, '3' device, 'x' pax header, 'L' GNU long name
  readonly link?: string;
  /** What the header says, where that is not the size of the content. */
  readonly size?: number;
  readonly damaged?: true;
}

const BLOCK = 512;

function header({ path, content = '', type = '0', link = '', size, damaged }: TarPart): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(path.slice(0, 100), 0);
  for (const [at, digits] of [
    [100, '0000777'],
    [108, '0000000'],
    [116, '0000000'],
    [136, '00000000000'],
  ] as const) {
    block.write(digits, at);
  }
  block.write((size ?? Buffer.byteLength(content)).toString(8).padStart(11, '0'), 124);
  block.write(type, 156);
  block.write(link, 157);
  block.write('ustar\0' + '00', 257);
  block.fill(' ', 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0) + (damaged ? 1 : 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/** A tar archive of these parts, byte by byte as they are given. */
export function tarFile(...parts: readonly TarPart[]): Buffer {
  const blocks = parts.flatMap((part) => {
    const content = Buffer.from(part.content ?? '');
    return [header(part), content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}
