import type { Clock } from '../core/clock.ts';
import type { Direction, NegotiatedMedia } from '../media/description.ts';
import { isSessionRefusal, type MediaSession, type SessionRefusal } from '../media/media-session.ts';
import type { Answer, OfferAnswer } from './offer-answer.ts';
import { isRefusal, type OfferRefusal, refusal } from './stream-choice.ts';

/** A caller hears nothing while media decides, and its INVITE is repeated after half a second. */
export const MEDIA_WAIT_MS = 5_000;

/**
 * Offer and answer of one dialog with media taking part. Each step takes the turn before it waits, so that nobody else can
 * offer meanwhile, and gives it back when media refuses, fails or is late: what was agreed before stays.
 */
export class MediaExchange {
  constructor(
    readonly session: OfferAnswer,
    private readonly media: MediaSession,
    private readonly clock: Clock,
  ) {}

  /** Our answer to the offer that the session took. */
  async answer(): Promise<Answer | OfferRefusal> {
    const { session, media } = this;
    const { remote } = session;
    const decided = remote && (await this.#ask(() => media.answer(remote)));
    if (decided && isRefusal(decided)) return decided;
    return session.sendAnswer(decided);
  }

  async offer(direction: Direction): Promise<string | OfferRefusal> {
    const keys = this.session.keysToOffer;
    if (typeof keys === 'object' && isRefusal(keys)) return keys;
    this.session.openOffer();
    const local = await this.#ask(() => this.media.offer(direction, keys));
    return isRefusal(local) ? local : this.session.sendOffer(local);
  }

  /**
   * What will follow from an answer that was told early, as far as it can be known; the exchange goes on as if nobody had asked.
   * @param body - of a provisional response to our offer.
   */
  async preview(body: string): Promise<NegotiatedMedia | undefined> {
    const { session, media } = this;
    const remote = session.previewAnswer(body);
    const { offered } = session;
    if (!remote || remote.streams.length === 0 || !offered) return undefined;
    const agreed = await media.accept(remote, offered).catch(() => undefined);
    return agreed && !isSessionRefusal(agreed) ? agreed : undefined;
  }

  /** @param body - the peer's answer to our offer. */
  async accept(body: string): Promise<NegotiatedMedia | OfferRefusal> {
    const { session, media } = this;
    const refused = session.receiveAnswer(body);
    const { remote, offered } = session;
    if (refused || !remote || !offered) return refused ?? refusal('unacceptable', 304, 'The audio stream was refused');
    const agreed = await this.#ask(() => media.accept(remote, offered));
    return isRefusal(agreed) ? agreed : session.acceptAnswer(agreed);
  }

  async #ask<T extends object>(question: () => Promise<T | SessionRefusal>): Promise<T | OfferRefusal> {
    let timer: object | undefined;
    const late = new Promise<SessionRefusal>((resolve) => {
      const tooLate: SessionRefusal = { refused: 'failed', text: 'Media did not decide in time' };
      timer = this.clock.setTimer(MEDIA_WAIT_MS, () => resolve(tooLate));
    });
    const failed = (): SessionRefusal => ({ refused: 'failed', text: 'The media path failed' });
    const decided = await Promise.race([late, Promise.resolve().then(question).catch(failed)]);
    this.clock.clearTimer(timer);
    if (!isSessionRefusal(decided)) return decided;
    this.session.rollback();
    return refusal(decided.refused, decided.refused === 'no-codec' ? 305 : 399, decided.text);
  }
}
