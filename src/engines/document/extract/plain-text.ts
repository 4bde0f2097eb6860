import { LINE, type LinesBuilder } from '../document-lines.ts';
import {
  goesOn,
  headingLevel,
  isAnswerLine,
  isItem,
  isQuestionLine,
  isTitleLine,
  looksLikeHeading,
  wrapWidth,
} from './line-shapes.ts';

const SAMPLED_LINES = 4_000;

/** Plain text: paragraphs cut into lines, headings, lists and questions told by their shape; form feeds part pages. */
export function readPlainText(text: string, out: LinesBuilder): void {
  readLines(text.split('\n'), out);
}

export function readLines(lines: readonly string[], out: LinesBuilder): void {
  const width = wrapWidth(lines.slice(0, SAMPLED_LINES).map((line) => line.trim().length));
  let before = ''; // the trimmed line above
  for (let i = 0; i < lines.length; i += 1) {
    if (lines[i]!.includes('\f')) out.newPage();
    const line = lines[i]!.trim();
    if (line === '' || isRule(line)) {
      before = '';
      out.gap();
      continue;
    }
    const next = lines[i + 1]?.trim() ?? '';
    addLine(out, { line, before, next, width, belowGap: nextFilled(lines, i + 1) });
    before = line;
  }
}

interface Around {
  readonly line: string;
  readonly before: string;
  readonly next: string;
  readonly width: number | undefined;
  readonly belowGap: string;
}

function addLine(out: LinesBuilder, { line, before, next, width, belowGap }: Around): void {
  if (isQuestionLine(line)) {
    out.add(line, { flags: LINE.question });
    return;
  }
  const isolated = before === '' || (looksLikeHeading(before) && out.count <= 2);
  const below = next === '' ? belowGap : next;
  const listBelow = isItem(below) && !isItem(line);
  const stands = isolated && looksLikeHeading(line) && (below.length > line.length || listBelow || next === '');
  const first = out.count === 0 && looksLikeHeading(line);
  if (below !== '' && (stands || first || (isTitleLine(line) && !isTitleLine(below)))) {
    out.add(line, { flags: LINE.heading, level: out.count === 0 ? 1 : headingLevel(line) });
    return;
  }
  let flags = 0;
  if (isItem(line)) flags |= LINE.item;
  if (width !== undefined && next !== '' && goesOn(line, next, width)) flags |= LINE.wraps;
  if (isAnswerLine(line)) flags |= LINE.item;
  out.add(line, { flags });
}

function nextFilled(lines: readonly string[], from: number): string {
  for (let i = from; i < Math.min(from + 3, lines.length); i += 1) {
    const line = lines[i]!.trim();
    if (line !== '') return line;
  }
  return '';
}

/** A line drawn with characters. */
function isRule(line: string): boolean {
  return line.length >= 3 && /^[-=_*~#.·─━]{3,}$/.test(line.slice(0, 200));
}
