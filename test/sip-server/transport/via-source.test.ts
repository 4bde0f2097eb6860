import { describe, expect, it } from 'vitest';
import { header, headers, type SipRequest } from '../../../src/sip-server/message/sip-message.ts';
import { answerPort, markSource } from '../../../src/sip-server/transport/via-source.ts';

const request = (via: string): SipRequest => ({
  kind: 'request',
  method: 'OPTIONS',
  uri: 'sip:a@b',
  headers: [
    { name: 'Max-Forwards', value: '70' },
    { name: 'Via', value: via },
    { name: 'Via', value: 'SIP/2.0/UDP next.example.com;branch=z9hG4bKn;rport' },
  ],
  body: Buffer.alloc(0),
});

const CASES: readonly { name: string; via: string; from: [string, number]; out: string; port: number }[] = [
  {
    name: 'sent-by is the source',
    via: 'SIP/2.0/UDP 192.0.2.1:5070;branch=z9hG4bKa',
    from: ['192.0.2.1', 5070],
    out: 'SIP/2.0/UDP 192.0.2.1:5070;branch=z9hG4bKa',
    port: 5070,
  },
  {
    name: 'sent-by is the source, another port: answer where it listens',
    via: 'SIP/2.0/UDP 192.0.2.1:5070;branch=z9hG4bKa',
    from: ['192.0.2.1', 40000],
    out: 'SIP/2.0/UDP 192.0.2.1:5070;branch=z9hG4bKa',
    port: 5070,
  },
  {
    name: 'no port in sent-by: 5060',
    via: 'SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKa',
    from: ['192.0.2.1', 40000],
    out: 'SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKa',
    port: 5060,
  },
  {
    name: 'behind NAT',
    via: 'SIP/2.0/UDP 10.0.0.7:5070;branch=z9hG4bKa',
    from: ['192.0.2.1', 40000],
    out: 'SIP/2.0/UDP 10.0.0.7:5070;branch=z9hG4bKa;received=192.0.2.1',
    port: 40000,
  },
  {
    name: 'a name is always marked',
    via: 'SIP/2.0/UDP phone.example.com;branch=z9hG4bKa',
    from: ['192.0.2.1', 5060],
    out: 'SIP/2.0/UDP phone.example.com;branch=z9hG4bKa;received=192.0.2.1',
    port: 5060,
  },
  {
    name: 'rport asked',
    via: 'SIP/2.0/UDP 10.0.0.7;rport;branch=z9hG4bKa',
    from: ['192.0.2.1', 40000],
    out: 'SIP/2.0/UDP 10.0.0.7;rport=40000;branch=z9hG4bKa;received=192.0.2.1',
    port: 40000,
  },
  {
    name: 'rport asked from the true address',
    via: 'SIP/2.0/UDP 192.0.2.1:5060;rport;branch=z9hG4bKa',
    from: ['192.0.2.1', 40000],
    out: 'SIP/2.0/UDP 192.0.2.1:5060;rport=40000;branch=z9hG4bKa;received=192.0.2.1',
    port: 40000,
  },
  {
    name: 'what the sender claims is replaced',
    via: 'SIP/2.0/UDP 10.0.0.7;rport=1;received=203.0.113.9;branch=z9hG4bKa',
    from: ['192.0.2.1', 40000],
    out: 'SIP/2.0/UDP 10.0.0.7;rport=40000;received=192.0.2.1;branch=z9hG4bKa',
    port: 40000,
  },
  {
    name: 'a claim without need is removed',
    via: 'SIP/2.0/UDP 192.0.2.1;received=203.0.113.9;branch=z9hG4bKa',
    from: ['192.0.2.1', 5060],
    out: 'SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKa',
    port: 5060,
  },
  {
    name: 'IPv6 in another spelling',
    via: 'SIP/2.0/UDP [2001:DB8:0::1]:5070;branch=z9hG4bKa',
    from: ['2001:db8::1', 5070],
    out: 'SIP/2.0/UDP [2001:DB8:0::1]:5070;branch=z9hG4bKa',
    port: 5070,
  },
  {
    name: 'IPv4 seen by an IPv6 socket',
    via: 'SIP/2.0/UDP 10.0.0.7;branch=z9hG4bKa',
    from: ['::ffff:192.0.2.1', 5060],
    out: 'SIP/2.0/UDP 10.0.0.7;branch=z9hG4bKa;received=192.0.2.1',
    port: 5060,
  },
  { name: 'unreadable', via: 'SIP/2.0/UDP ;;,', from: ['192.0.2.1', 40000], out: 'SIP/2.0/UDP ;;,', port: 40000 },
];

describe('the source of a request', () => {
  it.each(CASES)('$name', ({ via, from, out, port }) => {
    const marked = markSource(request(via), ...from);
    expect(header(marked, 'Via')).toBe(out);
    expect(headers(marked, 'Via')[1]).toBe('SIP/2.0/UDP next.example.com;branch=z9hG4bKn;rport');
    expect(marked.headers[0]?.name).toBe('Max-Forwards');
    const flow = { transport: 'udp', remoteAddress: from[0], remotePort: from[1] } as const;
    expect(answerPort(request(via), flow)).toBe(port);
  });
});
