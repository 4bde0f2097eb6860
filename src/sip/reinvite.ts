import { randomInt } from 'node:crypto';
import type { NegotiatedMedia } from '../media/description.ts';
import type { SrfRequest } from './drachtio.ts';
import type { MediaExchange } from './media-exchange.ts';
import type { OfferAnswerState } from './offer-answer.ts';
import { ALLOW, descriptionIn, type Reply, SUPPORTED, unsupportedTags } from './request-replies.ts';
import { agreedTimer, refusalOfTimer, type SessionTimerPolicy } from './session-expires.ts';
import { type Refusal, refusalOfOffer } from './status.ts';
import { isRefusal } from './stream-choice.ts';

/** Our answer to a re-INVITE or UPDATE. */
export interface OfferReply extends Refusal {
  readonly sdp?: string;
  readonly media?: NegotiatedMedia; // agreed with this answer
  /** `sdp` is an offer of ours: the answer to it comes in the ACK. */
  readonly answerDue: boolean;
}

/** Our side of the dialog, as an answer needs it. */
export interface OwnSide {
  readonly contact: string;
  readonly sessionTimers: SessionTimerPolicy | undefined;
}

/**
 * Answers a new offer inside a dialog: hold, resume, another address or codec, a session refresh, a late offer.
 * What cannot be accepted leaves the session as it is (RFC 3261 §14.2, RFC 3311 §5.2).
 * A re-INVITE may come without an offer to ask for ours; an UPDATE without one is a refresh.
 */
export async function replyToOffer(exchange: MediaExchange, message: SrfRequest, own: OwnSide): Promise<OfferReply> {
  const { session } = exchange;
  const found = refusalInDialog(message, own.sessionTimers) ?? descriptionIn(message);
  if (!('sdp' in found)) return { ...found, answerDue: false };
  const timer = agreedTimer(message, own.sessionTimers);
  const headers = { Contact: own.contact, Allow: ALLOW, Supported: SUPPORTED, ...timer };
  if (found.sdp === '' && message.method !== 'INVITE') return { status: 200, headers, answerDue: false };
  const withBody = { status: 200, headers: { ...headers, 'Content-Type': 'application/sdp' } };
  if (!exchange.isFree) return notNow(session.state);
  if (found.sdp === '') {
    const sdp = await exchange.offer('sendrecv');
    if (typeof sdp !== 'string') return { ...refusalOfOffer(sdp), answerDue: false };
    return { ...withBody, sdp, answerDue: true };
  }
  const answer = await exchange.answer(found.sdp);
  if (isRefusal(answer)) return { ...refusalOfOffer(answer), answerDue: false };
  return { ...withBody, sdp: answer.sdp, media: answer.media, answerDue: false };
}

/**
 * An offer is open already. Ours: whoever lost the race tries again (491). The peer's own, which media still thinks about:
 * it was told to wait for the answer (RFC 3261 §14.2, RFC 3311 §5.2).
 */
function notNow(state: OfferAnswerState): OfferReply {
  if (state === 'local-offer') return { status: 491, headers: {}, answerDue: false };
  return { status: 500, headers: { 'Retry-After': String(randomInt(0, 11)) }, answerDue: false };
}

/** What is checked before any offer is looked at: nothing has changed then. */
function refusalInDialog(message: SrfRequest, sessionTimers: SessionTimerPolicy | undefined): Reply | undefined {
  const unsupported = unsupportedTags(message.get('Require'));
  if (unsupported.length > 0) return { status: 420, headers: { Unsupported: unsupported.join(', ') } };
  return refusalOfTimer(message, sessionTimers);
}

/** How long to wait before offering again after 491 (RFC 3261 §14.1): the owner of the Call-ID 2.1-4 s, the other 0-2 s. */
export function glareDelayMs(ownsCallId: boolean): number {
  return 10 * (ownsCallId ? randomInt(210, 401) : randomInt(0, 201));
}
