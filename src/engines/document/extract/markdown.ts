import { LINE, type LinesBuilder } from '../document-lines.ts';
import { goesOn, isAnswerLine, isItem, isQuestionLine, wrapWidth } from './line-shapes.ts';

const SAMPLED_LINES = 4_000;

/** Markdown, line by line as it is written: headings, lists, tables and questions are noted, marks stay in the line. */
export function readMarkdown(text: string, out: LinesBuilder): void {
  const lines = text.split('\n');
  const width = wrapWidth(lines.slice(0, SAMPLED_LINES).map((line) => line.trim().length));
  let fenced = false;
  for (let i = frontMatterEnd(lines); i < lines.length; i += 1) {
    const line = lines[i]!.trim();
    const next = lines[i + 1]?.trim() ?? '';
    if (/^(?:```|~~~)/.test(line)) {
      fenced = !fenced;
      continue;
    }
    if (line === '' || (!fenced && isMark(line))) {
      out.gap();
      if (!line.includes('|')) out.endTable();
      continue;
    }
    if (fenced) out.add(line);
    else addLine(out, line, next, width);
  }
}

function addLine(out: LinesBuilder, line: string, next: string, width: number | undefined): void {
  const heading = /^(#{1,6})\s+\S/.exec(line);
  const bare = line.replace(/^#{1,6}\s+/, '').replace(/\s#+$/, '');
  if (isQuestionLine(bare.replace(/[*_]/g, ''))) {
    if (heading) out.leave(heading[1]!.length);
    out.add(line, { flags: LINE.question });
  } else if (heading) out.add(line, { flags: LINE.heading, level: heading[1]!.length });
  else if (/^(?:=+|-{3,})$/.test(next)) out.add(line, { flags: LINE.heading, level: next.startsWith('=') ? 1 : 2 });
  else if (line.startsWith('|')) out.add(line, { flags: isTableRule(next) ? LINE.header : LINE.row });
  else if (/^\*\*[^*]{2,70}\*\*:?$/.test(line)) out.add(line, { flags: LINE.heading, level: 6 });
  else {
    const wraps = width !== undefined && next !== '' && goesOn(line, next, width);
    out.add(line, { flags: (isItem(line) || isAnswerLine(line) ? LINE.item : 0) | (wraps ? LINE.wraps : 0) });
  }
}

function isTableRule(line: string): boolean {
  return /^\|?[\s:|-]{3,200}$/.test(line) && line.includes('-') && line.includes('|');
}

/** Lines that say nothing themselves: rules, underlines, table rules, images, HTML comments. */
function isMark(line: string): boolean {
  return /^(?:=+|[-*_]{3,}|(?:[-*_]\s){2,}[-*_]|<!--.*-->|!\[[^\]]*\]\([^)]*\))$/.test(line) || isTableRule(line);
}

function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trim() !== '---') return 0;
  const end = lines.slice(1, 60).findIndex((line) => line.trim() === '---');
  return end < 0 ? 0 : end + 2;
}
