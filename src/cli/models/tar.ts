import { OperatorError } from '../../core/errors.ts';

/** One entry; its content is read, or passed over, before the next one comes. */
export interface TarEntry {
  readonly path: string; // as it is written in the archive: nothing is believed of it
  readonly type: 'file' | 'folder';
  readonly bytes: number;
  content(): AsyncGenerator<Uint8Array>;
}

const BLOCK = 512;
/** Of a name that stands in an entry of its own. */
const NAME_BYTES_MAX = 64 * 1024;
const MAGIC = 'ustar';
const TYPES: Readonly<Record<string, TarEntry['type']>> = { '0': 'file', '\0': 'file', '7': 'file', '5': 'folder' };
/** Links and devices: an archive of a model has none, and they lead elsewhere. */
const LEADING_AWAY: Readonly<Record<string, string>> = {
  ...{ '1': 'a hard link', '2': 'a symbolic link', '3': 'a device', '4': 'a device', '6': 'a pipe' },
};

/**
 * The entries of a tar archive (POSIX.1-2001 ustar with pax headers, and GNU long names), in order.
 *
 * @throws OperatorError for what is no archive, is cut off, or holds a link or a device.
 */
export async function* tarEntries(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const bytes = new ByteSource(source);
  let named: { path?: string | undefined; size?: number | undefined } = {};
  let any = false;
  for (;;) {
    const header = await bytes.take(BLOCK);
    if (!header || header.every((byte) => byte === 0)) break;
    const { path, size, type } = readHeader(header);
    any = true;
    if (type === 'x' || type === 'L') {
      const told = Buffer.from(await wholeOf(bytes, size)).toString('utf8');
      named = { ...named, ...(type === 'L' ? { path: told.replace(/\0+$/, '') } : paxFields(told)) };
      continue;
    }
    const own = named.size ?? size;
    const name = named.path ?? path;
    named = {};
    const away = LEADING_AWAY[type];
    if (away) throw new OperatorError(`${shown(name)} in the archive is ${away}: it is not unpacked`);
    const kind = TYPES[type];
    let left = kind === 'folder' ? 0 : own;
    if (kind) {
      const content = async function* (): AsyncGenerator<Uint8Array> {
        while (left > 0) {
          const piece = await bytes.upTo(left);
          if (!piece) throw cutOff();
          left -= piece.length;
          yield piece;
        }
      };
      yield { path: name, type: kind, bytes: left, content };
    }
    await bytes.skip(left);
    await bytes.skip(padding(kind === 'folder' ? 0 : own));
  }
  if (!any) throw new OperatorError('the archive has no entries');
}

/** A name from elsewhere, short and without what would move a terminal's cursor. */
export function shown(name: string): string {
  return JSON.stringify(name.slice(0, 200));
}

function readHeader(header: Uint8Array): { readonly path: string; readonly size: number; readonly type: string } {
  const view = Buffer.from(header.buffer, header.byteOffset, header.byteLength);
  let sum = 0;
  for (let at = 0; at < BLOCK; at += 1) sum += at >= 148 && at < 156 ? 32 : header[at]!;
  if (sum !== octal(view, 148, 8)) throw new OperatorError('the file is no tar archive, or damaged');
  const name = text(view, 0, 100);
  const prefix = text(view, 257, 5) === MAGIC && view[262] === 0 ? text(view, 345, 155) : '';
  return {
    path: prefix === '' ? name : `${prefix}/${name}`,
    size: sizeOf(view),
    type: String.fromCharCode(view[156]!),
  };
}

/** Twelve octal digits, or, where the first bit is set, a number of 11 bytes (GNU). */
function sizeOf(view: Buffer): number {
  if ((view[124]! & 0x80) === 0) return octal(view, 124, 12);
  const size = Number(view.readBigUInt64BE(128));
  if (!Number.isSafeInteger(size))
    throw new OperatorError('an entry of the archive says that it is larger than anything');
  return size;
}

function octal(view: Buffer, at: number, length: number): number {
  const value = Number.parseInt(text(view, at, length).trim() || '0', 8);
  return Number.isSafeInteger(value) && value >= 0 ? value : -1;
}

function text(view: Buffer, at: number, length: number): string {
  const field = view.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.subarray(0, end < 0 ? length : end).toString('utf8');
}

/** Lines `LENGTH KEY=VALUE\n`, of which a model's archive needs the long name and the large size. */
function paxFields(told: string): { readonly path?: string; readonly size?: number } {
  const fields: { path?: string; size?: number } = {};
  for (const line of told.split('\n')) {
    const [, key, value] = /^\d+ (path|size)=(.*)$/s.exec(line) ?? [];
    if (key === 'path' && value !== undefined) fields.path = value;
    if (key === 'size' && /^\d{1,15}$/.test(value ?? '')) fields.size = Number(value);
  }
  return fields;
}

async function wholeOf(bytes: ByteSource, size: number): Promise<Uint8Array> {
  if (size < 0 || size > NAME_BYTES_MAX) throw new OperatorError('a name in the archive is longer than any name');
  const whole = size === 0 ? new Uint8Array(0) : await bytes.take(size);
  if (!whole) throw cutOff();
  await bytes.skip(padding(size));
  return whole;
}

const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;
const cutOff = (): OperatorError => new OperatorError('the archive ends before its end: it was not brought whole');

/** Bytes of a stream in the pieces that are asked for; holds one chunk, or as much as one `take`. */
class ByteSource {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  /** Some of the next `max` bytes; undefined at the end. */
  async upTo(max: number): Promise<Uint8Array | undefined> {
    while (this.#chunk.length === 0) {
      const next = await this.#chunks.next();
      if (next.done) return undefined;
      this.#chunk = next.value;
    }
    const piece = this.#chunk.subarray(0, max);
    this.#chunk = this.#chunk.subarray(piece.length);
    return piece;
  }

  /** Exactly so many; undefined at the end. @throws OperatorError when it ends within them. */
  async take(count: number): Promise<Uint8Array | undefined> {
    const taken = new Uint8Array(count);
    for (let at = 0; at < count; ) {
      const piece = await this.upTo(count - at);
      if (!piece && at === 0) return undefined;
      if (!piece) throw cutOff();
      taken.set(piece, at);
      at += piece.length;
    }
    return taken;
  }

  async skip(count: number): Promise<void> {
    for (let left = count; left > 0; ) {
      const piece = await this.upTo(left);
      if (!piece) throw cutOff();
      left -= piece.length;
    }
  }
}
