import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callVariables, VARIABLES_MAX } from '../../src/sip/call-variables.ts';
import { judgeMediaAddress } from '../../src/sip/media-address.ts';
import { descriptionIn, replyOutsideDialog, unsupportedTags } from '../../src/sip/request-replies.ts';
import { parseNameAddress, parseSipUri, targetUri } from '../../src/sip/sip-uri.ts';
import { parseSipfrag } from '../../src/sip/transfer.ts';
import { FakeMessage } from '../support/fake-srf.ts';

describe('call variables', () => {
  it.each<{ name: string; headers: Record<string, string>; variables: Record<string, string> }>([
    { name: 'none', headers: { From: 'x', 'P-X-Thing': 'y' }, variables: {} },
    {
      name: 'X- headers of any case',
      headers: { 'X-Customer-ID': ' 42 ', 'x-lang': 'ar' },
      variables: { 'customer-id': '42', lang: 'ar' },
    },
    { name: 'odd names', headers: { "X-A.b'c": '1', 'X-': '2' }, variables: { a_b_c: '1' } },
    { name: 'the first of equal names', headers: { 'X-A': '1', 'x-a': '2' }, variables: { a: '1' } },
    { name: 'control characters', headers: { 'X-A': 'a\u0000b\r\nc' }, variables: { a: 'a b  c' } },
    { name: 'a prototype', headers: { 'X-__proto__': 'evil' }, variables: {} },
    {
      name: 'plain user-to-user',
      headers: { 'User-to-User': 'order 7;purpose=x' },
      variables: { user_to_user: 'order 7' },
    },
    { name: 'a trace', headers: { Traceparent: '00-ab-cd-01' }, variables: { traceparent: '00-ab-cd-01' } },
    { name: 'digits are no hexadecimal', headers: { 'User-to-User': '414243' }, variables: { user_to_user: '414243' } },
    { name: 'quoted user-to-user', headers: { 'User-to-User': '"a;\\"b"' }, variables: { user_to_user: 'a;"b' } },
    {
      name: 'hexadecimal',
      headers: { 'user-to-user': '48656c6c6f;encoding=hex' },
      variables: { user_to_user: 'Hello' },
    },
    {
      name: 'hexadecimal with discriminator',
      headers: { 'User-to-User': '0448656C6C6F' },
      variables: { user_to_user: 'Hello' },
    },
    {
      name: 'hexadecimal UTF-8',
      headers: { 'User-to-User': '00d986d8afd8a7d8a1;encoding=hex' },
      variables: { user_to_user: 'نداء' },
    },
    {
      name: 'binary stays hexadecimal',
      headers: { 'User-to-User': '00ff01;encoding=hex' },
      variables: { user_to_user: '00ff01' },
    },
    {
      name: 'a header cannot pose as user-to-user',
      headers: { 'User-to-User': 'real', 'X-User_To_User': 'posed' },
      variables: { user_to_user: 'real' },
    },
  ])('$name', ({ headers, variables }) => {
    expect(callVariables(headers)).toEqual(variables);
  });

  it('are bounded in number and length', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`X-H${i}`, 'v'.repeat(5000)]));
    const variables = callVariables(many);
    expect(Object.keys(variables).length).toBe(VARIABLES_MAX);
    expect(variables['h0']?.length).toBe(512);
    expect(callVariables({ [`X-${'n'.repeat(500)}`]: '1' })).toEqual({});
  });
});

describe('SIP URIs', () => {
  it.each([
    ['sip:2000@198.51.100.5', '2000', '198.51.100.5'],
    ['sip:+966112345678;npdi@gw.example.com:5080;user=phone', '+966112345678', 'gw.example.com:5080'],
    ['SIPS:bob:secret@[2001:db8::1]:5061', 'bob', '[2001:db8::1]:5061'],
    ['sip:%2B966%31@h', '+9661', 'h'],
    ['sip:bad%zz@h', 'bad%zz', 'h'],
    ['sip:host.only', '', 'host.only'],
    ['tel:+966-11-234.5678;phone-context=x', '+966112345678', ''],
  ])('%s', (text, user, hostPort) => {
    expect(parseSipUri(text)).toMatchObject({ user, hostPort });
  });
  it.each(['', 'sip:', 'http://x', 'sip:a b@c', 'sip:a@<b>', 'sip:a@b c', `sip:${'a'.repeat(600)}@b`, 'sip:a@b|c'])(
    'not one: %s',
    (text) => {
      expect(parseSipUri(text)).toBeUndefined();
    },
  );
  it.each([
    ['"Alice \\"A\\" <x>" <sip:alice@h>;tag=1', 'Alice "A" <x>', 'alice'],
    ['Alice <sip:alice@h>', 'Alice', 'alice'],
    ['sip:alice@h;tag=1', '', 'alice'],
    ['<sip:alice@h', '', 'alice'],
    ['<tel:+9661>', '', '+9661'],
    ['', '', undefined],
    ['<<<>>>', '', undefined],
  ])('name and address: %s', (value, display, user) => {
    const parsed = parseNameAddress(value);
    expect([parsed.display, parsed.uri?.user]).toEqual([display, user]);
  });
  it.each([
    ['2001', 'sip:2001@pbx'],
    ['+966 11', undefined],
    ['+966-(11)-2', 'sip:+966112@pbx'],
    ['*98#', 'sip:*98%23@pbx'],
    ['sales', 'sip:sales@pbx'],
    ['sip:bob@example.com;transport=tcp', 'sip:bob@example.com;transport=tcp'],
    ['bob@example.com', 'sip:bob@example.com'],
    ['tel:+9661', 'tel:+9661'],
    ['sip:bob@example.com?Replaces=x', undefined],
    ['sip:bob@h>\r\nInjected: 1', undefined],
    ['http://x', undefined],
    ['', undefined],
    ['a|b', undefined],
  ])('transfer target %s', (target, uri) => {
    expect(targetUri(target, 'pbx')).toBe(uri);
  });
  it('a bare number without a domain is no target', () => {
    expect(targetUri('2001', '')).toBeUndefined();
  });
  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        parseSipUri(text);
        parseNameAddress(text);
        targetUri(text, 'd');
        parseSipfrag(text);
        callVariables({ 'User-to-User': text, 'X-Y': text });
        unsupportedTags(text);
      }),
    );
  });
});

it.each([
  ['192.0.2.1', '198.51.100.9', 'usable'],
  ['10.0.0.8', '198.51.100.9', 'usable'],
  ['0.0.0.0', '198.51.100.9', 'hold'],
  ['::', '198.51.100.9', 'hold'],
  ['0:0:0:0:0:0:0:0', '198.51.100.9', 'hold'],
  ['::', '2001:db8::1', 'refused'],
  ['::1:0', '198.51.100.9', 'refused'],
  ['224.0.0.1', '198.51.100.9', 'multicast'],
  ['255.255.255.255', '198.51.100.9', 'refused'],
  ['240.0.0.1', '198.51.100.9', 'refused'],
  ['127.0.0.1', '198.51.100.9', 'refused'],
  ['127.0.0.2', '127.0.0.1', 'usable'],
  ['169.254.169.254', '169.254.1.1', 'refused'],
  ['169.254.1.1', '169.254.1.1', 'usable'],
  ['::1', '::1', 'refused'],
  ['localhost', '127.0.0.1', 'refused'],
] as const)('media at %s for a peer at %s is %s', (address, peer, verdict) => {
  expect(judgeMediaAddress(address, peer)).toBe(verdict);
});

describe('requests outside a dialog', () => {
  it.each([
    ['ACK', undefined],
    ['INVITE', undefined],
    ['OPTIONS', 200],
    ['BYE', 481],
    ['CANCEL', 481],
    ['UPDATE', 481],
    ['INFO', 481],
    ['NOTIFY', 481],
    ['PRACK', 481],
    ['REFER', 403],
    ['SUBSCRIBE', 489],
    ['REGISTER', 405],
    ['MESSAGE', 405],
    ['PUBLISH', 405],
    ['FANCY', 405],
  ])('%s: %s', (method, status) => {
    expect(replyOutsideDialog(method)?.status).toBe(status);
  });
});

it.each([
  [undefined, []],
  ['timer, 100rel', []],
  ['100rel,gruu,replaces', ['gruu']],
  [' foo , "bad" ,', ['foo']],
])('Require: %s', (header, tags) => {
  expect(unsupportedTags(header)).toEqual(tags);
});

describe('the description in a body', () => {
  const message = (type: string, body: string, more: Record<string, string> = {}) =>
    new FakeMessage({ body, headers: { 'Content-Type': type, ...more } });
  it.each([
    { name: 'none', of: message('', ''), sdp: '' },
    { name: 'plain', of: message('application/sdp', 'v=0'), sdp: 'v=0' },
    { name: 'with parameters', of: message('Application/SDP;x=y', 'v=0'), sdp: 'v=0' },
  ])('$name', ({ of, sdp }) => {
    expect(descriptionIn(of)).toEqual({ sdp });
  });
  it.each([
    { name: 'another type', of: message('text/plain', 'x') },
    { name: 'no type', of: message('', 'v=0') },
    { name: 'compressed', of: message('application/sdp', 'x', { 'Content-Encoding': 'gzip' }) },
    { name: 'multipart without one', of: message('multipart/mixed;boundary=b', 'x') },
  ])('$name is 415', ({ of }) => {
    expect(descriptionIn(of)).toMatchObject({ status: 415 });
  });
  it('is found among parts', () => {
    const parts = {
      body: 'x',
      get: (name: string) => (name === 'Content-Type' ? 'multipart/mixed;boundary=b' : undefined),
    };
    const payload = [
      { type: 'text/plain', content: 'no' },
      { type: 'application/sdp ', content: 'v=0' },
    ];
    expect(descriptionIn({ ...parts, payload })).toEqual({ sdp: 'v=0\r\n' });
  });
});
