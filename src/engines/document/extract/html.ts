import { Parser } from 'htmlparser2';
import { listsOf } from '../../../language/lists.ts';
import { LINE, type LinesBuilder } from '../document-lines.ts';
import { isItem, isQuestionLine } from './line-shapes.ts';
import { EXTRACT_LIMITS, invalid } from './unreadable.ts';

const list = listsOf('engines/document/extract/data/html.tsv');

const SKIPPED = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'svg',
  'math',
  'iframe',
  'object',
  'select',
  'canvas',
]);
const BLOCKS = new Set(list('blocks'));
const CELL_GAP = '  ';
const TERM_LEVEL = 7; // below every heading
const PARSED_AT_ONCE = 64 * 1024;
/** A `<` that opens no tag is text, for which the parser would report each one alone: a noncharacter stands for it. */
const STRAY_RUN = /(?:<(?![a-z/!?])[^<]{0,16})+/gi;
/** White space that is no single space: those are most, and stay. */
const WHITE_SPACE = /[^\S ]\s*| \s+/g;
const STRAY_MARK = '\ufdd0';
const MAX_STRAY = 100_000; // what holds more is no page

/**
 * The text of a page in reading order; scripts, styles and anything loaded from elsewhere are not looked at. The parser
 * only reports tags: nothing is fetched or run.
 */
export function readHtml(text: string, out: LinesBuilder): void {
  const page = new PageText(out);
  const parser = new Parser(
    {
      onopentag: (name, attributes) => page.open(name, attributes),
      onclosetag: (name) => page.close(name),
      ontext: (piece) => page.text(piece),
    },
    { lowerCaseTags: true, decodeEntities: true },
  );
  let strays = 0;
  const marked = (run: string): string => {
    strays += run.split('<').length - 1;
    if (strays > MAX_STRAY) throw invalid('too many <');
    return run.replaceAll('<', STRAY_MARK);
  };
  // In pieces, so that a limit met early ends the work early.
  for (let at = 0, to = 0; at < text.length; at = to) {
    to = Math.min(at + PARSED_AT_ONCE, text.length);
    while (to < text.length && text[to - 1] === '<' && to - at < 2 * PARSED_AT_ONCE) to += 1; // keep `<p` together
    parser.write(text.slice(at, to).replace(STRAY_RUN, marked));
  }
  parser.end();
  page.finish();
}

class PageText {
  #depth = 0;
  #skipDepth = 0;
  #line = '';
  #cells: string[] | undefined;
  #headerRow = false;
  #tableRows = 0;
  #level = 0; // of the heading that is open
  #item = false;
  #term = false;
  constructor(readonly out: LinesBuilder) {}

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#depth += 1;
    if (this.#depth > EXTRACT_LIMITS.nesting) throw invalid('elements nested too deep');
    if (this.#skipDepth > 0 || SKIPPED.has(name) || isHidden(attributes)) {
      this.#skipDepth += 1;
      return;
    }
    if (name === 'br') return this.#cells ? this.text(' ') : this.#flush();
    if (!BLOCKS.has(name)) return;
    if (this.#cells && (name === 'td' || name === 'th')) {
      this.#headerRow = this.#headerRow && name === 'th';
      this.#clear();
      return;
    }
    if (this.#cells && name !== 'tr' && name !== 'table') return this.text(' ');
    this.#flush();
    this.#level = name === 'title' ? 1 : /^h[1-6]$/.test(name) ? Number(name[1]) : name === 'summary' ? 6 : 0;
    this.#item = name === 'li';
    this.#term = name === 'dt' || name === 'legend' || name === 'caption' || name === 'figcaption';
    if (name === 'p' || name === 'div' || name === 'section') this.out.gap();
    if (name === 'table') this.#tableRows = 0;
    if (name === 'tr') {
      this.#cells = [];
      this.#headerRow = true;
    }
  }

  close(name: string): void {
    this.#depth -= 1;
    if (this.#skipDepth > 0) {
      this.#skipDepth -= 1;
      return;
    }
    if (!BLOCKS.has(name)) return;
    if (this.#cells) {
      if (name === 'td' || name === 'th') {
        this.#cells.push(plain(this.#line));
        this.#clear();
      } else if (name === 'tr') this.#endRow();
      else if (name === 'table') this.#endRow();
      else this.text(' ');
    } else this.#flush();
    if (name === 'dl') this.out.leave(TERM_LEVEL);
    if (name === 'table') {
      this.out.endTable();
      this.out.gap();
    }
  }

  text(piece: string): void {
    if (this.#skipDepth > 0 || piece === '') return;
    this.#line += piece;
    if (this.out.characters + this.#line.length > EXTRACT_LIMITS.characters) throw invalid('too much text');
  }

  #clear(): void {
    this.#line = '';
  }

  finish(): void {
    this.#endRow();
    this.#flush();
  }

  #endRow(): void {
    const cells = this.#cells;
    this.#cells = undefined;
    if (!cells) return;
    const line = cells.filter((cell) => cell !== '').join(CELL_GAP);
    const header = this.#tableRows === 0 && this.#headerRow && cells.length > 1;
    if (line !== '') this.#tableRows += 1;
    this.out.add(line, { flags: header ? LINE.header : LINE.row });
  }

  #flush(): void {
    const line = plain(this.#line);
    this.#clear();
    if (line === '') return;
    const heading = this.#level > 0;
    if (isQuestionLine(line)) {
      if (heading) this.out.leave(this.#level);
      this.out.add(line, { flags: LINE.question });
    } else if (heading) this.out.add(line, { flags: LINE.heading, level: this.#level });
    else if (this.#term) this.out.add(line, { flags: LINE.heading, level: TERM_LEVEL });
    else this.out.add(line, { flags: this.#item || isItem(line) ? LINE.item : 0 });
    this.#level = 0;
    this.#term = false;
    this.#item = false;
  }
}

function plain(line: string): string {
  return line.replace(WHITE_SPACE, ' ').replaceAll(STRAY_MARK, '<').trim();
}

function isHidden(attributes: Readonly<Record<string, string>>): boolean {
  return 'hidden' in attributes || /display\s*:\s*none/i.test(attributes['style'] ?? '');
}
