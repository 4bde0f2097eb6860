import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeResponse } from '../../../src/sip-server/message/build-message.ts';
import { isReject, parseSipMessage } from '../../../src/sip-server/message/parse-message.ts';
import { serializeSipMessage } from '../../../src/sip-server/message/serialize-message.ts';
import { headers } from '../../../src/sip-server/message/sip-message.ts';
import {
  DEFAULT_POLICY,
  type RequestPolicy,
  responseFault,
  validateRequest,
} from '../../../src/sip-server/message/validate-request.ts';

const FOLDER = new URL('../../fixtures/rfc4475/', import.meta.url);
const load = (name: string): Buffer => readFileSync(new URL(`${name}.dat`, FOLDER));

/** A user agent that is also asked to register, so that REGISTER is judged by its content. */
const POLICY: RequestPolicy = { ...DEFAULT_POLICY, methods: [...DEFAULT_POLICY.methods, 'REGISTER'] };

/** `ok`, the status of the answer, or `discard`. */
function verdict(datagram: Buffer, policy = POLICY): number | 'ok' | 'discard' {
  const message = parseSipMessage(datagram);
  if (isReject(message)) return message.answer?.status ?? 'discard';
  if (message.kind === 'response') return responseFault(message) === undefined ? 'ok' : 'discard';
  const result = validateRequest(message, policy);
  if (result.verdict === 'refuse') return result.status;
  return result.verdict === 'drop' ? 'discard' : 'ok';
}

const CASES: readonly { section: string; name: string; expected: number | 'ok' | 'discard'; why: string }[] = [
  { section: '3.1.1.1', name: 'wsinv', expected: 'ok', why: 'folding and white space everywhere' },
  { section: '3.1.1.2', name: 'intmeth', expected: 501, why: 'well formed, unknown method' },
  { section: '3.1.1.3', name: 'esc01', expected: 'ok', why: 'escapes in URIs' },
  { section: '3.1.1.4', name: 'escnull', expected: 'ok', why: 'escaped NUL in URIs' },
  { section: '3.1.1.5', name: 'esc02', expected: 501, why: 'percent signs that are not escapes make another method' },
  { section: '3.1.1.6', name: 'lwsdisp', expected: 'ok', why: 'no space before <' },
  { section: '3.1.1.7', name: 'longreq', expected: 'ok', why: 'long values, many hops' },
  { section: '3.1.1.8', name: 'dblreq', expected: 'ok', why: 'trailing bytes are cut off' },
  { section: '3.1.1.9', name: 'semiuri', expected: 'ok', why: 'semicolon in the user part' },
  { section: '3.1.1.10', name: 'transports', expected: 'ok', why: 'unknown transports below the top Via' },
  { section: '3.1.1.11', name: 'mpart01', expected: 'ok', why: 'binary multipart body' },
  { section: '3.1.1.12', name: 'unreason', expected: 'ok', why: 'UTF-8 reason phrase' },
  { section: '3.1.1.13', name: 'noreason', expected: 'ok', why: 'empty reason phrase' },
  { section: '3.1.2.1', name: 'badinv01', expected: 400, why: 'empty parameters and values in Via' },
  { section: '3.1.2.2', name: 'clerr', expected: 400, why: 'body shorter than Content-Length' },
  { section: '3.1.2.3', name: 'ncl', expected: 400, why: 'negative Content-Length' },
  { section: '3.1.2.4', name: 'scalar02', expected: 400, why: 'CSeq beyond 2^31, Max-Forwards beyond 255' },
  { section: '3.1.2.5', name: 'scalarlg', expected: 'discard', why: 'response with CSeq beyond 2^31' },
  { section: '3.1.2.6', name: 'quotbal', expected: 400, why: 'unclosed quote in To' },
  { section: '3.1.2.7', name: 'ltgtruri', expected: 400, why: 'Request-URI in brackets' },
  { section: '3.1.2.8', name: 'lwsruri', expected: 400, why: 'space in Request-URI' },
  { section: '3.1.2.9', name: 'lwsstart', expected: 400, why: 'two spaces in the request line' },
  { section: '3.1.2.10', name: 'trws', expected: 400, why: 'spaces after the version' },
  { section: '3.1.2.11', name: 'escruri', expected: 400, why: 'headers in Request-URI' },
  {
    section: '3.1.2.12',
    name: 'baddate',
    expected: 'ok',
    why: 'may be refused or Date ignored: nothing here reads Date',
  },
  { section: '3.1.2.13', name: 'regbadct', expected: 400, why: 'question mark in a Contact without brackets' },
  { section: '3.1.2.14', name: 'badaspec', expected: 400, why: 'spaces inside the brackets' },
  { section: '3.1.2.15', name: 'baddn', expected: 400, why: 'comma in a display name without quotes' },
  { section: '3.1.2.16', name: 'badvers', expected: 505, why: 'SIP/7.0' },
  { section: '3.1.2.17', name: 'mismatch01', expected: 400, why: 'CSeq of another method' },
  { section: '3.1.2.18', name: 'mismatch02', expected: 501, why: 'unknown method comes first' },
  { section: '3.1.2.19', name: 'bigcode', expected: 'discard', why: 'status beyond three digits' },
  { section: '3.2.1', name: 'badbranch', expected: 400, why: 'cookie without identifier' },
  { section: '3.3.1', name: 'insuf', expected: 400, why: 'no Call-ID, From, To' },
  { section: '3.3.2', name: 'unkscm', expected: 416, why: 'unknown scheme' },
  { section: '3.3.3', name: 'novelsc', expected: 416, why: 'known scheme, not SIP' },
  { section: '3.3.4', name: 'unksm2', expected: 'ok', why: 'other schemes in To, From, Contact are for the registrar' },
  { section: '3.3.5', name: 'bext01', expected: 420, why: 'unsupported Require' },
  { section: '3.3.6', name: 'invut', expected: 415, why: 'unknown body type' },
  { section: '3.3.7', name: 'regaut01', expected: 'ok', why: 'unknown authorization scheme is for the registrar' },
  { section: '3.3.8', name: 'multi01', expected: 400, why: 'repeated From, To, Call-ID, CSeq, Max-Forwards' },
  { section: '3.3.9', name: 'mcl01', expected: 400, why: 'two values of Content-Length' },
  { section: '3.3.10', name: 'bcast', expected: 'discard', why: 'response with a second Via' },
  { section: '3.3.11', name: 'zeromf', expected: 'ok', why: 'the last hop may receive Max-Forwards 0' },
  { section: '3.3.12', name: 'cparam01', expected: 'ok', why: 'Contact header parameter' },
  { section: '3.3.13', name: 'cparam02', expected: 'ok', why: 'Contact URI parameter' },
  { section: '3.3.14', name: 'regescrt', expected: 'ok', why: 'escaped header in the Contact URI' },
  { section: '3.3.15', name: 'sdp01', expected: 406, why: 'INVITE that does not accept SDP' },
  {
    section: '3.4.1',
    name: 'inv2543',
    expected: 'ok',
    why: 'no branch, no From tag, no Max-Forwards, no Content-Length',
  },
];

describe('RFC 4475', () => {
  it('has a case for each of the 49 messages', () => {
    const files = readdirSync(FOLDER).map((file) => file.replace('.dat', ''));
    expect(CASES.map((c) => c.name).sort()).toEqual(files.sort());
    expect(files).toHaveLength(49);
  });

  it.each(CASES)('$section $name: $expected, $why', ({ name, expected }) => {
    expect(verdict(load(name))).toBe(expected);
  });

  it('refuses Max-Forwards 0 where it would have to be forwarded', () => {
    expect(verdict(load('zeromf'), { ...POLICY, forwarding: true })).toBe(483);
  });

  it.each(CASES.filter((c) => typeof c.expected === 'number'))('$name: the answer is itself a valid response', (c) => {
    const message = parseSipMessage(load(c.name));
    const request = isReject(message) ? message.answer?.request : message;
    expect(request?.kind).toBe('request');
    if (request?.kind !== 'request') return;
    const answer = makeResponse(request, Number(c.expected), 'Refused', { toTag: 'tag1' });
    const read = parseSipMessage(serializeSipMessage(answer));
    expect(read).toMatchObject({ kind: 'response', status: c.expected });
    if (isReject(read)) return;
    for (const name of ['Via', 'From', 'Call-ID', 'CSeq']) expect(headers(read, name)).toEqual(headers(request, name));
  });

  it.each(CASES)('$name: written out and read again it is the same message', ({ name }) => {
    const message = parseSipMessage(load(name));
    if (isReject(message)) return expect(message.reject).not.toBe('');
    const bytes = serializeSipMessage(message);
    const again = parseSipMessage(bytes);
    expect(isReject(again)).toBe(false);
    if (isReject(again)) return;
    expect(serializeSipMessage(again).equals(bytes)).toBe(true);
    expect(again.body.equals(message.body)).toBe(true);
  });
});
