import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type DocumentLines, LINE } from '../../../src/engines/document/document-lines.ts';
import { extractDocument } from '../../../src/engines/document/extract/extract.ts';
import { textPdf } from '../../support/pdf-file.ts';
import { docxFile, paragraph, zipFile } from '../../support/zip-file.ts';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const FIXTURES = new URL('../../fixtures/documents/', import.meta.url);
const fixture = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(name, FIXTURES)));
const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

async function linesOf(file: Uint8Array, mimeType = '', filename?: string): Promise<DocumentLines> {
  const extracted = await extractDocument(file, mimeType, filename);
  if (!extracted.ok) throw new Error(`${extracted.code}: ${extracted.why}`);
  return extracted.lines;
}
const texts = (lines: DocumentLines): string[] => Array.from({ length: lines.count }, (_, at) => lines.line(at));
const parentText = (lines: DocumentLines, line: string): string | undefined => {
  const at = texts(lines).indexOf(line);
  const parent = lines.parents[at]!;
  return parent < 0 ? undefined : lines.line(parent);
};

describe('what a file is', () => {
  const pdf = textPdf([['The fee is 20.']]);
  const docx = docxFile(paragraph('The fee is 20.'));
  it.each([
    ['declared text', bytes('hello'), 'text/plain', undefined, 'text'],
    ['parameters do not matter', bytes('hello'), 'text/plain; charset=utf-8', undefined, 'text'],
    ['text with a clear extension', bytes('a,b,c'), 'text/plain', 'x.CSV', 'csv'],
    ['unsaid, by extension', bytes('# a'), 'application/octet-stream', 'x.md', 'markdown'],
    ['unsaid, JSON by its looks', bytes('{"a": 1}'), 'application/octet-stream', undefined, 'json'],
    ['unsaid, a page by its looks', bytes('<!DOCTYPE html><p>x'), '', undefined, 'html'],
    ['unsaid, a table by its looks', bytes('a,b,c\n1,2,3\n4,5,6'), '', undefined, 'csv'],
    ['unsaid, plain text', bytes('just words'), '', 'README', 'text'],
    ['a PDF called octets', pdf, 'application/octet-stream', undefined, 'pdf'],
    ['a PDF called text', pdf, 'text/plain', 'x.txt', 'pdf'],
    ['a Word file called octets', docx, 'application/octet-stream', undefined, 'docx'],
    ['a Word file called zip', docx, 'application/zip', undefined, 'docx'],
  ])('%s', async (_, file, mimeType, filename, format) => {
    expect(await extractDocument(file.slice(), mimeType, filename)).toMatchObject({ ok: true, format });
  });

  it.each([
    ['a picture', bytes('\x89PNG\r\n\x1a\n'), 'image/png', 'unsupported_document'],
    ['text called a picture', bytes('hello'), 'image/png', 'unsupported_document'],
    ['bytes of nothing known', new Uint8Array([0, 1, 2, 3]), '', 'unsupported_document'],
    ['bytes called text', new Uint8Array([104, 0, 1, 2, 3]), 'text/plain', 'invalid_document'],
    ['text called PDF', bytes('hello'), 'application/pdf', 'invalid_document'],
    ['an archive called PDF', zipFile({ a: 'b' }), 'application/pdf', 'invalid_document'],
    ['text called Word', bytes('hello'), DOCX, 'invalid_document'],
    ['an archive of something else', zipFile({ 'a.txt': 'b' }), 'application/zip', 'unsupported_document'],
    ['an empty file', new Uint8Array(), 'text/plain', 'invalid_document'],
    ['only white space', bytes(' \n\n\t'), 'text/plain', 'invalid_document'],
    ['only punctuation', bytes('... --- !!!'), 'text/plain', 'invalid_document'],
    ['broken JSON', bytes('{"a": '), 'application/json', 'invalid_document'],
    ['more than JSON', bytes('{"a": 1},'), 'application/json', 'invalid_document'],
    ['JSON without a comma', bytes('{"a": 1 "b": 2}'), 'application/json', 'invalid_document'],
  ])('%s is refused', async (_, file, mimeType, code) => {
    expect(await extractDocument(file, mimeType)).toMatchObject({ ok: false, code });
  });
});

describe('characters', () => {
  const text = 'رسوم الكشف مئة ريال.\nالمراجعة مجانية.';
  const windows1256 = (value: string): Uint8Array => {
    const table = new TextDecoder('windows-1256');
    const codes = new Map<string, number>();
    for (let code = 0; code < 256; code += 1) codes.set(table.decode(new Uint8Array([code])), code);
    return new Uint8Array([...value].map((char) => codes.get(char) ?? 63));
  };
  it.each([
    ['UTF-8', bytes(text), ''],
    ['UTF-8 with a mark', bytes(`\ufeff${text}`), ''],
    ['UTF-16 with a mark', new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le')), ''],
    ['Windows 1256, undeclared', windows1256(text), 'text/plain'],
    ['Windows 1256, declared', windows1256(text), 'text/plain; charset=windows-1256'],
    ['line ends of Windows', bytes(text.replace('\n', '\r\n')), ''],
  ])('%s', async (_, file, mimeType) => {
    expect(texts(await linesOf(file, mimeType))).toEqual(text.split('\n'));
  });

  it('a letter cut in two at the end does not spoil the rest', async () => {
    const cut = bytes(`${text} ${'كلمة '.repeat(200)}`);
    expect(texts(await linesOf(cut.subarray(0, cut.length - 2)))[0]).toBe('رسوم الكشف مئة ريال.');
  });
});

describe('shape of the text', () => {
  it('plain text: headings, wrapped lines, lists, questions', async () => {
    const lines = await linesOf(fixture('washer-warranty-en.txt'), 'text/plain');
    expect(parentText(lines, 'Use liquid detergent for programmes below 40 degrees.')).toBe('4. CARE');
    const motor = texts(lines).indexOf('The motor is covered for ten years. Labour and travel of the technician are');
    expect(lines.is(motor, LINE.wraps)).toBe(true);
    expect(lines.is(motor + 1, LINE.wraps)).toBe(false);
  });

  it('Markdown: what is written under which heading, rows under their columns', async () => {
    const lines = await linesOf(fixture('leave-policy-en.md'), 'text/markdown');
    expect(parentText(lines, '- Fathers receive three days of paid leave on the birth of a child.')).toBe(
      '## Family leave',
    );
    expect(parentText(lines, '| Eid al-Fitr | 4 |')).toBe('| Holiday | Days off |');
    expect(texts(lines).some((line) => line.includes('---'))).toBe(false);
  });

  it('HTML: what a reader sees and nothing else', async () => {
    const page =
      '<title>T</title><script>secret()</script><style>secret</style><p hidden>secret</p><p style="display:none">secret</p>' +
      '<h2>Fees</h2><p>A &amp; B<br>next&nbsp;line</p><table><tr><th>Item<th>Amount<tr><td>Card<td>SAR&#32;50</table>';
    const lines = await linesOf(bytes(page), 'text/html');
    expect(texts(lines)).toEqual(['T', 'Fees', 'A & B', 'next line', 'Item  Amount', 'Card  SAR 50']);
    expect(parentText(lines, 'Card  SAR 50')).toBe('Item  Amount');
    expect(parentText(lines, 'A & B')).toBe('Fees');
  });

  it('CSV: records as they stand in the file, quoted line breaks inside', async () => {
    const lines = await linesOf(bytes('name;price\r\n"a; b";10\r\n"c\nd";20\r\n'), 'text/csv');
    expect(texts(lines)).toEqual(['name;price', '"a; b";10', '"c d";20']);
    expect(parentText(lines, '"a; b";10')).toBe('name;price');
  });

  it('JSON: values with their keys as in the file, under what names them', async () => {
    const file = bytes(
      '{"shop":{"city":"Riyadh"},"faq":[{"question":"Open?","answer":"Yes, \\u0646\\u0639\\u0645."}],"n":[1,2]}',
    );
    const lines = await linesOf(file, 'application/json');
    expect(texts(lines)).toEqual([
      'shop',
      '"city":"Riyadh"',
      'faq',
      '"question":"Open?"',
      '"answer": "Yes, نعم."',
      'n',
      '1',
      '2',
    ]);
    expect(parentText(lines, '"answer": "Yes, نعم."')).toBe('"question":"Open?"');
    expect(parentText(lines, '"city":"Riyadh"')).toBe('shop');
  });

  it('JSON Lines', async () => {
    const lines = await linesOf(bytes('{"a":"x y"}\n{"a":"z w"}\n'), '', 'x.jsonl');
    expect(texts(lines)).toEqual(['"a":"x y"', '"a":"z w"']);
  });

  it('Word: paragraphs, styles, tables, notes, pages; nothing deleted or computed', async () => {
    const body =
      paragraph('Rules', '<w:pStyle w:val="Heading1"/>') +
      `<w:p><w:r><w:t>Smoking is </w:t></w:r><w:del><w:r><w:delText>not </w:delText></w:r></w:del><w:r><w:t>allowed &amp; free.</w:t></w:r></w:p>` +
      '<w:p><w:r><w:instrText>HYPERLINK "http://x"</w:instrText></w:r><w:r><w:br w:type="page"/></w:r><w:r><w:t>Page two.</w:t></w:r></w:p>' +
      `<w:tbl><w:tr><w:tc>${paragraph('Item')}</w:tc><w:tc>${paragraph('Fee')}</w:tc></w:tr>` +
      `<w:tr><w:tc>${paragraph('Card')}</w:tc><w:tc>${paragraph('50')}</w:tc></w:tr></w:tbl>`;
    const notes = `<w:footnotes xmlns:w="x"><w:footnote>${paragraph('A note.')}</w:footnote></w:footnotes>`;
    const lines = await linesOf(docxFile(body, { 'word/footnotes.xml': notes }), DOCX);
    expect(texts(lines)).toEqual([
      'Rules',
      'Smoking is allowed & free.',
      'Page two.',
      'Item  Fee',
      'Card  50',
      'A note.',
    ]);
    expect(parentText(lines, 'Smoking is allowed & free.')).toBe('Rules');
    expect(parentText(lines, 'Card  50')).toBe('Item  Fee');
    expect([lines.pages[1], lines.pages[2]]).toEqual([1, 2]);
  });

  it('an overlong line is cut behind a sentence', async () => {
    const lines = await linesOf(bytes('A sentence of many. '.repeat(2_000)), 'text/plain');
    expect(lines.count).toBeGreaterThan(5);
    for (const line of texts(lines)) {
      expect(line.length).toBeLessThanOrEqual(4_000);
      expect(line.endsWith('of many.')).toBe(true);
    }
  });
});

describe('PDF', () => {
  it('has pages and headings', async () => {
    const lines = await linesOf(textPdf([['The fee is 20 riyals.'], ['Closed on Friday.']]), 'application/pdf');
    expect(texts(lines)).toEqual(['The fee is 20 riyals.', 'Closed on Friday.']);
    expect([...lines.pages]).toEqual([1, 2]);
    const school = await linesOf(fixture('school-en.pdf'), 'application/pdf');
    const nuts = texts(school).find((line) => line.includes('Nuts are banned'))!;
    expect(parentText(school, nuts)).toBe('Health');
  });

  it('Arabic whose lam-alef the file turns round reads as it was written', async () => {
    const lines = await linesOf(fixture('returns-ar.pdf'), 'application/pdf');
    const text = texts(lines).join('\n');
    expect(lines.line(0)).toBe('سياسة الاسترجاع والاستبدال');
    expect(text).toContain('يحق للعميل استرجاع المنتج خلال 14 يوماً من تاريخ الاستلام بشرط أن يكون في حالته الأصلية');
    expect(text).toContain('العملاء من الطلاب لهم خصم 10%'); // طلاب, not طالب
    expect(text).not.toMatch(/اال|خالل|العمالء/);
  });

  it('Arabic whose glyphs have no meaning is refused, not quoted', async () => {
    expect(await extractDocument(fixture('glyphs-without-meaning.pdf'), 'application/pdf')).toEqual({
      ok: false,
      code: 'invalid_document',
      why: 'PDF: glyphs without meaning',
    });
  });

  it('a scan, which has no text, is refused', async () => {
    expect(await extractDocument(textPdf([[], []]), 'application/pdf')).toMatchObject({
      code: 'invalid_document',
      why: 'PDF: no text, a scan needs text recognition first',
    });
  });
});
