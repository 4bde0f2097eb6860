import { describe, expect, it } from 'vitest';
import { isReject, parseSipMessage } from '../../../src/sip-server/message/parse-message.ts';
import type { SipRequest } from '../../../src/sip-server/message/sip-message.ts';
import {
  DEFAULT_POLICY,
  type RequestPolicy,
  responseFault,
  validateRequest,
} from '../../../src/sip-server/message/validate-request.ts';

interface Parts {
  readonly method?: string;
  readonly uri?: string;
  /** Replaces or adds; '' leaves the header out. */
  readonly set?: Readonly<Record<string, string>>;
  readonly body?: string;
}
function requestOf({ method = 'INVITE', uri = 'sip:b@h', set = {}, body = '' }: Parts): SipRequest {
  const fields = {
    Via: 'SIP/2.0/UDP h;branch=z9hG4bK1',
    From: '<sip:a@h>;tag=1',
    To: '<sip:b@h>',
    'Call-ID': 'c',
    CSeq: `1 ${method}`,
    ...set,
  };
  const lines = Object.entries(fields)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`);
  const message = parseSipMessage(Buffer.from(`${method} ${uri} SIP/2.0\r\n${lines.join('\r\n')}\r\n\r\n${body}`));
  if (isReject(message) || message.kind !== 'request') throw new Error('bad test request');
  return message;
}
/** `ok`, `drop`, or status, reason and headers. */
function judge(parts: Parts, policy: Partial<RequestPolicy> = {}): string {
  const result = validateRequest(requestOf(parts), { ...DEFAULT_POLICY, ...policy });
  if (result.verdict !== 'refuse') return result.verdict;
  return [`${result.status} ${result.reason}`, ...result.headers.map((h) => `${h.name}: ${h.value}`)].join(' | ');
}
const SDP = { 'Content-Type': 'application/sdp' };

describe('validateRequest', () => {
  it.each<{ name: string; parts: Parts; policy?: Partial<RequestPolicy>; out: string }>([
    { name: 'a plain INVITE', parts: {}, out: 'ok' },
    { name: 'with SDP', parts: { set: SDP, body: 'v=0' }, out: 'ok' },
    {
      name: 'a body of any type where the application decides',
      parts: { method: 'INFO', set: { 'Content-Type': 'application/dtmf-relay' }, body: 'x' },
      out: 'ok',
    },
    { name: 'no tag, no Max-Forwards', parts: { set: { From: '<sip:a@h>' } }, out: 'ok' },
    { name: 'no Via', parts: { set: { Via: '' } }, out: '400 Missing Via' },
    { name: 'a broken lower Via', parts: { set: { Via: 'SIP/2.0/UDP h, x' } }, out: '400 Invalid Via' },
    { name: 'no From', parts: { set: { From: '' } }, out: '400 Missing From' },
    { name: 'a From with an empty tag', parts: { set: { From: '<sip:a@h>;tag' } }, out: '400 Invalid From' },
    { name: 'no To', parts: { set: { To: '' } }, out: '400 Missing To' },
    { name: 'no Call-ID', parts: { set: { 'Call-ID': '' } }, out: '400 Missing Call-ID' },
    { name: 'a broken Call-ID', parts: { set: { 'Call-ID': 'a b' } }, out: '400 Invalid Call-ID' },
    { name: 'no CSeq', parts: { set: { CSeq: '' } }, out: '400 Missing CSeq' },
    { name: 'a CSeq of another method', parts: { set: { CSeq: '1 BYE' } }, out: '400 CSeq Method Mismatch' },
    {
      name: 'methods are case-sensitive',
      parts: { method: 'invite' },
      policy: { methods: ['INVITE'] },
      out: '501 Not Implemented | Allow: INVITE',
    },
    {
      name: 'a known method not served',
      parts: { method: 'PUBLISH' },
      policy: { methods: ['INVITE', 'BYE'] },
      out: '405 Method Not Allowed | Allow: INVITE | Allow: BYE',
    },
    {
      name: 'an unknown method',
      parts: { method: 'DANCE' },
      policy: { methods: ['INVITE'] },
      out: '501 Not Implemented | Allow: INVITE',
    },
    { name: 'a telephone URI', parts: { uri: 'tel:+966112345678' }, out: '416 Unsupported URI Scheme' },
    { name: 'no scheme', parts: { uri: 'b@h' }, out: '400 Invalid Request-URI' },
    { name: 'a broken SIP URI', parts: { uri: 'sip:b@h;;' }, out: '400 Invalid Request-URI' },
    { name: 'headers in the URI', parts: { uri: 'sip:b@h?X=1' }, out: '400 Invalid Request-URI' },
    { name: 'a long URI', parts: { uri: `sip:${'b'.repeat(3_000)}@h` }, out: '414 Request-URI Too Long' },
    { name: 'Max-Forwards 0 at its end', parts: { set: { 'Max-Forwards': '0' } }, out: 'ok' },
    {
      name: 'Max-Forwards 0 on the way',
      parts: { set: { 'Max-Forwards': '0' } },
      policy: { forwarding: true },
      out: '483 Too Many Hops',
    },
    { name: 'a broken Max-Forwards', parts: { set: { 'Max-Forwards': 'x' } }, out: '400 Invalid Max-Forwards' },
    { name: 'a broken Contact', parts: { set: { Contact: '<sip:a@h' } }, out: '400 Invalid Contact' },
    { name: 'a star Contact outside REGISTER', parts: { set: { Contact: '*' } }, out: '400 Invalid Contact' },
    {
      name: 'a star Contact in REGISTER',
      parts: { method: 'REGISTER', set: { Contact: '*' } },
      policy: { methods: ['REGISTER'] },
      out: 'ok',
    },
    {
      name: 'a broken Record-Route',
      parts: { set: { 'Record-Route': '<sip:r;lr>,' } },
      out: '400 Invalid Record-Route',
    },
    {
      name: 'a broken Session-Expires',
      parts: { set: { 'Session-Expires': 'soon' } },
      out: '400 Invalid Session-Expires',
    },
    { name: 'what is supported', parts: { set: { Require: '100rel, TIMER' } }, out: 'ok' },
    {
      name: 'what is not',
      parts: { set: { Require: '100rel, a, b' } },
      out: '420 Bad Extension | Unsupported: a | Unsupported: b',
    },
    { name: 'Require in CANCEL', parts: { method: 'CANCEL', set: { Require: 'a' } }, out: 'ok' },
    { name: 'Proxy-Require at its end', parts: { set: { 'Proxy-Require': 'a' } }, out: 'ok' },
    {
      name: 'Proxy-Require on the way',
      parts: { set: { 'Proxy-Require': 'a' } },
      policy: { forwarding: true },
      out: '420 Bad Extension | Unsupported: a',
    },
    {
      name: 'a body without a type',
      parts: { body: 'x' },
      out: '415 Unsupported Media Type | Accept: application/sdp | Accept: multipart/mixed',
    },
    {
      name: 'a body that may be ignored',
      parts: { set: { 'Content-Type': 'a/b', 'Content-Disposition': 'icon; handling=optional' }, body: 'x' },
      out: 'ok',
    },
    {
      name: 'a packed body',
      parts: { set: { ...SDP, 'Content-Encoding': 'gzip' }, body: 'x' },
      out: '415 Unsupported Media Type | Accept-Encoding: identity',
    },
    {
      name: 'a body that says it is not packed',
      parts: { set: { ...SDP, 'Content-Encoding': 'identity' }, body: 'x' },
      out: 'ok',
    },
    { name: 'a large body', parts: { set: SDP, body: 'x'.repeat(20_000) }, out: '413 Request Entity Too Large' },
    { name: 'accepting anything', parts: { set: { Accept: 'text/x, */*;q=0.1' } }, out: 'ok' },
    { name: 'an empty Accept', parts: { set: { Accept: ' ' } }, out: 'ok' },
    { name: 'not accepting SDP', parts: { set: { Accept: 'text/plain' } }, out: '406 Not Acceptable' },
    { name: 'only INVITE needs SDP', parts: { method: 'OPTIONS', set: { Accept: 'text/plain' } }, out: 'ok' },
    { name: 'an ACK is never answered', parts: { method: 'ACK', set: { From: 'x' } }, out: 'drop' },
    { name: 'nor for its body', parts: { method: 'ACK', set: SDP, body: 'x'.repeat(20_000) }, out: 'drop' },
    { name: 'a good ACK', parts: { method: 'ACK', set: { ...SDP, Require: 'a' }, body: 'v=0' }, out: 'ok' },
  ])('$name: $out', ({ parts, policy, out }) => {
    expect(judge(parts, policy)).toBe(out);
  });
});

describe('responseFault', () => {
  const response = (lines: readonly string[]) => {
    const all = ['From: <sip:a@h>;tag=1', 'To: <sip:b@h>', 'Call-ID: c', ...lines];
    const message = parseSipMessage(Buffer.from(`SIP/2.0 200 OK\r\n${all.join('\r\n')}\r\n\r\n`));
    if (isReject(message) || message.kind !== 'response') throw new Error('bad test response');
    return responseFault(message);
  };
  it.each([
    { lines: ['Via: SIP/2.0/UDP h;branch=z9hG4bK1', 'CSeq: 1 INVITE'], out: undefined },
    { lines: ['CSeq: 1 INVITE'], out: 'missing-via' },
    { lines: ['Via: SIP/2.0/UDP h', 'Via: SIP/2.0/UDP i', 'CSeq: 1 INVITE'], out: 'extra-via' },
    { lines: ['Via: x', 'CSeq: 1 INVITE'], out: 'bad-via' },
    { lines: ['Via: SIP/2.0/UDP h', 'CSeq: 1'], out: 'bad-cseq' },
  ])('$out', ({ lines, out }) => {
    expect(response(lines)).toBe(out);
  });
});
