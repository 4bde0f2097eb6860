import { getDocumentProxy } from 'unpdf';
import { LINE, type LinesBuilder } from '../document-lines.ts';
import { repairMarks, repairWords, suspectWords } from './arabic-pdf.ts';
import { headingLevel, isItem, isQuestionLine, looksLikeHeading } from './line-shapes.ts';
import type { PdfDocument } from './pdf-document.ts';
import { type GlyphWord, glyphWords } from './pdf-glyphs.ts';
import { assembleLines, type PdfLine, type TextItem } from './pdf-lines.ts';
import { EXTRACT_LIMITS, invalid } from './unreadable.ts';

const MIN_LETTERS = 3; // fewer in the whole file: pictures of text
const MAX_UNREADABLE_SHARE = 0.15;
const HEADING_SCALE = 1.12;
const FULL_LINE = 0.84; // of the column's width
const PARAGRAPH_GAP = 1.75; // line distances

/**
 * The text of a PDF with its pages. Scripts, forms, attachments, links and pictures are not looked at, nothing is
 * fetched, fonts are only read for what their glyphs mean. Arabic lam-alef that the file has turned round is put right.
 *
 * @throws Unreadable for what is no PDF, needs a password, has too many pages, or holds no readable text.
 */
export async function readPdf(file: Uint8Array, out: LinesBuilder): Promise<void> {
  const pdf = await open(file);
  try {
    if (pdf.numPages > EXTRACT_LIMITS.pages) throw invalid(`PDF: ${pdf.numPages} pages`);
    const pages: PdfLine[][] = [];
    let characters = 0;
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const lines = await readPage(pdf, number);
      for (const line of lines) characters += line.text.length;
      if (characters > EXTRACT_LIMITS.characters) throw invalid('PDF: too much text');
      pages.push(lines);
    }
    checkReadable(pages);
    await repairArabic(pdf, pages);
    addPages(pages, out);
  } finally {
    await pdf.destroy();
  }
}

async function open(file: Uint8Array): Promise<PdfDocument> {
  try {
    return await getDocumentProxy(file, {
      verbosity: 0,
      enableXfa: false,
      isEvalSupported: false,
      disableFontFace: true,
      useSystemFonts: false,
      useWorkerFetch: false,
      disableAutoFetch: true,
      disableRange: true,
      disableStream: true,
      isOffscreenCanvasSupported: false,
      isImageDecoderSupported: false,
      maxImageSize: 1, // pictures are left packed
    });
  } catch (error) {
    throw invalid(`PDF: ${error instanceof Error ? error.name : 'unreadable'}`);
  }
}

async function readPage(pdf: PdfDocument, number: number): Promise<PdfLine[]> {
  const page = await pdf.getPage(number);
  const content = await page.getTextContent();
  const items: TextItem[] = [];
  for (const item of content.items) {
    if (!('str' in item)) continue;
    const [, , c = 0, d = 0, x = 0, y = 0] = item.transform as number[];
    items.push({
      text: item.str,
      rtl: item.dir === 'rtl',
      x,
      y,
      width: item.width,
      size: Math.hypot(c, d) || item.height,
    });
  }
  page.cleanup();
  return assembleLines(items);
}

/** Scans have no text; some generators give glyphs meanings that are no text. */
function checkReadable(pages: readonly (readonly PdfLine[])[]): void {
  let letters = 0;
  let unreadable = 0;
  for (const lines of pages) {
    for (const { text } of lines) {
      for (const char of text) {
        const code = char.codePointAt(0)!;
        if (isUnreadable(code)) unreadable += 1;
        else if (/\p{L}/u.test(char)) letters += 1;
      }
    }
  }
  if (letters < MIN_LETTERS) throw invalid('PDF: no text, a scan needs text recognition first');
  if (unreadable > (letters + unreadable) * MAX_UNREADABLE_SHARE) throw invalid('PDF: glyphs without meaning');
}

/** Control characters, private use, unassigned replacements, and Canadian syllabics, which subset fonts end up in. */
function isUnreadable(code: number): boolean {
  return (
    code < 0x20 ||
    code === 0xfffd ||
    (code >= 0xe000 && code <= 0xf8ff) ||
    (code >= 0x1400 && code <= 0x167f) ||
    code >= 0xf0000
  );
}

async function repairArabic(pdf: PdfDocument, pages: PdfLine[][]): Promise<void> {
  const suspect = suspectWords(pages.flatMap((lines) => lines.map((line) => line.text)));
  for (const [index, lines] of pages.entries()) {
    let words: readonly GlyphWord[] = [];
    if (suspect && lines.some((line) => /ال/.test(line.text))) words = await glyphWords(await pdf.getPage(index + 1));
    const repaired = suspect
      ? repairWords(
          lines.map((line) => line.text),
          words,
        )
      : lines.map((line) => line.text);
    for (const [at, text] of repaired.entries()) lines[at] = { ...lines[at]!, text: repairMarks(text) };
  }
}

function addPages(pages: readonly (readonly PdfLine[])[], out: LinesBuilder): void {
  const body = bodySize(pages);
  for (const [number, lines] of pages.entries()) {
    if (number > 0) out.newPage();
    const width = columnWidth(lines);
    const distance = lineDistance(lines);
    for (const [at, line] of lines.entries()) {
      const above = lines[at - 1];
      const below = lines[at + 1];
      const apart = above !== undefined && above.y - line.y > distance * PARAGRAPH_GAP;
      if (apart) out.gap();
      addLine(out, line, { body, width, apart: apart || !above, below, belowNear: nearBelow(line, below, distance) });
    }
  }
}

interface Place {
  readonly body: number; // font size of most text
  readonly width: number; // of the column
  readonly apart: boolean;
  readonly below: PdfLine | undefined;
  readonly belowNear: boolean;
}

function addLine(out: LinesBuilder, line: PdfLine, place: Place): void {
  const { text } = line;
  const large = line.size >= place.body * HEADING_SCALE;
  const short = line.width < place.width * FULL_LINE;
  if (isQuestionLine(text)) {
    out.add(text, { flags: LINE.question });
  } else if (place.below && ((large && text.length <= 120) || (place.apart && short && looksLikeHeading(text)))) {
    const level = large ? (line.size >= place.body * 1.6 ? 1 : 2) : Math.max(3, headingLevel(text));
    out.add(text, { flags: LINE.heading, level });
  } else {
    const goesOn =
      place.belowNear &&
      !short &&
      !/[.!?؟:]["”»)]?$/.test(text) &&
      place.below!.size < place.body * HEADING_SCALE &&
      !isItem(place.below!.text);
    out.add(text, { flags: (isItem(text) ? LINE.item : 0) | (goesOn ? LINE.wraps : 0) });
  }
}

function nearBelow(line: PdfLine, below: PdfLine | undefined, distance: number): boolean {
  return below !== undefined && line.y - below.y > 0 && line.y - below.y <= distance * PARAGRAPH_GAP;
}

function bodySize(pages: readonly (readonly PdfLine[])[]): number {
  const characters = new Map<number, number>();
  for (const lines of pages) {
    for (const line of lines) {
      const size = Math.round(line.size * 2) / 2;
      characters.set(size, (characters.get(size) ?? 0) + line.text.length);
    }
  }
  return [...characters].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 12;
}

function columnWidth(lines: readonly PdfLine[]): number {
  const widths = lines.map((line) => line.width).sort((a, b) => a - b);
  return widths[Math.floor(widths.length * 0.9)] ?? 0;
}

function lineDistance(lines: readonly PdfLine[]): number {
  const distances: number[] = [];
  for (let i = 1; i < lines.length; i += 1) {
    const distance = lines[i - 1]!.y - lines[i]!.y;
    if (distance > 1) distances.push(distance);
  }
  distances.sort((a, b) => a - b);
  return distances[Math.floor(distances.length * 0.3)] ?? 14;
}
