import { getResolvedPDFJS } from 'unpdf';
import type { PdfPage } from './pdf-document.ts';

/** A word as its glyphs spell it, beside what reversing it letter by letter makes of it. */
export interface GlyphWord {
  readonly reversed: string;
  readonly right: string;
}

const MAX_WORDS = 40_000; // of one page
const ARABIC = /^[\u0621-\u065f\u0670-\u06d3\ufb50-\ufdff\ufe70-\ufefc]+$/;

interface Transferable {
  transferToFixedLength?(length?: number): ArrayBuffer;
}
// The PDF reader moves drawing instructions with a method that Node has from version 22 on.
const buffers = ArrayBuffer.prototype as ArrayBuffer & Transferable;
buffers.transferToFixedLength ??= function transferToFixedLength(this: ArrayBuffer, length = this.byteLength) {
  return this.slice(0, length);
};

/**
 * The Arabic words of a page by glyph, in drawing order. A ligature is one glyph that means two letters in reading
 * order; glyphs are drawn from the left. Taking the text letter by letter from the right, as extraction does, turns
 * the two letters of each ligature round: here both readings are known.
 *
 * @returns nothing where the page's drawing instructions cannot be read.
 */
export async function glyphWords(page: PdfPage): Promise<GlyphWord[]> {
  const words: GlyphWord[] = [];
  try {
    const { OPS } = await getResolvedPDFJS();
    const { fnArray, argsArray } = await page.getOperatorList();
    let glyphs: string[] = [];
    const end = (): void => {
      if (glyphs.length > 1 && words.length < MAX_WORDS) words.push(wordOf(glyphs));
      glyphs = [];
    };
    for (const [at, operation] of fnArray.entries()) {
      if (operation !== OPS.showText) {
        if (operation === OPS.moveText || operation === OPS.endText || operation === OPS.nextLine) end();
        continue;
      }
      for (const glyph of (argsArray[at]?.[0] ?? []) as unknown[]) {
        if (typeof glyph !== 'object' || glyph === null || !('unicode' in glyph)) continue;
        const letters = String(glyph.unicode).normalize('NFKC');
        if (ARABIC.test(letters)) glyphs.push(letters);
        else end();
      }
      // Diacritics are placed one by one: a new matrix does not end a word, a new line of text does.
    }
    end();
  } catch {
    return [];
  } finally {
    page.cleanup();
  }
  return words;
}

function wordOf(glyphs: readonly string[]): GlyphWord {
  const reversed = [...glyphs.join('')].reverse().join('');
  return { reversed: bare(reversed), right: bare([...glyphs].reverse().join('')) };
}

/** Without marks: they are placed apart from their letters and end up anywhere. */
export function bare(word: string): string {
  return word.replace(/[\u064b-\u065f\u0670\u0640]/g, '');
}
