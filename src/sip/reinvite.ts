import { randomInt } from 'node:crypto';
import type { MediaEndpoint, NegotiatedMedia } from '../media/description.ts';
import type { SrfRequest } from './drachtio.ts';
import type { OfferAnswer } from './offer-answer.ts';
import { ALLOW, descriptionIn, SUPPORTED } from './request-replies.ts';
import { type Refusal, refusalOfOffer } from './status.ts';

/** Our answer to a re-INVITE or UPDATE. */
export interface OfferReply extends Refusal {
  readonly sdp?: string;
  readonly media?: NegotiatedMedia; // agreed with this answer
  /** `sdp` is an offer of ours: the answer to it comes in the ACK. */
  readonly answerDue: boolean;
}

/**
 * Answers a new offer inside a dialog: hold, resume, another address or codec, a session refresh, a late offer.
 * What cannot be accepted leaves the session as it is (RFC 3261 §14.2, RFC 3311 §5.2).
 * A re-INVITE may come without an offer to ask for ours; an UPDATE without one is a refresh.
 */
export function replyToOffer(
  session: OfferAnswer,
  message: SrfRequest,
  local: MediaEndpoint,
  contact: string,
): OfferReply {
  const found = descriptionIn(message);
  if (!('sdp' in found)) return { ...found, answerDue: false };
  const headers = { Contact: contact, Allow: ALLOW, Supported: SUPPORTED };
  if (found.sdp === '' && message.method !== 'INVITE') return { status: 200, headers, answerDue: false };
  const withBody = { ...headers, 'Content-Type': 'application/sdp' };
  if (found.sdp === '') {
    if (session.state !== 'stable') return GLARE;
    return { status: 200, headers: withBody, sdp: session.createOffer(local), answerDue: true };
  }
  const refused = session.receiveOffer(found.sdp);
  if (refused === 'glare') return GLARE;
  if (refused) return { ...refusalOfOffer(refused), answerDue: false };
  const answer = session.createAnswer(local);
  return { status: 200, headers: withBody, sdp: answer.sdp, media: answer.media, answerDue: false };
}

const GLARE: OfferReply = { status: 491, headers: {}, answerDue: false };

/** How long to wait before offering again after 491 (RFC 3261 §14.1): the owner of the Call-ID 2.1-4 s, the other 0-2 s. */
export function glareDelayMs(ownsCallId: boolean): number {
  return 10 * (ownsCallId ? randomInt(210, 401) : randomInt(0, 201));
}
