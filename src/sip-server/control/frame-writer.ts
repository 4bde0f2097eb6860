import { FRAME_BYTES_MAX } from './frame-reader.ts';

/**
 * One frame ready for the wire, or undefined when the payload is over the limit: the peer would drop the connection
 * and with it every call.
 *
 * @param tokens - header line tokens from the message id on. `|` and line ends inside a token cannot be escaped and are
 *   replaced, so that no later token shifts.
 * @param sipText - the SIP message that follows the header line.
 */
export function writeFrame(tokens: readonly string[], sipText?: string): Buffer | undefined {
  const head = tokens.map(cleanToken).join('|');
  const payload = sipText === undefined ? head : `${head}\r\n${sipText}`;
  const length = Buffer.byteLength(payload, 'utf8');
  if (length > FRAME_BYTES_MAX) return undefined;
  return Buffer.from(`${length}#${payload}`, 'utf8');
}

function cleanToken(token: string): string {
  return /[|\r\n]/.test(token) ? token.replace(/[|\r\n]/g, '_') : token;
}

/** `HH:MM:SS.uuuuuu`, UTC, as the real server stamps frames. The last three digits are beyond a Date and stay zero. */
export function frameTime(utc: Date): string {
  return `${utc.toISOString().slice(11, 23)}000`;
}
