import type { CallEnd } from '../call/call-end.ts';
import { LegError } from '../call/leg.ts';
import type { Timer } from '../core/clock.ts';
import type { NegotiatedMedia } from '../media/description.ts';
import type { SrfDialog, SrfRequest, SrfResponse } from './drachtio.ts';
import { ACK_WAIT_MS } from './in-dialog-offers.ts';
import type { LegContext } from './leg-context.ts';
import { ALLOW, SUPPORTED } from './request-replies.ts';
import { agreedTimer } from './session-expires.ts';

interface Waiting {
  readonly resolve: (media: NegotiatedMedia) => void;
  readonly reject: (error: LegError) => void;
}

/**
 * The 200 to a caller's INVITE, from leaving to its ACK; the SIP server repeats it meanwhile (RFC 3261 §13.3.1.4). Whoever
 * answers waits for what is agreed, which may stand in the ACK.
 */
export class FinalAnswer {
  #waiting: Waiting | undefined;
  #ackTimer: Timer | undefined;

  constructor(private readonly context: Pick<LegContext, 'srf' | 'clock' | 'sessionTimers'>) {}

  /**
   * @param onSent - hears of the dialog, or of what kept the 200 from being sent.
   * @returns what `settle` is told; rejects with `LegError` at `fail`.
   */
  send(
    req: SrfRequest,
    res: SrfResponse,
    localSdp: string,
    onSent: (error: unknown, dialog: SrfDialog | undefined) => void,
  ): Promise<NegotiatedMedia> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      const headers = { Allow: ALLOW, Supported: SUPPORTED, ...agreedTimer(req, this.context.sessionTimers) };
      try {
        this.context.srf.createUAS(req, res, { localSdp, headers }, onSent);
      } catch (error) {
        onSent(error, undefined);
      }
    });
  }

  /** @param onMissing - no ACK came, and the SIP server has forgotten to say so. */
  awaitAck(onMissing: () => void): void {
    this.#ackTimer = this.context.clock.setTimer(ACK_WAIT_MS, onMissing);
  }

  acknowledged(): void {
    this.context.clock.clearTimer(this.#ackTimer);
  }

  settle(media: NegotiatedMedia): void {
    this.#waiting?.resolve(media);
    this.#waiting = undefined;
  }

  /** The call is over; idempotent. */
  fail(end: CallEnd): void {
    this.acknowledged();
    this.#waiting?.reject(new LegError(end));
    this.#waiting = undefined;
  }
}
