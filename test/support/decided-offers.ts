import type { Direction, MediaEndpoint, NegotiatedMedia } from '../../src/media/description.ts';
import { isSessionRefusal } from '../../src/media/media-session.ts';
import { acceptAudio, answerAudio, offerAudio } from '../../src/media/rtp/rtp-session.ts';
import type { Answer, OfferAnswer } from '../../src/sip/offer-answer.ts';
import { isRefusal, type OfferRefusal } from '../../src/sip/stream-choice.ts';

/** Offer and answer as media decides them, without the waiting. */
export function makeAnswer(session: OfferAnswer, local: MediaEndpoint): Answer {
  const { remote } = session;
  const decided = remote && answerAudio(local, remote);
  if (decided && isSessionRefusal(decided)) throw new Error(decided.text);
  return session.sendAnswer(decided);
}

export function makeOffer(session: OfferAnswer, local: MediaEndpoint, direction: Direction = 'sendrecv'): string {
  const keys = session.keysToOffer;
  if (typeof keys === 'object' && isRefusal(keys)) throw new Error(keys.text);
  session.openOffer();
  return session.sendOffer(offerAudio(local, direction, keys));
}

export function takeAnswer(session: OfferAnswer, body: string): NegotiatedMedia | OfferRefusal {
  const refused = session.receiveAnswer(body);
  if (refused) return refused;
  const agreed = acceptAudio(session.remote!, session.offered!);
  if (isSessionRefusal(agreed)) throw new Error(agreed.text);
  return session.acceptAnswer(agreed);
}
