import type { ByteRange } from '../recordings/byte-source.ts';

/**
 * The one part that a `Range` header asks for (RFC 9110 §14.1.2).
 *
 * @returns `all` where there is none that is understood, or several; `none` where the file has no such part.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'all' | 'none' {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return 'all';
  const [first, last] = [match[1]!, match[2]!];
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length > 0 ? { start: size - length, end: size - 1 } : 'none';
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return 'all';
  return start < size ? { start, end } : 'none';
}
