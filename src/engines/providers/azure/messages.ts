import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../core/clock.ts';

/**
 * Messages of the service's WebSockets. Text: lines of headers, an empty line, JSON or SSML. Binary: two bytes, which are the length of
 * the headers, the headers, audio.
 *
 * @see Azure "Speech Service WebSocket protocol"
 */
export interface ServiceMessage {
  readonly path: string; // turn.start, in lower case
  readonly requestId: string; // of the turn, in lower case
  readonly body: string | Buffer;
}

const LENGTH_BYTES = 2;
const HEADERS_MAX = 50;

/** 32 hexadecimal digits. */
export function newId(): string {
  return randomBytes(16).toString('hex');
}

export interface MessageHead {
  readonly path: string;
  readonly requestId: string;
  readonly contentType?: string;
}

export function textMessage(head: MessageHead, body: string, clock: Clock): string {
  return `${headerLines(head, clock)}\r\n${body}`;
}

/** Without a body it ends the audio of a turn. */
export function binaryMessage(head: MessageHead, body: Uint8Array | undefined, clock: Clock): Buffer {
  const headers = Buffer.from(headerLines(head, clock), 'latin1');
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt16BE(headers.length);
  return Buffer.concat(body ? [length, headers, body] : [length, headers]);
}

/** @returns undefined for what is no such message. */
export function readTextMessage(message: string): ServiceMessage | undefined {
  const end = message.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  return withHeaders(message.slice(0, end), message.slice(end + 4));
}

/** @returns undefined for what is no such message. */
export function readBinaryMessage(message: Buffer): ServiceMessage | undefined {
  if (message.length < LENGTH_BYTES) return undefined;
  const end = LENGTH_BYTES + message.readUInt16BE();
  if (message.length < end) return undefined;
  return withHeaders(message.toString('latin1', LENGTH_BYTES, end), message.subarray(end));
}

function headerLines({ path, requestId, contentType }: MessageHead, clock: Clock): string {
  const type = contentType === undefined ? '' : `Content-Type: ${contentType}\r\n`;
  return `Path: ${path}\r\nX-RequestId: ${requestId}\r\nX-Timestamp: ${clock.utc().toISOString()}\r\n${type}`;
}

function withHeaders(head: string, body: string | Buffer): ServiceMessage | undefined {
  let path = '';
  let requestId = '';
  for (const line of head.split('\r\n', HEADERS_MAX)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    if (name === 'path')
      path = line
        .slice(colon + 1)
        .trim()
        .toLowerCase();
    if (name === 'x-requestid')
      requestId = line
        .slice(colon + 1)
        .trim()
        .toLowerCase();
  }
  return path === '' ? undefined : { path, requestId, body };
}

/** First over every connection: who speaks. */
export const SPEECH_CONFIG = JSON.stringify({ context: { system: { name: 'nidaa', version: '1', build: 'node' } } });
