import type { SipMessage } from '../message/sip-message.ts';
import { parseAppMessage } from './app-message.ts';

/** One frame from the application, read. Shapes: the control protocol's table of application commands. */
export type Command =
  | { readonly type: 'authenticate'; readonly id: string; readonly secret: string; readonly tags: readonly string[] }
  | { readonly type: 'route'; readonly id: string; readonly verb: string }
  | { readonly type: 'remove_route'; readonly id: string; readonly verb: string }
  | { readonly type: 'ping'; readonly id: string }
  | SipCommand
  | { readonly type: 'proxy'; readonly id: string; readonly transactionId: string }
  | { readonly type: 'invalid'; readonly id: string; readonly reason: string }
  | { readonly type: 'unknown'; readonly id: string };

export interface SipCommand {
  readonly type: 'sip';
  readonly id: string;
  readonly transactionId: string; // empty when none
  readonly dialogId: string; // empty when none
  readonly nextHop: string; // URI to send to, empty for the Request-URI
  readonly message: SipMessage;
}

/** srf itself caps tags at 20 of 32 characters. */
const TAGS_MAX = 20;
const SIP_TOKENS_MAX = 5; // id, sip, transaction, dialog, next hop

/**
 * Reads one frame payload. Never throws: what cannot be read comes back as `invalid` (answered NOK) or `unknown`
 * (answered NO, and the connection closes).
 */
export function parseCommand(payload: string): Command {
  const lineEnd = payload.indexOf('\r\n');
  const line = lineEnd === -1 ? payload : payload.slice(0, lineEnd);
  const tokens = line.split('|');
  const id = tokens[0] ?? '';
  switch (tokens[1]) {
    case 'authenticate': {
      const tags = (tokens[3] ?? '').split(',').filter((tag) => tag !== '');
      return { type: 'authenticate', id, secret: tokens[2] ?? '', tags: tags.slice(0, TAGS_MAX) };
    }
    case 'route':
    case 'remove_route':
      return { type: tokens[1], id, verb: (tokens[2] ?? '').trim().toLowerCase() };
    case 'ping':
      return { type: 'ping', id };
    case 'proxy':
      return { type: 'proxy', id, transactionId: tokens[2] ?? '' };
    case 'sip':
      return parseSip(id, tokens, lineEnd === -1 ? '' : payload.slice(lineEnd + 2));
    default:
      return { type: 'unknown', id };
  }
}

function parseSip(id: string, tokens: readonly string[], text: string): Command {
  // srf does not escape: a bar inside the next-hop URI would cut it, so a frame with too many tokens is refused.
  if (tokens.length > SIP_TOKENS_MAX) return { type: 'invalid', id, reason: 'invalid next hop uri' };
  const message = parseAppMessage(text);
  if (typeof message === 'string') return { type: 'invalid', id, reason: message };
  return {
    type: 'sip',
    id,
    transactionId: tokens[2] ?? '',
    dialogId: tokens[3] ?? '',
    nextHop: tokens[4] ?? '',
    message,
  };
}
