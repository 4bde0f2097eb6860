import { deflateSync } from 'node:zlib';

/** One object of a PDF: its text, and what its stream holds. */
export interface PdfObject {
  readonly text: string; // without `obj` and `endobj`; a stream's dictionary without Length
  readonly stream?: Uint8Array;
}

/** A PDF file written by hand from numbered objects: object 1 is the catalogue. */
export function pdfFile(objects: readonly PdfObject[], trailer = ''): Uint8Array {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let size = parts[0]!.length;
  const push = (part: Buffer): void => {
    parts.push(part);
    size += part.length;
  };
  for (const [at, { text, stream }] of objects.entries()) {
    offsets.push(size);
    const dictionary = stream ? text.replace(/>>\s*$/, `/Length ${stream.length} >>`) : text;
    push(Buffer.from(`${at + 1} 0 obj\n${dictionary}\n`));
    if (stream) {
      push(Buffer.from('stream\n'));
      push(Buffer.from(stream));
      push(Buffer.from('\nendstream\n'));
    }
    push(Buffer.from('endobj\n'));
  }
  const start = size;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  push(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`));
  push(Buffer.from(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer}>>\nstartxref\n${start}\n%%EOF\n`));
  return new Uint8Array(Buffer.concat(parts));
}

/** One page a text: lines of Helvetica from the top. */
export function textPdf(pages: readonly (readonly string[])[], catalogue = ''): Uint8Array {
  const kids = pages.map((_, at) => `${4 + at * 2} 0 R`).join(' ');
  return pdfFile([
    { text: `<< /Type /Catalog /Pages 2 0 R ${catalogue}>>` },
    { text: `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>` },
    { text: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>' },
    ...pages.flatMap((lines, at) => [
      {
        text: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + at * 2} 0 R >>`,
      },
      { text: '<< /Filter /FlateDecode >>', stream: deflateSync(Buffer.from(pageContent(lines))) },
    ]),
  ]);
}

function pageContent(lines: readonly string[]): string {
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`).join('\n');
  return `BT /F1 12 Tf 14 TL 60 780 Td\n${shown}\nET`;
}
