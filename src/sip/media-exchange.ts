import type { Clock } from '../core/clock.ts';
import type { Direction, NegotiatedMedia } from '../media/description.ts';
import type { OuterMedia } from '../media/edge/media-edge.ts';
import { isSessionRefusal, type MediaSession, type SessionRefusal } from '../media/media-session.ts';
import type { EdgePassage } from './edge-passage.ts';
import type { Answer, OfferAnswer } from './offer-answer.ts';
import { isRefusal, type OfferRefusal, refusal } from './stream-choice.ts';

/** A caller hears nothing while media decides, and its INVITE is repeated after half a second. */
export const MEDIA_WAIT_MS = 5_000;

/**
 * Offer and answer of one dialog with media taking part, and the media edge between it and the outside where there is one. Each step
 * takes the turn before it waits, so that nobody else can offer meanwhile, and gives it back when media or the edge refuses, fails or
 * is late: what was agreed before stays.
 */
export class MediaExchange {
  #passing = false; // an offer of the peer, or our answer to it, is on its way through the edge

  constructor(
    readonly session: OfferAnswer,
    private readonly media: MediaSession,
    private readonly clock: Clock,
    private readonly passage?: EdgePassage,
  ) {}

  /** Nobody has an offer open. */
  get isFree(): boolean {
    return this.session.state === 'stable' && !this.#passing;
  }
  /** The name of a media edge that took the call and fell silent. */
  get edgeLost(): string | undefined {
    return this.passage?.lost;
  }
  /** Where a callee's SIP comes from. */
  set signallingAddress(address: string) {
    if (this.passage) this.passage.outerAddress = address;
    else this.session.signallingAddress = address;
  }

  /**
   * Our answer.
   * @param offer - of the peer; left out where the session took it already. Nobody else's may be open.
   */
  async answer(offer?: string): Promise<Answer | OfferRefusal> {
    this.#passing = true;
    const refused = offer === undefined ? undefined : await this.#receive(offer);
    const answer = refused ?? (await this.#answer());
    if (isRefusal(answer)) this.passage?.rollback();
    this.#passing = false;
    return answer;
  }

  async #answer(): Promise<Answer | OfferRefusal> {
    const { session, media, passage } = this;
    const { remote } = session;
    const decided = remote && (await this.#ask(() => media.answer(remote)));
    if (decided && isRefusal(decided)) return decided;
    const answer = session.sendAnswer(decided);
    const sdp = passage ? await passage.outward('answer', answer.sdp) : answer.sdp;
    if (typeof sdp === 'string') return { ...answer, sdp };
    session.withdrawAnswer();
    return sdp;
  }

  async offer(direction: Direction): Promise<string | OfferRefusal> {
    const { session, passage } = this;
    const keys = session.keysToOffer;
    if (typeof keys === 'object' && isRefusal(keys)) return keys;
    session.openOffer();
    const local = await this.#ask(() => this.media.offer(direction, keys));
    if (isRefusal(local)) return local;
    const offer = session.sendOffer(local);
    const sdp = passage ? await passage.outward('offer', offer) : offer;
    if (typeof sdp !== 'string') session.rollback();
    return sdp;
  }

  /**
   * What will follow from an answer that was told early, as far as it can be known; the exchange goes on as if nobody had asked.
   * @param body - of a provisional response to our offer.
   */
  async preview(body: string): Promise<NegotiatedMedia | undefined> {
    const { session, media } = this;
    const passed = await this.#answerInward(body);
    if (isRefusal(passed)) return undefined;
    const remote = session.previewAnswer(passed.sdp);
    const { offered } = session;
    if (!remote || remote.streams.length === 0 || !offered) return undefined;
    const agreed = await media.accept(remote, offered).catch(() => undefined);
    return agreed && !isSessionRefusal(agreed) ? agreed : undefined;
  }

  /** @param body - the peer's answer to our offer. */
  async accept(body: string): Promise<NegotiatedMedia | OfferRefusal> {
    const { session, media } = this;
    const passed = await this.#answerInward(body);
    if (isRefusal(passed)) {
      this.rollback();
      return passed;
    }
    const refused = session.receiveAnswer(passed.sdp);
    const { remote, offered } = session;
    if (refused || !remote || !offered) return refused ?? refusal('unacceptable', 304, 'The audio stream was refused');
    const agreed = await this.#ask(() => media.accept(remote, offered));
    return isRefusal(agreed) ? agreed : session.acceptAnswer(agreed);
  }

  /** The open offer came to nothing. */
  rollback(): void {
    const { session, passage } = this;
    session.rollback();
    passage?.rollback();
  }

  /** Our open offer leaves it to the other side whether media is encrypted. */
  get isChoice(): boolean {
    return this.passage ? this.passage.isChoice : this.session.isChoice;
  }

  /** The other side cannot read a choice: what is offered from now on is in the clear, from the start. */
  withdrawChoice(): void {
    this.session.withdrawChoice();
    if (this.passage) this.passage.profile = 'rtp';
  }

  /** The dialog is over. Idempotent; what the outer side of its media was, where there is a media edge that can tell. */
  close(): Promise<OuterMedia | undefined> {
    return this.passage?.close() ?? Promise.resolve(undefined);
  }

  async #receive(offer: string): Promise<OfferRefusal | undefined> {
    const { session, passage } = this;
    const passed = passage ? await passage.inward('offer', offer) : { sdp: offer, address: undefined };
    if (isRefusal(passed)) return passed;
    if (passed.address !== undefined) session.signallingAddress = passed.address;
    const refused = session.receiveOffer(passed.sdp);
    return refused === 'glare' ? refusal('failed', 399, 'Another offer is open') : refused;
  }

  async #answerInward(body: string): Promise<{ readonly sdp: string } | OfferRefusal> {
    const { session, passage } = this;
    if (!passage) return { sdp: body };
    const passed = await passage.inward('answer', body);
    if (!isRefusal(passed) && passed.address !== undefined) session.signallingAddress = passed.address;
    return passed;
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
