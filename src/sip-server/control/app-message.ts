import { isReject, parseSipMessage } from '../message/parse-message.ts';
import type { SipMessage } from '../message/sip-message.ts';

/**
 * Reads the SIP text of an application's frame. srf states Content-Length in UTF-16 units, so it is ignored: the body is
 * everything after the blank line.
 *
 * @returns the message, or the text of the NOK that answers it.
 */
export function parseAppMessage(text: string): SipMessage | string {
  const bytes = Buffer.from(text, 'utf8');
  const message = parseSipMessage(bytes, { ignoreContentLength: true });
  if (!isReject(message)) return message;
  const startLine = text.slice(0, Math.max(0, text.indexOf('\r\n'))).slice(0, 200);
  if (message.reject === 'bad-start-line') return `invalid request-uri: ${startLine}`;
  return `invalid message: ${message.reject}`;
}
