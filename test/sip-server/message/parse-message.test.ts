import { describe, expect, it } from 'vitest';
import { COMPACT_FORMS } from '../../../src/sip-server/message/header-names.ts';
import {
  isReject,
  parseSipMessage,
  SIP_LIMITS,
  type SipReject,
} from '../../../src/sip-server/message/parse-message.ts';
import { header, headers, type SipMessage } from '../../../src/sip-server/message/sip-message.ts';

const BASE = [
  'Via: SIP/2.0/UDP h;branch=z9hG4bK1',
  'From: <sip:a@h>;tag=1',
  'To: <sip:b@h>',
  'Call-ID: c',
  'CSeq: 1 INVITE',
];
const text = (lines: readonly string[], start = 'INVITE sip:b@h SIP/2.0', body = ''): Buffer =>
  Buffer.from(`${[start, ...BASE, ...lines].join('\r\n')}\r\n\r\n${body}`);
function read(datagram: Buffer): SipMessage {
  const message = parseSipMessage(datagram);
  if (isReject(message)) throw new Error(message.reject);
  return message;
}
function refused(datagram: Buffer): SipReject {
  const message = parseSipMessage(datagram);
  if (!isReject(message)) throw new Error('was accepted');
  return message;
}

describe('header lines', () => {
  it.each([
    { name: 'list split at commas', line: 'Supported: 100rel, timer', as: 'Supported', out: ['100rel', 'timer'] },
    {
      name: 'comma in quotes',
      line: 'Contact: "a, b" <sip:a@h>, <sip:c@h>',
      as: 'Contact',
      out: ['"a, b" <sip:a@h>', '<sip:c@h>'],
    },
    {
      name: 'comma in brackets',
      line: 'Route: <sip:a,b@h;lr>,<sip:c@h;lr>',
      as: 'Route',
      out: ['<sip:a,b@h;lr>', '<sip:c@h;lr>'],
    },
    {
      name: 'escaped quote',
      line: 'Contact: "a\\", b" <sip:a@h>, <sip:c@h>',
      as: 'Contact',
      out: ['"a\\", b" <sip:a@h>', '<sip:c@h>'],
    },
    {
      name: 'a bracket in quotes',
      line: 'Contact: "<" <sip:a@h>, <sip:c@h>',
      as: 'Contact',
      out: ['"<" <sip:a@h>', '<sip:c@h>'],
    },
    {
      name: 'unclosed quote stays whole',
      line: 'Contact: "a <sip:a@h>, <sip:c@h>',
      as: 'Contact',
      out: ['"a <sip:a@h>, <sip:c@h>'],
    },
    { name: 'empty elements stay visible', line: 'Allow: INVITE,, ACK,', as: 'Allow', out: ['INVITE', '', 'ACK', ''] },
    { name: 'empty list', line: 'Supported:', as: 'Supported', out: [''] },
    {
      name: 'digest is no list',
      line: 'Authorization: Digest a="1", b="2"',
      as: 'Authorization',
      out: ['Digest a="1", b="2"'],
    },
    {
      name: 'a date is no list',
      line: 'Date: Sat, 13 Nov 2010 23:29:00 GMT',
      as: 'Date',
      out: ['Sat, 13 Nov 2010 23:29:00 GMT'],
    },
    { name: 'a subject is no list', line: 's: one, two', as: 'Subject', out: ['one, two'] },
    { name: 'a product is no list', line: 'user-agent: X (a, b)', as: 'User-Agent', out: ['X (a, b)'] },
    { name: 'unknown header: name kept, not split', line: 'X-Nidaa: a, b', as: 'X-Nidaa', out: ['a, b'] },
    { name: 'canonical spelling', line: 'cALL-info: <http://x/>', as: 'Call-Info', out: ['<http://x/>'] },
    {
      name: 'WWW-Authenticate',
      line: 'www-authenticate: Digest realm="x"',
      as: 'WWW-Authenticate',
      out: ['Digest realm="x"'],
    },
    { name: 'space before the colon', line: 'Expires \t : 5', as: 'Expires', out: ['5'] },
    { name: 'no space after it', line: 'Expires:5', as: 'Expires', out: ['5'] },
    { name: 'folded', line: 'Subject: one\r\n  two\r\n\tthree', as: 'Subject', out: ['one two three'] },
    { name: 'folded at once', line: 'Subject:\r\n one', as: 'Subject', out: ['one'] },
    { name: 'folded inside quotes', line: 'Contact: "a\r\n b" <sip:a@h>', as: 'Contact', out: ['"a b" <sip:a@h>'] },
    { name: 'colon in the value', line: 'Subject: a:b', as: 'Subject', out: ['a:b'] },
    { name: 'Arabic', line: 'Contact: "نداء" <sip:a@h>', as: 'Contact', out: ['"نداء" <sip:a@h>'] },
    { name: 'Unicode spaces are not trimmed', line: 'Subject: \u00a0x\u3000', as: 'Subject', out: ['\u00a0x\u3000'] },
    { name: 'tab', line: 'Subject: a\tb', as: 'Subject', out: ['a\tb'] },
    {
      name: 'escaped control in quotes',
      line: 'Contact: "a\\\0" <sip:a@h>',
      as: 'Contact',
      out: ['"a\\\0" <sip:a@h>'],
    },
  ])('$name', ({ line, as, out }) => {
    expect(headers(read(text([line])), as)).toEqual(out);
  });

  it.each(Object.entries(COMPACT_FORMS))('compact form %s is %s, in either case', (compact, name) => {
    const value = compact === 'l' ? '0' : 'value';
    for (const written of [compact, compact.toUpperCase()]) {
      const datagram = Buffer.from(`INVITE sip:b@h SIP/2.0\r\n${written}: ${value}\r\n\r\n`);
      expect(header(read(datagram), name)).toBe(value);
    }
  });

  it('keeps the order across names', () => {
    const names = read(text(['Route: <sip:1@h>', 'X-A: 1', 'Route: <sip:2@h>'])).headers.map((h) => h.name);
    expect(names.slice(BASE.length)).toEqual(['Route', 'X-A', 'Route']);
  });

  it('reads bytes that are not UTF-8 as replacement characters', () => {
    const datagram = Buffer.concat([
      Buffer.from('OPTIONS sip:a@h SIP/2.0\r\nSubject: M'),
      Buffer.from([0xfc]),
      Buffer.from('ller\r\n\r\n'),
    ]);
    expect(header(read(datagram), 'Subject')).toBe('M\ufffdller');
  });

  it.each([
    { name: 'no colon', line: 'Nonsense', reject: 'bad-header-line' },
    { name: 'empty name', line: ': x', reject: 'bad-header-line' },
    { name: 'space in the name', line: 'Bad Name: x', reject: 'bad-header-line' },
    { name: 'bracket in the name', line: 'Bad<: x', reject: 'bad-header-line' },
    { name: 'NUL', line: 'Subject: a\0b', reject: 'bad-character' },
    { name: 'NUL in quotes, not escaped', line: 'Contact: "a\0" <sip:a@h>', reject: 'bad-character' },
    { name: 'bare line feed', line: 'Subject: a\nX-Evil: b', reject: 'bad-character' },
    { name: 'bare carriage return', line: 'Subject: a\rX-Evil: b', reject: 'bad-character' },
    { name: 'escaped carriage return in quotes', line: 'Subject: "a\\\rb"', reject: 'bad-character' },
    { name: 'delete', line: 'Subject: a\x7f', reject: 'bad-character' },
    { name: 'second From', line: 'f: <sip:x@h>;tag=2', reject: 'repeated-header' },
    { name: 'second Max-Forwards', line: 'Max-Forwards: 1\r\nMax-Forwards: 1', reject: 'repeated-header' },
    { name: 'length with sign', line: 'l: +1', reject: 'bad-content-length' },
    { name: 'length beyond exact numbers', line: 'l: 99999999999999999999', reject: 'bad-content-length' },
    { name: 'empty length', line: 'l:', reject: 'bad-content-length' },
    { name: 'body missing', line: 'l: 1', reject: 'short-body' },
  ])('refuses $name, and can answer', ({ line, reject }) => {
    const result = refused(text([line]));
    expect(result).toMatchObject({ reject, answer: { status: 400, request: { method: 'INVITE' } } });
    expect(headers(result.answer?.request ?? read(text([])), 'From')).toEqual(['<sip:a@h>;tag=1']);
    expect(refused(text([line], 'ACK sip:b@h SIP/2.0')).answer).toBeUndefined();
    expect(refused(text([line], 'SIP/2.0 200 OK')).answer).toBeUndefined();
  });

  it('cannot answer without knowing whom', () => {
    const datagram = Buffer.from('INVITE sip:b@h SIP/2.0\r\nFrom: <sip:a@h>\r\nNonsense\r\n\r\n');
    expect(refused(datagram)).toEqual({ reject: 'bad-header-line' });
  });
});

describe('start line', () => {
  it.each([
    { line: 'INVITE sip:b@h SIP/2.0', out: { kind: 'request', method: 'INVITE', uri: 'sip:b@h' } },
    { line: 'invite sip:b@h sip/2.0', out: { kind: 'request', method: 'invite', uri: 'sip:b@h' } },
    { line: 'X tel:+966112345678 SIP/2.0', out: { kind: 'request', method: 'X', uri: 'tel:+966112345678' } },
    { line: 'SIP/2.0 200 OK', out: { kind: 'response', status: 200, reason: 'OK' } },
    { line: 'sip/2.0 486 Busy Here', out: { kind: 'response', status: 486, reason: 'Busy Here' } },
    { line: 'SIP/2.0 100 ', out: { kind: 'response', status: 100, reason: '' } },
    { line: 'SIP/2.0 100', out: { kind: 'response', status: 100, reason: '' } },
    { line: 'SIP/2.0 699 مشغول', out: { kind: 'response', status: 699, reason: 'مشغول' } },
  ])('$line', ({ line, out }) => {
    expect(read(text([], line))).toMatchObject(out);
    expect(read(Buffer.concat([Buffer.from('\r\n\r\n'), text([], line)]))).toMatchObject(out);
  });

  it.each([
    { line: 'INVITE sip:b@h', reject: 'bad-start-line' },
    { line: 'INVITE  sip:b@h SIP/2.0', reject: 'bad-start-line' },
    { line: 'INVITE sip:b@h SIP/2.0 ', reject: 'bad-start-line' },
    { line: ' INVITE sip:b@h SIP/2.0', reject: 'bad-start-line' },
    { line: 'INVITE\tsip:b@h\tSIP/2.0', reject: 'bad-start-line' },
    { line: 'INVITE SIP/2.0', reject: 'bad-start-line' },
    { line: 'INVITE  SIP/2.0', reject: 'bad-start-line' },
    { line: 'INVITE', reject: 'bad-start-line' },
    { line: 'INV(TE sip:b@h SIP/2.0', reject: 'bad-start-line' },
    { line: 'INVITE "sip:b@h" SIP/2.0', reject: 'bad-start-line' },
    { line: 'INVITE sip:ب@h SIP/2.0', reject: 'bad-start-line' },
    { line: 'INVITE sip:b\0@h SIP/2.0', reject: 'bad-start-line' },
    { line: 'INVITE sip:b@h HTTP/1.1', reject: 'bad-start-line' },
    { line: 'INVITE sip:b@h SIP/2.1', reject: 'bad-version' },
    { line: 'INVITE sip:b@h SIP/20', reject: 'bad-version' },
    { line: 'SIP/2.0', reject: 'bad-status' },
    { line: 'SIP/2.0 99 x', reject: 'bad-status' },
    { line: 'SIP/2.0 099 x', reject: 'bad-status' },
    { line: 'SIP/2.0 700 x', reject: 'bad-status' },
    { line: 'SIP/2.0 2000 x', reject: 'bad-status' },
    { line: 'SIP/2.0 2x0 x', reject: 'bad-status' },
    { line: 'SIP/2.0  200 OK', reject: 'bad-status' },
    { line: 'SIP/3.0 200 OK', reject: 'bad-version' },
    { line: 'SIP/2.0 200 O\0K', reject: 'bad-character' },
    { line: '?', reject: 'bad-start-line' },
  ])('refuses $line', ({ line, reject }) => {
    expect(refused(text([], line)).reject).toBe(reject);
  });

  it('does not fold', () => {
    expect(refused(text([], 'INVITE sip:b@h\r\n SIP/2.0')).reject).toBe('bad-start-line');
    expect(refused(text([], 'INVITE sip:b@h SIP/2.0\r\n x')).reject).toBe('bad-header-line');
  });

  it.each(['', '\r\n', '\r\n\r\n\r\n'])('finds nothing in %j', (bytes) => {
    expect(refused(Buffer.from(bytes)).reject).toBe('empty');
  });
});

describe('body', () => {
  it.each([
    { name: 'without a length all that follows', lines: [], body: 'hello', out: 'hello' },
    { name: 'cut at the length', lines: ['l: 3'], body: 'hello', out: 'hel' },
    { name: 'none', lines: ['l: 0'], body: '', out: '' },
    { name: 'leading zeros', lines: ['l: 0005'], body: 'hello', out: 'hello' },
    { name: 'bytes, not characters', lines: ['l: 10'], body: 'مرحبا', out: 'مرحبا' },
    { name: 'empty lines inside', lines: ['l: 6'], body: '\r\n\r\nab', out: '\r\n\r\nab' },
  ])('$name', ({ lines, body, out }) => {
    expect(read(text(lines, undefined, body)).body.toString()).toBe(out);
  });

  it('takes all that follows when the length is not to be trusted', () => {
    const datagram = text(['Content-Length: 5'], undefined, 'مرحبا');
    const message = parseSipMessage(datagram, { ignoreContentLength: true });
    expect(isReject(message) ? message : message.body.toString()).toBe('مرحبا');
  });
});

describe('limits', () => {
  const line = (bytes: number): string => `X-Long: ${'x'.repeat(bytes - 'X-Long: '.length)}`;
  it.each([
    { name: 'a line of the limit', datagram: () => text([line(SIP_LIMITS.headerLineBytes)]), reject: undefined },
    { name: 'a longer line', datagram: () => text([line(SIP_LIMITS.headerLineBytes + 1)]), reject: 'header-too-long' },
    { name: 'a longer folded line', datagram: () => text([`X: ${'x\r\n '.repeat(3_000)}`]), reject: 'header-too-long' },
    {
      name: 'a longer start line',
      datagram: () => text([], `INVITE sip:${'b'.repeat(9_000)}@h SIP/2.0`),
      reject: 'bad-start-line',
    },
    { name: '256 headers', datagram: () => text(Array(256 - BASE.length).fill('Z: 1')), reject: undefined },
    { name: '257 headers', datagram: () => text(Array(257 - BASE.length).fill('Z: 1')), reject: 'too-many-headers' },
    {
      name: 'many values on one line',
      datagram: () => text([`Allow: ${'a,'.repeat(300)}`]),
      reject: 'too-many-headers',
    },
    { name: '64 kB', datagram: () => text([], undefined, 'x'.repeat(65_536 - text([]).length)), reject: undefined },
    {
      name: 'one byte more',
      datagram: () => text([], undefined, 'x'.repeat(65_537 - text([]).length)),
      reject: 'too-large',
    },
    { name: 'no empty line', datagram: () => text([]).subarray(0, -2), reject: 'no-header-end' },
    { name: 'not even a line end', datagram: () => Buffer.from('INVITE sip:b@h SIP/2.0'), reject: 'empty' },
  ])('$name: $reject', ({ datagram, reject }) => {
    const message = parseSipMessage(datagram());
    expect(isReject(message) ? message.reject : undefined).toBe(reject);
  });
});
