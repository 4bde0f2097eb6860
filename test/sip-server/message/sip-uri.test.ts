import { describe, expect, it } from 'vitest';
import { hostKey, parseHostPort } from '../../../src/sip-server/message/host-port.ts';
import {
  decodeEscapes,
  encodeUriHeader,
  encodeUser,
  formatSipUri,
  parseSipUri,
  sameSipUri,
  uriScheme,
} from '../../../src/sip-server/message/sip-uri.ts';

describe('parseSipUri', () => {
  it.each([
    { text: 'sip:h', out: { scheme: 'sip', user: undefined, host: 'h', port: undefined } },
    {
      text: 'SIPS:alice:secretword@atlanta.com;transport=tcp',
      out: { scheme: 'sips', user: 'alice', password: 'secretword', host: 'atlanta.com' },
    },
    { text: 'sip:+1-212-555-1212:1234@gateway.com;user=phone', out: { user: '+1-212-555-1212', password: '1234' } },
    { text: 'sip:alice;day=tuesday@atlanta.com', out: { user: 'alice;day=tuesday', host: 'atlanta.com' } },
    { text: 'sip:a?b@h', out: { user: 'a?b', host: 'h' } },
    { text: 'sip:*98%23@h:5070', out: { user: '*98%23', port: 5070 } },
    { text: 'sip:[2001:db8::10]:5070;lr', out: { host: '2001:db8::10', port: 5070, params: new Map([['lr', '']]) } },
    {
      text: 'sip:h;LR;Maddr=192.0.2.1',
      out: {
        params: new Map([
          ['lr', ''],
          ['maddr', '192.0.2.1'],
        ]),
      },
    },
    {
      text: 'sip:h?Subject=a%20b&Priority=urgent&X=',
      out: {
        headers: [
          ['Subject', 'a%20b'],
          ['Priority', 'urgent'],
          ['X', ''],
        ],
      },
    },
    { text: 'sip:%00@h', out: { user: '%00' } },
    { text: 'sip:a:@h', out: { user: 'a', password: '' } },
  ])('reads $text', ({ text, out }) => {
    const uri = parseSipUri(text);
    expect(uri).toMatchObject(out);
    if (uri) expect(parseSipUri(formatSipUri(uri))).toEqual(uri);
  });

  it.each([
    '',
    'sip',
    'sip:',
    'sip:@h',
    'sip:a@',
    'tel:+1',
    'sip:a@b@c',
    'sip:a b@h',
    'sip:a@h ',
    ' sip:a@h',
    'sip:a@h:',
    'sip:a@h:0',
    'sip:a@h:99999',
    'sip:a@h:5 0',
    'sip:a%@h',
    'sip:a%4@h',
    'sip:a%zz@h',
    'sip:a"b@h',
    'sip:a<b@h',
    'sip:ا@h',
    'sip:a@h;',
    'sip:a@h;x=',
    'sip:a@h;x;X',
    'sip:a@h;=y',
    'sip:a@h?',
    'sip:a@h?x',
    'sip:a@h?=y',
    'sip:[::1',
    'sip:::1',
    'sip:[1.2.3.4]',
    'sip:h/x',
    'sip:a@h;x="y"',
    'sip:[fe80::1%eth0]',
  ])('refuses %j', (text) => {
    expect(parseSipUri(text)).toBeUndefined();
  });
});

describe('sameSipUri (RFC 3261 19.1.4)', () => {
  const same = (a: string, b: string): boolean => {
    const [x, y] = [parseSipUri(a), parseSipUri(b)];
    if (!x || !y) throw new Error('bad test uri');
    expect(sameSipUri(x, y)).toBe(sameSipUri(y, x));
    return sameSipUri(x, y);
  };
  it.each([
    ['sip:%61lice@atlanta.com;transport=TCP', 'sip:alice@AtLanTa.CoM;Transport=tcp'],
    ['sip:carol@chicago.com', 'sip:carol@chicago.com;newparam=5'],
    ['sip:carol@chicago.com', 'sip:carol@chicago.com;security=on'],
    [
      'sip:biloxi.com;transport=tcp;method=REGISTER?to=sip:bob%40biloxi.com',
      'sip:biloxi.com;method=REGISTER;transport=tcp?to=sip:bob%40biloxi.com',
    ],
    [
      'sip:alice@atlanta.com?subject=project%20x&priority=urgent',
      'sip:alice@atlanta.com?priority=urgent&subject=project%20x',
    ],
    ['sip:a@[2001:db8::1]', 'sip:a@[2001:DB8:0:0::0001]'],
    ['sip:a%2fb@h', 'sip:a%2Fb@h'],
  ])('%s = %s', (a, b) => expect(same(a, b)).toBe(true));
  it.each([
    ['SIP:ALICE@AtLanTa.CoM;Transport=udp', 'sip:alice@AtLanTa.CoM;Transport=UDP'],
    ['sip:bob@biloxi.com', 'sip:bob@biloxi.com:5060'],
    ['sip:bob@biloxi.com;transport=udp', 'sip:bob@biloxi.com;transport=tcp'],
    ['sip:bob@biloxi.com', 'sip:bob@biloxi.com:6000;transport=tcp'],
    ['sip:carol@chicago.com', 'sip:carol@chicago.com?Subject=next%20meeting'],
    ['sip:bob@phone21.boxesbybob.com', 'sip:bob@192.0.2.4'],
    ['sip:carol@chicago.com;security=on', 'sip:carol@chicago.com;security=off'],
    ['sip:a@h;user=phone', 'sip:a@h'],
    ['sip:a@h;maddr=192.0.2.1', 'sip:a@h'],
    ['sip:a@h', 'sips:a@h'],
    ['sip:a@h', 'sip:h'],
    ['sip:a:p@h', 'sip:a@h'],
    ['sip:a%3Bb@h', 'sip:a;b@h'],
  ])('%s is not %s', (a, b) => expect(same(a, b)).toBe(false));
});

describe('escapes', () => {
  it.each([
    ['%41lice', 'Alice'],
    ['plain', 'plain'],
    ['%D9%86', 'ن'],
    ['100%', '100%'],
    ['%zz%4', '%zz%4'],
    ['a%00b', 'a\0b'],
    ['%ff', '\ufffd'],
    ['%41é%42', 'AéB'],
  ])('decodes %j', (text, out) => expect(decodeEscapes(text)).toBe(out));

  it.each(['alice', 'a b@c', 'نداء', '100%', 'a;b?c', '"<>\r\n', '𝄞'])('any text can be a user: %j', (text) => {
    const uri = parseSipUri(`sip:${encodeUser(text)}@h`);
    expect(decodeEscapes(uri?.user ?? '')).toBe(text);
    const withHeader = parseSipUri(`sip:h?X=${encodeUriHeader(text)}`);
    expect(decodeEscapes(withHeader?.headers[0]?.[1] ?? '')).toBe(text);
  });
});

describe('hosts', () => {
  it.each([
    ['example.COM', 'example.com'],
    ['2001:DB8::0:1', '2001:db8::1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:C000:201', '192.0.2.1'],
    ['192.0.2.1', '192.0.2.1'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
  ])('key of %s', (host, key) => expect(hostKey(host)).toBe(key));
  it('reads host and port', () => {
    expect(parseHostPort('a-b_c.example:5060')).toEqual({ host: 'a-b_c.example', port: 5060 });
    expect(parseHostPort('[::1]')).toEqual({ host: '::1', port: undefined });
  });
  it.each(['sip:a', 'Tel:1', 'http://x', 'a+b-c.d:e'])('scheme of %s', (uri) => {
    expect(uriScheme(uri)).toBe(uri.slice(0, uri.indexOf(':')).toLowerCase());
  });
  it.each(['', ':x', '1a:x', 'a b:x', 'none'])('no scheme in %j', (uri) => expect(uriScheme(uri)).toBeUndefined());
});
