import { describe, expect, it } from 'vitest';
import { certificateNames, isCertifiedFor } from '../../../src/sip-server/tls/certificate-names.ts';

const CN = { CN: 'cn.example.com' };

describe('certificateNames', () => {
  it.each([
    { name: 'DNS names', text: 'DNS:A.Example.com, DNS:b.example.com.', out: ['a.example.com', 'b.example.com'] },
    { name: 'SIP identities go before them', text: 'DNS:host.example.com, URI:sip:example.com', out: ['example.com'] },
    { name: 'sips, a user, http: no identities', text: 'DNS:h, URI:sips:a, URI:sip:u@b, URI:http://c/', out: ['h'] },
    { name: 'alternative names without a domain hide the common name', text: 'IP Address:192.0.2.1', out: [] },
    { name: 'no alternative name', text: undefined, out: ['cn.example.com'] },
    { name: 'none of them', text: '', out: ['cn.example.com'] },
    {
      name: 'a name in quotes is one name',
      text: 'URI:"sip:a.example, DNS:evil.example", DNS:ok.example',
      out: ['ok.example'],
    },
    { name: 'half a text says nothing', text: 'DNS:a.example, DNS:"b', out: [] },
    { name: 'other kinds are passed over', text: 'othername:<unsupported>, DNS:a.example', out: ['a.example'] },
    { name: 'what no domain is', text: 'DNS:a b, DNS:x|y, DNS:ok', out: ['ok'] },
    { name: 'the same twice', text: 'DNS:a, DNS:A', out: ['a'] },
  ])('$name', ({ text, out }) => {
    expect(certificateNames({ subject: CN, subjectaltname: text })).toEqual(out);
  });

  it('has no bound name for more than is plausible', () => {
    const text = Array.from({ length: 65 }, (_, i) => `DNS:h${i}.example`).join(', ');
    expect(certificateNames({ subjectaltname: text })).toEqual([]);
  });
});

describe('isCertifiedFor', () => {
  const wild = 'DNS:*.example.com';
  it.each([
    { host: 'SIP.example.com', text: 'DNS:sip.example.com', plain: true, wildcard: true },
    { host: 'sip.example.com.', text: 'DNS:sip.example.com', plain: true, wildcard: true },
    { host: 'other.example.com', text: 'DNS:sip.example.com', plain: false, wildcard: false },
    { host: 'example.com', text: 'DNS:host.example.com, URI:sip:example.com', plain: true, wildcard: true },
    { host: 'host.example.com', text: 'DNS:host.example.com, URI:sip:example.com', plain: false, wildcard: false },
    { host: 'sbc.example.com', text: wild, plain: false, wildcard: true },
    { host: 'a.sbc.example.com', text: wild, plain: false, wildcard: false },
    { host: 'example.com', text: wild, plain: false, wildcard: false },
    { host: 'example.com', text: 'DNS:*.com', plain: false, wildcard: false },
    { host: '*.example.com', text: wild, plain: true, wildcard: true },
    { host: '192.0.2.1', text: 'IP Address:192.0.2.1', plain: true, wildcard: true },
    { host: '192.0.2.1', text: 'DNS:192.0.2.1', plain: false, wildcard: false },
    { host: '2001:db8::1', text: 'IP Address:2001:DB8:0:0:0:0:0:1', plain: true, wildcard: true },
    { host: 'localhost', text: '', plain: false, wildcard: false },
  ])('$host by $text', ({ host, text, plain, wildcard }) => {
    expect(isCertifiedFor(host, { subject: {}, subjectaltname: text }, false)).toBe(plain);
    expect(isCertifiedFor(host, { subject: {}, subjectaltname: text }, true)).toBe(wildcard);
  });
});
