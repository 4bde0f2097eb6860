import { DOCUMENT_NAME_CHARS_MAX } from '../core/agent-documents.ts';

const NAMELESS = 'document';
/** Control characters, and those that turn the direction of what stands around them. */
const UNSEEN = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
const EXTENSION_CHARS = 10;

/** The name of a file that somebody sent, as text that can stand on a page: no path, nothing unseen, one line, not too long. */
export function documentName(sent: string | undefined): string {
  const last = (sent ?? '').toWellFormed().split(/[/\\]/).at(-1)!;
  const plain = last.replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim();
  if (plain === '' || /^\.+$/.test(plain)) return NAMELESS;
  if (plain.length <= DOCUMENT_NAME_CHARS_MAX) return plain;
  const dot = plain.lastIndexOf('.');
  const extension = dot > 0 && plain.length - dot <= EXTENSION_CHARS ? plain.slice(dot) : '';
  return `${plain
    .slice(0, DOCUMENT_NAME_CHARS_MAX - extension.length)
    .toWellFormed()
    .trimEnd()}${extension}`;
}

/**
 * A file that is to be saved, whatever its name: `attachment` with the name in ASCII for old clients and whole (RFC 6266,
 * RFC 8187 §3.2.1).
 */
export function savedAs(name: string): string {
  const ascii = name.replace(/[^\w .()-]/g, '_');
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${whole}`;
}
