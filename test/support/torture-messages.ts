import { readFileSync } from 'node:fs';

export const TORTURE_FOLDER = new URL('../fixtures/rfc4475/', import.meta.url);
export const tortureMessage = (name: string): Buffer => readFileSync(new URL(`${name}.dat`, TORTURE_FOLDER));

/** One message of RFC 4475, and what becomes of it: taken as it is, refused with a status, or dropped without an answer. */
export interface TortureCase {
  readonly section: string;
  readonly name: string;
  readonly expected: number | 'ok' | 'discard';
  /** What a whole gateway answers to one that is taken as it is, where the RFC leaves it the choice. */
  readonly choice?: number;
  readonly why: string;
}

export const TORTURE_CASES: readonly TortureCase[] = [
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
    choice: 400, // no Contact either: RFC 2543 did without, a dialog of RFC 3261 §12.1.1 does not
    why: 'no branch, no From tag, no Max-Forwards, no Content-Length',
  },
];
