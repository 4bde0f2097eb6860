import { describe, expect, it } from 'vitest';
import {
  appendHeader,
  makeResponse,
  prependHeader,
  withBody,
  withHeader,
  withHeaders,
  withoutFirst,
  withoutHeader,
} from '../../../src/sip-server/message/build-message.ts';
import { serializeSipMessage } from '../../../src/sip-server/message/serialize-message.ts';
import type { SipHeader, SipRequest } from '../../../src/sip-server/message/sip-message.ts';

const h = (name: string, value: string): SipHeader => ({ name, value });
const REQUEST: SipRequest = {
  kind: 'request',
  method: 'INVITE',
  uri: 'sip:b@h',
  headers: [
    h('Via', 'v1'),
    h('Via', 'v2'),
    h('Record-Route', '<sip:r;lr>'),
    h('To', '<sip:b@h>'),
    h('From', '<sip:a@h>;tag=1'),
    h('Timestamp', '54'),
    h('Call-ID', 'c'),
    h('CSeq', '1 INVITE'),
    h('Contact', '<sip:a@h>'),
  ],
  body: Buffer.alloc(0),
};
const lines = (message: { readonly headers: readonly SipHeader[] }): string[] =>
  message.headers.map((x) => `${x.name}: ${x.value}`);
const BEFORE = lines(REQUEST);

describe('changing headers', () => {
  it.each([
    {
      name: 'sets the first and drops the others',
      change: () => withHeader(REQUEST, 'Via', 'x'),
      expected: ['Via: x', ...BEFORE.slice(2)],
    },
    {
      name: 'adds what was not there',
      change: () => withHeader(REQUEST, 'Reason', 'x'),
      expected: [...BEFORE, 'Reason: x'],
    },
    {
      name: 'replaces all in place',
      change: () => withHeaders(REQUEST, 'Record-Route', ['a', 'b']),
      expected: [...BEFORE.slice(0, 2), 'Record-Route: a', 'Record-Route: b', ...BEFORE.slice(3)],
    },
    { name: 'replaces all by none', change: () => withHeaders(REQUEST, 'Via', []), expected: BEFORE.slice(2) },
    { name: 'appends', change: () => appendHeader(REQUEST, 'Via', 'x'), expected: [...BEFORE, 'Via: x'] },
    { name: 'prepends', change: () => prependHeader(REQUEST, 'Via', 'v0'), expected: ['Via: v0', ...BEFORE] },
    {
      name: 'removes all of several names',
      change: () => withoutHeader(REQUEST, 'Via', 'CSeq'),
      expected: BEFORE.filter((line) => !/^(Via|CSeq)/.test(line)),
    },
    { name: 'removes the first', change: () => withoutFirst(REQUEST, 'Via'), expected: BEFORE.slice(1) },
    { name: 'removes nothing that is not there', change: () => withoutFirst(REQUEST, 'Route'), expected: BEFORE },
    {
      name: 'takes a body',
      change: () => withBody(REQUEST, 'application/sdp', Buffer.from('v=0')),
      expected: [...BEFORE, 'Content-Type: application/sdp'],
    },
    {
      name: 'takes no body',
      change: () => withBody(withBody(REQUEST, 'a/b', Buffer.from('x')), 'a/b', Buffer.alloc(0)),
      expected: BEFORE,
    },
  ])('$name', ({ change, expected }) => {
    expect(lines(change())).toEqual(expected);
    expect(lines(REQUEST)).toEqual(BEFORE);
  });
});

describe('makeResponse', () => {
  const common = ['To: <sip:b@h>;tag=t', 'From: <sip:a@h>;tag=1'];
  it.each([
    {
      status: 100,
      tag: undefined,
      expected: [
        'Via: v1',
        'Via: v2',
        'To: <sip:b@h>',
        'From: <sip:a@h>;tag=1',
        'Timestamp: 54',
        'Call-ID: c',
        'CSeq: 1 INVITE',
      ],
    },
    {
      status: 180,
      tag: 't',
      expected: ['Via: v1', 'Via: v2', 'Record-Route: <sip:r;lr>', ...common, 'Call-ID: c', 'CSeq: 1 INVITE'],
    },
    {
      status: 200,
      tag: 't',
      expected: ['Via: v1', 'Via: v2', 'Record-Route: <sip:r;lr>', ...common, 'Call-ID: c', 'CSeq: 1 INVITE'],
    },
    { status: 486, tag: 't', expected: ['Via: v1', 'Via: v2', ...common, 'Call-ID: c', 'CSeq: 1 INVITE'] },
  ])('copies for $status what a $status needs', ({ status, tag, expected }) => {
    const options = tag === undefined ? {} : { toTag: tag };
    expect(lines(makeResponse(REQUEST, status, 'X', options))).toEqual(expected);
  });

  it('never changes a To tag that is there', () => {
    const inDialog = withHeader(REQUEST, 'To', '<sip:b@h>;tag=old');
    expect(lines(makeResponse(inDialog, 200, 'OK', { toTag: 'new' }))).toContain('To: <sip:b@h>;tag=old');
  });

  it('carries headers and a body', () => {
    const response = makeResponse(REQUEST, 200, 'OK', {
      headers: [h('Contact', '<sip:n@h>')],
      contentType: 'application/sdp',
      body: Buffer.from('v=0'),
    });
    expect(lines(response).slice(-2)).toEqual(['Content-Type: application/sdp', 'Contact: <sip:n@h>']);
    expect(response.body.toString()).toBe('v=0');
  });
});

describe('serializeSipMessage', () => {
  const write = (headers: readonly SipHeader[], body = ''): string =>
    serializeSipMessage({ kind: 'response', status: 200, reason: 'OK', headers, body: Buffer.from(body) }).toString();

  it.each([
    { name: 'length of nothing', headers: [], body: '', out: 'SIP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n' },
    { name: 'length in bytes', headers: [], body: 'مرحبا', out: 'SIP/2.0 200 OK\r\nContent-Length: 10\r\n\r\nمرحبا' },
    {
      name: 'a wrong length is put right, in place',
      headers: [h('l', '99'), h('X-a', 'b')],
      body: 'x',
      out: 'SIP/2.0 200 OK\r\nContent-Length: 1\r\nX-a: b\r\n\r\nx',
    },
    {
      name: 'only one length',
      headers: [h('Content-Length', '9'), h('content-length', '8')],
      body: '',
      out: 'SIP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n',
    },
    {
      name: 'canonical names, unknown ones as given',
      headers: [h('call-id', 'c'), h('x-Tag', '1'), h('m', '<sip:a@h>')],
      body: '',
      out: 'SIP/2.0 200 OK\r\nCall-ID: c\r\nx-Tag: 1\r\nContact: <sip:a@h>\r\nContent-Length: 0\r\n\r\n',
    },
    {
      name: 'token lists joined',
      headers: [h('Allow', 'INVITE'), h('Allow', 'ACK'), h('Supported', 'timer'), h('Allow', 'BYE')],
      body: '',
      out: 'SIP/2.0 200 OK\r\nAllow: INVITE, ACK\r\nSupported: timer\r\nAllow: BYE\r\nContent-Length: 0\r\n\r\n',
    },
    {
      name: 'Via never joined',
      headers: [h('Via', 'a'), h('Via', 'b')],
      body: '',
      out: 'SIP/2.0 200 OK\r\nVia: a\r\nVia: b\r\nContent-Length: 0\r\n\r\n',
    },
    {
      name: 'quotes never joined',
      headers: [h('Accept', 'a/b;q="1'), h('Accept', 'c/d"')],
      body: '',
      out: 'SIP/2.0 200 OK\r\nAccept: a/b;q="1\r\nAccept: c/d"\r\nContent-Length: 0\r\n\r\n',
    },
    {
      name: 'no value adds a header',
      headers: [h('Subject', 'a\r\nX-Evil: 1'), h('Subject', 'b\nc\r')],
      body: '',
      out: 'SIP/2.0 200 OK\r\nSubject: a X-Evil: 1\r\nSubject: b c \r\nContent-Length: 0\r\n\r\n',
    },
  ])('$name', ({ headers, body, out }) => {
    expect(write(headers, body)).toBe(out);
  });

  it('starts a new line before a list gets too long', () => {
    const text = write(Array.from({ length: 200 }, () => h('Supported', 'extension')));
    const long = text.split('\r\n').filter((line) => line.startsWith('Supported'));
    expect(long.length).toBeGreaterThan(1);
    expect(Math.max(...long.map((line) => line.length))).toBeLessThanOrEqual(998);
    expect(text.match(/extension/g)).toHaveLength(200);
  });

  it('keeps start lines on one line', () => {
    const request = { ...REQUEST, uri: 'sip:b@h\r\nX: y' };
    expect(serializeSipMessage(request).toString().split('\r\n')[0]).toBe('INVITE sip:b@h X: y SIP/2.0');
  });
});
