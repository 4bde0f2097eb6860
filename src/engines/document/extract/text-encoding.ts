import { invalid } from './unreadable.ts';

const SAMPLE_BYTES = 256 * 1024;
const MAX_BROKEN_SHARE = 0.001;

/**
 * The text of a file: by its byte order mark, as UTF-8, as declared, else as the Windows code page that gives the more
 * likely letters (1256 for Arabic, 1252 otherwise). Line ends become \n, NUL and the mark fall away.
 */
export function decodeText(file: Uint8Array, charset: string | undefined): string {
  return decode(file, charset)
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .replaceAll('\0', '');
}

function decode(file: Uint8Array, charset: string | undefined): string {
  const utf8 = tryDecode('utf-8', file, true);
  if (utf8 !== undefined && !charset?.startsWith('utf-16')) return utf8;
  if (charset !== undefined && !/^(?:utf-?8|us-ascii|ascii)$/.test(charset)) {
    const declared = tryDecode(charset, file, false);
    if (declared !== undefined) return declared;
  }
  const sample = file.subarray(0, SAMPLE_BYTES);
  // A file in UTF-8 with a few broken bytes (cut in the middle of a letter) is still that.
  const loose = tryDecode('utf-8', sample, false) ?? '';
  if (count(loose, /\ufffd/g) <= Math.max(2, loose.length * MAX_BROKEN_SHARE)) {
    return tryDecode('utf-8', file, false) ?? '';
  }
  const arabic = tryDecode('windows-1256', sample, false) ?? '';
  const looksArabic = count(arabic, /[\u0621-\u064a]{2,}/g) > count(arabic, /[\u0080-\u024f]/g) / 4;
  const text = tryDecode(looksArabic ? 'windows-1256' : 'windows-1252', file, false);
  if (text === undefined) throw invalid('no known character encoding');
  return text;
}

function tryDecode(encoding: string, bytes: Uint8Array, fatal: boolean): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal }).decode(bytes);
  } catch {
    return undefined;
  }
}

function count(text: string, pattern: RegExp): number {
  let found = 0;
  for (const _ of text.matchAll(pattern)) found += 1;
  return found;
}
