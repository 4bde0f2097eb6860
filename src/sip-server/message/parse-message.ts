import { charTable, isSpace, isToken, madeOf, parseUint, splitOutside, trimSpace } from './ascii.ts';
import { canonicalName, isListHeader, isSingletonHeader } from './header-names.ts';
import type { SipHeader, SipMessage, SipRequest } from './sip-message.ts';

const CR = 0x0d;
const LF = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const DELETE = 0x7f;

/** Bounds on one message. The body has no bound of its own: it is what remains of `messageBytes`. */
export interface SipLimits {
  readonly messageBytes: number;
  /** One header with its continuation lines, or the start line. */
  readonly headerLineBytes: number;
  /** Header values after comma splitting, so that one line cannot become thousands. */
  readonly headerCount: number;
}
export const SIP_LIMITS: SipLimits = { messageBytes: 65_536, headerLineBytes: 8_192, headerCount: 256 };

export interface ParseOptions {
  readonly limits?: SipLimits;
  /** The body is all that follows the blank line, whatever Content-Length says: for peers known to count it wrongly. */
  readonly ignoreContentLength?: boolean;
}

export type SipRejectReason =
  | 'empty'
  | 'too-large'
  | 'bad-start-line'
  | 'bad-version'
  | 'bad-status'
  | 'no-header-end'
  | 'header-too-long'
  | 'too-many-headers'
  | 'bad-header-line'
  | 'bad-character'
  | 'repeated-header'
  | 'bad-content-length'
  | 'short-body';

/**
 * Why bytes are not a SIP message. `answer` is there when they were a request (never an ACK) whose Via, From, To, Call-ID
 * and CSeq could be read: give `answer.request`, which has no body, to `makeResponse`. Otherwise count and drop.
 */
export interface SipReject {
  readonly reject: SipRejectReason;
  readonly answer?: { readonly status: number; readonly reason: string; readonly request: SipRequest };
}

export function isReject(result: SipMessage | SipReject): result is SipReject {
  return 'reject' in result;
}

/**
 * Reads one whole message: a datagram, or what `StreamFramer` cut out of a connection.
 *
 * Headers get canonical names, are unfolded, trimmed, and split at commas where their grammar is a list. Nothing else is
 * interpreted: see `via.ts`, `name-addr.ts`, `header-values.ts`, and `validateRequest` for what a request must fulfil.
 * A body shorter than Content-Length is an error; bytes after it are cut off (RFC 3261 §18.3). Bytes that are not UTF-8
 * become U+FFFD: phones with Latin-1 display names must still be able to call.
 *
 * @returns the message, or why it was refused. Never throws; time is linear in the length.
 */
export function parseSipMessage(datagram: Buffer, options: ParseOptions = {}): SipMessage | SipReject {
  const limits = options.limits ?? SIP_LIMITS;
  if (datagram.length > limits.messageBytes) return { reject: 'too-large' };
  const head = readHead(datagram, limits);
  if (head.startLine === '') return { reject: 'empty' };
  const start = readStartLine(head.startLine);
  const body = readBody(datagram, head, options.ignoreContentLength === true);
  // In the order a receiver meets them: the start line, the headers, the body.
  const problem = start.problem ?? head.problem ?? (typeof body === 'string' ? body : undefined);
  if (problem !== undefined || typeof body === 'string') return refuse(problem ?? 'short-body', start, head);
  if (start.status !== undefined) {
    return { kind: 'response', status: start.status, reason: start.text, headers: head.headers, body };
  }
  return { kind: 'request', method: start.method, uri: start.text, headers: head.headers, body };
}

interface Head {
  readonly startLine: string;
  readonly headers: readonly SipHeader[];
  readonly bodyStart: number; // undefined end of head: length of the datagram
  readonly problem: SipRejectReason | undefined;
}

/** Start line and headers; goes on after a problem, so that an answer can be made from what is readable. */
function readHead(datagram: Buffer, limits: SipLimits): Head {
  const reader = new HeaderReader(limits);
  let at = 0;
  while (datagram[at] === CR || datagram[at] === LF) at += 1; // RFC 3261 §7.5
  let startLine: string | undefined;
  for (;;) {
    const end = logicalLineEnd(datagram, at, startLine !== undefined);
    if (end < 0) {
      reader.note('no-header-end');
      return {
        startLine: startLine ?? '',
        headers: reader.headers,
        bodyStart: datagram.length,
        problem: reader.problem,
      };
    }
    if (end === at) break;
    if (end - at > limits.headerLineBytes) reader.note('header-too-long');
    if (startLine === undefined)
      startLine = end - at > limits.headerLineBytes ? '?' : datagram.toString('utf8', at, end);
    else if (end - at <= limits.headerLineBytes) reader.add(datagram.toString('utf8', at, end));
    at = end + 2;
  }
  return { startLine: startLine ?? '', headers: reader.headers, bodyStart: at + 2, problem: reader.problem };
}

/** Index of the CRLF that ends the line at `from` and its continuation lines, or -1. */
function logicalLineEnd(datagram: Buffer, from: number, mayFold: boolean): number {
  for (let at = from; ; ) {
    const end = datagram.indexOf('\r\n', at, 'latin1');
    if (end < 0 || end === from || !mayFold) return end;
    if (!isSpace(datagram[end + 2] ?? 0)) return end;
    at = end + 2;
  }
}

class HeaderReader {
  readonly headers: SipHeader[] = [];
  readonly #seen = new Set<string>();
  problem: SipRejectReason | undefined;
  constructor(readonly limits: SipLimits) {}

  /** Keeps the first problem: later ones are often its consequence. */
  note(problem: SipRejectReason): void {
    this.problem ??= problem;
  }

  add(line: string): void {
    const colon = line.indexOf(':');
    const written = colon < 0 ? '' : trimSpace(line.slice(0, colon));
    if (!isToken(written) || isSpace(line.charCodeAt(0))) return this.note('bad-header-line');
    const value = trimSpace(unfold(line.slice(colon + 1)));
    if (hasBadControl(value)) return this.note('bad-character');
    const name = canonicalName(written);
    if (isSingletonHeader(name)) {
      if (this.#seen.has(name)) return this.note('repeated-header');
      this.#seen.add(name);
    }
    // An unclosed quote stays one value, which the reader of that header then refuses.
    const values = isListHeader(name) ? (splitOutside(value, ',') ?? [value]) : [value];
    if (this.headers.length + values.length > this.limits.headerCount) return this.note('too-many-headers');
    for (const single of values) this.headers.push({ name, value: single });
  }
}

/** Each line break with the white space around it counts as one space (RFC 3261 §7.3.1). */
function unfold(value: string): string {
  if (!value.includes('\r\n')) return value;
  return value
    .split('\r\n')
    .map((piece) => trimSpace(piece))
    .join(' ');
}

/** Control characters other than tab, unless escaped inside a quoted string (RFC 4475 §3.1.1.2 has an escaped NUL). */
function hasBadControl(text: string): boolean {
  let quoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) quoted = !quoted;
    else if (quoted && code === BACKSLASH) {
      i += 1;
      const escaped = text.charCodeAt(i);
      if (escaped === CR || escaped === LF) return true;
    } else if ((code < 0x20 && code !== 0x09) || code === DELETE) return true;
  }
  return false;
}

interface StartLine {
  readonly problem?: SipRejectReason;
  readonly method: string; // '' for a response, or when not even that was readable
  readonly status?: number;
  readonly text: string; // Request-URI or reason phrase
}

function readStartLine(line: string): StartLine {
  return line.slice(0, 4).toUpperCase() === 'SIP/' ? readStatusLine(line) : readRequestLine(line);
}

/** `SIP/2.0 200 OK`; the reason may be empty (RFC 4475 §3.1.1.13), even without the space before it. */
function readStatusLine(line: string): StartLine {
  const [version = '', code = ''] = line.split(' ', 2);
  const status = code.length === 3 ? parseUint(code, 699) : undefined;
  const text = line.slice(version.length + code.length + 2);
  if (version.toUpperCase() !== 'SIP/2.0') return { problem: 'bad-version', method: '', text };
  if (status === undefined || status < 100) return { problem: 'bad-status', method: '', text };
  if (hasBadControl(text.replaceAll('"', "'"))) return { problem: 'bad-character', method: '', text };
  return { method: '', status, text };
}

const URI_TABLE = charTable(
  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.!~*'()%&=+$,;?/:@[]#|^`{}",
);

/** `INVITE sip:a@b SIP/2.0`, with exactly one space between (RFC 3261 §7.1). */
function readRequestLine(line: string): StartLine {
  const first = line.indexOf(' ');
  const last = line.lastIndexOf(' ');
  const method = line.slice(0, Math.max(first, 0));
  const text = line.slice(first + 1, Math.max(last, first + 1));
  if (!isToken(method)) return { problem: 'bad-start-line', method: '', text: '' };
  const version = line.slice(last + 1).toUpperCase();
  if (!madeOf(text, URI_TABLE)) return { problem: 'bad-start-line', method, text: '' };
  if (version === 'SIP/2.0') return { method, text };
  const isVersion = version.startsWith('SIP/') && madeOf(version.slice(4), VERSION_TABLE);
  return { problem: isVersion ? 'bad-version' : 'bad-start-line', method, text };
}
const VERSION_TABLE = charTable('0123456789.');

function readBody(datagram: Buffer, head: Head, ignoreLength: boolean): Buffer | SipRejectReason {
  const rest = datagram.subarray(Math.min(head.bodyStart, datagram.length));
  const stated = head.headers.find((h) => h.name === 'Content-Length')?.value;
  if (stated === undefined || ignoreLength) return rest;
  const length = parseUint(stated, Number.MAX_SAFE_INTEGER);
  if (length === undefined) return 'bad-content-length';
  return length > rest.length ? 'short-body' : rest.subarray(0, length);
}

const ANSWER_REASONS: Partial<Record<SipRejectReason, string>> = {
  'bad-start-line': 'Malformed Request-Line',
  'no-header-end': 'Header Section Not Ended',
  'header-too-long': 'Header Field Too Long',
  'too-many-headers': 'Too Many Header Fields',
  'bad-header-line': 'Malformed Header Field',
  'bad-character': 'Control Character in Header Field',
  'repeated-header': 'Repeated Header Field',
  'bad-content-length': 'Invalid Content-Length',
  'short-body': 'Body Shorter Than Content-Length',
};
const ANSWER_NEEDS = ['Via', 'From', 'To', 'Call-ID', 'CSeq'];

function refuse(reject: SipRejectReason, start: StartLine, head: Head): SipReject {
  const method = start.method;
  const answerable = method !== '' && method !== 'ACK' && ANSWER_NEEDS.every((name) => hasValue(head.headers, name));
  if (!answerable) return { reject };
  const request: SipRequest = {
    kind: 'request',
    method,
    uri: start.text,
    headers: head.headers,
    body: Buffer.alloc(0),
  };
  if (reject === 'bad-version') return { reject, answer: { status: 505, reason: 'Version Not Supported', request } };
  return { reject, answer: { status: 400, reason: ANSWER_REASONS[reject] ?? 'Bad Request', request } };
}

function hasValue(headers: readonly SipHeader[], name: string): boolean {
  return headers.some((h) => h.name === name && h.value !== '');
}
