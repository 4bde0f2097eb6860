import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { secretFree } from '../../../src/sip-server/hep/secret-free.ts';

const clean = (text: string): string => secretFree(Buffer.from(text, 'latin1')).toString('latin1');
const HEAD = 'INVITE sip:a SIP/2.0\r\nFrom: b\r\n';
const sdp = (line: string): string => `${HEAD}\r\nv=0\r\n${line}\r\nm=audio\r\n`;

describe('secretFree', () => {
  it.each([
    { name: 'nothing secret', text: sdp('a=x'), out: sdp('a=x') },
    {
      name: 'credentials',
      text: `${HEAD}Authorization: Digest response="cafe"\r\nTo: c\r\nPROXY-AUTHORIZATION : Basic x\r\n\r\n`,
      out: `${HEAD}Authorization: (removed)\r\nTo: c\r\nPROXY-AUTHORIZATION : (removed)\r\n\r\n`,
    },
    {
      name: 'credentials over several lines',
      text: `${HEAD}Authorization: Digest\r\n nonce="n",\r\n\tresponse="cafe"\r\nTo: c\r\n\r\n`,
      out: `${HEAD}Authorization: (removed)\r\nTo: c\r\n\r\n`,
    },
    {
      name: 'a proof of the server',
      text: `${HEAD}Authentication-Info: rspauth="x"\r\n\r\n`,
      out: `${HEAD}Authentication-Info: (removed)\r\n\r\n`,
    },
    {
      name: 'bare line ends',
      text: `${HEAD}Authorization: x\nTo: c\n\nv=0\na=crypto:1 A inline:KEY|2^20\n`,
      out: `${HEAD}Authorization: (removed)\nTo: c\n\nv=0\na=crypto:1 A inline:xxx|2^20\n`,
    },
    {
      name: 'keys of SDES',
      text: sdp('a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:d0RmdmcmVCspeEc3QGZiNWpVLFJhQX1cfHAwJSoj|2^20|1:32'),
      out: sdp('a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx|2^20|1:32'),
    },
    {
      name: 'two keys in a line',
      text: sdp('a=crypto:1 X inline:ab;inline:cd'),
      out: sdp('a=crypto:1 X inline:xx;inline:xx'),
    },
    {
      name: 'keys in capabilities',
      text: sdp('a=acap:1 crypto:1 X INLINE:ab'),
      out: sdp('a=acap:1 crypto:1 X INLINE:xx'),
    },
    { name: 'keys of older ways', text: sdp('k=base64:abc'), out: sdp('k=xxxxxxxxxx') },
    { name: 'key management', text: sdp('a=key-mgmt:mikey AQ=='), out: sdp('a=key-mgmt:xxxxxxxxxx') },
    {
      name: 'passwords of URIs',
      text: 'INVITE sip:a:b@h SIP/2.0\r\nTo: <sips:c:d@h:5061>\r\nContact: <sip:h:5060>\r\n\r\n',
      out: 'INVITE sip:a:(removed)@h SIP/2.0\r\nTo: <sips:c:(removed)@h:5061>\r\nContact: <sip:h:5060>\r\n\r\n',
    },
    {
      name: 'a key that was pressed',
      text: 'INFO sip:a SIP/2.0\r\nContent-Type: application/dtmf-relay\r\n\r\nSignal=5\r\nDuration=160\r\n',
      out: 'INFO sip:a SIP/2.0\r\nContent-Type: application/dtmf-relay\r\n\r\nSignal=x\r\nDuration=160\r\n',
    },
    {
      name: 'a bare key, by the short name',
      text: 'INFO sip:a SIP/2.0\r\nc : application/DTMF\r\n\r\n11',
      out: 'INFO sip:a SIP/2.0\r\nc : application/DTMF\r\n\r\nxx',
    },
    { name: 'a head without an end', text: 'X: 1\r\nAuthorization: secret', out: 'X: 1\r\nAuthorization: (removed)' },
    { name: 'nothing', text: '', out: '' },
  ])('$name', ({ text, out }) => {
    expect(clean(text)).toBe(out);
  });

  it('leaves the length of a body alone, and no secret in anything', () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9+/]{20,40}$/);
    const part = fc.constantFrom(
      '\r\n',
      'From: x',
      'a=crypto:1 X inline:',
      'Authorization: ',
      ' ',
      '\r\n\r\n',
      'v=0',
      '|1:4',
    );
    fc.assert(
      fc.property(secret, fc.array(part, { maxLength: 8 }), (key, before) => {
        const head = `${HEAD}${before.join('')}`;
        const text = `${HEAD}Authorization: Digest response="${key}"\r\n\r\n${before.join('')}\r\na=crypto:1 X inline:${key}\r\n`;
        const out = clean(text);
        expect(out).not.toContain(key);
        const bodyOf = (all: string): string => all.slice(all.indexOf('\r\n\r\n'));
        expect(bodyOf(out)).toHaveLength(bodyOf(text).length);
        expect(() => clean(head)).not.toThrow();
      }),
    );
  });
});
