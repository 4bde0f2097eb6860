/** The formats that can be read. */
export type DocumentFormat = 'pdf' | 'docx' | 'text' | 'markdown' | 'csv' | 'html' | 'json';

export type Sniffed =
  | { readonly ok: true; readonly format: DocumentFormat; readonly charset: string | undefined }
  | { readonly ok: false; readonly code: 'invalid_document' | 'unsupported_document'; readonly why: string };

const FORMATS: Readonly<Record<string, DocumentFormat>> = {
  'application/pdf': 'pdf',
  'application/x-pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'text/plain': 'text',
  'text/markdown': 'markdown',
  'text/x-markdown': 'markdown',
  'text/csv': 'csv',
  'application/csv': 'csv',
  'text/tab-separated-values': 'csv',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'application/json': 'json',
  'text/json': 'json',
};
/** Declared by clients that do not know better: the content decides. */
const UNSAID = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/x-download',
  'application/zip',
  'application/x-zip-compressed',
  'application/msword', // Word files of either kind
  'application/vnd.ms-excel', // what Windows calls .csv
]);
const EXTENSIONS: Readonly<Record<string, DocumentFormat>> = {
  pdf: 'pdf',
  docx: 'docx',
  txt: 'text',
  text: 'text',
  log: 'text',
  md: 'markdown',
  markdown: 'markdown',
  csv: 'csv',
  tsv: 'csv',
  htm: 'html',
  html: 'html',
  xhtml: 'html',
  json: 'json',
  jsonl: 'json',
};

const LOOKED_AT = 64 * 1024;
const PDF_HEADER_WITHIN = 1_024; // where readers of PDF look for it
const MAX_CONTROL_SHARE = 0.02;

/**
 * What a file is: its first bytes before what was declared. A PDF or Word file is one by its bytes only; text is told
 * apart by the declared type, then by the extension, then by its looks.
 */
export function sniffDocument(file: Uint8Array, declared: string, filename = ''): Sniffed {
  const [type = '', ...parameters] = declared.toLowerCase().split(';');
  const mimeType = type.trim();
  const known = FORMATS[mimeType];
  if (known === undefined && !UNSAID.has(mimeType)) return refuse('unsupported_document', `declared as ${mimeType}`);

  const head = file.subarray(0, LOOKED_AT);
  const magic = magicOf(head);
  if (magic === 'pdf') return found('pdf');
  if (magic === 'zip') {
    // Whether it is a Word file, its entries say: see docx.ts.
    return known === 'pdf' ? refuse('invalid_document', 'a zip archive called PDF') : found('docx');
  }
  if (known === 'pdf' || known === 'docx') return refuse('invalid_document', `no ${known} by its first bytes`);
  const charset = utf16Of(head) ?? charsetOf(parameters);
  if (!charset?.startsWith('utf-16') && isBinary(head)) {
    return refuse(known ? 'invalid_document' : 'unsupported_document', 'neither text nor a known format');
  }
  const extension = /\.([a-z]{1,8})$/.exec(filename.trim().toLowerCase())?.[1] ?? '';
  const byName = EXTENSIONS[extension];
  if (known !== undefined && known !== 'text') return found(known, charset);
  if (byName === 'pdf' || byName === 'docx') return refuse('invalid_document', `no ${byName} by its first bytes`);
  // `text/plain` is what many clients say of every text file: a clear extension is better.
  return found(byName ?? known ?? formatByLooks(head), charset);
}

function found(format: DocumentFormat, charset?: string): Sniffed {
  return { ok: true, format, charset };
}
function refuse(code: 'invalid_document' | 'unsupported_document', why: string): Sniffed {
  return { ok: false, code, why };
}

function magicOf(head: Uint8Array): 'pdf' | 'zip' | undefined {
  if (head[0] === 0x50 && head[1] === 0x4b && head[2] === 3 && head[3] === 4) return 'zip';
  return ascii(head.subarray(0, PDF_HEADER_WITHIN)).includes('%PDF-') ? 'pdf' : undefined;
}

function ascii(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

function utf16Of(head: Uint8Array): string | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return undefined;
}

function charsetOf(parameters: readonly string[]): string | undefined {
  for (const one of parameters) {
    const charset = /^\s*charset\s*=\s*"?([\w.:-]{1,40})"?\s*$/.exec(one)?.[1];
    if (charset) return charset;
  }
  return undefined;
}

function isBinary(head: Uint8Array): boolean {
  let control = 0;
  for (const byte of head) {
    if (byte === 0) return true;
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x0c && byte !== 0x1b) control += 1;
  }
  return control > head.length * MAX_CONTROL_SHARE;
}

function formatByLooks(head: Uint8Array): DocumentFormat {
  const text = Buffer.from(head.buffer, head.byteOffset, head.length)
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  if (/^(?:<!doctype html|<html|<head|<body)/i.test(text)) return 'html';
  if (/^(?:\{\s*(?:"|\})|\[\s*(?:[[{"\]\d-]))/.test(text)) return 'json';
  const lines = text
    .split('\n', 12)
    .filter((line) => line.trim() !== '')
    .slice(0, 10);
  for (const separator of [',', ';', '\t']) {
    const columns = lines.map((line) => line.split(separator).length);
    if (lines.length >= 3 && columns[0]! >= 3 && columns.every((count) => count === columns[0])) return 'csv';
  }
  return /^#{1,6} \S/m.test(text) ? 'markdown' : 'text';
}
