import { type Clock, delay, type Timer } from '../core/clock.ts';
import type { Direction, MediaEndpoint, NegotiatedMedia } from '../media/description.ts';
import type { SrfDialog, SrfIncomingResponse, SrfRequest, SrfResponse } from './drachtio.ts';
import type { OfferAnswer } from './offer-answer.ts';
import { glareDelayMs, replyToOffer } from './reinvite.ts';
import { descriptionIn } from './request-replies.ts';
import type { SessionTimerPolicy } from './session-expires.ts';
import type { Refusal } from './status.ts';
import type { OfferRefusal } from './stream-choice.ts';
import { isRefusal } from './stream-choice.ts';

/** No ACK in 64*T1 = 32 s: the SIP server sends BYE and says so. This is for a server that forgot. */
export const ACK_WAIT_MS = 35_000;
const GLARE_RETRIES_MAX = 3;

export interface InDialogOffersOptions {
  readonly session: OfferAnswer;
  readonly clock: Clock;
  /** We made the call: the longer wait after glare is ours. */
  readonly ownsCallId: boolean;
  readonly sessionTimers: SessionTimerPolicy | undefined;
  /** False before the dialog is up and after its end: nothing is offered, taken or told then. */
  readonly isUp: () => boolean;
  readonly send: (res: SrfResponse, reply: Refusal, body?: string, sent?: (error: unknown) => void) => void;
  /** Sends our re-INVITE. */
  readonly invite: (dialog: SrfDialog, body: string) => Promise<SrfIncomingResponse | undefined>;
  readonly onMedia: (media: NegotiatedMedia) => void;
  /** The other side knows the dialog no more. */
  readonly onDialogGone: () => void;
}

/** The sequence number in `CSeq: 2 INVITE`. */
const sequenceOf = (message: SrfRequest): string | undefined => message.get('CSeq')?.trim().split(/\s/, 1)[0];

/**
 * Offers inside a dialog, the peer's and ours (RFC 3261 §14, RFC 3264 §8, RFC 3311). One that fails, whoever made it and
 * wherever it stopped, leaves what was agreed before and nothing open behind it.
 */
export class InDialogOffers {
  /** The INVITE whose 200 carried our offer: its ACK, and no other, brings the answer. */
  #awaited: { readonly sequence: string | undefined; readonly timer: Timer } | undefined;

  constructor(private readonly options: InDialogOffersOptions) {}

  /** Our offer has gone out in the 200 to `invite`. */
  awaitAnswer(invite: SrfRequest): void {
    const timer = this.options.clock.setTimer(ACK_WAIT_MS, () => this.#giveUp());
    this.#awaited = { sequence: sequenceOf(invite), timer };
  }

  /**
   * An ACK came.
   * @returns what it settled, undefined when no offer of ours waited for this one.
   */
  acknowledge(ack: SrfRequest): NegotiatedMedia | OfferRefusal | undefined {
    if (!this.#awaited || this.#awaited.sequence !== sequenceOf(ack)) return undefined;
    this.close();
    const found = descriptionIn(ack);
    return this.options.session.receiveAnswer('sdp' in found ? found.sdp : '');
  }

  /** A re-INVITE or UPDATE of the peer. */
  receive(req: SrfRequest, res: SrfResponse, dialog: SrfDialog, local: MediaEndpoint): void {
    const { session, sessionTimers, send, onMedia, isUp } = this.options;
    const reply = replyToOffer(session, req, { local, contact: dialog.local.contact, sessionTimers });
    if (reply.answerDue) this.awaitAnswer(req);
    send(res, reply, reply.sdp, (error) => {
      if (error && reply.answerDue) this.#giveUp();
      else if (error && reply.media) session.withdrawAnswer();
      else if (reply.media && isUp()) onMedia(reply.media);
      if (!error && reply.sdp !== undefined) dialog.local.sdp = reply.sdp;
    });
  }

  /**
   * Our own re-INVITE (hold, resume). Waits out glare as RFC 3261 §14.1 says, three times at most.
   * @returns what was agreed, or undefined when it was refused or the call ended; what was agreed before then stays.
   */
  async offer(dialog: SrfDialog, local: MediaEndpoint, direction: Direction): Promise<NegotiatedMedia | undefined> {
    const { session, clock, ownsCallId, invite, isUp, onDialogGone } = this.options;
    for (let tries = 0; tries <= GLARE_RETRIES_MAX && isUp(); tries += 1) {
      if (session.state === 'stable') {
        const res = await invite(dialog, session.createOffer(local, direction));
        if (res?.status === 200) return this.#takeAnswer(res.body ?? '');
        session.rollback();
        // 408 and 481 mean that the other side knows this dialog no more (§12.2.1.2).
        if (res?.status === 408 || res?.status === 481) onDialogGone();
        if (res?.status !== 491) return undefined;
      }
      await delay(clock, glareDelayMs(ownsCallId));
    }
    return undefined;
  }

  /** No ACK is waited for any more. */
  close(): void {
    this.options.clock.clearTimer(this.#awaited?.timer);
    this.#awaited = undefined;
  }

  #giveUp(): void {
    this.close();
    this.options.session.rollback();
  }

  #takeAnswer(body: string): NegotiatedMedia | undefined {
    const { session, isUp, onMedia } = this.options;
    if (!isUp()) return undefined;
    const media = session.receiveAnswer(body);
    if (isRefusal(media)) return undefined;
    onMedia(media);
    return media;
  }
}
