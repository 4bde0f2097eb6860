import { bareMediaType } from './audio-type.ts';

export const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const TEXT_TYPES = ['text/plain', 'text/markdown', 'text/csv', 'text/html', 'application/json'] as const;
export const DOCUMENT_MEDIA_TYPES: readonly string[] = ['application/pdf', DOCX, ...TEXT_TYPES];

const BY_EXTENSION: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  docx: DOCX,
  txt: 'text/plain',
  md: 'text/markdown',
  markdown: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  htm: 'text/html',
  json: 'application/json',
};
const SNIFFED_BYTES = 4_096;
/** Text in which every letter of ASCII has a NUL: said by its declaration, or by its byte order mark. */
const UTF_16 = /charset\s*=\s*"?(utf-16(?:le|be)?)\b/i;
const MARKS: readonly Buffer[] = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

/**
 * The media type of a document: its first bytes go before what was declared, a declared type before the file's name.
 *
 * @returns with the charset where text says that it is UTF-16; undefined for what is none of ours; `declared` is then what to name in the error.
 */
export function documentType(file: {
  readonly bytes: Uint8Array;
  readonly mediaType: string | undefined;
  readonly filename: string | undefined;
}): string | undefined {
  const declared = bareMediaType(file.mediaType ?? '');
  const isDeclared = declared !== '' && declared !== 'application/octet-stream';
  if (isDeclared && !DOCUMENT_MEDIA_TYPES.includes(declared)) return undefined;
  const extension = /\.([a-z0-9]{1,10})$/i.exec(file.filename ?? '')?.[1]?.toLowerCase() ?? '';
  const named = isDeclared ? declared : BY_EXTENSION[extension];
  const head = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, Math.min(file.bytes.length, SNIFFED_BYTES));
  if (head.includes('%PDF-')) return 'application/pdf';
  if (head.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004', 'latin1')))
    return named === DOCX || named === undefined ? DOCX : undefined;
  if (named === 'application/pdf' || named === DOCX) return named; // the reader says that it is unreadable
  const charset = UTF_16.exec(file.mediaType ?? '')?.[1];
  const isUtf16 = charset !== undefined || MARKS.some((mark) => head.subarray(0, mark.length).equals(mark));
  if (head.includes(0) && !isUtf16) return undefined; // binary, and none of ours
  const type = named ?? 'text/plain';
  return charset === undefined ? type : `${type}; charset=${charset.toLowerCase()}`;
}
