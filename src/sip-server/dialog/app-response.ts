import { makeResponse } from '../message/build-message.ts';
import { tagOf } from '../message/name-addr.ts';
import { header, type SipHeader, type SipRequest, type SipResponse } from '../message/sip-message.ts';
import type { Flow } from '../transport/flow.ts';
import { withSipsContact } from './sips-contact.ts';
import { identityHeader, type UaContext } from './ua-context.ts';

/** Headers of an application's message that the server itself decides. */
const DECIDED_HERE: ReadonlySet<string> = new Set([
  'Via',
  'From',
  'To',
  'Call-ID',
  'CSeq',
  'Content-Length',
  'Max-Forwards',
  'Route',
  'Record-Route',
  'RSeq',
]);
/** Addresses in which `localhost` stands for us. */
const COMPLETED: ReadonlySet<string> = new Set(['P-Asserted-Identity', 'P-Preferred-Identity', 'Remote-Party-ID']);
const SDP = 'application/sdp';

/** Methods whose answers and requests carry Contact, because they make or refresh a dialog (RFC 3261 §12, RFC 3311). */
const CONTACT_METHODS: ReadonlySet<string> = new Set(['INVITE', 'SUBSCRIBE', 'UPDATE', 'REFER', 'NOTIFY']);

export const ALLOWED_METHODS = 'INVITE, ACK, CANCEL, BYE, OPTIONS, PRACK, UPDATE, INFO, REFER, NOTIFY, MESSAGE';

export function carriesContact(method: string): boolean {
  return CONTACT_METHODS.has(method);
}

/** What is kept of an application's headers, with `localhost` filled in. */
export function appHeaders(context: UaContext, headers: readonly SipHeader[], flow: Flow): readonly SipHeader[] {
  return headers
    .filter(({ name }) => !DECIDED_HERE.has(name))
    .map(({ name, value }) => {
      if (name === 'Contact') return { name, value: context.local.completeContact(value, flow) };
      if (COMPLETED.has(name)) return { name, value: context.local.completeAddress(value, flow) };
      return { name, value };
    });
}

/** Content-Type for a body that came without: session descriptions are recognised, anything else is refused. */
export function missingContentType(headers: readonly SipHeader[], body: Buffer): string | undefined | 'unknown' {
  if (body.length === 0 || headers.some((h) => h.name === 'Content-Type')) return undefined;
  return body.subarray(0, 3).toString('latin1') === 'v=0' ? SDP : 'unknown';
}

/** The To tag the application chose, if it did. */
export function chosenTag(message: SipResponse): string | undefined {
  const to = header(message, 'To');
  return to === undefined ? undefined : tagOf(to);
}

export interface ResponseParts {
  readonly toTag: string | undefined;
  readonly contact: string; // used when the application set none
  readonly extra: readonly SipHeader[];
}

/** The wire form of an application's answer to `request`. */
export function responseFromApp(
  context: UaContext,
  request: SipRequest,
  message: SipResponse,
  flow: Flow,
  parts: ResponseParts,
): SipResponse {
  const kept = appHeaders(context, message.headers, flow);
  const has = (name: string): boolean => kept.some((h) => h.name === name) || parts.extra.some((h) => h.name === name);
  const added: SipHeader[] = [...parts.extra];
  const establishes = message.status > 100 && message.status < 300;
  if (establishes && carriesContact(request.method) && !has('Contact')) {
    added.push({ name: 'Contact', value: parts.contact });
  }
  const success = message.status >= 200 && message.status < 300;
  if (success && (request.method === 'OPTIONS' || request.method === 'INVITE')) {
    if (!has('Allow')) added.push({ name: 'Allow', value: ALLOWED_METHODS });
    if (!has('Supported')) added.push({ name: 'Supported', value: 'timer, 100rel' });
    if (request.method === 'OPTIONS' && !has('Accept')) added.push({ name: 'Accept', value: SDP });
  }
  const type = missingContentType(kept, message.body);
  if (type !== undefined && type !== 'unknown') added.push({ name: 'Content-Type', value: type });
  return makeResponse(request, message.status, message.reason, {
    ...(parts.toTag === undefined || message.status === 100 ? {} : { toTag: parts.toTag }),
    headers: withSipsContact([...added, ...kept, ...identityHeader(context, 'Server', kept)], request.uri, flow),
    body: message.body,
  });
}
