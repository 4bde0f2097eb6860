import { randomInt } from 'node:crypto';
import { newUuid, randomToken } from '../../core/ids.ts';
import { parseCSeq } from '../message/header-values.ts';
import { formatNameAddr, parseNameAddr, tagOf, withTag } from '../message/name-addr.ts';
import { header, type SipHeader, type SipRequest } from '../message/sip-message.ts';
import type { Flow } from '../transport/flow.ts';
import { ALLOWED_METHODS, appHeaders, carriesContact, missingContentType } from './app-response.ts';
import { dialogId } from './dialog.ts';
import { offerSessionTimer } from './session-timer.ts';
import { withSipsContact } from './sips-contact.ts';
import { identityHeader, type UaContext } from './ua-context.ts';

/** An application's request outside a dialog, with everything decided that does not depend on the flow. */
export interface OutsideRequest {
  readonly method: string;
  readonly callId: string;
  readonly fromTag: string;
  readonly dialogId: string;
  cseq: number; // rises when the server itself repeats the request (422)
  sessionSeconds: number | undefined; // Session-Expires of that repetition
  make(flow: Flow): SipRequest;
}

/** RFC 3261 §20.22. */
const MAX_FORWARDS = 70;
/** Offered when the application does not say what it takes. */
const DIALOG_MAKERS: ReadonlySet<string> = new Set(['INVITE', 'SUBSCRIBE', 'REFER']);

/**
 * Completes an application's request (RFC 3261 §8.1.1). What it may set: From with tag, To, Call-ID, CSeq, Contact, Route and
 * everything but Via, Record-Route and Content-Length.
 *
 * @returns the text of a NOK when it cannot be sent.
 */
export function outsideRequest(context: UaContext, message: SipRequest): OutsideRequest | string {
  const { method, uri } = message;
  const type = missingContentType(message.headers, message.body);
  if (type === 'unknown') return 'missing content-type';
  if (parseNameAddr(`<${uri}>`) === undefined) return `invalid request-uri: ${method} ${uri} SIP/2.0`;
  const given = header(message, 'From');
  const fromTag = (given === undefined ? undefined : tagOf(given)) ?? randomToken(8);
  const callId = header(message, 'Call-ID') ?? newUuid();
  const givenCSeq = header(message, 'CSeq');
  const cseq = (givenCSeq === undefined ? undefined : parseCSeq(givenCSeq)?.number) ?? randomInt(1, 1_000_000);
  const outside: OutsideRequest = {
    method,
    callId,
    fromTag,
    dialogId: dialogId(callId, fromTag),
    cseq,
    sessionSeconds: undefined,
    make: (flow) => complete(context, outside, message, type, flow),
  };
  return outside;
}

function complete(
  context: UaContext,
  outside: OutsideRequest,
  message: SipRequest,
  type: string | undefined,
  flow: Flow,
): SipRequest {
  const { method } = outside;
  const { local } = context;
  const kept = appHeaders(context, message.headers, flow).filter(
    ({ name }) => outside.sessionSeconds === undefined || name !== 'Session-Expires',
  );
  const has = (name: string): boolean => kept.some((h) => h.name === name);
  const contact = local.contact(flow);
  const from = local.completeAddress(header(message, 'From') ?? contact, flow);
  const headers: SipHeader[] = [
    { name: 'Max-Forwards', value: String(MAX_FORWARDS) },
    { name: 'From', value: bracketed(withTag(from, outside.fromTag)) },
    { name: 'To', value: bracketed(local.completeAddress(header(message, 'To') ?? `<${message.uri}>`, flow)) },
    { name: 'Call-ID', value: outside.callId },
    { name: 'CSeq', value: `${outside.cseq} ${method}` },
  ];
  // The way to a phone behind proxies (RFC 3327), or by those of a trunk (RFC 3608). A real drachtio-server drops it.
  headers.push(...message.headers.filter(({ name }) => name === 'Route'));
  if (carriesContact(method) && !has('Contact')) headers.push({ name: 'Contact', value: contact });
  if (DIALOG_MAKERS.has(method) && !has('Allow')) headers.push({ name: 'Allow', value: ALLOWED_METHODS });
  if (method === 'INVITE') {
    headers.push(...offerSessionTimer(kept, context.settings.sessionTimers, outside.sessionSeconds));
  }
  if (type !== undefined) headers.push({ name: 'Content-Type', value: type });
  headers.push(...kept, ...identityHeader(context, 'User-Agent', kept));
  return {
    kind: 'request',
    method,
    uri: message.uri,
    headers: withSipsContact(headers, message.uri, flow),
    body: message.body,
  };
}

/** A URI without brackets would leave open to whom its parameters belong. */
function bracketed(value: string): string {
  if (value.includes('<')) return value;
  const address = parseNameAddr(value);
  return address ? formatNameAddr(address) : value;
}
