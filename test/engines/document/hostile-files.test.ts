import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractDocument } from '../../../src/engines/document/extract/extract.ts';
import { unpack, zipEntries } from '../../../src/engines/document/extract/zip.ts';
import { pdfFile, textPdf } from '../../support/pdf-file.ts';
import { runs, someOf } from '../../support/property-runs.ts';
import { docxFile, paragraph, zipFile } from '../../support/zip-file.ts';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));
const PAGES = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>';

/** A zip whose only entry claims to be small: sizes in an archive are not to be believed. */
function lyingZip(name: string, content: Uint8Array, claimed: number): Uint8Array {
  const packed = deflateRawSync(content);
  const file = Buffer.alloc(30 + name.length + packed.length + 46 + name.length + 22);
  file.writeUInt32LE(0x04034b50, 0);
  file.writeUInt16LE(8, 8);
  file.writeUInt32LE(packed.length, 18);
  file.writeUInt32LE(claimed, 22);
  file.writeUInt16LE(name.length, 26);
  file.write(name, 30);
  packed.copy(file, 30 + name.length);
  const central = 30 + name.length + packed.length;
  file.writeUInt32LE(0x02014b50, central);
  file.writeUInt16LE(8, central + 10);
  file.writeUInt32LE(packed.length, central + 20);
  file.writeUInt32LE(claimed, central + 24);
  file.writeUInt16LE(name.length, central + 28);
  file.write(name, central + 46);
  const end = central + 46 + name.length;
  file.writeUInt32LE(0x06054b50, end);
  file.writeUInt16LE(1, end + 8);
  file.writeUInt16LE(1, end + 10);
  file.writeUInt32LE(46 + name.length, end + 12);
  file.writeUInt32LE(central, end + 16);
  return new Uint8Array(file);
}

describe('files that are small only on disk', () => {
  const spaces = (count: number): string => ' '.repeat(count);
  it.each(
    someOf(
      [
        ['a Word file of one endless space', docxFile(spaces(60_000_000)), DOCX, /unpacks/],
        ['a Word file of a million paragraphs', docxFile(paragraph('x').repeat(300_000)), DOCX, /unpacks/],
        ['elements inside elements, XML', docxFile('<w:p>'.repeat(20_000)), DOCX, /./],
        ['elements inside elements, HTML', bytes('<b>'.repeat(100_000)), 'text/html', /nested/],
        ['arrays inside arrays', bytes('['.repeat(1_000_000)), 'application/json', /nested/],
        ['objects inside objects', bytes('{"a":'.repeat(100_000)), 'application/json', /nested/],
        ['more lines than a document has', bytes('a\n'.repeat(1_100_000)), 'text/plain', /lines/],
        [
          'a hundred thousand pages',
          pdfFile([
            { text: '<< /Type /Catalog /Pages 2 0 R >>' },
            { text: `<< /Type /Pages /Kids [${'3 0 R '.repeat(100_000)}] /Count 100000 >>` },
            { text: '<< /Type /Page /Parent 2 0 R >>' },
          ]),
          'application/pdf',
          /pages/,
        ],
      ],
      3,
    ),
  )('%s', async (_, file, mimeType, why) => {
    const refused = await extractDocument(file, mimeType);
    expect(refused).toMatchObject({ ok: false, code: 'invalid_document' });
    expect(refused.ok ? '' : refused.why).toMatch(why);
  });

  it('an entry that lies about its size is stopped all the same', () => {
    const entries = zipEntries(lyingZip('word/document.xml', Buffer.alloc(30_000_000, 32), 10));
    expect(() => unpack(entries.get('word/document.xml')!)).toThrow(/unpacks/);
  });

  it('a zip inside a Word file is not opened', async () => {
    const inner = zipFile({ 'word/document.xml': 'secret' });
    const file = docxFile(paragraph('Plain text.'), { 'word/embeddings/x.zip': inner });
    expect(await extractDocument(file, DOCX)).toMatchObject({ ok: true, lines: { text: 'Plain text.\n' } });
  });
});

describe('what a document wants to be done is not done', () => {
  it('entities and what they name are text', async () => {
    const doctype = '<!DOCTYPE w [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;"><!ENTITY file SYSTEM "file:///etc/hostname">]>';
    const extracted = await extractDocument(docxFile(paragraph('Fee &b; &file; 20'), {}, doctype), DOCX);
    expect(extracted).toMatchObject({ ok: true, lines: { text: 'Fee &b; &file; 20\n' } });
  });

  it('a remote template is not looked at', async () => {
    const relations =
      '<Relationships><Relationship ' +
      'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate" ' +
      'Target="http://127.0.0.1:9/t.dotm" TargetMode="External"/></Relationships>';
    const file = docxFile(paragraph('Plain text.'), { 'word/_rels/settings.xml.rels': relations });
    expect(await extractDocument(file, DOCX)).toMatchObject({ ok: true, lines: { text: 'Plain text.\n' } });
  });

  it('a file with macros is refused', async () => {
    const file = docxFile(paragraph('x'), { 'word/vbaProject.bin': 'macro' });
    expect(await extractDocument(file, DOCX)).toMatchObject({ ok: false, code: 'unsupported_document' });
  });

  it.each([
    ['a script at opening', '/OpenAction << /S /JavaScript /JS (app.alert(1)) >> '],
    ['a program to launch', '/OpenAction << /S /Launch /F (/bin/sh) >> '],
    ['an address to open', '/OpenAction << /S /URI /URI (http://127.0.0.1:9/) >> '],
  ])('PDF: %s', async (_, catalogue) => {
    const extracted = await extractDocument(textPdf([['The fee is 20 riyals.']], catalogue), 'application/pdf');
    expect(extracted).toMatchObject({ ok: true, lines: { text: 'The fee is 20 riyals.\n' } });
  });
});

describe('broken files', () => {
  it.each([
    [
      'pages that are their own children',
      [{ text: '<< /Type /Catalog /Pages 2 0 R >>' }, { text: '<< /Type /Pages /Kids [2 0 R] /Count 1 >>' }],
    ],
    [
      'a form that draws itself',
      [
        { text: '<< /Type /Catalog /Pages 2 0 R >>' },
        { text: PAGES },
        { text: '<< /Type /Page /Parent 2 0 R /Resources << /XObject << /X 5 0 R >> >> /Contents 4 0 R >>' },
        { text: '<< >>', stream: bytes('/X Do') },
        {
          text: '<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >> >>',
          stream: bytes('/X Do /X Do'),
        },
      ],
    ],
    ['no pages at all', [{ text: '<< /Type /Catalog >>' }]],
  ])('PDF: %s', async (_, objects) => {
    expect(await extractDocument(pdfFile(objects), 'application/pdf')).toMatchObject({ code: 'invalid_document' });
  });

  it('a table of contents of the file that points to itself is read past', async () => {
    const file = Buffer.from(textPdf([['The fee is 20 riyals.']]))
      .toString('latin1')
      .replace('/Root 1 0 R', '/Root 1 0 R /Prev 9');
    const extracted = await extractDocument(new Uint8Array(Buffer.from(file, 'latin1')), 'application/pdf');
    expect(extracted.ok || extracted.code === 'invalid_document').toBe(true);
  });

  const whole = { pdf: textPdf([['The fee is 20 riyals.']]), docx: docxFile(paragraph('The fee is 20 riyals.')) };
  it.each([
    ['PDF', whole.pdf, 'application/pdf'],
    ['Word', whole.docx, DOCX],
  ])('%s cut anywhere: read, or refused with a reason', async (_, file, mimeType) => {
    for (let length = 1; length < file.length; length += 37) {
      const extracted = await extractDocument(file.slice(0, length), mimeType);
      if (!extracted.ok) expect(['invalid_document', 'unsupported_document']).toContain(extracted.code);
    }
  });

  it('any bytes under any name never throw', async () => {
    const types = [
      'text/plain',
      'text/markdown',
      'text/csv',
      'text/html',
      'application/json',
      'application/pdf',
      DOCX,
      '',
    ];
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.constantFrom(...types), async (file, mimeType) => {
        const extracted = await extractDocument(file, mimeType);
        if (extracted.ok) expect(extracted.lines.count).toBeGreaterThan(0);
        else expect(extracted.why).not.toBe('');
      }),
      { numRuns: runs(300) },
    );
  });

  it('any text under any name keeps its lines apart', async () => {
    const types = ['text/plain', 'text/markdown', 'text/csv', 'text/html', 'application/json'];
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.constantFrom(...types),
        async (text, mimeType) => {
          const extracted = await extractDocument(bytes(text), mimeType);
          if (!extracted.ok) return;
          const { lines } = extracted;
          for (let at = 0; at < lines.count; at += 1) {
            expect(lines.line(at)).not.toMatch(/\n/);
            expect(lines.parents[at]).toBeLessThan(at);
          }
        },
      ),
      { numRuns: runs(300) },
    );
  });
});
