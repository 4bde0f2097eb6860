import { type Clock, delay, type Timer } from '../core/clock.ts';
import type { Direction, NegotiatedMedia } from '../media/description.ts';
import type { SrfDialog, SrfIncomingResponse, SrfRequest, SrfResponse } from './drachtio.ts';
import type { MediaExchange } from './media-exchange.ts';
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
  readonly clock: Clock;
  /** We made the call: the longer wait after glare is ours. */
  readonly ownsCallId: boolean;
  readonly sessionTimers: SessionTimerPolicy | undefined;
  /** False before the dialog is up and after its end: nothing is offered, taken or told then. */
  readonly isUp: () => boolean;
  readonly isOver: () => boolean;
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
  awaitAnswer(invite: SrfRequest, exchange: MediaExchange): void {
    const timer = this.options.clock.setTimer(ACK_WAIT_MS, () => this.#giveUp(exchange));
    this.#awaited = { sequence: sequenceOf(invite), timer };
  }

  /**
   * An ACK came.
   * @returns what it settled, undefined when no offer of ours waited for this one.
   */
  acknowledge(ack: SrfRequest, exchange: MediaExchange): Promise<NegotiatedMedia | OfferRefusal> | undefined {
    if (!this.#awaited || this.#awaited.sequence !== sequenceOf(ack)) return undefined;
    this.close();
    const found = descriptionIn(ack);
    return exchange.accept('sdp' in found ? found.sdp : '');
  }

  /** A re-INVITE or UPDATE of the peer. Rejects only for a mistake of ours. */
  async receive(req: SrfRequest, res: SrfResponse, dialog: SrfDialog, exchange: MediaExchange): Promise<void> {
    const { sessionTimers, send, onMedia, isUp, isOver } = this.options;
    const { session } = exchange;
    const reply = await replyToOffer(exchange, req, { contact: dialog.local.contact, sessionTimers });
    const takeBack = (): void => {
      if (reply.answerDue) this.#giveUp(exchange);
      else if (reply.media) session.withdrawAnswer();
    };
    if (isOver()) return takeBack(); // the dialog ended while media thought about it, and took the request along
    if (reply.answerDue) this.awaitAnswer(req, exchange);
    send(res, reply, reply.sdp, (error) => {
      if (error) return takeBack();
      if (reply.media && isUp()) onMedia(reply.media);
      if (reply.sdp !== undefined) dialog.local.sdp = reply.sdp;
    });
  }

  /**
   * Our own re-INVITE (hold, resume). Waits out glare as RFC 3261 §14.1 says, three times at most.
   * @returns what was agreed, or undefined when it was refused or the call ended; what was agreed before then stays.
   */
  async offer(dialog: SrfDialog, exchange: MediaExchange, direction: Direction): Promise<NegotiatedMedia | undefined> {
    const { clock, ownsCallId, invite, isUp, onDialogGone } = this.options;
    for (let tries = 0; tries <= GLARE_RETRIES_MAX && isUp(); tries += 1) {
      if (exchange.isFree) {
        const sdp = await exchange.offer(direction);
        if (typeof sdp !== 'string') return undefined;
        const res = isUp() ? await invite(dialog, sdp) : undefined;
        if (res?.status === 200 && isUp()) return this.#takeAnswer(exchange, res.body ?? '');
        exchange.rollback();
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

  #giveUp(exchange: MediaExchange): void {
    this.close();
    exchange.rollback();
  }

  async #takeAnswer(exchange: MediaExchange, body: string): Promise<NegotiatedMedia | undefined> {
    const media = await exchange.accept(body);
    if (isRefusal(media) || !this.options.isUp()) return undefined;
    this.options.onMedia(media);
    return media;
  }
}
