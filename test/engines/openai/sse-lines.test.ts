import { describe, expect, it } from 'vitest';
import { SseLines } from '../../../src/engines/openai/sse-lines.ts';

/** All payloads of a text that arrives in chunks of `size` bytes. */
function read(text: string, size: number, maxLineChars = 1_000): (string | 'line-too-long')[] {
  const bytes = Buffer.from(text);
  const lines = new SseLines(maxLineChars);
  const found: string[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const payloads = lines.push(bytes.subarray(at, at + size));
    if (payloads === 'line-too-long') return [...found, payloads];
    found.push(...payloads);
  }
  const last = lines.end();
  return [...found, ...(last === 'line-too-long' ? [last] : last)];
}

describe.each([1, 2, 3, 7, 1_000])('SseLines, %i bytes a chunk', (size) => {
  it.each([
    ['payloads', 'data: a\n\ndata: b\n\n', ['a', 'b']],
    ['CR LF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    ['CR', 'data: a\r\rdata: b\r\r', ['a', 'b']],
    ['no space after the colon', 'data:a\ndata:  b\n', ['a', ' b']],
    ['comments and other fields', ': ping\nevent: x\nid: 1\ndata: a\n\nretry: 5\n', ['a']],
    ['a last line without an end', 'data: a\n\ndata: b', ['a', 'b']],
    ['letters of several bytes', 'data: أهلًا 👋🏽\n\n', ['أهلًا 👋🏽']],
    ['a byte order mark', '\ufeffdata: a\n\n', ['a']],
    ['nothing', '', []],
    ['not an event stream', '<html>\n<body>502</body>', []],
  ])('%s', (_, text, payloads) => {
    expect(read(text, size)).toEqual(payloads);
  });

  it('a line without an end', () => {
    expect(read(`data: a\ndata: ${'x'.repeat(3_000)}`, size).at(-1)).toBe('line-too-long');
  });
});

it('half a letter becomes a replacement character', () => {
  const lines = new SseLines(100);
  lines.push(Buffer.concat([Buffer.from('data: a'), Buffer.from([0xd9])]));
  expect(lines.end()).toEqual(['a\ufffd']);
});
