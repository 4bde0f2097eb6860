/** One piece of text as it is placed on a page: points, origin bottom left. */
export interface TextItem {
  readonly text: string; // in reading order
  readonly rtl: boolean;
  readonly x: number; // left edge
  readonly y: number; // baseline
  readonly width: number;
  readonly size: number; // of the font
}

export interface PdfLine {
  readonly text: string;
  readonly y: number;
  readonly width: number;
  readonly size: number;
}

const SAME_LINE = 0.45; // of the font size
const SPACE = 0.14; // of the font size: a gap this wide is a space
const COLUMN = 1.6; // and one this wide parts columns of a table
const MAX_ITEMS_PER_PAGE = 50_000;

/**
 * Lines from the pieces of a page. Pieces that follow each other on one baseline are a line; in it they are ordered as
 * they stand, from the right where most of the text is written from the right.
 */
export function assembleLines(items: readonly TextItem[]): PdfLine[] {
  const lines: PdfLine[] = [];
  let current: TextItem[] = [];
  for (const item of items.slice(0, MAX_ITEMS_PER_PAGE)) {
    if (item.text.trim() === '') continue;
    const last = current.at(-1);
    if (last && Math.abs(last.y - item.y) > SAME_LINE * Math.max(last.size, item.size, 1)) {
      lines.push(lineOf(current));
      current = [];
    }
    current.push(item);
  }
  if (current.length > 0) lines.push(lineOf(current));
  return lines.filter((line) => line.text !== '');
}

function lineOf(items: readonly TextItem[]): PdfLine {
  let right = 0;
  let left = 0;
  for (const item of items) {
    if (/[\u0590-\u08ff\ufb1d-\ufefc]/.test(item.text)) right += item.text.length;
    else if (/\p{L}/u.test(item.text)) left += item.text.length;
  }
  const rtl = right > left;
  const ordered = [...items].sort((a, b) => (rtl ? b.x + b.width - (a.x + a.width) : a.x - b.x));
  let text = '';
  let before: TextItem | undefined;
  for (const item of ordered) {
    if (before) text += gapText(rtl ? before.x - (item.x + item.width) : item.x - (before.x + before.width), item.size);
    text += item.text;
    before = item;
  }
  const from = Math.min(...items.map((item) => item.x));
  const to = Math.max(...items.map((item) => item.x + item.width));
  return {
    text: tidy(text),
    y: items[0]!.y,
    width: to - from,
    size: Math.max(...items.map((item) => item.size)),
  };
}

function gapText(gap: number, size: number): string {
  if (gap > size * COLUMN) return '   ';
  return gap > size * SPACE ? ' ' : '';
}

function tidy(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u0000-\u0008\u200b\ufeff]/g, '')
    .replace(/\t/g, ' ')
    .trim();
}
