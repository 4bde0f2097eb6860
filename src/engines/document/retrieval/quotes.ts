import type { DocumentLines } from '../document-lines.ts';
import { type Blocks, type Sentence, sentencesOf } from './blocks.ts';

export const MAX_QUOTES = 10;
export const MAX_QUOTE_CHARS = 500;

/** Text as quotes are compared: every run of white space is one space. */
export function folded(text: string): string {
  return text.replace(/[^\S ]\s*| \s+/g, ' ').trim(); // single spaces are most of them, and stay
}

/**
 * The lines a sentence stands on, joined; where they are too long, the sentence and as much around it as fits, what
 * `rankAt` (by where a sentence begins) likes better first.
 */
export function quoteOf(
  blocks: Blocks,
  block: number,
  sentence: Sentence,
  rankAt: (start: number) => number = () => 0,
): string {
  const { lines } = blocks;
  let first = blocks.firstLine[block]!;
  const end = blocks.firstLine[block + 1]!;
  while (first + 1 < end && lines.starts[first + 1]! <= sentence.start) first += 1;
  let last = first;
  while (last + 1 < end && lines.starts[last + 1]! < sentence.end) last += 1;
  const whole = folded(lines.text.slice(lines.starts[first]!, lines.starts[last + 1]! - 1));
  if (whole.length <= MAX_QUOTE_CHARS) return whole;
  const stretch = widened(blocks, block, sentence, rankAt);
  return clipWords(folded(lines.text.slice(stretch.start, stretch.end)));
}

/** A sentence with whole sentences around it that make no more than a quote. */
function widened(blocks: Blocks, block: number, sentence: Sentence, rankAt: (start: number) => number): Sentence {
  const sentences = sentencesOf(blocks, block);
  let first = sentences.findIndex((one) => one.start === sentence.start);
  if (first < 0) return sentence;
  let last = first;
  const fits = (from: number, to: number): boolean =>
    from >= 0 && to < sentences.length && sentences[to]!.end - sentences[from]!.start <= MAX_QUOTE_CHARS;
  for (;;) {
    const behind = fits(first, last + 1);
    const before = fits(first - 1, last);
    if (behind && !(before && rankAt(sentences[first - 1]!.start) > rankAt(sentences[last + 1]!.start))) last += 1;
    else if (before) first -= 1;
    else return { start: sentences[first]!.start, end: sentences[last]!.end };
  }
}

/** At most `MAX_QUOTE_CHARS`, cut at a space, so that it still occurs in the text word for word. */
export function clipWords(text: string): string {
  if (text.length <= MAX_QUOTE_CHARS) return text;
  const cut = text.slice(0, MAX_QUOTE_CHARS + 1);
  const space = cut.lastIndexOf(' ');
  return (space > MAX_QUOTE_CHARS / 2 ? cut.slice(0, space) : cut.slice(0, MAX_QUOTE_CHARS - 1)).trim();
}

/**
 * The quotes that really occur in the document, white space folded; no duplicates, at most `MAX_QUOTES` of
 * `MAX_QUOTE_CHARS`. Whatever wrote the answer, nothing else may leave the service as a quote.
 */
export function verifiedQuotes(lines: DocumentLines, quotes: readonly string[]): string[] {
  const text = folded(lines.text);
  const kept: string[] = [];
  for (const quote of quotes) {
    const clean = clipWords(folded(quote));
    if (clean === '' || kept.includes(clean) || !text.includes(clean)) continue;
    kept.push(clean);
    if (kept.length === MAX_QUOTES) break;
  }
  return kept;
}
