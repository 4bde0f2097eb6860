import { type DocumentLines, LinesBuilder, TooManyLines } from '../document-lines.ts';
import { readCsv } from './csv.ts';
import { readDocx } from './docx.ts';
import { readHtml } from './html.ts';
import { readJson } from './json.ts';
import { readMarkdown } from './markdown.ts';
import { readPlainText } from './plain-text.ts';
import { type DocumentFormat, sniffDocument } from './sniff.ts';
import { decodeText } from './text-encoding.ts';
import { EXTRACT_LIMITS, Unreadable, type UnreadableCode } from './unreadable.ts';

export type Extracted =
  | { readonly ok: true; readonly format: DocumentFormat; readonly lines: DocumentLines }
  | { readonly ok: false; readonly code: UnreadableCode; readonly why: string };

/**
 * The lines of a document of any accepted type. Never throws: a file that cannot be read is a value with the reason.
 * `file` may be taken over (its buffer detached) by the reader of its format.
 *
 * @param declared - the type the client gave, parameters included; '' or `application/octet-stream` when unknown.
 */
export async function extractDocument(file: Uint8Array, declared: string, filename?: string): Promise<Extracted> {
  const sniffed = sniffDocument(file, declared, filename);
  if (!sniffed.ok) return sniffed;
  const out = new LinesBuilder();
  try {
    await read(file, sniffed.format, sniffed.charset, out);
  } catch (error) {
    return refused(error);
  }
  const lines = out.build();
  if (!/[\p{L}\p{N}]/u.test(lines.text)) return { ok: false, code: 'invalid_document', why: 'no text' };
  return { ok: true, format: sniffed.format, lines };
}

async function read(file: Uint8Array, format: DocumentFormat, charset: string | undefined, out: LinesBuilder) {
  if (format === 'pdf') return readPdfLazily(file, out);
  if (format === 'docx') return readDocx(file, out);
  const text = decodeText(file, charset);
  if (text.length > EXTRACT_LIMITS.characters) throw new Unreadable('invalid_document', 'too much text');
  if (format === 'html') readHtml(text, out);
  else if (format === 'json') readJson(text, out);
  else if (format === 'csv') readCsv(text, out);
  else if (format === 'markdown') readMarkdown(text, out);
  else readPlainText(text, out);
}

/** The PDF reader is 1.6 MB of code: loaded with the first PDF. */
async function readPdfLazily(file: Uint8Array, out: LinesBuilder): Promise<void> {
  const { readPdf } = await import('./pdf.ts');
  await readPdf(file, out);
}

function refused(error: unknown): Extracted & { readonly ok: false } {
  if (error instanceof Unreadable) return { ok: false, code: error.code, why: error.why };
  if (error instanceof TooManyLines) return { ok: false, code: 'invalid_document', why: 'too many lines' };
  // Parsers of others throw what they like on hostile input; it is the document that cannot be read.
  return { ok: false, code: 'invalid_document', why: error instanceof Error ? `parser: ${error.name}` : 'parser' };
}
