import type { Direction, MediaEndpoint, NegotiatedMedia } from '../../src/media/description.ts';
import { isSessionRefusal } from '../../src/media/media-session.ts';
import { acceptAudio, answerAudio, offerAudio } from '../../src/media/rtp/rtp-session.ts';
import type { Answer, OfferAnswer } from '../../src/sip/offer-answer.ts';
import type { OfferRefusal } from '../../src/sip/stream-choice.ts';

/** Offer and answer with plain RTP, without the waiting. */
export function makeAnswer(session: OfferAnswer, local: MediaEndpoint): Answer {
  const { remote } = session;
  const decided = remote && answerAudio(local, remote);
  if (decided && isSessionRefusal(decided)) throw new Error(decided.text);
  return session.sendAnswer(decided);
}

export function makeOffer(session: OfferAnswer, local: MediaEndpoint, direction: Direction = 'sendrecv'): string {
  session.openOffer();
  return session.sendOffer(offerAudio(local, direction));
}

export function takeAnswer(session: OfferAnswer, body: string): NegotiatedMedia | OfferRefusal {
  const refused = session.receiveAnswer(body);
  if (refused) return refused;
  const agreed = acceptAudio(session.remote!, session.offered!);
  if (isSessionRefusal(agreed)) throw new Error(agreed.text);
  return session.acceptAnswer(agreed);
}
