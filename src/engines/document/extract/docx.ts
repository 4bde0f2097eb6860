import { Parser } from 'htmlparser2';
import { LINE, type LinesBuilder } from '../document-lines.ts';
import { headingLevel, isItem, isQuestionLine, looksLikeHeading } from './line-shapes.ts';
import { EXTRACT_LIMITS, invalid, Unreadable } from './unreadable.ts';
import { unpack, type ZipEntry, zipEntries } from './zip.ts';

const BODY = 'word/document.xml';
const FURTHER = ['word/footnotes.xml', 'word/endnotes.xml'];
const MACROS = /(?:^|\/)vbaProject\.bin$/;
const PARSED_AT_ONCE = 64 * 1024;
const CELL_GAP = '  ';

/** Elements whose text is not what a reader sees: deletions, field codes, fallbacks of drawings. */
const UNSEEN = new Set(['w:del', 'w:delText', 'w:instrText', 'mc:Fallback', 'w:moveFrom', 'w:rPrChange']);

/**
 * The text of a Word file (ECMA-376): body, then notes. Only these parts are unpacked; relationships, remote templates,
 * pictures and macros are never looked at, and the XML reader knows no entities but the five built-in ones.
 */
export function readDocx(file: Uint8Array, out: LinesBuilder): void {
  const entries = zipEntries(file);
  const body = entries.get(BODY);
  if (!body || !entries.has('[Content_Types].xml'))
    throw new Unreadable('unsupported_document', 'a zip archive without a Word document');
  if ([...entries.keys()].some((name) => MACROS.test(name)))
    throw new Unreadable('unsupported_document', 'a Word file with macros');
  readPart(body, out);
  for (const name of FURTHER) {
    const part = entries.get(name);
    if (part) readPart(part, out);
  }
}

function readPart(entry: ZipEntry, out: LinesBuilder): void {
  const xml = new TextDecoder('utf-8').decode(unpack(entry));
  if (!/<w:(?:document|footnotes|endnotes)[\s>]/.test(xml.slice(0, 8_192))) throw invalid('docx: no WordprocessingML');
  const part = new PartText(out);
  const parser = new Parser(
    {
      onopentag: (name, attributes) => part.open(name, attributes),
      onclosetag: (name) => part.close(name),
      ontext: (text) => part.text(text),
    },
    { xmlMode: true, decodeEntities: true },
  );
  for (let at = 0; at < xml.length; at += PARSED_AT_ONCE) parser.write(xml.slice(at, at + PARSED_AT_ONCE));
  parser.end();
  part.endTable();
}

class PartText {
  #depth = 0;
  #unseen = 0;
  #inText = false;
  #paragraph = '';
  #style = '';
  #outline = 0;
  #listed = false;
  #bold = true; // every run of the paragraph
  #runs = 0;
  #runBold = false;
  #tables = 0;
  #cells: string[] = [];
  #rows = 0;
  #headerRow = false;
  constructor(readonly out: LinesBuilder) {}

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#depth += 1;
    if (this.#depth > EXTRACT_LIMITS.nesting) throw invalid('docx: elements nested too deep');
    if (this.#unseen > 0 || UNSEEN.has(name)) {
      this.#unseen += 1;
      return;
    }
    const value = attributes['w:val'] ?? '';
    if (name === 'w:t') this.#inText = true;
    else if (name === 'w:pStyle') this.#style = value;
    else if (name === 'w:outlineLvl') this.#outline = Number(value) + 1 || 0;
    else if (name === 'w:numPr') this.#listed = true;
    else if (name === 'w:r') this.#runBold = false;
    else if (name === 'w:b') this.#runBold = value !== '0' && value !== 'false';
    else if (name === 'w:tab') this.#paragraph += ' ';
    else if (name === 'w:br' || name === 'w:cr') this.#break(attributes['w:type'] === 'page');
    else if (name === 'w:lastRenderedPageBreak') this.out.newPage();
    else if (name === 'w:tbl') this.#openTable();
    else if (name === 'w:tblHeader') this.#headerRow = true;
    else if (name === 'w:noBreakHyphen') this.#paragraph += '-';
  }

  close(name: string): void {
    this.#depth -= 1;
    if (this.#unseen > 0) {
      this.#unseen -= 1;
      return;
    }
    if (name === 'w:t') this.#inText = false;
    else if (name === 'w:p') this.#endParagraph();
    else if (name === 'w:tc' && this.#tables === 1) {
      this.#cells.push(this.#paragraph.trim());
      this.#paragraph = '';
    } else if (name === 'w:tr' && this.#tables === 1) this.#endRow();
    else if (name === 'w:tbl') {
      this.#tables -= 1;
      if (this.#tables === 0) this.endTable();
    }
  }

  text(piece: string): void {
    if (!this.#inText || this.#unseen > 0) return;
    if (piece.trim() !== '') {
      this.#runs += 1;
      this.#bold &&= this.#runBold;
    }
    this.#paragraph += piece;
    if (this.out.characters + this.#paragraph.length > EXTRACT_LIMITS.characters) throw invalid('docx: too much text');
  }

  endTable(): void {
    if (this.#cells.length > 0) this.#endRow();
    this.#rows = 0;
    this.out.endTable();
    this.out.gap();
  }

  #break(page: boolean): void {
    if (page) this.out.newPage();
    if (this.#tables > 0) this.#paragraph += ' ';
    else this.#endParagraph();
  }

  #openTable(): void {
    this.#tables += 1;
    if (this.#tables > 1) return;
    this.#rows = 0;
    this.#cells = [];
    this.#headerRow = false;
  }

  #endRow(): void {
    const line = this.#cells.filter((cell) => cell !== '').join(CELL_GAP);
    // Word rarely marks header rows; a first row of short cells without figures is one.
    const names = this.#cells.length > 1 && this.#cells.every((cell) => cell.length <= 40 && !/[\d٠-٩]/.test(cell));
    const header = this.#rows === 0 && (this.#headerRow || names);
    this.out.add(line, { flags: header ? LINE.header : LINE.row });
    if (line !== '') this.#rows += 1;
    this.#cells = [];
    this.#headerRow = false;
  }

  #endParagraph(): void {
    if (this.#tables > 0) {
      this.#paragraph += ' ';
      return;
    }
    const line = this.#paragraph.replace(/\s+/g, ' ').trim();
    if (line === '') this.out.gap();
    else this.#add(line);
    this.#paragraph = '';
    this.#style = '';
    this.#outline = 0;
    this.#listed = false;
    this.#bold = true;
    this.#runs = 0;
  }

  #add(line: string): void {
    const styled = /^(?:title|subtitle|heading|toc)/i.test(this.#style);
    const number = Number(/^heading\s?([1-9])$/i.exec(this.#style)?.[1] ?? 0) || this.#outline;
    if (isQuestionLine(line)) this.out.add(line, { flags: LINE.question });
    else if (styled || number > 0) this.out.add(line, { flags: LINE.heading, level: number || 1 });
    else if (this.#bold && this.#runs > 0 && looksLikeHeading(line)) {
      this.out.add(line, { flags: LINE.heading, level: Math.max(4, headingLevel(line)) });
    } else this.out.add(line, { flags: this.#listed || isItem(line) ? LINE.item : 0 });
  }
}
