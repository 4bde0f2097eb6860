import { describe, expect, it } from 'vitest';
import { formatAuth, parseAuth } from '../../../src/sip-server/message/auth-header.ts';
import {
  addressesOf,
  formatReason,
  formatReplaces,
  fromTag,
  hasToken,
  isCallId,
  parseCSeq,
  parseMaxForwards,
  parseMediaType,
  parseMinSe,
  parseRAck,
  parseReason,
  parseReplaces,
  parseRetryAfter,
  parseRSeq,
  parseSeconds,
  parseSessionExpires,
  tokenList,
  toTag,
} from '../../../src/sip-server/message/header-values.ts';
import { formatNameAddr, parseNameAddr, tagOf, withTag } from '../../../src/sip-server/message/name-addr.ts';
import type { SipMessage } from '../../../src/sip-server/message/sip-message.ts';
import { formatVia, newVia, parseVia, withViaParam } from '../../../src/sip-server/message/via.ts';

describe('Via', () => {
  it.each([
    {
      value: 'SIP/2.0/UDP 192.0.2.1',
      out: { transport: 'UDP', host: '192.0.2.1', port: undefined, branch: undefined, rport: undefined },
    },
    {
      value: 'SIP/2.0/udp pc33.example.com:5060;branch=z9hG4bKa;rport',
      out: { transport: 'UDP', port: 5060, branch: 'z9hG4bKa', rport: 'asked' },
    },
    {
      value: 'sip/2.0/TLS h;RPORT=7000;Received=192.0.2.9',
      out: { transport: 'TLS', rport: 7000, received: '192.0.2.9' },
    },
    {
      value: 'SIP/2.0/UDP [2001:db8::9:1]:5062;received=2001:db8::9:255;branch=z9hG4bKas3',
      out: { host: '2001:db8::9:1', port: 5062, received: '2001:db8::9:255' },
    },
    {
      value: 'SIP/2.0/UDP [2001:db8::1];received=[2001:db8::2]',
      out: { host: '2001:db8::1', received: '2001:db8::2' },
    },
    { value: 'SIP/2.0/UDP h;maddr=224.2.0.1;ttl=16', out: { maddr: '224.2.0.1', ttl: 16 } },
    {
      value: 'SIP / 2.0 / UDP first.example.com : 4000 ;ttl=16 ;maddr=h ;branch = a7c6a8dlze.1',
      out: { host: 'first.example.com', port: 4000, ttl: 16, branch: 'a7c6a8dlze.1' },
    },
    { value: 'SIP/2.0/UNKNOWN my_host;x="a;b"', out: { transport: 'UNKNOWN', host: 'my_host' } },
  ])('reads $value', ({ value, out }) => {
    const via = parseVia(value);
    expect(via).toMatchObject(out);
    if (via) expect(parseVia(formatVia(via))).toEqual(via);
  });

  it.each([
    '',
    'SIP/2.0/UDP',
    'SIP/2.0/UDP ',
    'SIP/2.0 h',
    'SIP/1.0/UDP h',
    'HTTP/2.0/UDP h',
    'SIP/2.0/UDP/x h',
    'SIP/2.0/U;P h',
    'SIP/2.0/UDP h;;',
    'SIP/2.0/UDP h;',
    'SIP/2.0/UDP h;branch',
    'SIP/2.0/UDP h;branch=',
    'SIP/2.0/UDP h;branch=a b',
    'SIP/2.0/UDP h;branch="a"',
    'SIP/2.0/UDP h;branch=a;branch=b',
    'SIP/2.0/UDP h:0',
    'SIP/2.0/UDP h:65536',
    'SIP/2.0/UDP h:',
    'SIP/2.0/UDP h:50 60',
    'SIP/2.0/UDP a b',
    'SIP/2.0/UDP a,b',
    'SIP/2.0/UDP [::1',
    'SIP/2.0/UDP [h]',
    'SIP/2.0/UDP ::1',
    'SIP/2.0/UDP h;rport=x',
    'SIP/2.0/UDP h;rport=65536',
    'SIP/2.0/UDP h;ttl=256',
    'SIP/2.0/UDP h;ttl',
    'SIP/2.0/UDP h;received=',
    'SIP/2.0/UDP h;received',
    `SIP/2.0/UDP ${'h'.repeat(256)}`,
    'SIP/2.0/UDP .h',
    'SIP/2.0/UDP a..b',
    'SIP/2.0/UDP h;x="a',
  ])('refuses %j', (value) => {
    expect(parseVia(value)).toBeUndefined();
  });

  it('is made and changed without touching the original', () => {
    const via = newVia('udp', '2001:db8::1', 5060, 'z9hG4bKq');
    expect(formatVia(via)).toBe('SIP/2.0/UDP [2001:db8::1]:5060;branch=z9hG4bKq;rport');
    expect(formatVia(withViaParam(via, 'rport', '9'))).toBe('SIP/2.0/UDP [2001:db8::1]:5060;branch=z9hG4bKq;rport=9');
    expect(formatVia(withViaParam(via, 'rport', undefined))).toBe('SIP/2.0/UDP [2001:db8::1]:5060;branch=z9hG4bKq');
    expect(withViaParam(via, 'rport', 'x')).toBe(via);
    expect(via.rport).toBe('asked');
    expect(() => newVia('udp', 'h', 5060, 'not a token')).toThrow(RangeError);
  });
});

describe('name-addr', () => {
  it.each([
    { value: '<sip:a@h>', name: undefined, uri: 'sip:a@h', params: {} },
    { value: 'sip:a@h', name: undefined, uri: 'sip:a@h', params: {} },
    { value: 'sip:a@h;tag=1', name: undefined, uri: 'sip:a@h', params: { tag: '1' } },
    { value: '<sip:a@h;lr>;Tag=1', name: undefined, uri: 'sip:a@h;lr', params: { tag: '1' } },
    { value: 'Alice  Smith <sip:a@h> ; tag = 1', name: 'Alice  Smith', uri: 'sip:a@h', params: { tag: '1' } },
    { value: 'caller<sip:a@h>', name: 'caller', uri: 'sip:a@h', params: {} },
    { value: '"A \\"B\\" \\\\ <x>, y" <sip:a@h>', name: 'A "B" \\ <x>, y', uri: 'sip:a@h', params: {} },
    { value: '"" <sip:a@h>', name: undefined, uri: 'sip:a@h', params: {} },
    { value: 'خالد <sip:a@h>', name: 'خالد', uri: 'sip:a@h', params: {} },
    { value: '"خالد" <sip:a@h>', name: 'خالد', uri: 'sip:a@h', params: {} },
    { value: '<tel:+966112345678>', name: undefined, uri: 'tel:+966112345678', params: {} },
    { value: '<sip:a@h?Replaces=x%3Bto-tag%3D1>', name: undefined, uri: 'sip:a@h?Replaces=x%3Bto-tag%3D1', params: {} },
    {
      value: '<sip:a@h>;expires=60;q=0.5;+sip.instance="<urn:uuid:1>"',
      name: undefined,
      uri: 'sip:a@h',
      params: { expires: '60', q: '0.5', '+sip.instance': '"<urn:uuid:1>"' },
    },
    {
      value: 'sip:a@h;+sip.instance="<urn:uuid:1>"',
      name: undefined,
      uri: 'sip:a@h',
      params: { '+sip.instance': '"<urn:uuid:1>"' },
    },
    { value: '<sip:[2001:db8::1]:5070>;flag', name: undefined, uri: 'sip:[2001:db8::1]:5070', params: { flag: '' } },
  ])('reads $value', ({ value, name, uri, params }) => {
    const address = parseNameAddr(value);
    expect(address).toEqual({ displayName: name, uri, params: new Map(Object.entries(params)) });
    if (address) expect(parseNameAddr(formatNameAddr(address))).toEqual(address);
  });

  it.each([
    '',
    '*',
    'a',
    '<>',
    '< sip:a@h>',
    '<sip:a@h >',
    '<sip:a@h',
    'sip:a@h>',
    '"A <sip:a@h>',
    '"A" sip:a@h',
    '"A" B <sip:a@h>',
    'Bell, Alexander <sip:a@h>',
    'a@b <sip:a@h>',
    '<sip:a@h>x',
    '<sip:a@h>;',
    '<sip:a@h>;;tag=1',
    '<sip:a@h>;tag=',
    '<sip:a@h>;tag=1;TAG=2',
    '<sip:a@h>;ta g=1',
    '<sip:a b@h>',
    'sip:a@h?Route=x',
    'sip:a@h,sip:b@h',
    '<sip:>',
    '<sip:a@>',
    '<:a>',
    '<1sip:a@h>',
    '<nocolon>',
    '<http://a b>',
    'sip:a@h;tag=ا',
  ])('refuses %j', (value) => {
    expect(parseNameAddr(value)).toBeUndefined();
  });

  it('sets tags, also on what it cannot read', () => {
    expect(withTag('<sip:a@h>', 'x')).toBe('<sip:a@h>;tag=x');
    expect(withTag('sip:a@h;q=1', 'x')).toBe('sip:a@h;q=1;tag=x');
    expect(withTag('"A" <sip:a@h>;tag=old;z', 'x')).toBe('"A" <sip:a@h>;tag=x;z');
    expect(withTag('"broken <sip:a@h>', 'x')).toBe('"broken <sip:a@h>;tag=x');
    expect(tagOf('<sip:a@h>;tag=x')).toBe('x');
    expect(tagOf('"broken')).toBeUndefined();
  });

  it('never lets a display name add a header', () => {
    const written = formatNameAddr({ displayName: 'a"\r\nX: y\\', uri: 'sip:a@h', params: new Map() });
    expect(written).toBe('"a\\"  X: y\\\\" <sip:a@h>');
  });
});

/** One reader, values and what it makes of them; undefined: refused. */
function table<T>(
  name: string,
  reader: (value: string) => T | undefined,
  rows: readonly (readonly [string, T | undefined])[],
): void {
  describe(name, () => {
    it.each(rows.map(([value, out]) => ({ value, out })))('$value', ({ value, out }) => {
      expect(reader(value)).toEqual(out);
    });
  });
}

table('CSeq', parseCSeq, [
  ['1 INVITE', { number: 1, method: 'INVITE' }],
  ['0009 \t ACK', { number: 9, method: 'ACK' }],
  ['2147483647 X-y', { number: 2147483647, method: 'X-y' }],
  ['2147483648 INVITE', undefined],
  ['-1 INVITE', undefined],
  ['1', undefined],
  ['INVITE 1', undefined],
  ['1 INVITE x', undefined],
  ['1 INV(TE', undefined],
  ['1.5 INVITE', undefined],
  ['', undefined],
]);
table('RAck', parseRAck, [
  ['776656 1 INVITE', { rseq: 776656, cseq: 1, method: 'INVITE' }],
  ['4294967295  1  INVITE', { rseq: 4294967295, cseq: 1, method: 'INVITE' }],
  ['4294967296 1 INVITE', undefined],
  ['1 INVITE', undefined],
  ['1 1 INVITE x', undefined],
]);
table('RSeq', parseRSeq, [
  ['1', 1],
  ['0', undefined],
  ['4294967296', undefined],
  ['1 ', undefined],
]);
table('Max-Forwards', parseMaxForwards, [
  ['70', 70],
  ['0068', 68],
  ['0', 0],
  ['255', 255],
  ['256', undefined],
  ['-1', undefined],
  ['', undefined],
]);
table('Expires', parseSeconds, [
  ['0', 0],
  ['3600', 3600],
  ['4294967296', undefined],
  ['1h', undefined],
]);
table('Session-Expires', parseSessionExpires, [
  ['1800', { seconds: 1800, refresher: undefined }],
  ['1800;refresher=uac', { seconds: 1800, refresher: 'uac' }],
  ['1800 ; Refresher = UAS;x=y', { seconds: 1800, refresher: 'uas' }],
  ['1800;refresher=proxy', undefined],
  ['x;refresher=uac', undefined],
  ['', undefined],
]);
table('Min-SE', parseMinSe, [
  ['90', 90],
  ['90;x', 90],
  ['x', undefined],
]);
table('Retry-After', parseRetryAfter, [
  ['18000;duration=3600', 18000],
  ['120 (I am in a meeting)', 120],
  ['5', 5],
  ['soon', undefined],
  ['', undefined],
]);
table('Reason', parseReason, [
  ['SIP;cause=200;text="Call completed elsewhere"', { protocol: 'SIP', cause: 200, text: 'Call completed elsewhere' }],
  ['Q.850 ;cause=16', { protocol: 'Q.850', cause: 16, text: undefined }],
  ['X', { protocol: 'X', cause: undefined, text: undefined }],
  ['SIP;cause=x', undefined],
  ['SIP;text="a', undefined],
  ['', undefined],
]);
table('Replaces', parseReplaces, [
  [
    '98732@sip.example.com;from-tag=r33th4x0r;to-tag=ff87ff',
    { callId: '98732@sip.example.com', toTag: 'ff87ff', fromTag: 'r33th4x0r', earlyOnly: false },
  ],
  ['a;to-tag=1;from-tag=2;early-only', { callId: 'a', toTag: '1', fromTag: '2', earlyOnly: true }],
  ['a;to-tag=1', undefined],
  ['a;to-tag;from-tag=2', undefined],
  [';to-tag=1;from-tag=2', undefined],
]);
table('Content-Type', parseMediaType, [
  ['application/SDP', { type: 'application/sdp', params: new Map() }],
  ['multipart/mixed; boundary="a;b"', { type: 'multipart/mixed', params: new Map([['boundary', '"a;b"']]) }],
  ['application/*', { type: 'application/*', params: new Map() }],
  ['*/*;q=0.1', { type: '*/*', params: new Map([['q', '0.1']]) }],
  ['application', undefined],
  ['application/', undefined],
  ['a/b/c', undefined],
  ['a/b;', undefined],
]);

describe('Call-ID', () => {
  it.each(['a', 'f81d4fae-7dec@foo.bar', 'a"b<c>[d]{e}?/\\:(f)@x'])('takes %j', (value) =>
    expect(isCallId(value)).toBe(true),
  );
  it.each(['', '@', 'a@', '@b', 'a b', 'a@b@c', 'a;b', 'é', 'a,b'])('refuses %j', (value) =>
    expect(isCallId(value)).toBe(false),
  );
});

it('writes Reason and Replaces as it reads them', () => {
  const reason = { protocol: 'SIP', cause: 480, text: 'a "b" \\' };
  expect(parseReason(formatReason(reason))).toEqual(reason);
  const replaces = { callId: 'x@y', toTag: '1', fromTag: '2', earlyOnly: true };
  expect(parseReplaces(formatReplaces(replaces))).toEqual(replaces);
});

describe('authentication', () => {
  it.each([
    {
      value: 'Digest realm="a, b", nonce="x\\"y", qop="auth,auth-int", algorithm=SHA-256, stale=FALSE',
      scheme: 'digest',
      params: { realm: 'a, b', nonce: 'x"y', qop: 'auth,auth-int', algorithm: 'SHA-256', stale: 'FALSE' },
      token: undefined,
    },
    {
      value: 'DIGEST  username="bob",uri="sip:a@h;x=1",nc=00000001 , cnonce = "z=="',
      scheme: 'digest',
      params: { username: 'bob', uri: 'sip:a@h;x=1', nc: '00000001', cnonce: 'z==' },
      token: undefined,
    },
    { value: 'Digest realm="x",', scheme: 'digest', params: { realm: 'x' }, token: undefined },
    {
      value: 'NoOneKnowsThisScheme opaque-data=here',
      scheme: 'nooneknowsthisscheme',
      params: { 'opaque-data': 'here' },
      token: undefined,
    },
    { value: 'Basic QWxhZGRpbg==', scheme: 'basic', params: {}, token: 'QWxhZGRpbg==' },
    { value: 'Bearer abc.def', scheme: 'bearer', params: {}, token: 'abc.def' },
    { value: 'Digest', scheme: 'digest', params: {}, token: undefined },
  ])('reads $value', ({ value, scheme, params, token }) => {
    expect(parseAuth(value)).toEqual({ scheme, params: new Map(Object.entries(params)), token });
  });
  it.each([
    '',
    ' Digest',
    'Dig(est x=1',
    'Digest realm="x',
    'Digest realm="x" nonce="y"',
    'Digest realm=a, realm=b',
    'Digest realm, x=1',
    'Digest =x, a=b',
    'Digest a b',
  ])('refuses %j', (value) => expect(parseAuth(value)).toBeUndefined());
  it('writes each parameter as its grammar wants it', () => {
    const params = [
      ['realm', 'a "b"'],
      ['qop', 'auth'],
      ['algorithm', 'MD5'],
      ['nc', '00000001'],
    ] as const;
    expect(formatAuth('Digest', params, 'credentials')).toBe(
      'Digest realm="a \\"b\\"", qop=auth, algorithm=MD5, nc=00000001',
    );
    expect(formatAuth('Digest', params, 'challenge')).toBe(
      'Digest realm="a \\"b\\"", qop="auth", algorithm=MD5, nc=00000001',
    );
    expect(parseAuth(formatAuth('Digest', params, 'credentials'))?.params).toEqual(new Map(params));
  });
});

describe('readers of a message', () => {
  const message: SipMessage = {
    kind: 'request',
    method: 'INVITE',
    uri: 'sip:b@h',
    headers: [
      { name: 'From', value: '<sip:a@h>;tag=1' },
      { name: 'To', value: '<sip:b@h>' },
      { name: 'Supported', value: 'Timer' },
      { name: 'Supported', value: '' },
      { name: 'Supported', value: '100rel, replaces' },
      { name: 'Route', value: '<sip:r1;lr>' },
      { name: 'Route', value: '<sip:r2;lr>' },
      { name: 'Record-Route', value: '<sip:r1' },
    ],
    body: Buffer.alloc(0),
  };
  it('gives lists without empty elements, however they came', () => {
    expect(tokenList(message, 'Supported')).toEqual(['Timer', '100rel', 'replaces']);
    expect(hasToken(message, 'Supported', 'timer')).toBe(true);
    expect(hasToken(message, 'Supported', 'gruu')).toBe(false);
    expect(hasToken(message, 'Require', 'timer')).toBe(false);
  });
  it('gives all addresses or none', () => {
    expect(addressesOf(message, 'Route')?.map((a) => a.uri)).toEqual(['sip:r1;lr', 'sip:r2;lr']);
    expect(addressesOf(message, 'Record-Route')).toBeUndefined();
    expect(addressesOf(message, 'Path')).toEqual([]);
  });
  it('gives tags', () => {
    expect([fromTag(message), toTag(message)]).toEqual(['1', undefined]);
  });
});
