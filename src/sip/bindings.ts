import { type ContactValue, contactKey, parseSeconds } from './contact-header.ts';
import type { Reply } from './request-replies.ts';
import { warning } from './request-replies.ts';

/** One place that a phone can be reached at (RFC 3261 §10). */
export interface Binding {
  /** Which one of the phone's it is: instance and `reg-id` (RFC 5626 §6), the instance alone, or else the URI. */
  readonly key: string;
  readonly uri: string; // as the phone wrote it
  /** The flow it registered by, as a URI: where requests are sent, whatever its Contact says. */
  readonly flow: string;
  readonly path: readonly string[]; // topmost first (RFC 3327)
  readonly parameters: string; // what is told back of its Contact: `;+sip.instance="..."`
  readonly q: number; // 0..1
  readonly callId: string;
  readonly cseq: number;
  readonly userAgent: string;
  readonly expiresMs: number; // of the clock
}

export interface BindingLimits {
  readonly contactsMax: number; // of one phone
  readonly minSeconds: number; // shorter gets 423
  readonly maxSeconds: number; // longer is cut
  readonly defaultSeconds: number; // where the phone names none
}

/** A REGISTER whose sender is known. */
export interface BindingRequest {
  readonly contacts: readonly ContactValue[] | '*';
  readonly expires: string | undefined; // the header
  readonly callId: string;
  readonly cseq: number;
  readonly flow: string;
  readonly path: readonly string[];
  readonly userAgent: string;
  /** It takes part in RFC 5626: `reg-id` counts. */
  readonly outbound: boolean;
}

const INSTANCE = '+sip.instance';

/**
 * The bindings of one phone after a REGISTER (RFC 3261 §10.3, steps 6 to 8): all of it is done, or nothing.
 * @returns the bindings, the newest first; or the refusal.
 */
export function bind(
  all: readonly Binding[],
  request: BindingRequest,
  limits: BindingLimits,
  nowMs: number,
): readonly Binding[] | Reply {
  const known = all.filter((binding) => binding.expiresMs > nowMs);
  const { contacts } = request;
  const isOld = (binding: Binding): boolean => binding.callId === request.callId && binding.cseq >= request.cseq;
  const outOfOrder: Reply = { status: 400, headers: warning('CSeq out of order') };
  if (contacts === '*') {
    if (parseSeconds(request.expires) !== 0) return { status: 400, headers: warning('Contact * needs Expires 0') };
    return known.some(isOld) ? outOfOrder : [];
  }
  if (contacts.length > limits.contactsMax) return { status: 403, headers: warning('Too many contacts') };
  let bindings = known;
  for (const contact of contacts) {
    const seconds = secondsOf(contact, request.expires, limits);
    if (seconds > 0 && seconds < limits.minSeconds) {
      return { status: 423, headers: { 'Min-Expires': String(limits.minSeconds) } };
    }
    const binding = bindingOf(contact, request, nowMs + 1_000 * Math.min(seconds, limits.maxSeconds));
    const before = known.find(({ key }) => key === binding.key);
    if (before && isOld(before)) return outOfOrder;
    const others = bindings.filter(({ key }) => key !== binding.key);
    bindings = seconds === 0 ? others : [binding, ...others];
  }
  return bindings.slice(0, limits.contactsMax); // The place of the one that was refreshed longest ago is taken.
}

/** What cannot be read counts as nothing said (§10.3: an invalid value is as 3600; here the default). */
function secondsOf(contact: ContactValue, expires: string | undefined, limits: BindingLimits): number {
  return parseSeconds(contact.parameters.get('expires')) ?? parseSeconds(expires) ?? limits.defaultSeconds;
}

function bindingOf({ uri, parameters }: ContactValue, request: BindingRequest, expiresMs: number): Binding {
  const { flow, path, callId, cseq, userAgent, outbound } = request;
  const instance = bounded(parameters.get(INSTANCE));
  const regId = outbound ? bounded(parameters.get('reg-id')) : '';
  const q = Number.parseFloat(parameters.get('q') ?? '1');
  return {
    key: instance === '' ? contactKey(uri) : `${instance};${regId}`,
    ...{ uri, flow, path, callId, cseq, userAgent, expiresMs },
    parameters: [
      instance === '' ? '' : `;${INSTANCE}="${instance}"`,
      regId === '' ? '' : `;reg-id=${regId}`,
      parameters.has('q') && q >= 0 && q <= 1 ? `;q=${q}` : '',
    ].join(''),
    q: q >= 0 && q <= 1 ? q : 1,
  };
}

/** What is told back must not break out of its quotes. */
const bounded = (text: string | undefined): string => (text ?? '').replace(/[^\x21-\x7e]|["\\;,]/g, '').slice(0, 128);

/** Each as a value of the `Contact` header of the 200, with what is left of its time. */
export function contactsHeader(bindings: readonly Binding[], nowMs: number): string {
  return bindings
    .filter(({ expiresMs }) => expiresMs > nowMs)
    .map(({ uri, parameters, expiresMs }) => `<${uri}>${parameters};expires=${Math.ceil((expiresMs - nowMs) / 1_000)}`)
    .join(', ');
}
