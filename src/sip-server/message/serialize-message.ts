import { canonicalName, isJoinedHeader } from './header-names.ts';
import type { SipHeader, SipMessage } from './sip-message.ts';

/** Joined lists stay below this, far from what any receiver refuses. */
const JOINED_LINE_MAX = 998;

/**
 * The bytes of a message: canonical names, header order kept, neighbouring values of a token list (`Allow`, `Supported`)
 * on one line, and always the true Content-Length. Line breaks inside values become spaces, so that no value can add a header.
 */
export function serializeSipMessage(message: SipMessage): Buffer {
  const lines: string[] = [startLine(message)];
  let lengthWritten = false;
  let previous = '';
  for (const { name: given, value } of message.headers) {
    const name = canonicalName(given);
    const last = lines.length - 1;
    if (name === 'Content-Length') {
      if (!lengthWritten) lines.push(`Content-Length: ${message.body.length}`);
      lengthWritten = true;
    } else if (joins(name, previous, lines[last] ?? '', value)) lines[last] += `, ${oneLine(value)}`;
    else lines.push(headerLine(name, value));
    previous = name;
  }
  if (!lengthWritten) lines.push(`Content-Length: ${message.body.length}`);
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'utf8');
  return message.body.length === 0 ? head : Buffer.concat([head, message.body]);
}

/** The start line without its line end. */
export function startLine(message: SipMessage): string {
  return message.kind === 'request'
    ? oneLine(`${message.method} ${message.uri} SIP/2.0`)
    : oneLine(`SIP/2.0 ${message.status} ${message.reason}`);
}

function joins(name: string, previous: string, line: string, value: string): boolean {
  // Empty values never join: `a, ` would not come back as it was. Nor do quotes and brackets, which may be unbalanced.
  if (name !== previous || !isJoinedHeader(name) || value === '' || line.endsWith(': ')) return false;
  if (line.length + value.length + 2 > JOINED_LINE_MAX) return false;
  return !/["<>]/.test(line) && !/["<>]/.test(value);
}

function headerLine(name: SipHeader['name'], value: string): string {
  return `${oneLine(name)}: ${oneLine(value)}`;
}

function oneLine(text: string): string {
  return text.includes('\r') || text.includes('\n') ? text.replace(/[\r\n]+[ \t]*/g, ' ') : text;
}
