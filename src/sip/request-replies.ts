import type { Logger } from '../core/logger.ts';
import type { SrfResponse } from './drachtio.ts';
import { INFO_DTMF_TYPES, type InfoDtmf, parseInfoDtmf } from './info-dtmf.ts';

/** What we take part in. REFER is missing on purpose: a caller may not make us place calls. */
export const ALLOW = 'INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE, NOTIFY';
export const ACCEPT = `application/sdp, ${INFO_DTMF_TYPES.join(', ')}`;
export const SUPPORTED = 'timer, replaces';
/**
 * Option tags that an INVITE may require of us (RFC 3261 §8.2.2.3). Reliable provisional responses may be required, for
 * then we send none; they are not advertised.
 */
const ACCEPTED_TAGS = new Set(['timer', 'replaces', '100rel']);

export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
}
const reply = (status: number, headers: Record<string, string> = {}): Reply => ({ status, headers });
const capabilities = (): Reply => reply(200, { Allow: ALLOW, Accept: ACCEPT, Supported: SUPPORTED });

/** Sends an answer. `sent` hears what became of it, also when the SIP server is gone. Never throws. */
export function sendReply(
  res: SrfResponse,
  { status, headers }: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
  logger: Logger,
  { body, sent }: { readonly body?: string | undefined; readonly sent?: ((error: unknown) => void) | undefined } = {},
): void {
  try {
    res.send(status, { headers: { ...headers }, ...(body === undefined ? {} : { body }) }, (error) => {
      if (error) logger.debug({ err: error, status }, 'response not sent');
      sent?.(error);
    });
  } catch (error) {
    logger.warn({ err: error, status }, 'response could not be sent');
    sent?.(error);
  }
}

/** A plain text as a `Warning` of ours. */
export const warning = (text: string): Record<string, string> => ({ Warning: `399 nidaa "${text}"` });

/**
 * The answer to a request outside any dialog; every method has one, so that nothing stays unanswered.
 * @returns undefined for ACK, which is never answered, and for INVITE, which is a call.
 */
export function replyOutsideDialog(method: string): Reply | undefined {
  switch (method) {
    case 'ACK':
    case 'INVITE':
      return undefined;
    case 'OPTIONS':
      return capabilities();
    case 'BYE':
    case 'CANCEL':
    case 'UPDATE':
    case 'INFO':
    case 'NOTIFY':
    case 'PRACK':
      return reply(481); // mean something inside a dialog only
    case 'REFER':
      return reply(403, warning('Calls are not placed on request'));
    case 'SUBSCRIBE':
      return reply(489, { 'Allow-Events': 'refer' });
    default:
      return reply(405, { Allow: ALLOW }); // REGISTER without a registrar, MESSAGE, PUBLISH and what is yet to be invented
  }
}

/** Requests of a dialog that need nothing but an answer; offers and NOTIFYs are the leg's business. */
export function replyInDialog(
  method: 'OPTIONS' | 'INFO' | 'MESSAGE' | 'PUBLISH' | 'SUBSCRIBE' | 'REFER',
  contentType: string,
  body: string,
): Reply & { readonly dtmf?: InfoDtmf } {
  if (method === 'OPTIONS') return capabilities();
  if (method === 'REFER') return reply(403, warning('The caller may not transfer this call'));
  if (method === 'SUBSCRIBE') return reply(489, { 'Allow-Events': 'refer' });
  if (method !== 'INFO') return reply(405, { Allow: ALLOW });
  if (contentType === '' && body === '') return reply(200); // a keep-alive
  const dtmf = parseInfoDtmf(contentType, body);
  if (dtmf === 'other-type') return reply(415, { Accept: INFO_DTMF_TYPES.join(', ') });
  if (dtmf === undefined) return reply(400, warning('No key found in the INFO body'));
  return { ...reply(200), dtmf };
}

/** The tags of a `Require` header that we do not support; non-empty means 420 with `Unsupported`. */
export function unsupportedTags(require: string | undefined): readonly string[] {
  const tags = (require ?? '')
    .slice(0, 512)
    .split(',')
    .map((tag) => tag.trim().toLowerCase());
  return tags.filter((tag) => tag !== '' && !ACCEPTED_TAGS.has(tag) && /^[a-z0-9.-]{1,64}$/.test(tag));
}

/** The description in a message body: the body itself, or the part of a multipart one. */
export function descriptionIn(message: {
  readonly body: string | undefined;
  readonly payload: readonly { readonly type: string | null | undefined; readonly content?: string }[];
  get(name: string): string | undefined;
}): { readonly sdp: string } | Reply {
  const body = message.body ?? '';
  if (body === '') return { sdp: '' };
  const type = (message.get('Content-Type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  const encoding = (message.get('Content-Encoding') ?? 'identity').trim().toLowerCase();
  if (encoding !== 'identity') return reply(415, { 'Accept-Encoding': 'identity' });
  if (type === 'application/sdp') return { sdp: body };
  const part = type?.startsWith('multipart/')
    ? message.payload.find((one) => one.type?.split(';', 1)[0]?.trim().toLowerCase() === 'application/sdp')
    : undefined;
  return part?.content === undefined ? reply(415, { Accept: 'application/sdp' }) : { sdp: `${part.content}\r\n` };
}
