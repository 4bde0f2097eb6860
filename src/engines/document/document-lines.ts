/** What a line is, as bits: a line may be several things. */
export const LINE = {
  heading: 1,
  /** Asks something: what stands below answers it (FAQ). */
  question: 2,
  /** Names the columns of the rows below. */
  header: 4,
  row: 8,
  item: 16,
  /** The sentence goes on in the next line: the line was cut by the page, not by its author. */
  wraps: 32,
  /** A blank line, or another space, stands before. */
  apart: 64,
  /** Names the record below (a JSON key, a term that is defined); alone it says nothing. */
  label: 128,
} as const;

/** More lines than this are no document to be read aloud from. */
export const MAX_LINES = 1_000_000;
const MAX_LEVELS = 64;
const MAX_LINE_CHARS = 4_000;

/**
 * The extracted text of one document, line by line, kept as one string and typed arrays so that 8 MB of short lines
 * stay small. Blank lines are not kept (see `LINE.apart`).
 */
export class DocumentLines {
  constructor(
    readonly text: string, // the lines, each followed by \n
    readonly starts: Uint32Array, // offset of each line; one entry more than lines
    readonly flags: Uint8Array,
    readonly parents: Int32Array, // the nearest line that says what this one is about, or -1
    readonly pages: Uint32Array, // 1-based; all 1 where the format has no pages
  ) {}

  get count(): number {
    return this.flags.length;
  }
  line(index: number): string {
    return this.text.slice(this.starts[index]!, this.starts[index + 1]! - 1);
  }
  is(index: number, bit: number): boolean {
    return (this.flags[index]! & bit) !== 0;
  }
}

export interface LineOptions {
  readonly flags?: number;
  /** With `LINE.heading`, `LINE.label`: 1 is the highest; a line's parent is the nearest one above of a higher rank. */
  readonly level?: number;
}

/** Why no more lines are taken. */
export class TooManyLines extends Error {}

/** Takes lines in reading order and finds each one's parent. */
export class LinesBuilder {
  readonly #parts: string[] = [];
  #offset = 0;
  #starts = new Uint32Array(256);
  #flags = new Uint8Array(256);
  #parents = new Int32Array(256);
  #pages = new Uint32Array(256);
  #count = 0;
  #apart = false;
  #page = 1;
  readonly #levels: { readonly line: number; readonly level: number }[] = [];
  #question = -1;
  #header = -1;

  constructor(readonly maxLines = MAX_LINES) {}

  get count(): number {
    return this.#count;
  }
  get characters(): number {
    return this.#offset;
  }

  /**
   * Adds one line; whitespace at its ends falls away, an empty one only sets `apart`. An overlong one is cut behind a
   * sentence, or at a space.
   */
  add(raw: string, options: LineOptions = {}): void {
    const line = raw.trim();
    if (line === '') {
      this.#apart = true;
      return;
    }
    let from = 0;
    while (line.length - from > MAX_LINE_CHARS) {
      const to = from + cutAt(line.slice(from, from + MAX_LINE_CHARS));
      this.#append(line.slice(from, to).trimEnd(), options);
      from = to;
    }
    this.#append(line.slice(from).trimStart(), options);
  }

  #append(line: string, options: LineOptions): void {
    if (line === '') return;
    if (this.#count >= this.maxLines) throw new TooManyLines();
    if (this.#count + 1 >= this.#starts.length) this.#grow();
    const index = this.#count;
    const flags = (options.flags ?? 0) | (this.#apart ? LINE.apart : 0);
    this.#parents[index] = this.#parentOf(flags, options.level ?? 9);
    this.#flags[index] = flags;
    this.#pages[index] = this.#page;
    this.#starts[index] = this.#offset;
    this.#parts.push(line, '\n');
    this.#offset += line.length + 1;
    this.#count += 1;
    this.#apart = false;
    this.#remember(index, flags, options.level ?? 9);
  }

  /** A blank line. */
  gap(): void {
    this.#apart = true;
  }
  newPage(): void {
    this.#page += 1;
  }
  /** The table has ended. */
  endTable(): void {
    this.#header = -1;
  }
  /** Headings and labels of this level and below no longer stand above what follows. */
  leave(level: number): void {
    while (this.#levels.length > 0 && this.#levels.at(-1)!.level >= level) this.#levels.pop();
    this.#question = -1;
  }

  build(): DocumentLines {
    this.#starts[this.#count] = this.#offset;
    return new DocumentLines(
      this.#parts.join(''),
      this.#starts.slice(0, this.#count + 1),
      this.#flags.slice(0, this.#count),
      this.#parents.slice(0, this.#count),
      this.#pages.slice(0, this.#count),
    );
  }

  #parentOf(flags: number, level: number): number {
    if (flags & (LINE.heading | LINE.label)) {
      this.#question = -1;
      while (this.#levels.length > 0 && this.#levels.at(-1)!.level >= level) this.#levels.pop();
      return this.#levels.at(-1)?.line ?? -1;
    }
    const above = this.#levels.at(-1)?.line ?? -1;
    if (flags & (LINE.header | LINE.question)) return above;
    if (flags & LINE.row && this.#header >= 0) return this.#header;
    return this.#question >= 0 ? this.#question : above;
  }

  #remember(index: number, flags: number, level: number): void {
    if (flags & (LINE.heading | LINE.label) && this.#levels.length < MAX_LEVELS) {
      this.#levels.push({ line: index, level });
    }
    if (flags & LINE.question) this.#question = index;
    if (flags & LINE.header) this.#header = index;
    else if (!(flags & LINE.row)) this.#header = -1;
  }

  #grow(): void {
    const size = this.#starts.length * 2;
    const starts = new Uint32Array(size);
    starts.set(this.#starts);
    this.#starts = starts;
    const flags = new Uint8Array(size);
    flags.set(this.#flags);
    this.#flags = flags;
    const parents = new Int32Array(size);
    parents.set(this.#parents);
    this.#parents = parents;
    const pages = new Uint32Array(size);
    pages.set(this.#pages);
    this.#pages = pages;
  }
}

/** Where to cut a text that is too long for one line. */
function cutAt(text: string): number {
  const half = text.length / 2;
  for (const end of ['. ', '؟ ', '? ', '! ', ' ']) {
    const at = text.lastIndexOf(end);
    if (at >= half) return at + end.length;
  }
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
}
