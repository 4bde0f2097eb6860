import { randomInt } from 'node:crypto';
import type { SenderFacts } from '../call/admission.ts';
import type { CallEnd } from '../call/call-end.ts';
import type { LegInfo } from '../call/leg.ts';
import { PEER_CERTIFICATE_HEADER } from '../core/peer-certificate.ts';
import { sourceAddressTo } from '../core/source-address.ts';
import type { MediaEdge } from '../media/edge/media-edge.ts';
import { callVariables } from './call-variables.ts';
import type { SrfRequest } from './drachtio.ts';
import { EdgePassage, innerPolicy } from './edge-passage.ts';
import { OfferAnswer } from './offer-answer.ts';
import { descriptionIn, type Reply, unsupportedTags, warning } from './request-replies.ts';
import { refusalOfTimer, type SessionTimerPolicy } from './session-expires.ts';
import { parseNameAddress, parseSipUri, uriHost } from './sip-uri.ts';
import { refusalOfOffer } from './status.ts';
import type { OfferPolicy } from './stream-choice.ts';

/** A new INVITE that may become a call. */
export interface IncomingCall {
  readonly session: OfferAnswer;
  readonly reliable: boolean;
  readonly fromDomain: string;
  /** Where there is a media edge: the way through it, and what has to go that way first. */
  readonly passage?: EdgePassage;
  readonly offer?: string;
}

const USER_CHARACTERS_MAX = 128;

/**
 * Facts of an INVITE, bounded and safe to store; whatever is unreadable is empty. Never throws.
 *
 * @param isServerHere - the SIP server runs in this process, so that its address is ours too. That of another machine says
 *   nothing of ours: then the route to the caller does.
 */
export function legInfoOf(req: SrfRequest, isServerHere: boolean): LegInfo {
  const localAddress = isServerHere ? req.receivedOn?.replace(/:\d+$/, '') : sourceAddressTo(req.source_address);
  const from = parseNameAddress(req.get('From') ?? '');
  const to = parseNameAddress(req.get('To') ?? '');
  const bounded = (text: string): string => text.replace(/[\u0000-\u001f\u007f]/g, '').slice(0, USER_CHARACTERS_MAX);
  return {
    sipCallId: bounded(req.get('Call-ID') ?? ''),
    from: bounded(from.uri?.user || from.display),
    to: bounded(to.uri?.user || to.display),
    called: bounded(parseSipUri(req.uri)?.user ?? ''),
    sourceAddress: `${uriHost(req.source_address)}:${req.source_port}`,
    ...(localAddress !== undefined && { localAddress }),
    transport: req.protocol,
    variables: callVariables(req.headers),
  };
}

/** @param isServerHere - as for `legInfoOf`: another server hands on whatever was sent to it, certificates of its own making too. */
export function senderFactsOf({ headers }: SrfRequest, isServerHere: boolean): SenderFacts {
  const said = isServerHere ? headers[PEER_CERTIFICATE_HEADER.toLowerCase()] : undefined;
  const certificateNames = (said ?? '').split(/\s*,\s*/).filter((name) => name !== '');
  return { headers, ...(certificateNames.length > 0 && { certificateNames }) };
}

/**
 * Checks what a call cannot do without, and takes its offer.
 * @returns the call, or the refusal to send, with a `CallEnd` where it is worth counting as a refused call.
 */
export function examineInvite(
  req: SrfRequest,
  policy: OfferPolicy,
  sessionTimers: SessionTimerPolicy | undefined,
  edge?: MediaEdge,
): IncomingCall | (Reply & { end?: CallEnd }) {
  if (/;\s*tag\s*=/i.test((req.get('To') ?? '').slice(0, 1024))) return { status: 481, headers: {} };
  // The library would go on with such a request after having failed it.
  if (!req.get('Contact')?.trim()) return { status: 400, headers: warning('Missing Contact') };
  const unsupported = unsupportedTags(req.get('Require'));
  if (unsupported.length > 0) return { status: 420, headers: { Unsupported: unsupported.join(', ') } };
  const tooShort = refusalOfTimer(req, sessionTimers);
  if (tooShort) return tooShort;
  const found = descriptionIn(req);
  if (!('sdp' in found)) return found;
  const passage = edge && new EdgePassage(edge.open(), policy, req.source_address);
  const session = new OfferAnswer({
    sessionId: String(randomInt(1, 2 ** 40)),
    signallingAddress: req.source_address,
    policy: passage ? innerPolicy(policy) : policy,
  });
  const { sdp } = found;
  const refused = sdp === '' ? undefined : passage ? passage.judge(sdp) : session.receiveOffer(sdp);
  if (refused && refused !== 'glare') {
    const { status, headers, end } = refusalOfOffer(refused);
    return { status, headers: { ...headers }, end };
  }
  return {
    session,
    ...(passage && { passage, ...(sdp !== '' && { offer: sdp }) }),
    reliable: /(^|[\s,])100rel([\s,]|$)/i.test((req.get('Require') ?? '').slice(0, 512)),
    fromDomain: parseNameAddress(req.get('From') ?? '').uri?.hostPort ?? '',
  };
}
