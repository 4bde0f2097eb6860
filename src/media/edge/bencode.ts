/** What bencode can say. A dictionary is a `Map`, so that no key of the network becomes a property of an object. */
export type Bencoded = string | number | readonly Bencoded[] | ReadonlyMap<string, Bencoded>;
/** What we write: `undefined` leaves a key out. */
export type Dictionary = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** An answer of rtpengine has five levels; deeper is nobody's answer. */
const DEPTH_MAX = 16;
const DIGITS_MAX = 16;

const CODE = {
  colon: 0x3a,
  zero: 0x30,
  nine: 0x39,
  minus: 0x2d,
  integer: 0x69,
  list: 0x6c,
  dictionary: 0x64,
  end: 0x65,
};

/** Keys in the order in which they are given: rtpengine asks for no other. */
export function bencode(value: string | number | readonly string[] | Dictionary): string {
  if (typeof value === 'string') return `${Buffer.byteLength(value)}:${value}`;
  if (typeof value === 'number') return `i${Math.trunc(value)}e`;
  if (isList(value)) return `l${value.map(bencode).join('')}e`;
  const pairs = Object.entries(value).map(([key, said]) => (said === undefined ? '' : bencode(key) + bencode(said)));
  return `d${pairs.join('')}e`;
}

const isList = (value: readonly string[] | Dictionary): value is readonly string[] => Array.isArray(value);

/**
 * Reads one value that fills the whole buffer.
 *
 * @param bytes - any length, any content.
 * @returns undefined for anything else. Never throws; linear in the length. Strings are read as UTF-8.
 */
export function bdecode(bytes: Buffer): Bencoded | undefined {
  const reader = new Reader(bytes);
  const value = reader.value(0);
  return value !== undefined && reader.at === bytes.length ? value : undefined;
}

class Reader {
  at = 0;
  constructor(private readonly bytes: Buffer) {}

  value(depth: number): Bencoded | undefined {
    const code = this.bytes[this.at];
    if (code === undefined || depth > DEPTH_MAX) return undefined;
    if (code >= CODE.zero && code <= CODE.nine) return this.#text();
    this.at += 1;
    if (code === CODE.integer) return this.#number(CODE.end);
    if (code === CODE.list) return this.#list(depth);
    return code === CODE.dictionary ? this.#dictionary(depth) : undefined;
  }

  #text(): string | undefined {
    const length = this.#number(CODE.colon);
    if (length === undefined || length < 0 || this.at + length > this.bytes.length) return undefined;
    this.at += length;
    return this.bytes.toString('utf8', this.at - length, this.at);
  }

  #number(end: number): number | undefined {
    const from = this.at;
    const isNegative = this.bytes[from] === CODE.minus;
    if (isNegative) this.at += 1;
    let number = 0;
    for (let digits = 0; digits <= DIGITS_MAX; digits += 1) {
      const code = this.bytes[this.at];
      this.at += 1;
      if (code === end && digits > 0) return isNegative ? -number : number;
      if (code === undefined || code < CODE.zero || code > CODE.nine) return undefined;
      number = number * 10 + (code - CODE.zero);
    }
    return undefined;
  }

  #list(depth: number): readonly Bencoded[] | undefined {
    const items: Bencoded[] = [];
    while (this.bytes[this.at] !== CODE.end) {
      const item = this.value(depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
    }
    this.at += 1;
    return items;
  }

  #dictionary(depth: number): ReadonlyMap<string, Bencoded> | undefined {
    const pairs = new Map<string, Bencoded>();
    while (this.bytes[this.at] !== CODE.end) {
      const key = this.value(depth + 1);
      const value = typeof key === 'string' ? this.value(depth + 1) : undefined;
      if (typeof key !== 'string' || value === undefined) return undefined;
      pairs.set(key, value);
    }
    this.at += 1;
    return pairs;
  }
}

/** The text at `key`; undefined where there is none. */
export function textAt(value: Bencoded | undefined, key: string): string | undefined {
  const found = value instanceof Map ? value.get(key) : undefined;
  return typeof found === 'string' ? found : undefined;
}
