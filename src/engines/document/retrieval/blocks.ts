import { type DocumentLines, LINE } from '../document-lines.ts';

const MAX_BLOCK_LINES = 60;
const MAX_BLOCK_CHARS = 6_000;

/** Paragraphs: lines that the page cut are one block, all others stand alone. */
export class Blocks {
  constructor(
    readonly lines: DocumentLines,
    readonly firstLine: Uint32Array, // of each block; one entry more than blocks
    readonly blockOfLine: Uint32Array,
  ) {}

  get count(): number {
    return this.firstLine.length - 1;
  }
  start(block: number): number {
    return this.lines.starts[this.firstLine[block]!]!;
  }
  end(block: number): number {
    return this.lines.starts[this.firstLine[block + 1]!]! - 1;
  }
  is(block: number, bit: number): boolean {
    return this.lines.is(this.firstLine[block]!, bit);
  }
  /** The block that says what this one is about, or -1. */
  parent(block: number): number {
    const line = this.lines.parents[this.firstLine[block]!]!;
    return line < 0 ? -1 : this.blockOfLine[line]!;
  }
  text(block: number): string {
    return this.lines.text.slice(this.start(block), this.end(block));
  }
}

export function blocksOf(lines: DocumentLines): Blocks {
  const firsts = new Uint32Array(lines.count + 1);
  const blockOfLine = new Uint32Array(lines.count);
  let count = 0;
  let first = 0;
  for (let line = 0; line < lines.count; line += 1) {
    const goesOn =
      line > 0 &&
      lines.is(line - 1, LINE.wraps) &&
      !lines.is(line, LINE.apart) &&
      line - first < MAX_BLOCK_LINES &&
      lines.starts[line + 1]! - lines.starts[first]! < MAX_BLOCK_CHARS;
    if (!goesOn) {
      firsts[count] = line;
      count += 1;
      first = line;
    }
    blockOfLine[line] = count - 1;
  }
  firsts[count] = lines.count;
  return new Blocks(lines, firsts.slice(0, count + 1), blockOfLine);
}

/** A sentence of a block: offsets into the document's text. */
export interface Sentence {
  readonly start: number;
  readonly end: number;
}

const MAX_SENTENCE_CHARS = 480; // fits a quote
const ABBREVIATION =
  /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|no|nos|vs|etc|inc|ltd|co|jr|sr|e\.g|i\.e|a\.m|p\.m|u\.s|approx|art|sec|fig|[A-Za-z]|د|أ|م|ص|هـ|ت|ر\.س|ص\.ب)\.$/i;

/** The sentences of one block; rows of tables and short blocks are one each. Overlong ones are cut at spaces. */
export function sentencesOf(blocks: Blocks, block: number): Sentence[] {
  const { text } = blocks.lines;
  const from = blocks.start(block);
  const to = blocks.end(block);
  if (blocks.is(block, LINE.row | LINE.header | LINE.heading | LINE.question) && to - from <= MAX_SENTENCE_CHARS) {
    return [{ start: from, end: to }];
  }
  const sentences: Sentence[] = [];
  let start = from;
  for (let i = from; i < to; i += 1) {
    const code = text.charCodeAt(i);
    // . ! ? ؟ 。 end a sentence where a space follows; an overlong one ends at the next space.
    const stop = code === 0x2e || code === 0x21 || code === 0x3f || code === 0x61f || code === 0x3002 || code === 0x6d4;
    if (stop && i + 1 < to && isSpace(text.charCodeAt(afterClosing(text, i + 1, to)))) {
      if (code === 0x2e && ABBREVIATION.test(text.slice(Math.max(start, i - 8), i + 1))) continue;
      if (code === 0x2e && i - start < 4) continue; // `1. Title`
      const end = afterClosing(text, i + 1, to);
      sentences.push(trimmed(text, start, end));
      start = end;
      i = end;
    } else if (i - start >= MAX_SENTENCE_CHARS && isSpace(code)) {
      sentences.push(trimmed(text, start, i));
      start = i;
    }
  }
  if (start < to) sentences.push(trimmed(text, start, to));
  return sentences.filter((one) => one.end > one.start);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0xa0;
}

/** Behind closing quotes and brackets. */
function afterClosing(text: string, at: number, to: number): number {
  let i = at;
  while (i < to && '")]”»’*_'.includes(text[i]!)) i += 1;
  return i;
}

function trimmed(text: string, from: number, to: number): Sentence {
  let start = from;
  let end = to;
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return { start, end };
}
